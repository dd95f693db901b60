"""What an import does, chunk by chunk: decided here, the same whether it is written or not.

A chunk is decided in one transaction, from what stands then and what this run has made before.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from conderis.common.errors import TooLarge
from exchange.models import Origin
from exchange.origins import content_digest, key_digest, origins_among
from exchange.records import Found, Problem, Record, Report, Tombstone
from exchange.writing.arriving import LeftOut, SecretFound, Workshop, stands_apart
from exchange.writing.decided import Decided, Made, Renamed
from exchange.writing.linking import Links
from exchange.writing.nodes import Forest, Node
from exchange.writing.placing import Titles, place_under, taken_along_with
from exchange.writing.rewriting import Rewriter
from items.absence import ERASED, NOT_EXPORTED
from items.access import Place
from items.importing import Arrival, Writing
from items.kinds.base import Kind
from items.kinds.registry import all_kinds, kind_of
from items.kinds.values import Line, Position, read_number
from items.models import Item
from projects.models import Project

MOST_ABSENT: Final = 10_000
"""Numbers without an item that an import makes at most: a file may claim any number."""

MOST_LEFT_OUT: Final = 20_000
"""Things left out that a report names; with more the file is damaged, and is read no further."""

MOST_WARNINGS: Final = 20_000
"""Warnings that a report names; those beyond are counted."""


@dataclass(slots=True)
class Plan:
    """What an import knows so far; `report` is what becomes of it."""

    importer: str
    person: str
    store_anyway: bool
    report: Report = field(default_factory=Report)
    forest: Forest = field(init=False)
    titles: Titles = field(init=False)
    links: Links = field(init=False)
    last_number: int = 0
    keeps_numbers: bool = False
    absent: int = 0
    left_out: set[str] = field(default_factory=set)
    waiting: dict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    to_mend: set[str] = field(default_factory=set)
    has_instructions: dict[str, bool] = field(default_factory=dict)
    _decided: Decided = field(init=False)
    _workshop: Workshop = field(init=False)

    def begin(self, project: Project) -> None:
        """Begin the import into this project."""
        self.forest = Forest(project, self.importer)
        self.titles, self.links = Titles(project), Links(project)
        self.keeps_numbers = not self._has_others()
        self.last_number = project.last_number

    def _has_others(self) -> bool:
        """Whether the project has items that this importer did not bring; numbers alone are none.

        Numbers are kept as long as it has not, so that an import that was broken off goes on so.
        """
        numbered = Item.objects.filter(project=self.forest.project, number__isnull=False, absent="")
        return numbered.exclude(origins__importer=self.importer).exists()

    def decide(self, place: Place, chunk: Sequence[Found], now: datetime) -> Decided:
        """Decide on a chunk of what the source holds."""
        self._open(place, now)
        records = [each for each in chunk if isinstance(each, Record)]
        digests = {
            id(record): key_digest(self.importer, record, person=self.person) for record in records
        }
        project = self.forest.project
        origins = origins_among(project, self.importer, list(digests.values()))
        own = self._exported_here(place, records)
        self._look_up_titles(records)
        for each in chunk:
            if isinstance(each, Problem):
                self._say(each)
            elif isinstance(each, Tombstone):
                self._take_tombstone(each)
            else:
                self._take(each, digests[id(each)], origins, own)
        return self._close()

    def end(self, place: Place, now: datetime) -> Decided:
        """Decide on what still waits when the whole source has been read."""
        self._open(place, now)
        for nodes in self.waiting.values():
            for node in nodes:
                self._warn(node.place, _("What it stands under was not imported, so it stands at "
                                         "the top."))  # fmt: skip
                self._free_title(node)
        self.waiting.clear()
        for where, said in self.links.left():
            self._warn(where, said)
        return self._close()

    def _open(self, place: Place, now: datetime) -> None:
        project = place.project
        if project is not None:
            self.forest.project = self.titles.project = self.links.project = project
            if project.last_number > self.last_number:  # others have made some meanwhile
                self.last_number = project.last_number
                self.keeps_numbers = self.keeps_numbers and not self._has_others()
        self.links.begin()
        self.titles.standing.clear()
        self._decided = Decided(Writing(place, self.importer, now))
        self._workshop = Workshop(place, now, self.store_anyway)

    def _close(self) -> Decided:
        self._decided.last_number = self.last_number
        return self._decided

    def _exported_here(self, place: Place, records: Sequence[Record]) -> dict[str, Item]:
        """The items that were exported from this very project, by their own id."""
        keys = [record.key for record in records if record.rewrites]
        if not keys:
            return {}
        rows = place.items().filter(public_id__in=keys).defer("content")
        return {item.public_id: item for item in rows}

    def _look_up_titles(self, records: Sequence[Record]) -> None:
        for kind in all_kinds():
            if kind.unique_sibling_titles:
                titles = [record.fields.get("title") for record in records
                          if record.kind == kind.name]  # fmt: skip
                self.titles.look_up(kind, [each for each in titles if isinstance(each, str)])

    def _warn(self, where: str, said: str) -> None:
        self._say(Problem(where, said, left_out=False))

    def _say(self, problem: Problem) -> None:
        if not problem.left_out:
            if len(self.report.warnings) < MOST_WARNINGS:
                self.report.warnings.append(problem)
            else:
                self.report.more_warnings += 1
            return
        if len(self.report.left_out) >= MOST_LEFT_OUT:
            raise TooLarge(
                _("More than %(most)s places of this file cannot be imported as they are. It is "
                  "damaged, or of another format. What was imported until here stays.")
                % {"most": MOST_LEFT_OUT},
                field="file",
            )  # fmt: skip
        self.report.left_out.append(problem)

    def _leave_out(self, record: Record, why: str) -> None:
        self.left_out.add(record.key)
        self._say(Problem(record.place, why))
        for node in self.waiting.pop(record.key, ()):
            self._stands_at_the_top(node)

    def _wait_for(self, key: str, node: Node) -> None:
        self.waiting[key].append(node)
        self.titles.passing.add(node.number or 0)

    def _stands_at_the_top(self, node: Node) -> None:
        self._warn(node.place, _("What it stood under is not imported, so it stands at the top."))
        self._free_title(node)

    # What was imported before

    def _take(
        self, record: Record, digest: str, origins: dict[str, Origin], own: dict[str, Item]
    ) -> None:
        if record.key in self.forest.by_key or record.key in self.left_out:
            self._say(Problem(record.place, _("The source holds it twice; the first one counts.")))
            return
        origin = origins.get(digest)
        item = origin.item if origin is not None else own.get(record.key)
        if item is None:
            self._arrive(record, digest)
            return
        self.report.known += 1
        content = content_digest(record)
        if origin is not None and origin.content not in ("", content):
            self.report.differing.append(record.place)
        elif origin is not None and origin.unmended:
            self.to_mend.add(record.key)  # of a run that was broken off
        node = self.forest.stand(item)
        node.place = record.place
        if record.number is not None and item.number is not None:
            self.report.numbers[record.number] = item.number
        self.forest.by_key[record.key] = node
        self._join(record, node)
        is_free = node.parent_pk is None and node.is_usable and origin is not None
        if record.parent is not None and is_free and record.parent not in self.forest.by_key:
            node.title = item.title
            self._wait_for(record.parent, node)

    def _join(self, record: Record, node: Node) -> None:
        """Relate it, and have those that waited for it stand under it."""
        said = self.links.add(
            self.forest.by_key, node, record.key, record.links, self._decided.writing
        )
        for where, sentence in said:
            self._warn(where, sentence)
        for child in self.waiting.pop(record.key, ()):
            if child.made_now or node.made_now:
                self._place_late(child, node)

    # What is new

    def _arrive(self, record: Record, digest: str) -> None:
        number = self._number_for(record)
        source = {record.number: number} if record.number is not None and number else {}
        numbers = {**self.report.numbers, **source} if record.rewrites else {}
        rewriter = Rewriter(numbers, record.source)
        try:
            arrival, warnings = self._workshop.arrival(record, rewriter)
            self._refuse_second(arrival.change.kind)
        except LeftOut as why:
            self.report.secrets += isinstance(why, SecretFound)
            self._leave_out(record, str(why))
            return
        change = arrival.change
        node = self._node(record, arrival)
        if change.kind.numbered:
            self._fill_gap(number - 1)
            self.last_number = number
            change.item.number = node.number = number
            if record.number is not None:
                self.report.numbers[record.number] = number
        if not rewriter.is_whole:
            self.to_mend.add(record.key)
        self.forest.by_key[record.key] = node
        self._place(record, node, arrival, warnings)
        for said in warnings:
            self._warn(record.place, said)
        made = self.report.made
        made[node.kind] = made.get(node.kind, 0) + 1
        made_of = Made(node, digest, content_digest(record), unmended=not rewriter.is_whole)
        self._decided.nodes.append(made_of)
        self._decided.writing.arrivals.append(arrival)
        self._join(record, node)

    def _refuse_second(self, kind: Kind) -> None:
        """Of a kind without numbers a project has one alone, which is left as it is."""
        if kind.numbered:
            return
        if kind.name not in self.has_instructions:
            rows = Item.objects.filter(project=self.forest.project, kind=kind.name)
            self.has_instructions[kind.name] = rows.exists()
        if self.has_instructions[kind.name]:
            raise LeftOut(
                _("The project has %s already, which are left as they are.") % kind.plural
            )
        self.has_instructions[kind.name] = True

    def _node(self, record: Record, arrival: Arrival) -> Node:
        change = arrival.change
        position = next((f.name for f in change.kind.fields if isinstance(f.type, Position)), None)
        return Node(
            kind=change.kind.name,
            visibility=change.item.visibility,
            version=max((each.version or 1 for each in arrival.past), default=1),
            item=change.item,
            archived=arrival.archived,
            made_now=True,
            ends_apart=record.parent is not None and stands_apart(change),
            position=read_number(change.patch.values.get(position)) if position else None,
            place=record.place,
        )

    def _place(self, record: Record, node: Node, arrival: Arrival, warnings: list[str]) -> None:
        change, waits = arrival.change, False
        if record.parent is not None:
            parent = self.forest.by_key.get(record.parent)
            if parent is not None:
                said = place_under(self.forest, node, parent)
                warnings += [said] if said else []
            elif record.parent in self.left_out:
                warnings.append(_("What it stood under is not imported, so it stands at the top."))
            else:
                waits = True
                node.title = str(change.after["title"])
                self._wait_for(record.parent, node)
        change.parent = _row_of(node.parent)
        arrival.archived_with = taken_along_with(self.forest, node)
        if any(isinstance(each.type, Position) for each in change.kind.fields):
            arrival.rank = self.forest.rank(node, change.kind)
        if change.kind.unique_sibling_titles and node.archived is None and not waits:
            title = str(change.after["title"])
            change.after["title"] = self.titles.free(node, title, _limit(change.kind))
            if change.after["title"] != title:
                warnings.append(_("Its title is taken there, so it is “%s” now.")
                                % change.after["title"])  # fmt: skip

    def _place_late(self, node: Node, parent: Node) -> None:
        """Put what has waited at the top under its parent, which has come."""
        said = place_under(self.forest, node, parent)
        if said is not None:
            self._warn(node.place, said)
        kind = kind_of(node.kind)
        if node.parent is not None:
            ranked = any(isinstance(each.type, Position) for each in kind.fields)
            rank = self.forest.rank(node, kind) if ranked else 0
            if node.item is not None:
                self._move_unwritten(node, rank)
            elif node.pk is not None and node.parent.target is not None:
                self._decided.writing.moves.append((node.pk, node.parent.target, rank))
        self._free_title(node)

    def _move_unwritten(self, node: Node, rank: int) -> None:
        for arrival in self._decided.writing.arrivals:
            if arrival.change.item is node.item:
                arrival.change.parent = _row_of(node.parent)
                arrival.rank = rank

    def _free_title(self, node: Node) -> None:
        """Give what has come to its place at last a title that is free there."""
        kind = kind_of(node.kind)
        self.titles.passing.discard(node.number or 0)
        if not kind.unique_sibling_titles or node.archived is not None:
            return
        standing, node.title = node.title, ""
        title = self.titles.free_late(node, standing, _limit(kind))
        if title == standing:
            return
        self._warn(node.place, _("Its title is taken there, so it is “%s” now.") % title)
        for arrival in self._decided.writing.arrivals:
            if arrival.change.item is node.item:
                arrival.change.after["title"] = title
                return
        self._decided.renamed.append(Renamed(node, title))

    # Numbers

    def _number_for(self, record: Record) -> int:
        """The number that the record gets if an item comes of it.

        Where numbers are kept: its own, unless that is given already.
        """
        following = self.last_number + 1
        if not self.keeps_numbers or record.number is None:
            return following
        if record.number < following:
            self.keeps_numbers = False  # it is given already: from here on all are new
            return following
        is_near = record.number - following <= MOST_ABSENT - self.absent
        return record.number if is_near else following

    def _take_tombstone(self, tombstone: Tombstone) -> None:
        if not self.keeps_numbers or tombstone.number <= self.last_number:
            return
        if tombstone.number - self.last_number > MOST_ABSENT - self.absent:
            return
        self._fill_gap(tombstone.number - 1)
        self._note_absent(tombstone.number, ERASED if tombstone.why == ERASED else NOT_EXPORTED)

    def _fill_gap(self, last: int) -> None:
        for number in range(self.last_number + 1, last + 1):
            self._note_absent(number, NOT_EXPORTED)

    def _note_absent(self, number: int, why: str) -> None:
        self._decided.writing.absent.append((number, why))
        self.last_number = number
        self.absent += 1
        self.report.tombstones += 1


def _row_of(parent: Node | None) -> Item | None:
    """The row that an item is stored under: the one written with it, or one that stands."""
    if parent is None or parent.item is not None:
        return parent.item if parent is not None else None
    if parent.pk is None:
        return None  # a trial
    row = Item(pk=parent.pk, kind=parent.kind, number=parent.number)
    row._state.adding = False  # noqa: SLF001 - Django's documented way to stand for a stored row
    return row


def _limit(kind: Kind) -> int:
    return next(each.type.limit for each in kind.fields if isinstance(each.type, Line))
