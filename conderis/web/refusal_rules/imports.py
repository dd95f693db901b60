"""Files that are imported."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from conderis.web.refusal_rules.patterns import rule

OF_IMPORTS: Final = (
    rule(
        r"You have <COUNT> unfinished imports\. Finish or stop one of them first\.",
        _("You have %(count)s unfinished imports. Import or throw away one of them first."),
    ),
    rule(
        r"What this agent changes always needs review, and an import publishes at once\.",
        _("What this agent changes always needs review, and an import publishes at once."),
    ),
    rule(r"The file is empty\.", _("The file is empty.")),
    rule(r"The file is larger than <LIMIT> MB\.", _("The file is larger than %(limit)s MB.")),
    rule(
        r"(?:The file|.+) is no zip archive that can be read\.",
        _("The file is no zip archive that can be read."),
    ),
    rule(
        r"An import takes up to (?P<files>\d+) files of up to (?P<each>\d+) MB, "
        r"(?P<all>\d+) MB together\.",
        _(
            "An import takes up to %(files)s files of up to %(each)s MB, %(all)s MB together, "
            "counted unpacked."
        ),
    ),
    rule(
        r"The format of this file is not known\. Known are <NAME>\.",
        _(
            "The format of this file is not known. Choose one above if you know it; the list "
            "below says what can be imported."
        ),
    ),
    rule(r"There is no importer of this name\. .+", _("Choose a format of the list.")),
    rule(r"This import is running\. Stop it first\.", _("This import is running. Stop it first.")),
    rule(r"The file is still being checked\.", _("The file is still being checked.")),
    rule(
        r"This file waits with another choice\. Throw that import away first\.",
        _("This file waits with another choice. Throw that import away first."),
    ),
    rule(r"There is no format <NAME>\. Known are .+", _("Choose a format of the list.")),
    rule(r"This import is running already\.", _("This import is running already.")),
    rule(
        r"This import has ended\. Upload the file once more\.",
        _("This import has ended. Upload the file once more."),
    ),
    # Why an import has failed, as its report keeps it.
    rule(
        r"Something went wrong on the server\. The import can be started again\.",
        _("Something went wrong on the server. The import can be started again."),
    ),
    rule(
        r"Something of this project was erased meanwhile, and the uploaded file with it\. "
        r"Upload the file once more\.",
        _(
            "Something of this project was erased meanwhile, and the uploaded file with it. "
            "Upload the file once more."
        ),
    ),
    rule(
        r"The rights that this import was begun with have ended\.",
        _("The rights that this import was begun with have ended."),
    ),
    rule(
        r"Nobody went on with it for 24 hours, so the uploaded file was thrown away\.",
        _("Nobody went on with it for 24 hours, so the uploaded file was thrown away."),
    ),
)
