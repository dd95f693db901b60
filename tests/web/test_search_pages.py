"""The search over everything that a person may read."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from conderis.accounts.models import Person
from items.finding import FindRequest, find_items
from items.models import Item
from items.requests import Address, DeletionCall
from privacy.deciding import erase
from privacy.requesting import request_deletion
from projects.capabilities import Role
from projects.models import Project
from tests.factories import agent_caller, join, make_project, person_caller
from tests.items.calls import act, change, create
from tests.web.reading import without_tokens
from tests.web.signing_in_steps import BACKEND

COMPOSED, DECOMPOSED = "Caf\u00e9 r\u00e9gulier", "Cafe\u0301 re\u0301gulier"


def search(client: Client, person: Person, **sent: str) -> str:
    client.force_login(person, backend=BACKEND)
    answer = client.get("/search/", sent)
    assert answer.status_code == 200
    return answer.content.decode()


def fill(person: Person, project: Project) -> None:
    caller = person_caller(person)
    create(caller, project, "task", title="Zebra crossing", content="paint it")
    create(caller, project, "page", title="Animals", content="The zebra and the quagga.")
    create(caller, project, "memory", title="Zebras bite", content="Often.", visibility="shared")


def test_items_of_all_kinds_and_projects_are_found_with_place_kind_and_marked_words(
    client: Client, project: Project, alice: Person
) -> None:
    fill(alice, project)
    fill(alice, make_project(alice, "zoo"))
    create(person_caller(alice), None, "memory", title="My zebra", content="is personal")

    page = search(client, alice, q="zebra")

    assert 'Search <span class="count">7</span>' in page
    for href in ("/alice/shop/items/1/", "/alice/shop/items/3/", "/alice/zoo/items/2/"):
        assert f'href="{href}"' in page
    assert "across projects" in page
    assert "<mark>Zebra</mark> crossing" in page
    assert "The <mark>zebra</mark> and the quagga." in page
    assert "<mark>Zebras</mark> bite" in page


def test_only_what_the_reader_may_read_is_found_or_counted(
    client: Client, project: Project, *, alice: Person, rita: Person, bob: Person, mallory: Person
) -> None:
    fill(alice, project)
    create(person_caller(bob), project, "memory", title="Bobs zebra", visibility="private")
    create(person_caller(bob), None, "memory", title="Bobs personal zebra")
    create(person_caller(bob), project, "page", title="Proposed zebra")
    call = DeletionCall(Address(project.path, number=2), reason="wrong")
    ref = str(request_deletion(person_caller(alice), call)["request"])

    reader, author, stranger = (search(client, who, q="zebra") for who in (rita, bob, mallory))
    erase(person_caller(alice), ref)
    after = search(client, rita, q="quagga")
    everything = search(client, rita, q="quagga", all="true")

    assert 'count">2<' in reader
    assert "Bobs" not in reader
    assert "quagga" not in reader
    assert 'count">4<' in author
    assert 'count">0<' in stranger
    assert "Zebra crossing" not in stranger
    assert "Proposed" not in reader + author
    assert 'count">0<' in after
    assert 'count">0<' in everything


def test_a_role_that_ends_takes_the_project_out_of_the_search(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    fill(alice, project)
    before = search(client, rita, q="zebra")

    project.members.filter(person=rita).delete()

    assert 'count">3<' in before
    assert 'count">0<' in search(client, rita, q="zebra")


def test_an_agent_with_chosen_projects_finds_nothing_else(project: Project, alice: Person) -> None:
    other = make_project(alice, "zoo")
    fill(alice, project)
    fill(alice, other)
    create(person_caller(alice), None, "memory", title="My zebra")

    found = find_items(agent_caller(alice, projects=[other]), FindRequest("zebra"))

    assert found.total == 3
    assert {each.project for each in found.items} == {"alice/zoo"}


def test_the_search_is_narrowed_to_a_kind_and_to_a_project(
    client: Client, project: Project, alice: Person, mallory: Person
) -> None:
    fill(alice, project)
    fill(alice, make_project(alice, "zoo"))
    make_project(mallory, "theirs")

    pages = search(client, alice, q="zebra", kind="page")
    zoo = search(client, alice, q="zebra", project="alice/zoo")
    both = search(client, alice, q="zebra", project="alice/zoo", kind="task")
    none = search(client, alice, q="unicorn", project="alice/zoo")

    assert 'count">2<' in pages
    assert "crossing" not in pages
    assert 'count">3<' in zoo
    assert "/alice/shop/items/" not in zoo
    assert 'count">1<' in both
    assert "Search everywhere" in none
    for bad, status in (("kind=x", 400), ("project=mallory/theirs", 404),
                        ("project=no/such", 404), ("cursor=x", 400)):  # fmt: skip
        assert client.get(f"/search/?q=zebra&{bad}").status_code == status, bad


def test_what_is_closed_archived_or_expired_is_found_on_demand(
    client: Client, project: Project, alice: Person
) -> None:
    fill(alice, project)
    act(person_caller(alice), project, 1, "complete", 1)
    act(person_caller(alice), project, 2, "archive", 1)
    Item.objects.filter(number=3).update(expires_at=timezone.now() - timedelta(days=1))

    standing = search(client, alice, q="zebra")
    everything = search(client, alice, q="zebra", all="true")

    assert 'count">0<' in standing
    assert "Search those, too" in standing
    assert 'count">3<' in everything
    for word in ("Archived", "Expired", "Done"):
        assert word in everything


@pytest.mark.parametrize(("shop", "zoo", "found"), [(30, 30, 1), (365, 30, 2), (30, 365, 2)])
def test_session_memories_are_found_as_long_as_they_last_in_their_project(
    project: Project, alice: Person, *, shop: int, zoo: int, found: int
) -> None:
    other = make_project(alice, "zoo", session_days=zoo)
    Project.objects.filter(pk=project.pk).update(session_days=shop)
    for place in (project, other, None):
        more = {"visibility": "shared"} if place is not None else {}
        create(person_caller(alice), place, "memory", title="Zebra", type="session", **more)
    Item.objects.update(changed=timezone.now() - timedelta(days=40))
    create(person_caller(alice), None, "memory", title="Zebra of today", type="session")

    assert find_items(person_caller(alice), FindRequest("zebra")).total == found


@pytest.mark.parametrize("typed", [COMPOSED, DECOMPOSED, "cafe regulier"])
@pytest.mark.parametrize("stored", [COMPOSED, DECOMPOSED])
def test_accents_are_found_in_both_spellings_and_without(
    client: Client, project: Project, alice: Person, *, typed: str, stored: str
) -> None:
    create(person_caller(alice), project, "page", title="Menu", content=f"Un {stored} noir")

    page = search(client, alice, q=typed)

    assert 'count">1<' in page
    assert page.count("<mark>") == 2


def test_a_reference_leads_to_its_item_where_it_can_be_read(
    client: Client, project: Project, alice: Person, bob: Person, mallory: Person
) -> None:
    fill(alice, project)
    own = str(create(person_caller(alice), None, "memory", title="Mine")["ref"])
    create(person_caller(bob), project, "memory", title="Bobs", visibility="private")
    client.force_login(alice, backend=BACKEND)

    def leads(**sent: str) -> str:
        answer = client.get("/search/", sent)
        return str(answer["Location"]) if answer.status_code == 302 else ""

    assert leads(q="alice/shop#2") == "/alice/shop/items/2/"
    assert leads(q=" #3 ", **{"in": "alice/shop"}) == "/alice/shop/items/3/"
    assert leads(q=own) == f"/memories/{own.removeprefix('memory:')}/"
    for missing in ("alice/shop#99", "alice/shop#4", "no/such#1", "memory:abcdefghijkm"):
        assert leads(q=missing) == "", missing
    client.force_login(mallory, backend=BACKEND)
    pages = [
        without_tokens(search(client, mallory, q=f"alice/{name}#1")).replace(name, "")
        for name in ("shop", "ship")
    ]
    assert pages[0] == pages[1]
    assert leads(q=own) == ""


def test_a_number_alone_lists_the_items_of_ones_own_projects_with_it(
    client: Client, project: Project, alice: Person, rita: Person, mallory: Person
) -> None:
    fill(alice, project)
    fill(alice, make_project(alice, "zoo"))
    public = make_project(mallory, "open", is_public=True)
    fill(mallory, public)

    owner, reader = search(client, alice, q="#2"), search(client, rita, q="#2")

    assert 'href="/alice/shop/items/2/"' in owner
    assert 'href="/alice/zoo/items/2/"' in owner
    assert 'href="/alice/shop/items/2/"' in reader
    assert "/alice/zoo/" not in reader
    assert "/mallory/open/" not in owner + reader


def test_an_empty_search_says_what_is_searched(client: Client, alice: Person) -> None:
    for words in ("", "   "):
        page = search(client, alice, q=words)

        assert "What are you looking for?" in page
        assert "Nothing that you can read" not in page


def test_projects_whose_name_fits_are_named_first(
    client: Client, project: Project, alice: Person, mallory: Person
) -> None:
    make_project(mallory, "shopping")

    page = search(client, alice, q="shop")

    assert 'href="/alice/shop/"' in page
    assert "shopping" not in page


def test_the_walk_through_the_pages_shows_each_once_and_ends(
    client: Client, project: Project, alice: Person
) -> None:
    for number in range(45):
        create(person_caller(alice), project, "page", title=f"Zebra {number}")
    client.force_login(alice, backend=BACKEND)
    shown: list[str] = []
    query: str = "q=zebra"
    for _page in range(3):
        context = client.get(f"/search/?{query}").context["page"]
        assert context.total == 45
        shown += [row.href for row in context.rows]
        query = context.next_query

    assert query == ""
    assert len(shown) == len(set(shown)) == 45


def test_the_number_of_queries_does_not_grow_with_what_is_found(
    client: Client, project: Project, alice: Person
) -> None:
    fill(alice, project)
    search(client, alice, q="zebra")
    with CaptureQueriesContext(connection) as few:
        search(client, alice, q="zebra")
    for number in range(4):
        other = make_project(alice, f"zoo{number}")
        join(other, alice, Role.OWNER)
        fill(alice, other)
        change(person_caller(alice), other, 1, 1, tags=["zebra"])

    with CaptureQueriesContext(connection) as many:
        page = search(client, alice, q="zebra")

    assert 'count">15<' in page
    assert len(many) == len(few)


def test_typed_words_are_shown_as_words(client: Client, alice: Person) -> None:
    page = search(client, alice, q='"><script>alert(1)</script>')

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
