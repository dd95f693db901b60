"""What is too much, or cannot be now: limits, and outages of the database."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from conderis.web.refusal_rules.patterns import rule

OF_LIMITS: Final = (
    rule(
        r"More than (?P<most>[\d,]+) calls within a minute are not answered\. "
        r"Wait (?P<seconds>\d+) seconds\. .+",
        _("You have asked for more than %(most)s pages within a minute. Wait %(seconds)s seconds."),
    ),
    rule(
        r"A project holds at most (?P<most>[\d,]+) items, .+",
        _(
            "A project holds at most %(most)s items, archived ones included, and this one does. "
            "Store in another project, or ask whoever runs this server to raise the limit."
        ),
    ),
    rule(
        r"The database is busy with other changes\. .+",
        _("The database is busy with other changes. Nothing was changed. Try again in a moment."),
    ),
    rule(
        r"The server's disk is full or cannot be written\. .+",
        _(
            "The server’s disk is full or cannot be written. Nothing was changed. Tell whoever "
            "runs this server."
        ),
    ),
    rule(
        r"The database does not answer\. .+",
        _(
            "The database does not answer. Wait a moment, and look at what stands before you do it "
            "again: it may have been carried out."
        ),
    ),
)
