"""Saving items in the browser while others change, move, lock or erase them."""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from conderis.accounts.models import AgentKey, Person
from conderis.web.items.forms import whole_text
from items.requests import Address, DeletionCall
from privacy.deciding import erase
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at
from tests.web.signing_in_steps import BACKEND

TEXT = "one\n\ntwo\n\nthree"
HUGE = "9" * 5000


class Fields(HTMLParser):
    """What a browser would send of the form with a field called `title`, untouched."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._area, self._select = "", ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if tag == "input" and of.get("name"):
            self.found[of["name"]] = of.get("value", "")
        elif tag == "textarea":
            self._area = of["name"]
            self.found[self._area] = ""
        elif tag == "select":
            self._select = of["name"]
        elif tag == "option" and self._select and "selected" in of:
            self.found[self._select] = of["value"]

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.found[self._area] = self.found[self._area].removeprefix("\n")
            self._area = ""
        elif tag == "select":
            self._select = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            self.found[self._area] += data


def at(route: str, **more: int | str) -> str:
    return reverse(route, kwargs={"owner": "alice", "name": "shop", **more})


def opened(client: Client, person: Person, number: int = 1) -> dict[str, str]:
    client.force_login(person, backend=BACKEND)
    answer = client.get(at("item-edit", number=number))
    assert answer.status_code == 200
    return Fields(answer.content.decode()).found


def save(client: Client, form: dict[str, str], number: int = 1, **typed: str) -> Any:
    """Send the form as browsers do: with CRLF at line ends."""
    sent = {name: value.replace("\n", "\r\n") for name, value in {**form, **typed}.items()}
    return client.post(at("item-edit", number=number), sent, follow=True)


def form_of(answer: Any) -> dict[str, str]:
    return Fields(answer.content.decode()).found


@pytest.fixture
def guide(alice: Person, project: Project) -> None:
    create(person_caller(alice), project, "page", title="Guide", content=TEXT, tags=["a"])


@pytest.fixture
def task(alice: Person, project: Project) -> None:
    create(person_caller(alice), project, "task", title="Pour", content=TEXT, tags=["a"])
    for title in ("Second", "Third"):
        create(person_caller(alice), project, "task", title=title)


@pytest.mark.no_database
def test_line_ends_of_every_kind_become_one() -> None:
    assert whole_text("a\r\nb\rc\nd") == "a\nb\nc\nd"


@pytest.mark.usefixtures("guide")
def test_a_form_that_is_sent_back_untouched_changes_nothing(
    client: Client, carol: Person, project: Project
) -> None:
    answer = save(client, opened(client, carol))

    assert "Nothing was changed" in answer.content.decode()
    assert item_at(project, 1).version == 1


@pytest.mark.usefixtures("guide")
def test_texts_typed_in_a_browser_are_merged_by_lines(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    form = opened(client, carol)
    change(person_caller(alice), project, 1, 1, content="one\n\ntwo\n\nTHREE")

    shown = save(client, form, content="ONE\n\ntwo\n\nthree")
    stored = save(client, form_of(shown))

    assert shown.status_code == 409
    assert form_of(shown)["content"] == "ONE\n\ntwo\n\nTHREE"
    assert "Both changes were brought together" in shown.content.decode()
    assert stored.status_code == 200
    assert item_at(project, 1).content == "ONE\n\ntwo\n\nTHREE"


@pytest.mark.usefixtures("task")
def test_saving_does_not_undo_a_move_or_a_dependency_of_somebody_else(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    form = opened(client, carol)
    change(person_caller(alice), project, 1, parent=2, dependsOn=[3])

    answer = save(client, form, title="Pour slowly")

    now = opened(client, carol)
    assert answer.status_code == 200
    assert item_at(project, 1).title == "Pour slowly"
    assert (now["parent"], now["dependsOn"]) == ("2", "3")


@pytest.mark.usefixtures("guide")
def test_a_title_typed_while_the_text_changed_is_kept_and_the_text_too(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    form = opened(client, carol)
    change(person_caller(alice), project, 1, 1, content="new text")

    shown = save(client, form, title="Guides", tags="a, b")
    again = form_of(shown)
    save(client, again)

    assert shown.status_code == 409
    assert (again["title"], again["content"], again["tags"]) == ("Guides", "new text", "a, b")
    assert again["initial-title"] == "Guide"
    item = item_at(project, 1)
    assert (item.title, item.content, item.tags) == ("Guides", "new text", ["a", "b"])


@pytest.mark.usefixtures("guide")
def test_the_form_shown_again_counts_as_opened_with_what_stands_now(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    form = opened(client, carol)
    change(owner, project, 1, 1, content="second text", tags=["b"], verifiedAgainst="a" * 40)

    first = save(client, form, title="Guides")
    change(owner, project, 1, 2, content="third text")
    second = save(client, form_of(first))
    save(client, form_of(second))

    assert (first.status_code, second.status_code) == (409, 409)
    assert "in version 3" not in second.content.decode()
    item = item_at(project, 1)
    assert (item.title, item.content, item.tags) == ("Guides", "third text", ["b"])
    assert item.verified_against is None


@pytest.mark.usefixtures("task")
def test_fields_typed_while_others_changed_are_kept_and_clashes_are_listed(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    form = opened(client, carol)
    change(person_caller(alice), project, 1, 1, content="new text", priority="low", status="done")

    shown = save(client, form, priority="high", tags="red", due="2026-12-24")
    again = form_of(shown)
    html = shown.content.decode()
    save(client, again)

    assert shown.status_code == 409
    assert again["priority"] == "high"
    assert "Priority in version 2" in html
    assert '<del><span class="vh">removed </span>Low</del>' in html
    assert '<ins><span class="vh">added </span>High</ins>' in html
    assert "Content in version 2" not in html
    item = item_at(project, 1)
    assert (item.content, item.status, item.tags) == ("new text", "done", ["red"])
    assert str(item.due) == "2026-12-24"
    assert form_of(client.get(at("item-edit", number=1)))["priority"] == "high"


@pytest.mark.usefixtures("task")
def test_a_holder_who_is_none_any_more_does_not_stop_another_change(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    robo = agent_caller(alice, "robo")
    act(robo, project, 1, "claim", 1)
    form = opened(client, carol)
    change(person_caller(alice), project, 1, 2, assignee=None)
    AgentKey.objects.all().delete()

    shown = save(client, form, title="Pour slowly")
    again = form_of(shown)
    save(client, again)

    assert form["assignee"].startswith("agent:")
    assert shown.status_code == 409
    assert again.get("assignee", "") == ""
    item = item_at(project, 1)
    assert (item.title, item.version) == ("Pour slowly", 4)


@pytest.mark.usefixtures("guide")
def test_a_number_of_five_thousand_digits_is_refused(
    client: Client, carol: Person, project: Project
) -> None:
    form = opened(client, carol)

    history = client.get(at("item-history", number=1), {"version": HUGE})
    acted = client.post(at("item-act", number=1), {"action": "archive", "version": HUGE})
    saved = save(client, form, title="Guides", version=HUGE)
    long = save(client, form, title="Guides", version="9" * 4000)
    then = client.get(at("item-version", number=1, version=1).replace("/1/", f"/{'9' * 4000}/"))
    version = client.get(at("item-history", number=1) + f"{'9' * 4000}/")

    assert history.status_code == acted.status_code == saved.status_code == 400
    assert long.status_code == 400
    assert then.status_code == version.status_code == 404
    assert item_at(project, 1).version == 1


@pytest.mark.usefixtures("guide")
def test_what_was_typed_is_shown_when_the_item_was_locked_or_erased_meanwhile(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    form = opened(client, carol)
    call = DeletionCall(Address(project.path, number=1), reason="zanzibar")
    ref = str(request_deletion(owner, call)["request"])

    locked = save(client, form, content="typed at length")
    erase(owner, ref)
    erased = save(client, form, content="typed at length")

    assert (locked.status_code, erased.status_code) == (423, 409)
    for answer in (locked, erased):
        assert form_of(answer)["content"] == "typed at length"
        assert "Nothing was stored" in answer.content.decode()


def test_a_parent_that_is_locked_is_said_in_the_form(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    for title in ("First", "Second"):
        create(owner, project, "page", title=title)
    request_deletion(owner, DeletionCall(Address(project.path, number=2), reason="x"))

    changed = save(client, opened(client, carol), parent="2", content="typed at length")
    made = client.post(at("item-new", kind="page"),
                       {"title": "New", "content": "typed at length", "parent": "2"})  # fmt: skip

    for answer in (changed, made):
        assert answer.status_code == 423
        assert form_of(answer)["content"] == "typed at length"
        assert "#2 is locked by a deletion request" in answer.content.decode()


@pytest.mark.usefixtures("guide")
def test_all_children_are_behind_a_link_and_stay_when_the_list_is_narrowed(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    for number in range(21):
        create(person_caller(alice), project, "page", title=f"Leaf {number}", parent=1)
    create(person_caller(alice), project, "page", title="Elsewhere")
    client.force_login(carol, backend=BACKEND)

    shown = client.get(at("item", number=1)).content.decode()
    listed = client.get(at("project-docs"), {"parent": "1"}).content.decode()

    assert "All 21" in shown
    assert f"{at('project-docs')}?parent=1" in shown
    assert "Leaf 20" in listed
    assert "Elsewhere" not in listed
    assert '<input type="hidden" name="parent" value="1">' in listed
    assert "All 21" not in client.get(at("item", number=2)).content.decode()


def test_leaving_a_new_item_leads_to_its_list_and_a_block_says_what_it_needs(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    create(person_caller(alice), project, "task", title="Pour")
    client.force_login(carol, backend=BACKEND)

    new = client.get(at("item-new", kind="task")).content.decode()
    shown = client.get(at("item", number=1)).content.decode()

    assert f'href="{at("project-tasks")}">Cancel' in new
    assert "Block needs one." in shown


def hidden_clash(html: str) -> str:
    """The part of the page that shows what both sides changed."""
    return html.partition('class="conflict"')[2].partition("<form")[0]


@pytest.mark.usefixtures("guide")
def test_a_conflict_shows_who_changed_what_both_texts_and_marks_where_they_differ(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    form = opened(client, carol)
    change(person_caller(alice), project, 1, 1, content="one\n\nfour\n\nthree", title="Guides")

    shown = save(client, form, content="one\n\nfive\n\nthree", title="Guidebook")
    html = shown.content.decode()

    assert "Version 2 by Alice: " in html
    assert "Content: changed on both sides" in html
    assert "Title: changed on both sides" in html
    clash = hidden_clash(html)
    assert "</span>four</del>" in clash or "four" in clash.partition("Removed")[2]
    assert "</span>five</ins>" in clash or "five" in clash.partition("Added")[2]
    assert "one\n\nfour\n\nthree</pre>" in html
    assert 'href="#id_content"' in clash
    assert 'id="id_content"' in html
    assert form_of(shown)["content"] == "one\n\nfive\n\nthree"
    assert item_at(project, 1).version == 2


@pytest.mark.usefixtures("guide")
def test_a_second_conflict_while_the_first_is_solved_loses_neither_text(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    form = opened(client, carol)
    change(owner, project, 1, 1, content="theirs")

    first = save(client, form, content="mine")
    change(owner, project, 1, 2, content="theirs again", tags=["z"])
    second = save(client, form_of(first), content="mine, too")
    stored = save(client, form_of(second))

    assert (first.status_code, second.status_code, stored.status_code) == (409, 409, 200)
    assert "theirs again</pre>" in second.content.decode()
    assert form_of(second)["content"] == "mine, too"
    item = item_at(project, 1)
    assert (item.content, item.tags, item.version) == ("mine, too", ["z"], 4)


@pytest.mark.usefixtures("guide")
def test_what_was_typed_is_kept_when_the_item_was_archived_meanwhile_and_stored_when_restored(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    form = opened(client, carol)
    act(owner, project, 1, "archive", 1)

    first = save(client, form, content="typed at length")
    still = save(client, form_of(first))
    act(owner, project, 1, "restore", 2)
    again = save(client, form_of(still))
    stored = save(client, form_of(again))

    for answer in (first, still):
        assert answer.status_code == 409
        assert "It is archived" in answer.content.decode()
        assert form_of(answer)["content"] == "typed at length"
    assert stored.status_code == 200
    assert item_at(project, 1).content == "typed at length"


@pytest.mark.usefixtures("guide")
def test_what_was_typed_over_an_erased_item_can_be_stored_as_a_new_one(
    client: Client, carol: Person, alice: Person, project: Project
) -> None:
    owner = person_caller(alice)
    form = opened(client, carol)
    call = DeletionCall(Address(project.path, number=1), reason="zanzibar")
    erase(owner, str(request_deletion(owner, call)["request"]))

    erased = save(client, form, title="Guides", content="typed at length")
    stored = client.post(at("item-new", kind="page"), form_of(erased), follow=True)

    assert f'formaction="{at("item-new", kind="page")}"' in erased.content.decode()
    assert stored.status_code == 200
    assert item_at(project, 2).content == "typed at length"
