"""The pages that connect an agent: the key shown once, the project, the live sign."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from conderis.accounts import last_use
from conderis.accounts.agent_keys import KeyWish, MadeKey
from conderis.accounts.authentication import caller_of_key
from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Surface
from conderis.web.connecting.clients import BY_SLUG
from projects.keys import create_agent_key
from projects.models import KeyProject, Project
from tests.factories import make_project, person_caller
from tests.web.settings_pages import (
    has_key,
    key_text,
    shown,
    signed_in_long_ago,
    signed_in_now,
)

PAGE = "/connect/claude-code/"
WAITED = {"name": "Claude Code on laptop", "reach": "all"}


def made_key(person: Person, name: str = "Codex on laptop") -> MadeKey:
    return create_agent_key(person_caller(person), person=person, wish=KeyWish(name=name))


def use(made: MadeKey) -> None:
    """A call with the key, written down."""
    last_use._uses.noted.clear()  # a key of another test may have had the same number
    caller_of_key(made.text, surface=Surface.MCP)
    last_use.flush()


def page(client: Client, path: str = PAGE, *, host: str = "testserver") -> str:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 200
    return shown(answer.content)


@pytest.fixture
def alices(alice: Person) -> Client:
    """A browser in which alice has just signed in."""
    return signed_in_now(alice)


def test_nobody_connects_without_signing_in(client: Client, db: None) -> None:
    for path in ("/connect/", PAGE, "/connect/state/none/"):
        answer = client.get(path)

        assert answer.status_code == 302
        assert answer["Location"].endswith(f"?next={path}")


@pytest.mark.parametrize("slug", list(BY_SLUG))
@pytest.mark.parametrize("way", ["key", "stdio"])
def test_every_client_has_a_page_for_both_ways(
    alices: Client, project: Project, slug: str, way: str
) -> None:
    text = page(alices, f"/connect/{slug}/?way={way}", host="localhost")

    assert text.count("<h1") == 1
    assert re.search(rf'href="/connect/{slug}/\?way={way}[^"]*" aria-current="page"', text)
    assert re.search(r'<code id="copy-1">.*<mark>YOUR-KEY</mark>', text, re.DOTALL)
    assert not has_key(text.encode())
    assert "style=" not in text
    assert "onclick" not in text


def test_the_first_page_is_the_first_clients(alices: Client, project: Project) -> None:
    assert "Connect Claude Code" in page(alices, "/connect/")


def test_an_unknown_client_is_not_found(alices: Client, alice: Person) -> None:
    assert alices.get("/connect/emacs/").status_code == 404


def test_a_new_key_stands_in_what_is_copied_this_once(
    alices: Client, alice: Person, project: Project
) -> None:
    answer = alices.post(PAGE, WAITED)

    text = key_text(answer.content)
    row = AgentKey.objects.get()
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert f'--header "Authorization: Bearer {text}"' in shown(answer.content)
    assert caller_of_key(text, surface=Surface.MCP).agent_name == "Claude Code on laptop"
    assert sorted(row.scopes) == ["delete", "read", "write"]
    assert row.all_projects
    assert not has_key(alices.get(PAGE).content)


def test_a_new_key_ends_and_the_page_says_when(alices: Client, alice: Person) -> None:
    before = timezone.now()

    said = page(alices)
    made = shown(alices.post(PAGE, WAITED).content)

    ends = AgentKey.objects.get().expires_at
    assert ends is not None
    assert timedelta() <= ends - before - timedelta(days=90) < timedelta(minutes=1)
    assert "It works for 90 days." in said
    assert "It expires <time" in made


def test_a_key_for_one_project_is_for_that_alone(
    alices: Client, alice: Person, project: Project
) -> None:
    make_project(alice, "other")

    alices.post(f"{PAGE}?project=alice/shop", {"name": "Codex", "reach": "one"})

    row = AgentKey.objects.get()
    assert not row.all_projects
    assert [each.project for each in KeyProject.objects.filter(key=row)] == [project]


def test_a_name_that_is_taken_is_refused_at_the_field(alices: Client, alice: Person) -> None:
    made_key(alice, "Claude Code on laptop")

    answer = alices.post(PAGE, WAITED)

    text = shown(answer.content)
    assert answer.status_code == 409
    assert "You have a key with this name. Add where it runs" in text
    assert 'id="id_name_error"' in text
    assert AgentKey.objects.count() == 1


@pytest.mark.parametrize(
    "sent",
    [{"name": "", "reach": "all"}, {"name": "x" * 81, "reach": "all"}, {"name": "x", "reach": "?"}],
)
def test_a_wrong_form_is_shown_again_and_makes_no_key(
    alices: Client, alice: Person, sent: dict[str, str]
) -> None:
    answer = alices.post(PAGE, sent)

    assert answer.status_code == 400
    assert 'class="err"' in shown(answer.content)
    assert AgentKey.objects.count() == 0


def test_a_key_needs_a_sign_in_of_a_short_while_ago(alice: Person) -> None:
    alice.set_password("correct horse battery")
    alice.save()
    client = signed_in_long_ago(alice)

    answer = client.post(PAGE, WAITED)

    assert answer.status_code == 302
    assert "reauthenticate" in answer["Location"]
    assert AgentKey.objects.count() == 0


def test_a_key_is_made_by_a_form_of_this_site_alone(alice: Person) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")

    assert client.post(PAGE, WAITED).status_code == 403
    assert AgentKey.objects.count() == 0


def test_the_lines_name_the_chosen_project(alices: Client, alice: Person, project: Project) -> None:
    make_project(alice, "other")

    text = page(alices, f"{PAGE}?project=alice/shop")

    assert 'projectId: "alice/shop"' in text
    assert "<option selected>alice/shop</option>" in text
    assert "<option>alice/other</option>" in text
    assert 'href="/connect/codex/?way=key&project=alice%2Fshop"' in text


def test_a_project_that_is_hidden_answers_like_one_that_is_not_there(
    mallory: Person, project: Project
) -> None:
    client = signed_in_now(mallory)

    hidden = client.get(f"{PAGE}?project=alice/shop")
    missing = client.get(f"{PAGE}?project=alice/none")
    posted = client.post(f"{PAGE}?project=alice/shop", {"name": "x", "reach": "one"})

    assert hidden.status_code == missing.status_code == posted.status_code == 404
    assert shown(hidden.content) == shown(missing.content).replace("alice/none", "alice/shop")
    assert AgentKey.objects.count() == 0


def test_without_a_project_the_page_leads_to_a_new_one(mallory: Person) -> None:
    text = page(signed_in_now(mallory))

    assert "No project yet" in text
    assert 'href="/projects/new/"' in text
    assert 'projectId: "owner/name"' in text
    assert "<select" in text
    assert "Only " not in text


def test_the_sign_waits_quietly_until_the_key_was_used(alices: Client, alice: Person) -> None:
    made = made_key(alice)
    state = f"/connect/state/{made.key.public_id}/"

    waiting = alices.get(state, headers={"HX-Request": "true"})
    use(made)
    on = alices.get(state, headers={"HX-Request": "true"})

    assert waiting.status_code == 204
    assert waiting.content == b""
    assert on.status_code == 200
    text = shown(on.content)
    assert "Codex on laptop has connected" in text
    assert "hx-trigger" not in text
    assert "<html" not in text


def test_the_sign_is_a_page_without_script(alices: Client, alice: Person) -> None:
    made = made_key(alice)
    state = f"/connect/state/{made.key.public_id}/"

    waiting = page(alices, state)
    use(made)
    on = page(alices, state)

    assert "Waiting for Codex on laptop" in waiting
    assert re.search(rf'<a class="btn" id="live-next" href="{state}[^"]*">Check again</a>', waiting)
    assert "<h1>" in on
    assert "Codex on laptop has connected" in on
    assert made.text not in waiting + on


def test_the_page_of_a_new_key_asks_every_three_seconds(alices: Client, alice: Person) -> None:
    text = shown(alices.post(PAGE, WAITED).content)

    row = AgentKey.objects.get()
    assert f'hx-get="/connect/state/{row.public_id}/' in text
    assert 'hx-trigger="every 3s"' in text
    assert re.search(r'role="status"><div class="live live-wait"', text)


def test_the_page_can_wait_for_a_key_that_is_there(alices: Client, alice: Person) -> None:
    made = made_key(alice)

    text = page(alices, f"{PAGE}?key={made.key.public_id}")

    assert "Waiting for Codex on laptop" in text


def test_nobody_learns_of_anothers_key(
    alices: Client, alice: Person, mallory: Person, project: Project
) -> None:
    made = made_key(alice)
    use(made)
    client = signed_in_now(mallory)

    for headers in ({}, {"HX-Request": "true"}):
        theirs = client.get(f"/connect/state/{made.key.public_id}/", headers=headers)
        missing = client.get("/connect/state/nokey/", headers=headers)

        assert theirs.status_code == missing.status_code == 404
        assert b"Codex" not in theirs.content
    assert client.get(f"{PAGE}?key={made.key.public_id}").status_code == 404


def test_asking_for_the_state_takes_few_queries(
    alices: Client, alice: Person, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    made = made_key(alice)

    with django_assert_max_num_queries(3):
        alices.get(f"/connect/state/{made.key.public_id}/", headers={"HX-Request": "true"})


def test_more_projects_and_keys_take_no_more_queries(alices: Client, alice: Person) -> None:
    counts = []
    for more in (2, 10):
        for _number in range(more):
            made_key(alice, f"agent {AgentKey.objects.count()}")
            make_project(alice, f"p{Project.objects.count()}")
        made = AgentKey.objects.latest("pk")
        with CaptureQueriesContext(connection) as seen:
            page(alices, f"{PAGE}?key={made.public_id}")
        counts.append(len(seen))

    assert counts[0] == counts[1]


def test_stdio_shows_this_installation_on_its_own_machine_alone(
    alices: Client, alice: Person, settings: Settings
) -> None:
    local = page(alices, f"{PAGE}?way=stdio", host="localhost")
    settings.PUBLIC_URL = "https://memory.example.com"
    public = page(alices, f"{PAGE}?way=stdio")

    manage = str(settings.BASE_DIR / "manage.py")
    assert manage in local
    assert manage not in public
    assert str(settings.BASE_DIR) not in public
    assert "This server is at https://memory.example.com/mcp" in public


def test_the_address_is_the_public_one_with_its_path(
    alices: Client, alice: Person, settings: Settings
) -> None:
    near = page(alices)
    settings.PUBLIC_URL = "https://example.com/memory"
    public = page(alices)

    assert "conderis http://testserver/mcp --header" in near
    assert "conderis https://example.com/memory/mcp --header" in public


def test_only_a_post_makes_a_key(alices: Client, alice: Person) -> None:
    alices.get(PAGE, WAITED)
    alices.head(PAGE)

    assert alices.post("/connect/", WAITED).status_code == 405
    assert alices.put(PAGE).status_code == 405
    assert AgentKey.objects.count() == 0
