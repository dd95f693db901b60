"""Checks on text that comes in: what is refused, what is made uniform.

Lengths are Unicode code points. Text is stored as sent, line ends as LF; titles, tags
and names are one line, trimmed, NFC.
"""

import re
import unicodedata

from conderis.common.errors import Invalid, TooLarge
from conderis.common.json import Json

LINE_BREAKS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""U+0000 and lone surrogates: neither can be stored by every database."""


def refuse_broken(value: str, *, field: str) -> None:
    """Refuse U+0000 and lone surrogates, naming the field and the place.

    Neither can be stored by every database, and a lone surrogate has no UTF-8 form.

    Raises:
        Invalid: the text holds one.
    """
    found = UNSTORABLE.search(value)
    if found is None:
        return
    code = ord(found.group())
    name = "U+0000" if code == 0 else f"the lone surrogate U+{code:04X}"
    raise Invalid(
        f"{field} holds {name} at character {found.start()}, which cannot be stored. "
        "Send it without that character.",
        field=field,
    )


def expect_text(value: Json, *, field: str) -> str:
    """The value, if it is text that can be stored.

    Raises:
        Invalid: it is no text, or holds U+0000 or a lone surrogate.
    """
    if not isinstance(value, str):
        raise Invalid(f"{field} must be text.", field=field, allowed=["text"])
    refuse_broken(value, field=field)
    return value


def clean_text(value: Json, *, field: str, limit: int) -> str:
    """Text of any number of lines, line ends made LF, at most `limit` code points.

    Raises:
        Invalid: it is no storable text.
        TooLarge: it is longer than the limit.
    """
    text = expect_text(value, field=field)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    refuse_long(text, field=field, limit=limit)
    return text


def clean_line(value: Json, *, field: str, limit: int) -> str:
    """One line, trimmed and NFC, at most `limit` code points; may be empty.

    A line of which nothing is seen is empty.

    Raises:
        Invalid: it is no storable text or has a line break.
        TooLarge: it is longer than the limit.
    """
    text = unicodedata.normalize("NFC", expect_text(value, field=field)).strip()
    if LINE_BREAKS.search(text):
        raise Invalid(f"{field} must be one line, without a line break.", field=field)
    refuse_long(text, field=field, limit=limit)
    return text if _is_seen(text) else ""


def refuse_long(text: str, *, field: str, limit: int) -> None:
    """Refuse a text of more than `limit` code points.

    Raises:
        TooLarge: it is longer.
    """
    if len(text) > limit:
        raise TooLarge(
            f"{field} has {len(text)} characters; at most {limit} are allowed.",
            field=field,
            limit=limit,
        )


def without_heading(text: str, title: str) -> str:
    """A text's beginning without a first Markdown heading that only repeats the title."""
    first, _, rest = text.lstrip().partition("\n")
    repeats = first.startswith("#") and first.lstrip("#").strip().casefold() == title.casefold()
    return rest if repeats else text


def cut_at_word(text: str, limit: int) -> str:
    """The beginning of a text as one line, cut at a word, with an ellipsis if cut."""
    line = " ".join(text[: limit + 1].split())
    if len(line) <= limit:  # the whole, or there are runs of blanks
        line = " ".join(text[: limit * 4 + 4].split())
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    at_blank = head.rfind(" ")
    return (head[:at_blank] if at_blank > limit // 2 else head).rstrip() + "…"


_JOINERS = "\u200c\u200d"  # zero-width (non-)joiners: letters and emoji need them between
_HIDDEN = {"Cf", "Cc", "Co"}  # marks of direction, tags, controls, private ones
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"  # letters by their category, seen by nobody


def _is_seen(text: str) -> bool:
    """Whether the text holds a letter, number, sign or symbol that is drawn."""
    return any(unicodedata.category(one)[0] in "LNPS" and one not in _FILLERS for one in text)


def refuse_unseen(name: str, *, field: str) -> None:
    """Refuse a name that is not what one sees: turned, blank, or with hidden characters.

    Raises:
        Invalid: it holds such a character, or none that can be seen.
    """
    joined = name.translate(dict.fromkeys(map(ord, _JOINERS)))
    hidden = any(unicodedata.category(one) in _HIDDEN or one in _FILLERS for one in joined)
    if hidden or not _is_seen(joined) or name != name.strip(_JOINERS):
        raise Invalid(
            f"{field} holds characters that nobody sees. Type it without them.", field=field
        )
