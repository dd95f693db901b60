"""Tags that show compared texts: `{% load comparing %}`. What people wrote is escaped here.

A text may have thousands of pieces, so they become HTML here and not in template loops.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conderis.web.comparing.characters import Mark
from conderis.web.comparing.marking import REPLACED, Piece
from conderis.web.comparing.wording import Change, Segment

register = template.Library()

_ELEMENT: Final = {Change.REMOVED: "del", Change.ADDED: "ins"}
_BLANKS: Final = " \t\r\n"
_SHOWN: Final = {" ": "·", "\t": "→", "\r": "", "\n": "↵"}
_BLANK_RUN: Final = re.compile(r"(?<=\n)(?:[ \t]*\r?\n){3,}")


@register.simple_tag
def show_segments(
    segments: Iterable[Segment], anchors: str = "with anchors", hidden_words: str = "words"
) -> SafeString:
    """The segments as HTML: removed words in `<del>`, added ones in `<ins>`.

    With `anchors=""` marks have no ids, for the second time that a text is on a page;
    with `hidden_words=""` readers of the screen are not told "removed", "added".
    """
    said = "".join(
        _segment(each, anchors=bool(anchors), aloud=bool(hidden_words)) for each in segments
    )
    return mark_safe(said)  # noqa: S308 - every piece is escaped below


@register.simple_tag
def show_pieces(pieces: Iterable[Piece]) -> SafeString:
    """The pieces of a text as HTML, marks instead of what cannot be seen."""
    return mark_safe("".join(_piece(each, anchors=True) for each in pieces))  # noqa: S308 - escaped


@register.filter
def blank_lines(count: int) -> str:
    """How many blank lines, in words."""
    return ngettext("%(count)d blank line", "%(count)d blank lines", count) % {"count": count}


def _segment(segment: Segment, *, anchors: bool, aloud: bool) -> str:
    pieces = segment.pieces
    if segment.change is Change.SAME:
        return "".join(_piece(each, anchors=anchors) for each in pieces)
    text = segment.text
    if not text.strip(_BLANKS):
        return _element(segment.change, _visible_blanks(text), aloud=aloud)
    before = text[: len(text) - len(text.lstrip(_BLANKS))]
    after = text[len(text.rstrip(_BLANKS)) :]
    inner = "".join(
        _piece(each, anchors=anchors)
        for each in _without_ends(pieces, len(before), len(text) - len(after))
    )
    return before + _element(segment.change, inner, aloud=aloud) + after


def _element(change: Change, inner: str, *, aloud: bool) -> str:
    name = _ELEMENT[change]
    word = _("removed") if change is Change.REMOVED else _("added")
    said = f'<span class="vh">{escape(word)} </span>' if aloud else ""
    return f"<{name}>{said}{inner}</{name}>"


def _without_ends(pieces: tuple[Piece, ...], start: int, stop: int) -> Iterator[Piece]:
    """The pieces of the stretch between these places; what is left out is blank."""
    at = 0
    for piece in pieces:
        text = piece.text[max(start - at, 0) : max(stop - at, 0)]
        at += len(piece.text)
        if text:
            yield replace(piece, text=text)


def _visible_blanks(text: str) -> str:
    if len(text) > 40:
        return escape(
            ngettext("%(count)d blank", "%(count)d blanks", len(text)) % {"count": len(text)}
        )
    return f'<span class="blanks">{"".join(_SHOWN[each] for each in text)}</span>' + (
        "\n" if "\n" in text else ""
    )


def _piece(piece: Piece, *, anchors: bool) -> str:
    anchor = f' id="{escape(piece.anchor)}"' if anchors and piece.anchor else ""
    if piece.mark in REPLACED:
        inner = _hidden(piece, anchor)
        return f'<span class="{_role(piece)}">{inner}</span>' if piece.role else inner
    if piece.mark is Mark.MIXED:
        return (
            f'<span class="mixed"{anchor}>{escape(piece.text)}'
            f'<span class="hid" dir="ltr">{escape(piece.label)}</span></span>'
        )
    text = _BLANK_RUN.sub(_folded, escape(piece.text))
    if piece.role is None:
        return text
    word = ""
    if piece.anchor and piece.role is Mark.COMMENT:
        word = f'<span class="hid">{escape(_("comment"))}</span>'
    return f'<span class="{_role(piece)}"{anchor}>{word}{text}</span>'


def _hidden(piece: Piece, anchor: str) -> str:
    aloud = f'<span class="vh">{escape(_said(piece.mark))} </span>' if piece.anchor else ""
    kind = " hid-space" if piece.mark is Mark.SPACE else ""
    return f'<span class="hid{kind}" dir="ltr"{anchor}>{aloud}{escape(piece.label)}</span>'


def _said(mark: Mark | None) -> str:
    return _("unusual space") if mark is Mark.SPACE else _("hidden character")


def _role(piece: Piece) -> str:
    return "src-comment" if piece.role is Mark.COMMENT else "src-target"


def _folded(run: re.Match[str]) -> str:
    return f'<span class="blank-run">{escape(blank_lines(run[0].count(chr(10))))}</span>\n'
