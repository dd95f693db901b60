"""What importers do to texts: decoding, escaping of numbers, sections of what has no field."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

_NUMBER = re.compile(r"(?<![\w\\/#&])#(?=\d)")


def escape_numbers(text: str) -> str:
    r"""The text with `#12` as `\#12`: numbers of the source are no numbers of this project.

    What stands in a word, an address (`…/issues#12`) or behind a backslash stays as it is.
    Code blocks and code spans are left alone: nothing is linked there.
    """
    pieces = _CODE.split(text)
    return "".join(
        piece if place % 2 else _NUMBER.sub(r"\\#", piece) for place, piece in enumerate(pieces)
    )


_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_CODE = re.compile(r"((?:^|(?<=\n))(?:```|~~~)[\s\S]*?(?:\n(?:```|~~~)(?=\n|$)|$)|`[^`\n]+`)")


def without_code(text: str) -> str:
    """The text without its code blocks and code spans."""
    return "".join(_CODE.split(text)[::2])


def decoded(content: bytes) -> tuple[str, str | None]:
    """Bytes as text with LF, without a byte order mark, and the encoding if it is not UTF-8.

    What is no UTF-8 (or UTF-16 by its mark) is read as Windows-1252, which never fails but may
    be wrong: the caller warns. U+0000 is kept; storing refuses it by name.
    """
    encoding: str | None = None
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text, encoding = content.decode("utf-16", errors="replace"), "UTF-16"
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text, encoding = content.decode("cp1252", errors="replace"), "Windows-1252"
    return text.replace("\r\n", "\n").replace("\r", "\n"), encoding


def one_line(text: str) -> str:
    """The text as one line: what breaks lines becomes one blank."""
    return " ".join(text.split())


def cut(text: str, limit: int) -> tuple[str, bool]:
    """The text within `limit` characters, cut with an ellipsis, and whether it was."""
    return (text, False) if len(text) <= limit else (text[: limit - 1].rstrip() + "…", True)


def with_sections(content: str, *sections: str) -> str:
    """The content with these sections at its end, empty ones left out."""
    return "\n\n".join(part for part in (content.rstrip("\n"), *sections) if part.strip())


def closed(text: str) -> str:
    """The text with an end to a code block that it leaves open, so that more can follow it."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
            fence = ""
    return f"{text}\n{fence}" if fence else text


def details(pairs: Iterable[tuple[str, str]]) -> str:
    """A section of what the source says and no field here takes: `Assignee: Ann`."""
    lines = [f"- {name}: {one_line(value)}" for name, value in pairs if value.strip()]
    return "\n".join(["## Details", "", *lines]) if lines else ""


Comment = tuple[str, datetime | str | None, str]  # by whom, when, what


def comments(entries: Sequence[Comment]) -> str:
    """The "Comments" section: of each its author by name, when, and the text."""
    parts: list[str] = []
    for name, at, text in entries:
        when = f"{at:%Y-%m-%d %H:%M} UTC" if isinstance(at, datetime) else (at or "")
        head = ", ".join(part for part in (one_line(name) or "Unknown", when) if part)
        parts.append(f"**{head}**\n\n{closed(text.strip())}")
    return "\n\n".join(["## Comments", *parts]) if parts else ""
