"""The picture of a project: relations as a drawing and as a table, changes a day as a chart."""

import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from conderis.accounts.models import Person
from conderis.web.picture.bars import scale_of
from conderis.web.picture.drawing import cut_to_width
from conderis.web.picture.layout import MOST_ROWS, lay_out
from items.days import changes_by_day
from items.graph import item_graph, item_relations
from items.models import Item, ItemEvent, Relation
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create
from tests.privacy.deletions import ask, erase
from tests.web.signing_in_steps import BACKEND

PICTURE = reverse("project-picture", kwargs={"owner": "alice", "name": "shop"})


def look(client: Client, person: Person, status: int = 200, **sent: str) -> str:
    client.force_login(person, backend=BACKEND)
    answer = client.get(PICTURE, sent)
    assert answer.status_code == status
    return answer.content.decode()


def nodes(page: str) -> list[int]:
    return sorted(int(each) for each in re.findall(r'class="node-no"[^>]*>#(\d+)', page))


def changes(person: Person, project: Project) -> int:
    days = changes_by_day(person_caller(person), project_id=project.public_id)
    return sum(day.changes for day in days)


@pytest.fixture
def related(project: Project, alice: Person, bob: Person) -> Project:
    """Task 1 blocks 2, page 3 documents 1, memory 4 (shared) relates to 3, bob's 5 to 1."""
    owner = person_caller(alice)
    create(owner, project, "task", title="Pour the tea")
    create(owner, project, "task", title="Drink it")
    create(owner, project, "page", title="How to pour")
    create(owner, project, "memory", title="Tea is hot", visibility="shared")
    create(person_caller(bob), project, "memory", title="Bobs own", visibility="private")
    act(owner, project, 1, "relate", relation="blocks", target=2)
    act(owner, project, 3, "relate", relation="documents", target=1)
    act(owner, project, 4, "relate", relation="relates", target=3)
    act(person_caller(bob), project, 5, "relate", relation="supersedes", target=1)
    return project


def test_items_are_linked_boxes_and_relations_are_lines_of_their_kind(
    client: Client, rita: Person, related: Project
) -> None:
    page = look(client, rita)

    assert nodes(page) == [1, 2, 3, 4]
    assert reverse("item", kwargs={"owner": "alice", "name": "shop", "number": 3}) in page
    for kind, says in (("blocks", "#1 Blocks #2"), ("documents", "#3 Documents #1")):
        assert re.search(rf'rel-{kind}" d="M[^"]+" marker-end="url\(#head-{kind}\)"><title>{says}<',
                         page)  # fmt: skip
    assert re.search(r'rel-relates" d="M[^"]+"><title>#3 Related #4<', page)
    assert "3 relations" in page


def test_the_table_has_the_same_relations(client: Client, rita: Person, related: Project) -> None:
    page = look(client, rita)

    table = page[page.index('class="sheet-table relation-table"') :]
    rows = [" ".join(re.sub(r"<[^>]+>", " ", each).split()) for each in table.split("<tr")[2:]]
    assert "#3 How to pour Related #4 Tea is hot" in rows[0]
    assert "#3 How to pour Documents #1 Pour the tea" in rows[1]
    assert "#1 Pour the tea Blocks #2 Drink it" in rows[2]


def test_a_private_memory_is_in_its_authors_picture_alone(
    client: Client, rita: Person, alice: Person, bob: Person, related: Project
) -> None:
    for other in (rita, alice):
        page = look(client, other)
        assert "Bobs own" not in page
        assert "3 relations" in page
    page = look(client, bob)
    assert nodes(page) == [1, 2, 3, 4, 5]
    assert page.count("Bobs own") == 3  # a box, its name, and a row
    assert "4 relations" in page
    assert changes(bob, related) == changes(rita, related) + 1


@pytest.mark.parametrize("state", ["locked", "erased", "archived", "expired"])
def test_what_is_gone_is_in_no_node_line_row_or_count(
    client: Client, rita: Person, alice: Person, carol: Person, related: Project, *, state: str
) -> None:
    owner = person_caller(alice)
    before = changes(rita, related)
    if state == "archived":
        act(owner, related, 4, "archive", 1)
    elif state == "expired":
        change(owner, related, 4, 1, expiresAt="2020-01-01")
    else:
        request = ask(owner, related, 4)
        if state == "erased":
            erase(carol, request)

    page = look(client, rita)

    assert "Tea is hot" not in page
    assert nodes(page) == [1, 2, 3]
    assert "2 relations" in page
    gone = state in ("locked", "erased")
    assert changes(rita, related) == before + (-1 if gone else 1)


def test_an_erased_or_locked_version_is_no_change(
    rita: Person, alice: Person, carol: Person, related: Project
) -> None:
    owner = person_caller(alice)
    for version in (1, 2):
        change(owner, related, 3, version, content=f"Text {version}")
    before = changes(rita, related)

    request = ask(owner, related, 3, 2)

    assert changes(rita, related) == before - 1
    erase(carol, request)
    assert changes(rita, related) == before  # the erasing is a change of its own


def test_a_stranger_and_another_project_are_kept_out(
    client: Client, mallory: Person, alice: Person, related: Project
) -> None:
    look(client, mallory, 404)
    look(client, alice, 400, cursor="x")


def test_the_most_connected_are_drawn_and_the_rest_is_told(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    items = Item.objects.bulk_create(
        Item(project=project, kind="task", number=each, title=f"Task {each}", author=alice,
             status="open", priority=2)
        for each in range(1, 201)
    )  # fmt: skip
    pairs = [(items[0], items[each]) for each in range(1, 121)]
    pairs += [(items[each], items[each + 1]) for each in range(121, 199, 2)]
    Relation.objects.bulk_create(
        Relation(source=source, target=target, relation="relates") for source, target in pairs
    )

    page = look(client, rita)
    graph = item_graph(person_caller(rita), project_id=project.public_id)

    assert len(nodes(page)) == 150
    assert 1 in nodes(page)
    assert "49 more have some" in page
    assert (graph.items, graph.relations, graph.more) == (199, 159, False)


def test_the_table_is_walked_page_after_page(
    client: Client, rita: Person, alice: Person, related: Project
) -> None:
    owner = person_caller(alice)
    for number in range(6, 66):
        create(owner, related, "task", title=f"Task {number}")
        act(owner, related, number, "relate", relation="relates", target=1)
    page = look(client, rita)
    cursor = re.search(r"\?cursor=([^#\"]+)#table-h", page)
    assert cursor is not None

    rest = item_relations(person_caller(rita), project_id=related.public_id, cursor=cursor.group(1))

    assert len(rest.items) == 13
    assert rest.next_cursor is None
    assert 'rel="next"' not in look(client, rita, cursor=cursor.group(1))


def test_the_queries_do_not_grow_with_the_picture(
    client: Client, rita: Person, alice: Person, related: Project
) -> None:
    look(client, rita)
    with CaptureQueriesContext(connection) as few:
        look(client, rita)
    owner = person_caller(alice)
    for number in range(6, 26):
        create(owner, related, "task", title=f"Task {number}")
        act(owner, related, number, "relate", relation="blocks", target=2)

    with CaptureQueriesContext(connection) as many:
        look(client, rita)

    assert len(many) == len(few)


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Pacific/Pitcairn", "2026-11-29"),
        ("UTC", "2026-11-30"),
        ("Asia/Kathmandu", "2026-11-30"),
        ("Pacific/Fakaofo", "2026-11-30"),
    ],
)
def test_changes_fall_on_the_days_of_the_reader(
    rita: Person, alice: Person, project: Project, *, zone: str, day: str
) -> None:
    create(person_caller(alice), project, "task", title="Pour")
    ItemEvent.objects.update(at=datetime(2026, 11, 30, 7, 59, tzinfo=UTC))
    Person.objects.filter(pk=rita.pk).update(time_zone=zone)
    rita.refresh_from_db()

    with time_machine.travel(datetime(2026, 11, 30, 12, tzinfo=UTC), tick=False):
        days = changes_by_day(person_caller(rita), project_id=project.public_id)

    assert len(days) == 84
    assert [str(each.day) for each in days if each.changes] == [day]


def test_the_first_and_the_last_moment_count_and_what_is_older_does_not(
    rita: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    moments = ("09-07T23:59:59", "09-08T00:00:00", "11-30T12:00:00", "11-30T12:00:01")
    for number, moment in enumerate(moments, 1):
        create(owner, project, "task", title=f"Task {number}")
        at = datetime.fromisoformat(f"2026-{moment}+00:00")
        ItemEvent.objects.filter(item__number=number).update(at=at)

    with time_machine.travel(datetime(2026, 11, 30, 12, tzinfo=UTC), tick=False):
        days = changes_by_day(person_caller(rita), project_id=project.public_id)

    assert [(str(each.day), each.changes) for each in days if each.changes] == [
        ("2026-09-08", 1), ("2026-11-30", 1),
    ]  # fmt: skip


@pytest.mark.skipif(connection.vendor != "sqlite", reason="says how SQLite reads")
def test_the_chart_is_counted_in_indexes_by_day_whatever_is_older(
    rita: Person, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "task", title="Pour")
    with CaptureQueriesContext(connection) as caught:
        changes(rita, project)

    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + caught[-1]["sql"])
        plan = " ".join(str(row) for row in cursor.fetchall())

    assert "COVERING INDEX event_by_time (item_id=? AND at>? AND at<?)" in plan
    assert "INDEX event_emptied (item_id=?" in plan


def test_the_chart_says_in_words_and_in_a_table_what_it_shows(
    client: Client, rita: Person, alice: Person, project: Project
) -> None:
    assert "Nothing has changed in these weeks." in look(client, rita)
    assert "Nothing is related yet." in look(client, rita)
    for number in range(3):
        create(agent_caller(alice, "robo"), project, "task", title=f"Task {number}")

    page = look(client, rita)

    assert "3 changes since" in page
    assert page.count('class="bar"') == 1
    assert page.count('<th role="rowheader" scope="row"><time') == 84


@pytest.mark.no_database
@given(
    st.lists(
        st.tuples(st.integers(1, 40), st.integers(1, 40)).filter(lambda ends: ends[0] != ends[1]),
        max_size=90,
    )
)
def test_a_layout_gives_every_item_a_place_of_its_own_whatever_the_arrows(
    arrows: list[tuple[int, int]],
) -> None:
    items = sorted({end for arrow in arrows for end in arrow} | {41})

    layout = lay_out(items, arrows)

    places = [(spot.column, spot.row) for spot in layout.spots.values()]
    assert sorted(layout.spots) == items
    assert len(set(places)) == len(items)
    assert all(0 <= column < layout.columns and 0 <= row < layout.rows for column, row in places)
    assert layout == lay_out(reversed(items), reversed(arrows))


@pytest.mark.no_database
def test_arrows_lead_to_the_right_and_columns_stay_short() -> None:
    chain = lay_out([1, 2, 3], [(1, 2), (2, 3)])
    star = lay_out(range(1, 50), [(1, each) for each in range(2, 50)])

    assert [chain.spots[each].column for each in (1, 2, 3)] == [0, 1, 2]
    by_column = [spot.column for spot in star.spots.values()]
    assert max(by_column.count(each) for each in set(by_column)) == MOST_ROWS


@pytest.mark.no_database
def test_titles_are_cut_to_their_room_and_scales_end_at_round_numbers() -> None:
    assert cut_to_width("short", 10) == "short"
    assert cut_to_width("exactly 10", 10) == "exactly 10"
    assert cut_to_width("a little longer", 10) == "a little…"
    assert cut_to_width("設備清單設備", 10) == "設備清單…"
    assert [scale_of(many) for many in (0, 1, 3, 7, 12, 99, 101)] == [1, 1, 5, 10, 20, 100, 200]
