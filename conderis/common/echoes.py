"""What a refusal may repeat of what was sent: little, and always encodable."""

from conderis.common.json_reading import SURROGATE

MAX_ECHO = 40


def echo(text: str) -> str:
    """The beginning of a text as one printable line."""
    line = "".join(each if each.isprintable() else "\ufffd" for each in text[:MAX_ECHO])
    return f"{line}…" if len(text) > MAX_ECHO else line


def encodable(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which has no UTF-8 form."""
    return SURROGATE.sub("\ufffd", text)
