"""Lists stay quick however many rows there are."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import AuditEvent, Person
from conderis.administration.paginating import BoundedPaginator
from items.models import Item, ItemEvent
from projects.models import Project
from tests.administration.pages import admin_browser, list_of, models
from tests.administration.world import fill


def make_rows(person: Person, project: Project, many: int) -> None:
    """More of the rows that come in great numbers."""
    start = Item.objects.count() + 100
    items = Item.objects.bulk_create(
        Item(project=project, number=start + n, kind="task", author=person, title=f"T{n}")
        for n in range(many)
    )
    ItemEvent.objects.bulk_create(
        ItemEvent(item=item, event="created", version=1, author=person) for item in items
    )
    AuditEvent.objects.bulk_create(
        AuditEvent(action="item.created", subject=f"#{n}", person_id=person.pk, surface="web")
        for n in range(many)
    )


def test_every_list_asks_as_often_for_many_rows_as_for_few(alice: Person, project: Project) -> None:
    fill(alice, project)
    client = admin_browser()
    asked: dict[str, int] = {}
    for model in models():
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(list_of(model))
        asked[model._meta.label] = len(queries)

    make_rows(alice, project, 40)

    for model in models():
        with CaptureQueriesContext(connection) as queries:
            client.get(list_of(model))
        assert len(queries) <= asked[model._meta.label], model
        assert len(queries) <= 6, model


@pytest.mark.parametrize("model", [Item, ItemEvent, AuditEvent, Person])
def test_long_lists_are_read_along_an_index_and_not_sorted(
    alice: Person, project: Project, model: type[Item]
) -> None:
    make_rows(alice, project, 60)
    client = admin_browser()
    rows = client.get(list_of(model)).context["cl"].queryset

    plan = rows[:50].explain().upper()

    assert "TEMP B-TREE" not in plan
    assert "SORT" not in plan or connection.vendor == "postgresql"  # few rows are sorted there


def test_counting_ends_at_a_bound(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_rows(alice, project, 30)
    monkeypatch.setattr("conderis.administration.paginating.MOST", 20)

    paginator = BoundedPaginator(Item.objects.order_by("-pk"), 10)
    page = admin_browser().get(list_of(Item))

    assert paginator.count == 20
    assert paginator.is_cut
    assert "The first 20." in page.content.decode()


def test_lists_read_no_column_that_holds_what_people_wrote(alice: Person, project: Project) -> None:
    fill(alice, project)
    client = admin_browser()

    for model in (Item, ItemEvent):
        with CaptureQueriesContext(connection) as queries:
            client.get(list_of(model))
        asked = " ".join(query["sql"] for query in queries)
        for column in ('"content"', '"summary"', '"state"', '"blocked_reason"', '"tags"'):
            assert column not in asked, model


def test_people_are_found_by_the_beginning_of_their_handle_and_by_their_address(
    alice: Person, bob: Person
) -> None:
    client = admin_browser()

    by_handle = client.get(f"{list_of(Person)}?q=ali").context["cl"].queryset
    by_address = client.get(f"{list_of(Person)}?q=BOB.canary@example.org").context["cl"].queryset

    assert list(by_handle) == [alice]
    assert list(by_address) == [bob]


def test_items_are_found_by_their_address_and_filtered_by_kind(
    alice: Person, project: Project
) -> None:
    world = fill(alice, project)
    client = admin_browser()

    found = client.get(f"{list_of(Item)}?q={project.path}%231").context["cl"].queryset
    tasks = client.get(f"{list_of(Item)}?kind=task").context["cl"].queryset
    unknown = client.get(f"{list_of(Item)}?kind=zebra").context["cl"].queryset

    assert list(found) == [world.open_item]
    assert {item.kind for item in tasks} == {"task"}
    assert unknown.count() == 5


def test_the_log_is_filtered_by_action_and_surface_and_searched_by_person_and_subject(
    alice: Person, project: Project
) -> None:
    fill(alice, project)
    client = admin_browser()

    def found(query: str) -> set[str]:
        rows = client.get(f"{list_of(AuditEvent)}?{query}").context["cl"].queryset
        return {row.action for row in rows}

    assert found("action=key") == {"key.created"}
    assert found("surface=command") == {"sign_in_link.created"}
    assert "item.created" in found("q=alice")
    assert found("q=nobody") == set()
    assert found(f"q={alice.ref}") >= {"item.created"}
