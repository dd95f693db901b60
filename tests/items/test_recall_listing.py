"""A section of entries: what is shown in a given room, and what its heading says."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from items.recall.entries import FEW_TITLES, Entry
from items.recall.lines import Lines, least_of
from items.recall.listing import Listing

pytestmark = pytest.mark.no_database

WORDS = st.text("ab 漢", min_size=1, max_size=60).map(lambda text: " ".join(text.split()) or "x")


@st.composite
def some_entries(draw: st.DrawFn) -> Entry:
    number = draw(st.integers(1, 12_000))
    inside = draw(st.just(0) | st.integers(0, 14))
    return Entry(
        head=f"- #{number} v{draw(st.integers(1, 12))}",
        title=draw(WORDS),
        marks=tuple(draw(st.lists(st.sampled_from(["private", "by Bob", "holds 3"]), max_size=2))),
        detail=draw(st.just("") | WORDS),
        children=tuple(f"#{child + 1} v1 {draw(WORDS)}" for child in range(inside)),
    )


LISTINGS = st.lists(some_entries(), max_size=14).map(
    lambda entries: Listing("Memories", entries, len(entries), "item_list kind=memory", "2 went")
)


def shown(text: str) -> str:
    """What stands behind the heading."""
    return text.partition("\n")[2]


@given(LISTINGS, st.integers(0, 2_500))
def test_a_listing_never_takes_more_than_its_room(listing: Listing, extra: int) -> None:
    room = listing.least + extra

    assert len(listing.render(room)) <= room


@given(LISTINGS, st.integers(0, 2_000), st.integers(1, 40))
def test_more_room_never_shows_fewer_characters_of_entries(
    listing: Listing, extra: int, more: int
) -> None:
    room = listing.least + extra

    assert len(shown(listing.render(room + more))) >= len(shown(listing.render(room)))


@given(LISTINGS)
def test_a_listing_in_all_the_room_it_needs_is_complete(listing: Listing) -> None:
    text = listing.render(listing.need)

    assert text.startswith(f"## Memories: all {listing.total} (2 went)")
    assert all(entry.full in text for entry in listing.entries)
    assert len(text) == listing.need


@given(LISTINGS, st.integers(0, 2_500))
def test_the_heading_counts_what_stands_below_it(listing: Listing, extra: int) -> None:
    text = listing.render(listing.least + extra)
    heading = text.partition("\n")[0]
    lines = [line for line in shown(text).split("\n") if line.startswith("- #")]

    if heading.startswith("## Memories: all"):
        assert len(lines) == listing.total
    else:
        assert heading.startswith(f"## Memories: {len(lines)} of {listing.total}")


def test_a_cut_listing_says_where_the_rest_is_read_and_what_was_left_out() -> None:
    entries = [Entry(f"- #{number} v1", "A title of some length here") for number in range(1, 9)]
    listing = Listing("Notes", entries, 8, "item_list kind=note", missing="too many")

    heading, first, *_ = listing.render(150).split("\n")

    assert heading == "## Notes: 2 of 8 (rest: item_list kind=note; too many)"
    assert first == "- #1 v1 A title of some length here"


def test_an_entry_that_does_not_fit_is_cut_at_a_word_and_keeps_its_marks() -> None:
    entry = Entry("- #7 v2", "Deploy windows", ("by Bob",), "only on Tuesdays and Thursdays")

    assert entry.fit(200) == "- #7 v2 Deploy windows (by Bob): only on Tuesdays and Thursdays"
    assert entry.fit(50) == "- #7 v2 Deploy windows (by Bob): only on Tuesdays…"
    assert entry.fit(40) == "- #7 v2 Deploy windows (by Bob): …"
    assert entry.fit(20) is None


def test_a_long_title_is_cut_before_the_marks_are() -> None:
    entry = Entry("- #7 v2", "A title that goes on and on and on", ("blocked",), "no key")

    assert entry.fit(48) == "- #7 v2 A title that goes on and… (blocked): …"


def test_an_entry_that_has_no_room_makes_way_for_shorter_ones() -> None:
    entries = [
        Entry("- #1 v1", "A title of some length", ("one mark", "and another mark", "and a third")),
        Entry("- #2 v1", "Short"),
    ]
    listing = Listing("Notes", entries, 3, "item_list kind=note")

    text = listing.render(len("## Notes: 0 of 3 (rest: item_list kind=note)") + 20)

    assert shown(text) == "- #2 v1 Short"


def test_a_bag_shows_a_few_titles_first_and_all_of_them_where_there_is_room() -> None:
    titles = tuple(f"#{number} v1 Part {number}" for number in range(2, 2 + FEW_TITLES + 4))
    bag = Entry("- #1 v1", "Bag", (f"holds {len(titles)}",), children=titles)
    other = Entry("- #90 v1", "Another")
    listing = Listing("Memories", [bag, other], 2, "item_list kind=memory")

    tight = listing.render(len(bag.brief) + 80)
    roomy = listing.render(listing.need)

    assert "#9 v1 Part 9; +4 more\n- #90 v1 Another" in tight
    assert "#13 v1 Part 13\n- #90 v1 Another" in roomy
    assert tight.startswith("## Memories: all 2\n")


def test_the_shown_entries_stand_in_their_groups() -> None:
    entries = [
        Entry("- #1 v1", "Rest", group=(2, "")),
        Entry("- #2 v1", "Web", group=(1, "web")),
        Entry("- #3 v1", "Api", group=(1, "api")),
        Entry("- #4 v1", "Bag", group=(0, "")),
    ]

    text = Listing("Memories", entries, 4, "item_list kind=memory").render(500)

    assert [line.rpartition(" ")[2] for line in shown(text).split("\n")] == [
        "Bag",
        "Api",
        "Web",
        "Rest",
    ]


@dataclass(frozen=True)
class Stored:
    """A row whose entry is made when it is looked at."""

    entry: Entry

    @property
    def length(self) -> int:
        return len(self.entry.head) + 2 + len(self.entry.title) + len(self.entry.detail)

    @property
    def least(self) -> int:
        return least_of(self.entry.title)


@given(st.lists(some_entries(), max_size=14), st.integers(0, 3), st.integers(0, 900))
def test_entries_made_when_they_are_looked_at_are_shown_as_all_of_them_are(
    entries: list[Entry], left: int, extra: int
) -> None:
    rows = [Stored(entry) for entry in entries]
    total, call = len(entries) + left, "item_list kind=memory"
    listing = Listing("Memories", entries, total, call)
    room = listing.least + extra

    lazy = Listing("Memories", Lines(rows, lambda row: row.entry, room), total, call)

    assert lazy.render(room) == listing.render(room)
    assert min(lazy.need, room + 1) == min(listing.need, room + 1)


def test_an_entry_that_has_no_room_is_not_made() -> None:
    rows = [Stored(Entry(f"- #{number} v1", "A title of some length here")) for number in range(90)]
    made: list[Stored] = []

    def make(row: Stored) -> Entry:
        made.append(row)
        return row.entry

    text = Listing("Memories", Lines(rows, make, 400), 90, "item_list kind=memory").render(400)

    assert 0 < text.count("\n- ") <= len({row.entry.head for row in made}) < 20
