"""Boards that Trello exports as JSON: cards become tasks, checklist entries subtasks.

The file is read twice: first what the cards refer to, then the cards one by one.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from exchange.importers.base import Importer, Options
from exchange.importers.drafts import Draft
from exchange.importers.json_streams import (
    Unreadable,
    has_members,
    json_files,
    other_files,
    pieces,
)
from exchange.importers.members import Members
from exchange.importers.places import named_place
from exchange.importers.statuses import status_of
from exchange.importers.texts import Comment, closed
from exchange.importers.trello_boards import Board, Checklist, Entry, read_board
from exchange.importers.values import line_of, moment_of
from exchange.records import Credit, Found, Problem
from exchange.sources import Source, SourceFile

ARCHIVED: Final = "archived"
_ACTIONS_EXPORTED: Final = 1000  # Trello's exports hold at most so many actions
_WEB: Final = ("https://", "http://")
_SHOWN: Final = 100  # characters of a list's name in the reason of a block
_MIDNIGHT: Final = "T00:00:00"


def _looks_like(source: Source) -> bool:
    files = json_files(source)
    return bool(files) and has_members(files[0], "cards", "lists")


def _read(source: Source, _options: Options) -> Iterator[Found]:
    seen: set[str] = set()
    yield from other_files(source)
    for file in json_files(source):
        try:
            yield from _of_file(file, seen)
        except Unreadable as error:
            yield Problem(file.name, str(error))


def _of_file(file: SourceFile, seen: set[str]) -> Iterator[Found]:
    board = read_board(file)
    yield from board.problems
    yield from _warnings(board, file)
    for piece in pieces(file):
        if piece.name == "cards" and piece.index is not None:
            yield from _of_card(Members(piece.value), piece.index, board, seen)


def _warnings(board: Board, file: SourceFile) -> Iterator[Problem]:
    if board.actions >= _ACTIONS_EXPORTED:
        reason = _(
            "The file holds %(count)d actions. Trello exports at most 1,000 of them, so older "
            "comments may be missing."
        )
        yield Problem(file.name, reason % {"count": board.actions}, left_out=False)
    for name in board.doubled_labels:
        reason = _("Several labels have the same name; they become one tag.")
        yield Problem(named_place(_("labels"), name), reason, left_out=False)
    for checklist in board.orphans:
        yield Problem(
            named_place(_("checklist"), checklist.name),
            ngettext(
                "Its card is not in the file; its entry is left out.",
                "Its card is not in the file; its %(count)d entries are left out.",
                len(checklist.entries),
            ) % {"count": len(checklist.entries)},
        )  # fmt: skip
    if count := board.comments_elsewhere:
        yield Problem(
            _("comments"),
            ngettext(
                "%(count)d comment is skipped: its card is not in the file.",
                "%(count)d comments are skipped: their cards are not in the file.",
                count,
            ) % {"count": count},
        )  # fmt: skip


def _of_card(card: Members, index: int, board: Board, seen: set[str]) -> Iterator[Found]:
    place = _("card %(number)d") % {"number": index + 1}
    key, title = card.line("id"), card.line("name")
    place = named_place(place, title)
    if not key or not title:
        yield Problem(
            place, _("A card needs an id and a name.") if not key else _("It has no name.")
        )
        return
    if key in seen:
        yield Problem(place, _("A card with this id came before in the file."))
        return
    seen.add(key)
    draft = Draft(key, place, "task", title, closed(card.text("desc")))
    archived = card.flag("closed") or board.in_closed_list(card)
    status = _status(card, board, archived=archived)
    draft.fields["status"] = status
    if status == "blocked":
        draft.fields["blockedReason"] = f"In the list {board.list_name(card)[:_SHOWN]} on Trello."
    _fill(draft, card, board)
    if archived:
        draft.tags.append(ARCHIVED)
    _discuss(draft, card, board)
    checklists = board.checklists.get(key, [])
    draft.warnings.extend(_empty(checklists))
    draft.warnings.extend(card.odd.sentences())
    yield draft.finished()
    for checklist in checklists:
        for entry in checklist.entries:
            yield from _of_entry(entry, checklist, draft, board, seen, archived=archived)


def _status(card: Members, board: Board, *, archived: bool) -> str:
    by_list = status_of(board.list_name(card)) or "open"
    if card.flag("dueComplete") or by_list == "done":
        return "done"
    return "canceled" if archived else by_list


def _fill(draft: Draft, card: Members, board: Board) -> None:
    name = board.list_name(card)
    known = status_of(name)
    if name:
        draft.details.append(("List", name))
    draft.tags.extend(board.labels_of(card))
    if name and known is None:
        draft.tags.append(name)
    if card.flag("isTemplate"):
        draft.tags.append("template")
        draft.warnings.append(_("It is a template in Trello; as a task it has the tag “template”."))
    draft.fields["due"] = card.day("due")
    if card.text("due") and _MIDNIGHT not in card.text("due"):
        draft.details.append(("Due", card.line("due")))
    if start := card.day("start"):
        draft.details.append(("Start", start))
    people = [board.person(member) for member in card.entries("idMembers")]
    draft.details.append(("Members", ", ".join(people)))
    draft.details.extend(board.custom_fields(card))
    draft.details.extend(_attachments(draft, card))
    draft.details.append(("Trello", card.line("shortUrl", "url")))
    draft.credit = Credit(board.creators.get(draft.key, ""))
    draft.created = board.created_at(draft.key)
    draft.changed = moment_of(card.text("dateLastActivity"))


def _attachments(draft: Draft, card: Members) -> Iterator[tuple[str, str]]:
    for attachment in card.objects("attachments"):
        name, address = attachment.line("name"), attachment.line("url")
        if address.casefold().startswith(_WEB):
            shown = f"<{address.replace('>', '%3E').replace(' ', '%20')}>"
            yield "Attachment", shown if name in {"", address} else f"{name}, {shown}"
        elif name or address:
            yield "Attachment", name or address
            draft.warnings.append(_("An attachment has no web address; its name alone is kept."))


def _discuss(draft: Draft, card: Members, board: Board) -> None:
    found = sorted(board.comments.get(draft.key, []), key=lambda each: each[1])
    kept = [each for each in found if each[2].strip()]
    draft.comments = [_shown(each) for each in kept]
    if empty := len(found) - len(kept):
        reason = ngettext(
            "%(count)d comment without text is skipped.",
            "%(count)d comments without text are skipped.",
            empty,
        )
        draft.warnings.append(reason % {"count": empty})
    counted = int(card.object("badges").number("comments"))
    if counted > len(found):
        reason = _("Trello counts %(counted)d comments on this card; the file holds %(found)d.")
        draft.warnings.append(reason % {"counted": counted, "found": len(found)})


def _shown(comment: tuple[str, str, str]) -> Comment:
    by, at, text = comment
    return by, moment_of(at) or at, text


def _empty(checklists: Iterable[Checklist]) -> Iterator[str]:
    for checklist in checklists:
        if not checklist.entries and checklist.name:
            yield _("A checklist has no entries: %(name)s.") % {
                "name": named_place(_("checklist"), checklist.name)
            }


def _of_entry(
    entry: Entry, checklist: Checklist, card: Draft, board: Board, seen: set[str], *, archived: bool
) -> Iterator[Found]:
    place = _("%(card)s, checklist entry %(number)d") % {"card": card.place, "number": entry.number}
    if not entry.title:
        yield Problem(place, _("It has no text."))
        return
    if entry.key in seen:
        yield Problem(place, _("A checklist entry with this id came before in the file."))
        return
    seen.add(entry.key)
    draft = Draft(entry.key, place, "task", entry.title, parent=card.key, credit=card.credit)
    unfinished = "canceled" if archived else "open"
    draft.fields = {"status": "done" if entry.complete else unfinished, "due": entry.due}
    draft.tags = [ARCHIVED] if archived else []
    draft.details = [
        ("Checklist", line_of(checklist.name)),
        ("Member", board.person(entry.member) if entry.member else ""),
    ]
    draft.created = board.created_at(entry.key)
    draft.warnings.extend(entry.warnings)
    yield draft.finished()


TRELLO: Final = Importer(
    name="trello",
    label=gettext_lazy("Trello board"),
    hint=gettext_lazy(
        "In Trello open the board's menu, Print, export and share, then Export as JSON."
    ),
    looks_like=_looks_like,
    read=_read,
)
