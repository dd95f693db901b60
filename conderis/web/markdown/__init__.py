"""Markdown as HTML that is safe to show: no markup of its own, no script, nothing loaded."""

from conderis.web.markdown.laying_out import (
    MOST_CHARACTERS,
    MOST_SECONDS,
    Linker,
    render,
    render_outlined,
)
from conderis.web.markdown.values import Heading, Rendered

__all__ = [
    "MOST_CHARACTERS", "MOST_SECONDS", "Heading", "Linker", "Rendered", "render",
    "render_outlined",
]  # fmt: skip
