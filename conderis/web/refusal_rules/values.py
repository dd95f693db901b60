"""What was sent in fields and addresses."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from conderis.web.refusal_rules.patterns import rule

# Values of fields, as forms and addresses send them.
OF_FIELDS: Final = (
    rule(r"version must be the number of a version\.", _("There is no such version.")),
    rule(r"<FIELD> must be one of:? (?P<values>.+)\.", _("%(field)s: choose one of %(values)s.")),
    rule(r"<FIELD> must be true or false\.", _("%(field)s is either on or off.")),
    rule(r"<FIELD> must be a list: .+\.", _("%(field)s must be a list.")),
    rule(
        r"<FIELD> must be a date without time, as 2026-12-31\.",
        _("%(field)s must be a date, as 2026-12-31."),
    ),
    rule(
        r"<FIELD> must be a time in ISO 8601, as .+\.",
        _("%(field)s must be a date or a time, as 2026-12-31 or 2026-12-31T18:00:00Z."),
    ),
    rule(
        r"<FIELD> must be in the years (?P<first>\d+) to (?P<last>\d+)\.",
        _("%(field)s must be in the years %(first)s to %(last)s."),
    ),
    rule(
        r"<FIELD> must be the place among the siblings, from 1\.",
        _("%(field)s must be a place among its siblings, from 1."),
    ),
    rule(
        r"<FIELD> must be the number of an item, as 12 .+",
        _("%(field)s must be the number of an item, as 12."),
    ),
    rule(
        r"filter\.parent takes a number only with .+",
        _("Parent must be the number of an item of this project."),
    ),
    rule(r"<FIELD> must be me, or a reference .+", _("%(field)s: choose somebody of the list.")),
    rule(
        r"<FIELD> takes full commit SHAs of 40 or 64 hexadecimal digits\.",
        _("%(field)s takes full commit hashes of 40 or 64 hexadecimal digits."),
    ),
    rule(r"<FIELD> takes at most <LIMIT>(?: \w+)?\.", _("%(field)s takes at most %(limit)s.")),
    rule(r"<FIELD> is an empty tag\.", _("%(field)s: one of them is empty.")),
    rule(
        r"<FIELD> must be a list of numbers, as \[12, 13\]\.",
        _("%(field)s takes numbers of tasks, as 12, 13."),
    ),
    rule(r"<FIELD> holds only commit and repository\.", _("%(field)s must be a full commit hash.")),
    rule(
        r"<FIELD> must be a git remote, as https://host/owner/name\.",
        _("%(field)s must name a git remote, as https://host/owner/name."),
    ),
    rule(
        r"<FIELD> (?:cannot be null|is required and cannot be empty|is required for a \w+)\.",
        _("%(field)s is needed."),
    ),
    rule(
        r"Send visibility: private .+; it is public, so everyone in the world\)\.",
        _(
            "Choose who can see it: only you and your agents, or everybody; this project is "
            "public, so everyone in the world."
        ),
    ),
    rule(
        r"Send visibility: private .+",
        _("Choose who can see it: only you and your agents, or everyone with access."),
    ),
    rule(
        r"<FIELD> (?:has|would have) <COUNT> characters; at most <LIMIT> are allowed\.",
        _("%(field)s has %(count)s characters; at most %(limit)s are taken."),
    ),
    rule(
        r"<FIELD> holds (?P<what>.+) at character <COUNT>, which cannot be stored\. .+",
        _("%(field)s holds %(what)s at character %(count)s, which cannot be stored. Take it out."),
    ),
    rule(r"<FIELD> must be text\.", _("%(field)s must be text.")),
    rule(r"<FIELD> must be one line, without a line break\.", _("%(field)s must be one line.")),
    rule(
        r"<FIELD> holds characters that nobody sees\. .+",
        _("%(field)s holds characters that nobody sees. Type it without them."),
    ),
    rule(r"<FIELD> must be a whole number from (?:\d+)\.", _("%(field)s must be a whole number.")),
    rule(
        r"<FIELD> holds what looks like a secret \((?P<what>.+)\) at character <COUNT>, in line "
        r"(?P<line>\w+)\. Nothing was stored\. .+",
        _(
            "%(field)s holds what looks like a secret (%(what)s) in line %(line)s. Nothing was "
            "stored. Write where the secret is kept, not the secret."
        ),
    ),
    rule(
        r"<FIELD> holds what looks like a secret \((?P<what>.+)\) at character <COUNT>, in line "
        r"(?P<line>\w+)\. It was stored, .+",
        _(
            "%(field)s holds what looks like a secret (%(what)s) in line %(line)s. It was stored, "
            "since this project only warns. If it is one, replace it, and ask for an erasure of "
            "this version."
        ),
    ),
    rule(
        r"The text changed without <FIELD>, so this version has none\. .+",
        _(
            "The text has changed, so this version is not verified against a commit. Enter it "
            "again once you have checked the new text."
        ),
    ),
    rule(
        r"The stored content has <COUNT> characters; .+",
        _(
            "The text that stands has %(count)s characters, and the one sent keeps its first part "
            "but nothing of its last lines. Nothing was stored. Send the whole text."
        ),
    ),
)


# Settings of projects.
OF_SETTINGS: Final = (
    rule(
        r"remote is no address of a git repository\. .+",
        _("This is no address of a git repository."),
    ),
    rule(
        r"<FIELD> names no project that you may read\. .+",
        _("%(field)s names no project that you may read."),
    ),
    rule(r"<FIELD> names one project; .+", _("%(field)s must be the name of one project.")),
    rule(r"<FIELD> is empty\.", _("%(field)s is needed.")),
    rule(
        r"You own no organization with this handle\. .+",
        _("You own no organization with this handle."),
    ),
)

# Lists: what an address asks for.
OF_LISTS: Final = (
    rule(
        r"There is no filter status: .+",
        _("This list is not filtered by status: it shows what is to be done, or all."),
    ),
    rule(r"(?:\w+) have no filter .+", _("This list has no such filter.")),
    rule(r"sort (?:of \w+ )?must be one of .+", _("This list has no such order.")),
    rule(r"There is no (?:list of|kind) .+", _("There is no such list.")),
    rule(
        r".+ Send the nextCursor of the last answer .+",
        _("This page of the list is gone. Begin again with the first one."),
    ),
    rule(r"limit must be a whole number from 1 to <LIMIT>\.", _("There is no such page.")),
)
