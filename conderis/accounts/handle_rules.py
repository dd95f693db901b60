"""What a handle may look like, and the words that no handle may be."""

import re

from django.core.exceptions import ValidationError

from conderis.common.errors import Invalid
from conderis.common.json import Json
from conderis.common.text import clean_line

LEAST = 2
MOST = 39
_FORM = re.compile(rf"(?=.{{{LEAST},{MOST}}}\Z)[a-z0-9]([a-z0-9-]*[a-z0-9])?")

# Words of addresses, now and foreseeable, and words that would mislead.
RESERVED = frozenset(
    """
    about account accounts activity admin administrator agent agents all anonymous anyone api
    assets auth authorize bag bags batch billing blog callback changelog conderis connect
    contact dashboard delete deletion deletions docs download everyone everything examples explore
    export favicon feed feeds files find guide health healthz help history home hygiene import
    imports index instructions item items join key keys legal list login logout mail mcp me
    media member members memories memory metrics moderator new nobody none null oauth operator
    organization organizations orgs page pages password people person personal policies policy
    preferences pricing privacy profile project projects proposal proposals public readyz recall
    register reset review reviews robots root schemas scim search security session sessions settings
    setup sign-in sign-out sign-up signin signout signup sitemap sse sso static status store
    support system task tasks team teams terms token tokens tools undefined upload user users
    waiting webhooks welcome well-known wiki www
    """.split()  # noqa: SIM905 - a word a line would be two screens
)


def check_handle(value: Json, *, field: str = "handle") -> str:
    """The value trimmed, if it can be a handle.

    Raises:
        Invalid: it has another form, or is reserved.
    """
    text = clean_line(value, field=field, limit=200)
    if not _FORM.fullmatch(text):
        raise Invalid(
            f"{field} must be {LEAST} to {MOST} lower-case letters, digits and hyphens, "
            "with a letter or digit first and last, such as 'ada' or 'data-team'.",
            field=field,
        )
    if text in RESERVED:
        raise Invalid(f"The handle {text} is reserved. Choose another one.", field=field)
    return text


def validate_handle(value: str) -> None:
    """The same check, as Django's forms and `createsuperuser` take it."""
    try:
        check_handle(value)
    except Invalid as refusal:
        raise ValidationError(refusal.message) from refusal
