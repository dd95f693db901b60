r"""Numbers in the texts of an export: `#12` of the source becomes the item's number here.

What is not here, or not yet, is escaped (`\#12`), so that it names nothing of this project;
when all is here, such texts are mended. In code nothing is changed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from markdown_it import MarkdownIt

# As pages recognise them (conderis.web.markdown), nothing after a backslash.
_NAMED: Final = re.compile(
    r"(?:(?<![\w/.@&#+~%=?\\-])(?P<source>[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+)"
    r"|(?<![\w/.@&#+~%=?\\]))"
    r"#(?P<number>[1-9][0-9]{0,8})(?![\w#]|[-./:=@]\w)"
)
_SPAN: Final = re.compile(r"(?<!`)(`{1,8})(?!`)[^\n]*?(?<!`)\1(?!`)")
_BLOCK: Final = re.compile(r"```|~~~|^(?: {4}| {0,3}\t)", re.MULTILINE)
_ANY: Final = re.compile(r"#[1-9]")
_MASKED: Final = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+)?\\?#[0-9]+")
_BLOCKS: Final = MarkdownIt("commonmark")


@dataclass(slots=True)
class Rewriter:
    """Rewrites texts of one source; `is_whole` until something was named that is not here."""

    numbers: Mapping[int, int]
    source: str = ""
    is_whole: bool = field(default=True)

    def markdown(self, text: str) -> str:
        """A text with its references as they are here; those to nothing are escaped."""
        if not _ANY.search(text):
            return text
        code = _code_lines(text)
        lines = text.split("\n")
        for at, line in enumerate(lines):
            if at not in code and "#" in line:
                lines[at] = self._line(line)
        return "\n".join(lines)

    def plain(self, text: str) -> str:
        """A text that is no Markdown: what is not here stays as it is written."""
        return _NAMED.sub(self._kept, text) if _ANY.search(text) else text

    def _line(self, line: str) -> str:
        found: list[str] = []
        start = 0
        for span in _SPAN.finditer(line):
            found += [_NAMED.sub(self._escaped, line[start : span.start()]), span[0]]
            start = span.end()
        return "".join([*found, _NAMED.sub(self._escaped, line[start:])])

    def _escaped(self, match: re.Match[str]) -> str:
        new = self._new(match)
        if new is None:
            return match[0]
        return f"#{new}" if new else f"{match['source'] or ''}\\#{match['number']}"

    def _kept(self, match: re.Match[str]) -> str:
        new = self._new(match)
        return f"#{new}" if new else match[0]

    def _new(self, match: re.Match[str]) -> int | None:
        """The number here, 0 where it is not, None where another project is meant."""
        source = match["source"]
        if source is not None and source.lower() != self.source.lower():
            return None
        new = self.numbers.get(int(match["number"]), 0)
        self.is_whole = self.is_whole and new > 0
        return new


def same_but_for_numbers(one: str, other: str) -> bool:
    """Whether two texts differ in the numbers that they name alone."""
    return _MASKED.sub("#", one) == _MASKED.sub("#", other)


def _code_lines(text: str) -> frozenset[int]:
    """The lines of code blocks; the parser is asked only where there may be any."""
    if not _BLOCK.search(text):
        return frozenset()
    return frozenset(
        line
        for token in _BLOCKS.parse(text)
        if token.type in ("fence", "code_block") and token.map is not None
        for line in range(*token.map)
    )
