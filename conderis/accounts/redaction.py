"""Keeps secrets and email addresses out of the logs, whoever wrote them there.

Entries hold what anybody on the internet sends. So the patterns are RE2's, which take
linear time whatever the text, and very long entries are cut.
"""

import logging

import re2

MAX_ENTRY = 20_000  # characters of an entry that are kept

_RULES = [
    (re2.compile(r"cndr_[0-9A-Za-z]+"), "cndr_…"),
    (re2.compile(r"(?i)\b(bearer|basic)(\s+|%20)[^\s'\"\\,]+"), r"\1 …"),
    (re2.compile(r"(/(?:sign-in|join)/)[^\s/'\"\\>?)]+"), r"\1…"),
    (re2.compile(r"(/(?:password/reset/key|confirm-email)/)[^\s/'\"\\>?)]+"), r"\1…"),
    (re2.compile(r"(://)[^\s/@]+@"), r"\1…@"),
    (re2.compile(r"[\pL\pN_.+%-]+@[\pL\pN_-]+(\.[\pL\pN_-]+)+"), "…@…"),
]


def redact(text: str) -> str:
    """The text without agent keys, credentials, tokens of links and email addresses."""
    if len(text) > MAX_ENTRY:
        text = f"{text[:MAX_ENTRY]}… ({len(text) - MAX_ENTRY} more characters)"
    # RE2 takes UTF-8 alone, which half a character has none of.
    text = text.encode("utf-8", "replace").decode()
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return text


class RedactingFormatter(logging.Formatter):
    """Redacts the whole formatted entry: a filter would miss tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry as one redacted text."""
        return redact(super().format(record))
