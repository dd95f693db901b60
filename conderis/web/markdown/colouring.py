"""Code in colours: spans with a few classes of our own around what Pygments finds.

Only languages whose rules were tried on hostile texts; every other code stays plain, and so
does what is left once the allowance of a text is used up.
"""

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import groupby
from operator import itemgetter
from time import thread_time
from typing import Any, Final

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Literal, Name, Operator, String, _TokenType

MOST_COLOURED: Final = 20_000
"""Characters of a text's code; each may become some twenty of HTML."""
MOST_IN_A_LINE: Final = 300
"""Characters. Some rules of Pygments look from every place of a line to its end, or from every
blank to the last, and cannot be stopped meanwhile."""
MOST_BLANKS: Final = 100
"""Blanks and ends of lines in a row."""
MOST_SECONDS: Final = 0.3
"""Processor time for the code of a text."""

LANGUAGES: Final = frozenset({
    "bash", "c", "console", "cpp", "csharp", "css", "dart", "diff", "docker", "elixir", "go",
    "graphql", "html", "ini", "java", "javascript", "json", "kotlin", "lua", "make", "php",
    "postgresql", "powershell", "pycon", "python", "r", "ruby", "rust", "scala", "scss",
    "sql",
    "swift", "terraform", "toml", "typescript", "xml", "yaml", "zig",
})  # fmt: skip
"""As Pygments calls them. A test tries each one on texts that would be dear."""
_ALSO: Final = {
    "c#": "csharp", "c++": "cpp", "cs": "csharp", "cfg": "ini", "dockerfile": "docker",
    "golang": "go", "hcl": "terraform", "js": "javascript", "jsonc": "json", "jsx": "javascript",
    "kt": "kotlin", "makefile": "make", "patch": "diff", "ps1": "powershell", "psql": "postgresql",
    "py": "python", "python3": "python", "rb": "ruby", "rs": "rust", "sh": "bash",
    "shell": "bash", "svg": "xml", "tf": "terraform", "ts": "typescript", "tsx": "typescript",
    "udiff": "diff", "yml": "yaml", "zsh": "bash",
}  # fmt: skip

# The nearest of a token's type and its parents counts. What is not here stays ink.
_CLASSES: Final[dict[_TokenType, str]] = {
    Comment: "code-note",
    Comment.Preproc: "code-word",
    Generic.Deleted: "code-out",
    Generic.Heading: "code-word",
    Generic.Inserted: "code-in",
    Generic.Prompt: "code-note",
    Generic.Output: "",
    Generic.Subheading: "code-note",
    Keyword: "code-word",
    Keyword.Constant: "code-value",
    Literal: "code-value",
    Name.Attribute: "code-name",
    Name.Class: "code-name",
    Name.Decorator: "code-note",
    Name.Entity: "code-value",
    Name.Function: "code-name",
    Name.Tag: "code-word",
    Operator.Word: "code-word",
    String.Doc: "code-note",
}
_BLANKS: Final = re.compile(rf"\s{{{MOST_BLANKS + 1}}}")
CLASSES: Final = frozenset(_CLASSES.values()) - {""}


@dataclass(slots=True)
class Allowance:
    """What the code of one text may still cost. Colouring takes from it."""

    characters: int = MOST_COLOURED
    seconds: float = MOST_SECONDS


def language_of(word: str) -> str:
    """The language that the word behind a fence means, as Pygments calls it; "" for none."""
    name = word.lower()
    name = _ALSO.get(name, name)
    return name if name in LANGUAGES else ""


def language_name(language: str) -> str:
    """What people call the language: `C++`."""
    return str(_lexer(language).name)


def coloured(code: str, language: str, allowance: Allowance) -> str | None:
    """The code as HTML with spans; None where it would cost more than is allowed."""
    if len(code) > allowance.characters or allowance.seconds <= 0:
        return None
    if _BLANKS.search(code) or max(map(len, code.split("\n"))) > MOST_IN_A_LINE:
        return None
    allowance.characters -= len(code)
    lexer = _lexer(language)  # made once for each process, which is no cost of this text
    began = thread_time()
    pieces: list[tuple[str, str]] = []
    try:
        for kind, text in lexer.get_tokens(code):
            pieces.append((_class_of(kind), text))
            if thread_time() - began > allowance.seconds:
                return None
    finally:
        allowance.seconds -= thread_time() - began
    if "".join(text for _, text in pieces) != code:  # nothing may be shown but what was written
        return None
    return "".join(
        _spanned(name, escape("".join(text for _, text in run)))
        for name, run in groupby(pieces, key=itemgetter(0))
    )


def _spanned(name: str, html: str) -> str:
    return f'<span class="{name}">{html}</span>' if name else html


@cache
def _class_of(kind: Any) -> str:
    while kind is not None:
        if kind in _CLASSES:
            return _CLASSES[kind]
        kind = kind.parent
    return ""


@cache
def _lexer(language: str) -> Lexer:
    # As it was written: no lines are cut off, no end is added, tabs stay.
    return get_lexer_by_name(language, stripnl=False, ensurenl=False)
