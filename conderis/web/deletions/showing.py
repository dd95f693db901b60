"""What erasing affects, and a content that was revealed, ready to be shown."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from conderis.web.comparing.marking import Piece
from conderis.web.comparing.source import SourceView, source_view
from conderis.web.deletions.rows import ShownRequest, pieces_of, shown_whole
from conderis.web.deletions.words import PROPOSAL, removed_words
from conderis.web.moderation.words import field_word
from conderis.web.projects.words import several
from privacy.revealing import Revealed, RevealedField
from privacy.showing import RequestShown

SHORT: Final = 80
LONG: Final = ("content", "summary")  # shown as texts however short


@dataclass(frozen=True, slots=True)
class Effect:
    """A thing that erasing touches, how many of it, and what becomes of them."""

    what: str
    count: int
    after: str


@dataclass(frozen=True, slots=True)
class ShownText:
    """A field of the content: its label, and the text as agents read it, with marks."""

    label: str
    source: SourceView


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A short field of the content, in one line."""

    label: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class ShownContent:
    """A content that a recorded click has revealed. Stands in one answer alone.

    `others` are further versions that can be revealed, newest first.
    """

    title: tuple[Piece, ...]
    texts: tuple[ShownText, ...]
    values: tuple[ShownValue, ...]
    version: int | None
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decidable:
    """A deletion request with all that its page shows."""

    request: ShownRequest
    effects: tuple[Effect, ...]
    equal_versions: str
    may_withdraw: bool
    cannot_decide_because: str
    removed: str


def decidable(shown: RequestShown) -> Decidable:
    """The request with what erasing affects, in words."""
    return Decidable(
        request=shown_whole(shown.row),
        effects=tuple(_effects(shown)),
        equal_versions=several(shown.affected.equal_versions),
        may_withdraw=shown.may_withdraw,
        cannot_decide_because=shown.cannot_decide_because or "",
        removed=several(removed_words(shown.removed)),
    )


def shown_content(revealed: Revealed) -> ShownContent:
    """The content with hidden and bidirectional characters made visible."""
    texts = (
        ShownText(field_word(each.name), source_view(each.value, prefix=f"field-{place}"))
        for place, each in enumerate(revealed.fields)
        if not _is_short(each)
    )
    values = (
        ShownValue(field_word(each.name), pieces_of(each.value))
        for each in revealed.fields
        if _is_short(each)
    )
    others = (each for each in reversed(revealed.versions) if each != revealed.version)
    return ShownContent(
        title=pieces_of(revealed.title),
        texts=tuple(texts),
        values=tuple(values),
        version=revealed.version,
        others=tuple(others),
    )


def _is_short(field: RevealedField) -> bool:
    return field.name not in LONG and len(field.value) <= SHORT and "\n" not in field.value


def _effects(shown: RequestShown) -> Iterator[Effect]:
    """What there is of it: no row for what there is none of."""
    affected, row = shown.affected, shown.row
    indexed = row.version is None and not row.subject.startswith(PROPOSAL)
    moved = _(
        "They stay, and move to the parent above. A page whose title is taken there gets its "
        "number appended."
    )
    rows = (
        (_("Versions"), affected.versions, _("Content gone; number, author and time stay")),
        (_("Reasons in the history"), affected.events, _("Emptied")),
        (_("Pending proposals"), affected.proposals_pending, _("Rejected as erased, text gone")),
        (_("Decided proposals"), affected.proposals_decided, _("Text gone")),
        (_("Relations"), affected.relations, _("Removed")),
        (_("Children"), affected.children, moved),
        (_("Stored results of batches"), affected.batch_results, _("Its entry is emptied")),
        (_("Entry in the search index"), int(indexed), _("Gone")),
    )
    for what, count, after in rows:
        if count:
            yield Effect(what, count, after)
