"""Parts of addresses that name something, as Django's path converters."""

from django.urls import register_converter
from django.urls.converters import StringConverter, get_converters

from conderis.accounts.handle_rules import LEAST, MOST, RESERVED


class OwnerConverter(StringConverter):
    """The handle of a person or organization: never one of the reserved words."""

    _words = "|".join(sorted(RESERVED))
    regex = rf"(?!(?:{_words})/)[a-z0-9](?:[a-z0-9-]{{{LEAST - 2},{MOST - 2}}}[a-z0-9])"


class ProjectNameConverter(StringConverter):
    """A project's own name (see `projects.names`)."""

    regex = r"(?!\.+/)[A-Za-z0-9._-]{1,100}"


def register() -> None:
    """Make `<owner:owner>/<project:name>/` known. Called by the root of the addresses."""
    for name, converter in (("owner", OwnerConverter), ("project", ProjectNameConverter)):
        if name not in get_converters():
            register_converter(converter, name)
