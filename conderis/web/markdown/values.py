"""What laying out a text gives."""

from dataclasses import dataclass

from django.utils.safestring import SafeString


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a text: its level on the page, its words, and the id to link to."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text as HTML, and its headings in order; none where the source is shown."""

    html: SafeString
    headings: tuple[Heading, ...]
