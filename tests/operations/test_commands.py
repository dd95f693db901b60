"""The commands, as a script calls them: answers, refusals, what is stored."""

import io
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from conderis.accounts.authentication import NotAuthenticated, caller_of_key
from conderis.accounts.keys import mint_key
from conderis.accounts.models import AgentKey, Person
from conderis.common.caller import Surface
from conderis.common.json import JsonObject
from conderis.operations.addresses import manage_line
from conderis.operations.commanding import Refused
from conderis.operations.key_list import key_list
from projects.models import KeyProject, Project, ProjectMember


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_FOLDER = tmp_path
    return tmp_path


def answer(*arguments: str) -> JsonObject:
    out, err = io.StringIO(), io.StringIO()
    call_command(*arguments, "--json", stdout=out, stderr=err)
    assert err.getvalue() == ""
    assert len(out.getvalue().splitlines()) == 1
    found: JsonObject = json.loads(out.getvalue())
    return found


def words(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def refusal(*arguments: str) -> JsonObject:
    with pytest.raises(Refused) as refused:
        call_command(*arguments, stdout=io.StringIO(), stderr=io.StringIO())
    return refused.value.refusal


def test_quickstart_answers_with_its_five_keys(db: None) -> None:
    assert list(answer("quickstart")) == ["address", "mcp", "key", "project", "sign_in"]


def test_quickstart_in_words_holds_the_line_for_claude_and_the_snippet(db: None) -> None:
    said = words("quickstart")

    assert "claude mcp add --transport http conderis http://localhost:8000/mcp" in said
    assert '"mcpServers"' in said


def test_forgetting_says_whether_there_was_a_key(db: None, folder: Path) -> None:
    answer("quickstart")

    assert answer("quickstart", "--forget") == {"forgotten": True}
    assert answer("quickstart", "--forget") == {"forgotten": False}
    assert not (folder / "quickstart-key").exists()


def test_a_person_is_added_with_a_link_and_without_showing_the_address(db: None) -> None:
    made = answer("add_person", "ada", "--email", "ada.l@example.org")

    person = Person.objects.get()
    assert made.keys() == {"id", "handle", "sign_in"}
    assert (made["id"], made["handle"]) == (person.ref, "ada")
    assert made["sign_in"].startswith("http://localhost:8000/sign-in/")
    assert person.display_name == "ada.l"
    assert person.email == "ada.l@example.org"
    assert "example.org" not in str(made)


def test_a_person_may_be_given_a_name(db: None) -> None:
    answer("add_person", "ada", "--email", "ada@example.org", "--name", "Ada Lovelace")

    assert Person.objects.get().display_name == "Ada Lovelace"


def test_a_person_without_email_address_is_refused_and_nobody_added(db: None) -> None:
    assert "--email" in refusal("add_person", "ada")["message"]
    assert refusal("add_person", "ada", "--email", "")["field"] == "email"
    assert not Person.objects.exists()


def test_a_second_link_can_be_made_for_a_person(alice: Person) -> None:
    one, other = answer("sign_in_link", "alice"), answer("sign_in_link", "alice")

    assert one.keys() == {"handle", "sign_in"}
    assert one["sign_in"] != other["sign_in"]
    assert refusal("sign_in_link", "nobody-here")["error"] == "not_found"


def test_a_member_is_added_and_given_another_role(project: Project, mallory: Person) -> None:
    added = answer("add_member", "alice/shop", "mallory", "reader")
    changed = answer("add_member", project.public_id, "mallory", "moderator")

    assert added == {"project": "alice/shop", "handle": "mallory", "role": "reader"}
    assert changed == {**added, "role": "moderator"}
    assert ProjectMember.objects.filter(person=mallory).count() == 1


def test_an_unknown_role_names_the_allowed_ones(project: Project, mallory: Person) -> None:
    refused = refusal("add_member", "alice/shop", "mallory", "boss")

    assert refused["allowed"] == ["reader", "contributor", "moderator", "owner"]
    assert "reader, contributor, moderator, owner" in refused["message"]
    assert not ProjectMember.objects.filter(person=mallory).exists()


def test_a_key_is_added_with_the_usual_scopes(alice: Person) -> None:
    made = answer("add_key", "alice", "--name", "Codex on laptop")

    caller = caller_of_key(made["key"], surface=Surface.MCP)
    assert made.keys() == {"id", "key"}
    assert caller.agent_name == "Codex on laptop"
    assert AgentKey.objects.get(public_id=made["id"]).scopes == ["read", "write", "delete"]


def test_a_key_can_be_narrowed_in_every_way(alice: Person, project: Project) -> None:
    made = answer(
        "add_key",
        *("alice", "--name", "Codex", "--scopes", "read, write", "--projects", "alice/shop"),
        *("--always-review", "--expires", "90d"),
    )

    key = AgentKey.objects.get(public_id=made["id"])
    assert key.scopes == ["read", "write"]
    assert key.always_review
    assert not key.all_projects
    assert KeyProject.objects.get(key=key).project == project
    assert key.expires_at is not None
    assert abs(key.expires_at - timezone.now() - timedelta(days=90)) < timedelta(minutes=1)


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("handle", ("nobody-here", "--name", "Codex")),
        ("name", ("alice", "--name", " ")),
        ("scopes", ("alice", "--name", "Codex", "--scopes", "read,all")),
        ("scopes", ("alice", "--name", "Codex", "--scopes", "")),
        ("scopes", ("alice", "--name", "Codex", "--scopes", "read,review", "--always-review")),
        ("projects", ("alice", "--name", "Codex", "--projects", "bob/other")),
        ("projects", ("alice", "--name", "Codex", "--projects", "")),
        ("expires", ("alice", "--name", "Codex", "--expires", "soon")),
        ("expires", ("alice", "--name", "Codex", "--expires", "2020-01-01")),
        ("expires", ("alice", "--name", "Codex", "--expires", "")),
    ],
)
def test_a_bad_key_is_refused_with_its_field(
    alice: Person, field: str, options: tuple[str, ...]
) -> None:
    assert refusal("add_key", *options)["field"] == field
    assert not AgentKey.objects.exists()


def test_a_key_is_revoked_at_one_time_however_often(alice: Person) -> None:
    made = answer("add_key", "alice", "--name", "Codex")

    first = answer("revoke_key", made["id"])

    assert first.keys() == {"id", "revoked"}
    assert answer("revoke_key", made["id"]) == first
    with pytest.raises(NotAuthenticated):
        caller_of_key(made["key"], surface=Surface.MCP)


def test_a_key_can_be_revoked_by_its_text(alice: Person) -> None:
    made = answer("add_key", "alice", "--name", "Codex")

    ended = answer("revoke_key", f" {made['key']} ")

    assert ended["id"] == made["id"]
    assert AgentKey.objects.get().revoked_at is not None


@pytest.mark.parametrize(
    "sent", ["{key}", "{cut}", "Bearer {key}", "CNDR_{cut}", "{bare}", "--name={key}"]
)
def test_no_refusal_of_revoke_key_repeats_what_may_be_a_key(alice: Person, sent: str) -> None:
    answer("add_key", "alice", "--name", "Codex")
    key = mint_key().text

    refused = refusal("revoke_key", sent.format(key=key, cut=key[:-1], bare=key[5:]))

    assert key[5:20] not in str(refused)
    assert not AgentKey.objects.exclude(revoked_at=None).exists()


def test_a_key_with_another_secret_part_ends_nothing(alice: Person, settings: Settings) -> None:
    made = answer("add_key", "alice", "--name", "Codex")
    settings.SECRET_KEY = "another-secret-key-of-this-server-000000"

    assert refusal("revoke_key", made["key"])["error"] == "not_found"
    assert AgentKey.objects.get().revoked_at is None


def test_keys_are_listed_with_those_that_work_first(alice: Person, project: Project) -> None:
    ended = answer("add_key", "alice", "--name", "Old")
    answer("revoke_key", ended["id"])
    expired = answer("add_key", "alice", "--name", "Late", "--expires", "1d")
    AgentKey.objects.filter(public_id=expired["id"]).update(expires_at=alice.created)
    live = answer("add_key", "alice", "--name", "New", "--projects", "alice/shop")

    listed = answer("list_keys")["keys"]

    assert [key["id"] for key in listed] == [live["id"], ended["id"], expired["id"]]
    assert listed[0] == {
        "id": live["id"],
        "handle": "alice",
        "name": "New",
        "scopes": ["read", "write", "delete"],
        "projects": ["alice/shop"],
        "alwaysReview": False,
        "expires": None,
        "lastUsed": None,
    }
    assert listed[1]["projects"] == "all"
    assert "revoked" in listed[1]
    assert "expired" in words("list_keys")


def test_no_list_of_keys_shows_a_key_or_what_is_stored_of_it(alice: Person) -> None:
    made = answer("add_key", "alice", "--name", "Codex")
    stored = AgentKey.objects.get()

    said = words("list_keys") + str(answer("list_keys"))

    assert made["id"] in said
    assert "cndr_" not in said
    assert stored.lookup not in said
    assert stored.digest not in said


def test_keys_are_listed_of_one_person_alone(alice: Person, bob: Person) -> None:
    answer("add_key", "alice", "--name", "Codex")
    made = answer("add_key", "bob", "--name", "Codex")

    assert [key["id"] for key in answer("list_keys", "BOB")["keys"]] == [made["id"]]
    assert refusal("list_keys", "nobody-here")["field"] == "handle"


def test_the_number_of_queries_of_the_list_does_not_grow_with_keys(
    alice: Person, project: Project, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        answer("add_key", "alice", "--name", f"Codex {number}", "--projects", "alice/shop")

    with django_assert_num_queries(2):
        key_list()


def test_a_deactivated_persons_keys_are_listed_as_such(alice: Person) -> None:
    answer("add_key", "alice", "--name", "Codex")
    Person.objects.update(is_active=False)

    assert answer("list_keys")["keys"][0]["deactivated"] is True
    assert "deactivated" in words("list_keys")


def test_an_empty_list_of_keys_says_so(db: None) -> None:
    assert words("list_keys") == "There are no keys.\n"


def test_a_second_key_of_a_name_is_refused_with_the_name_of_its_person(alice: Person) -> None:
    answer("add_key", "alice", "--name", "Codex")

    refused = refusal("add_key", "alice", "--name", "Codex")

    assert refused["message"].startswith("alice has a key named Codex already.")


def test_a_person_without_projects_is_told_so(mallory: Person) -> None:
    refused = refusal("add_key", "mallory", "--name", "Codex", "--projects", "alice/shop")

    assert refused["message"].startswith("mallory may read no project yet.")
    assert (refused["field"], refused["allowed"]) == ("projects", [])


def test_handles_are_read_without_case(project: Project, mallory: Person) -> None:
    assert answer("sign_in_link", "Mallory")["handle"] == "mallory"
    assert answer("add_member", "alice/shop", "MALLORY", "reader")["handle"] == "mallory"
    assert answer("add_key", "Mallory", "--name", "Codex").keys() == {"id", "key"}


def test_quickstart_in_words_says_how_to_end_the_key_and_to_print_it_again(
    db: None, folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PORT, settings.PUBLIC_URL = 9000, "https://memory.example.com"
    monkeypatch.setenv("DATABASE_URL", "postgresql://conderis:hush-hush@db/conderis")

    said = words("quickstart", "--handle", "bob")

    key = AgentKey.objects.get()
    last = said.splitlines()[-1]
    assert f"manage.py revoke_key {key.public_id}" in said
    assert last.endswith("manage.py quickstart --handle bob")
    assert f"CONDERIS_DATA={folder} CONDERIS_PORT=9000 CONDERIS_URL=https://memory" in last
    assert 'DATABASE_URL="${DATABASE_URL:?}" ' in last
    assert "hush" not in said
    assert "Made another key" not in said


def test_with_the_default_settings_the_line_is_the_command_alone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_FOLDER = settings.BASE_DIR / "data"
    settings.PORT, settings.PUBLIC_URL = 8000, ""
    for name in ("DATABASE_URL", "CONDERIS_SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)

    assert "=" not in manage_line("quickstart")
    assert "CONDERIS_PORT=9000 " in manage_line("quickstart", 9000)


def test_another_key_is_not_made_without_a_word(db: None) -> None:
    answer("quickstart")
    answer("quickstart", "--forget")

    said = words("quickstart")

    made = AgentKey.objects.latest("pk")
    assert f"Made another key (First agent 2, id {made.public_id})" in said
    assert "list_keys" in said
    assert "Made another key" not in words("quickstart")


def test_revoking_the_kept_key_removes_its_file(db: None, folder: Path) -> None:
    answer("quickstart")

    answer("revoke_key", AgentKey.objects.get().public_id)

    assert not (folder / "quickstart-key").exists()


def test_answers_in_words_name_the_same_things(alice: Person) -> None:
    said = words("sign_in_link", "alice")

    assert said.splitlines()[0] == "handle: alice"
    assert said.splitlines()[1].startswith("sign_in: http://localhost:8000/sign-in/")
