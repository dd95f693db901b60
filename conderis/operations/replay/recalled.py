"""What an agent takes out of a recall: numbers, versions and titles, to work on with."""

import re
from dataclasses import dataclass

_LINE = re.compile(r"^[ ]*- #(?P<number>\d+) v(?P<version>\d+) (?P<text>.+)$", re.MULTILINE)

_PROPOSAL = re.compile(r"^- (?P<ref>proposal:\w+) (?P<text>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Line:
    """One item in a recall."""

    number: int
    version: int
    text: str


def find_line(recalled: str, words: str) -> Line:
    """The first line that has these words.

    Raises:
        LookupError: there is none.
    """
    for match in _LINE.finditer(recalled):
        if words.casefold() in match["text"].casefold():
            return Line(int(match["number"]), int(match["version"]), match["text"])
    raise LookupError(words)


def find_proposal(recalled: str, words: str) -> str:
    """The reference of the first proposal whose line has these words.

    Raises:
        LookupError: there is none.
    """
    for match in _PROPOSAL.finditer(recalled):
        if words.casefold() in match["text"].casefold():
            return match["ref"]
    raise LookupError(words)
