"""What the cards of a Trello board refer to: lists, labels, members, checklists, comments."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from conderis.common.json import Json
from exchange.importers.json_streams import Piece, pieces
from exchange.importers.members import Members
from exchange.importers.values import line_of, moment_of
from exchange.records import Problem
from exchange.sources import SourceFile

UNKNOWN: Final = "Unknown member"
_COMMENTS: Final = frozenset({"commentCard", "copyCommentCard"})
_CREATIONS: Final = frozenset({"createCard", "copyCard", "convertToCardFromCheckItem", "emailCard"})
_ID_DIGITS: Final = 24  # of an id; the first eight are the time of its making


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a checklist."""

    key: str
    number: int  # its place among the entries of the checklist, from 1
    title: str
    complete: bool
    due: str | None
    member: str
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checklist:
    """A checklist, its entries in order."""

    card: str
    name: str
    rank: float
    entries: tuple[Entry, ...]


@dataclass(slots=True)
class Board:
    """What cards refer to, by ids. `comments` are (by whom, when as it is written, text)."""

    lists: dict[str, Members] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    fields: dict[str, Members] = field(default_factory=dict)
    checklists: dict[str, list[Checklist]] = field(default_factory=lambda: defaultdict(list))
    comments: dict[str, list[tuple[str, str, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    creators: dict[str, str] = field(default_factory=dict)
    actions: int = 0
    doubled_labels: list[str] = field(default_factory=list)
    orphans: list[Checklist] = field(default_factory=list)
    comments_elsewhere: int = 0
    problems: list[Problem] = field(default_factory=list)

    def list_name(self, card: Members) -> str:
        """The name of the card's list; "" for one that is not in the file."""
        found = self.lists.get(card.line("idList"))
        return found.line("name") if found else ""

    def in_closed_list(self, card: Members) -> bool:
        """Whether the card's list is archived."""
        found = self.lists.get(card.line("idList"))
        return found is not None and found.flag("closed")

    def person(self, key: Json) -> str:
        """The member's name; members who have left have none in the file."""
        return self.members.get(line_of(key), UNKNOWN)

    def labels_of(self, card: Members) -> list[str]:
        """The names of the card's labels, in its order."""
        own = [_label_name(label) for label in card.objects("labels")]
        by_id = [self.labels.get(line_of(key), "") for key in card.entries("idLabels")]
        return [name for name in dict.fromkeys([*own, *by_id]) if name]

    def custom_fields(self, card: Members) -> Iterator[tuple[str, str]]:
        """The card's custom fields by name, each with its value."""
        for item in card.objects("customFieldItems"):
            definition = self.fields.get(item.line("idCustomField"), Members(None))
            options = {
                option.line("id", "_id"): option.object("value").line("text")
                for option in definition.objects("options")
            }
            value = item.object("value").line("text", "number", "date", "checked")
            yield (
                definition.line("name") or "Custom field",
                value or options.get(item.line("idValue"), ""),
            )

    def created_at(self, key: str) -> datetime | None:
        """When the thing with this id was made: an id begins with the time of its making."""
        if len(key) != _ID_DIGITS:
            return None
        try:
            return moment_of(datetime.fromtimestamp(int(key[:8], 16), UTC).isoformat())
        except (ValueError, OverflowError, OSError):
            return None


def read_board(file: SourceFile) -> Board:
    """Everything of the file but the cards.

    Raises:
        Unreadable: the file is no JSON from some place on.
    """
    board = Board()
    cards: set[str] = set()
    found: list[Checklist] = []
    labels: list[str] = []
    for piece in pieces(file):
        value = Members(piece.value)
        if piece.name == "cards" and piece.index is not None:
            cards.add(value.line("id"))
        elif piece.name == "checklists" and piece.index is not None:
            found.append(_checklist(value))
        elif piece.name == "labels" and piece.index is not None:
            board.labels[value.line("id")] = _label_name(value)
            labels.append(value.line("name"))
        else:
            _take(board, piece, value)
    _sort_out(board, cards, found)
    board.doubled_labels = [name for name, count in Counter(labels).items() if name and count > 1]
    return board


def _take(board: Board, piece: Piece, value: Members) -> None:
    key = value.line("id")
    if piece.index is None:
        return
    if piece.name == "lists":
        board.lists[key] = value
    elif piece.name == "members":
        board.members[key] = value.person("fullName", "username") or UNKNOWN
    elif piece.name == "customFields":
        board.fields[key] = value
    elif piece.name == "actions":
        board.actions += 1
        _take_action(board, value)


def _take_action(board: Board, action: Members) -> None:
    member = action.line("idMemberCreator")
    by = action.object("memberCreator").person("fullName", "username")
    if by:
        board.members.setdefault(member, by)  # those who have left are named here alone
    by = by or f"?{member}"  # looked up when all members are known
    kind = action.line("type")
    if kind not in _COMMENTS | _CREATIONS:
        return
    data = action.object("data")
    card = data.object("card").line("id")
    if kind in _CREATIONS:
        board.creators[card] = by
    else:
        board.comments[card].append((by, action.line("date"), data.text("text")))


def _sort_out(board: Board, cards: set[str], found: list[Checklist]) -> None:
    """Give checklists and comments to the cards that are there, and name their writers."""
    for checklist in sorted(found, key=lambda each: each.rank):
        if checklist.card in cards:
            board.checklists[checklist.card].append(checklist)
        else:
            board.orphans.append(checklist)
    for card in [card for card in board.comments if card not in cards]:
        board.comments_elsewhere += len(board.comments.pop(card))
    for comments in board.comments.values():
        comments[:] = [(_named(board, by), at, text) for by, at, text in comments]
    board.creators = {card: _named(board, by) for card, by in board.creators.items()}


def _named(board: Board, by: str) -> str:
    return board.members.get(by[1:], UNKNOWN) if by.startswith("?") else by


def _label_name(label: Members) -> str:
    return label.line("name") or label.line("color")


def _checklist(value: Members) -> Checklist:
    key = value.line("id")
    entries = []
    ordered = sorted(value.objects("checkItems"), key=lambda each: each.number("pos"))
    for number, item in enumerate(ordered, start=1):
        title, due = item.line("name"), item.day("due")
        entries.append(
            Entry(
                key=item.line("id") or f"{key}/{number}",
                number=number,
                title=title,
                complete=item.line("state") == "complete",
                due=due,
                member=item.line("idMember"),
                warnings=tuple(item.odd.sentences()),
            )
        )
        item.odd.wrong.clear()
        item.odd.broken.clear()
    return Checklist(value.line("idCard"), value.line("name"), value.number("pos"), tuple(entries))
