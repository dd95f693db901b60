"""A project in an address: its id or `owner/name`, whose slash may be written as %2F."""

from django.urls import register_converter
from django.urls.converters import StringConverter, get_converters


class PlaceConverter(StringConverter):
    """One part of a path, or two."""

    regex = "[^/]+(?:/[^/]+)?"


def register() -> None:
    """Make `<place:project>` known. Called before the addresses are built."""
    if "place" not in get_converters():
        register_converter(PlaceConverter, "place")
