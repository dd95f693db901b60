"""What a marked stretch is called: code and short name, or how many of which."""

import unicodedata
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conderis.web.comparing.characters import NOTABLE, Mark
from conderis.web.comparing.scripts import script_of

MOST_READ: Final = 200
"""Characters of a message written in tags that a mark repeats."""

_SHORT: Final = {
    0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0B: "VT", 0x0C: "FF", 0x0D: "CR", 0x1B: "ESC",
    0x7F: "DEL", 0x85: "NEL", 0xA0: "NBSP", 0xAD: "SHY", 0x34F: "CGJ", 0x61C: "ALM",
    0x115F: "HCF", 0x1160: "HJF", 0x180E: "MVS", 0x200B: "ZWSP", 0x200C: "ZWNJ", 0x200D: "ZWJ",
    0x200E: "LRM", 0x200F: "RLM", 0x2028: "LSEP", 0x2029: "PSEP", 0x202A: "LRE", 0x202B: "RLE",
    0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x202F: "NNBSP", 0x205F: "MMSP", 0x2060: "WJ",
    0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0x3000: "IDSP", 0x3164: "HF",
    0xFEFF: "BOM", 0xFFFC: "OBJ", 0xE0001: "LTAG", 0xE007F: "ETAG",
}  # fmt: skip
_FULL: Final = {0x200B: "zero width space", 0xFEFF: "byte order mark", 0x0D: "carriage return"}


def code_of(character: str) -> str:
    """Code point and short name, as `U+200B ZWSP`."""
    code = ord(character)
    if 0xFE00 <= code <= 0xFE0F:
        return f"U+{code:04X} VS{code - 0xFE00 + 1}"
    if 0xE0100 <= code <= 0xE01EF:
        return f"U+{code:04X} VS{code - 0xE0100 + 17}"
    short = _SHORT.get(code, "")
    return f"U+{code:04X} {short}".rstrip()


def full_name(character: str) -> str:
    """The name of a character in small letters, as Unicode gives it; empty without one."""
    return _FULL.get(ord(character)) or unicodedata.name(character, "").lower()


def spelled_out(text: str) -> str:
    """The text with the code of each notable character in its place, as `[U+200B ZWSP]`."""
    return str(NOTABLE.sub(lambda found: f"[{code_of(found[0])}]", text))


def label_of(stretch: str, mark: Mark) -> str:
    """The words on the mark that stands for a stretch, or beside it."""
    if mark is Mark.MIXED:
        return f"{code_of(stretch[0])} {script_of(stretch[0])}"
    if mark is Mark.CROWDED:
        return spelled_out(stretch)
    if mark is Mark.TAGS and len(stretch) > 1:
        return _tags(stretch)
    return code_of(stretch) if len(stretch) == 1 else _several(stretch)


def _several(stretch: str) -> str:
    kinds = dict.fromkeys(stretch)
    if all(unicodedata.combining(each) for each in kinds):
        count = len(stretch)
        return ngettext("%(count)d stacked mark", "%(count)d stacked marks", count) % {
            "count": count
        }
    if len(kinds) == 1:
        return f"{len(stretch)} × {code_of(stretch[0])}"
    if len(stretch) <= 3:
        return ", ".join(code_of(each) for each in stretch)
    names = [_SHORT.get(ord(each), f"U+{ord(each):04X}") for each in list(kinds)[:3]]
    more = ", …" if len(kinds) > 3 else ""
    return _("%(count)d characters: %(names)s") % {
        "count": len(stretch),
        "names": ", ".join(names) + more,
    }


def _tags(stretch: str) -> str:
    read = "".join(chr(ord(each) - 0xE0000) for each in stretch if 0xE0020 <= ord(each) <= 0xE007E)
    said = read if len(read) <= MOST_READ else read[:MOST_READ] + "…"
    return _("%(count)d tag characters that read “%(text)s”") % {
        "count": len(stretch),
        "text": said,
    }
