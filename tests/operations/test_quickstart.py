"""The first account, project and key: made once, completed where something is missing."""

import stat
from pathlib import Path

import pytest
from pytest_django import Settings

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import revoke_key
from conderis.accounts.authentication import NotAuthenticated, caller_of_key
from conderis.accounts.keys import mint_key
from conderis.accounts.models import Agent, AgentKey, AuditEvent, Person, SignInLink
from conderis.accounts.people import create_person
from conderis.common.caller import Scope, Surface
from conderis.common.errors import DomainError
from conderis.operations.kept_key import forget_if, forget_keys
from conderis.operations.quickstart import Quickstart, quickstart
from projects.models import Project

pytestmark = pytest.mark.django_db

BASE = "http://localhost:8000"


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_FOLDER = tmp_path / "data"
    return tmp_path / "data"


def run(**wish: str) -> Quickstart:
    return quickstart(BASE, **wish)


def actions() -> list[str]:
    """What the audit log says, oldest first."""
    return list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))


def works(key: str) -> bool:
    return caller_of_key(key, surface=Surface.MCP).is_agent


def test_it_makes_an_account_a_project_and_a_key_with_all_scopes(folder: Path) -> None:
    made = run()

    person = Person.objects.get()
    caller = caller_of_key(made.key, surface=Surface.MCP)
    assert (person.handle, person.display_name, person.is_superuser) == ("owner", "Owner", True)
    assert (made.address, made.mcp, made.project) == (BASE, f"{BASE}/mcp", "owner/home")
    assert caller.person_id == person.pk
    assert caller.key is not None
    assert caller.key.scopes == set(Scope)
    assert caller.key.all_projects
    assert not caller.always_reviewed
    assert made.sign_in.startswith(f"{BASE}/sign-in/")


def test_a_second_time_makes_nothing_but_a_new_sign_in_link() -> None:
    first = run()
    before = actions()

    second = run()

    assert second.key == first.key
    assert second.project == first.project
    assert second.sign_in != first.sign_in
    assert SignInLink.objects.count() == 2
    assert actions() == [*before, "sign_in_link.created"]


def test_every_row_that_it_makes_has_an_audit_row() -> None:
    run()

    assert sorted(actions()) == [
        "key.created",
        "person.created",
        "project.created",
        "sign_in_link.created",
    ]


def test_the_key_is_kept_for_the_servers_user_alone(folder: Path) -> None:
    made = run()

    file = folder / "quickstart-key"
    assert file.read_text() == made.key + "\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["quickstart-key"]


def test_a_forgotten_key_lives_on_and_the_next_one_has_a_name_of_its_own(folder: Path) -> None:
    first = run()

    assert forget_keys()
    assert not forget_keys()
    assert not (folder / "quickstart-key").exists()
    second = run()

    assert second.key != first.key
    assert works(first.key)
    assert works(second.key)
    assert list(Agent.objects.order_by("pk").values_list("name", flat=True)) == [
        "First agent",
        "First agent 2",
    ]


def test_a_revoked_key_is_gone_and_replaced_for_the_same_agent(folder: Path) -> None:
    first = run()
    key = revoke_key(Operator(), key_id=AgentKey.objects.get().public_id)

    forget_if(key)
    gone = not (folder / "quickstart-key").exists()
    second = run()

    assert gone
    assert second.key != first.key
    assert Agent.objects.count() == 1
    with pytest.raises(NotAuthenticated):
        caller_of_key(first.key, surface=Surface.MCP)


def test_a_key_that_was_revoked_elsewhere_is_replaced_too(folder: Path) -> None:
    first = run()
    revoke_key(Operator(), key_id=AgentKey.objects.get().public_id)

    second = run()

    assert second.key != first.key
    assert (folder / "quickstart-key").read_text() == second.key + "\n"


def test_ending_another_key_leaves_the_kept_one(folder: Path) -> None:
    made = run()

    forget_if(AgentKey(lookup="00000000"))

    assert (folder / "quickstart-key").read_text() == made.key + "\n"


@pytest.mark.parametrize("damage", ["", "nonsense", "\x00\xff"])
def test_a_damaged_file_is_replaced(folder: Path, damage: str) -> None:
    first = run()
    (folder / "quickstart-key").write_bytes(damage.encode("latin-1"))

    second = run()

    assert second.key != first.key
    assert run().key == second.key


def test_another_secret_key_ends_the_kept_key_and_the_next_call_makes_one(
    settings: Settings,
) -> None:
    first = run()
    settings.SECRET_KEY = "another-secret-key-of-this-server-000000"

    second = run()

    assert second.key != first.key
    assert works(second.key)


def test_what_is_there_already_is_used(folder: Path) -> None:
    person = create_person(Operator(), handle="owner", email="owner@example.org")

    made = run()

    assert Person.objects.get() == person
    assert not person.is_superuser
    assert made.project == "owner/home"


def test_handle_and_project_can_be_chosen_and_stay_chosen() -> None:
    chosen = run(handle="ada", project="Atlas")
    again = run()

    assert Person.objects.get().handle == "ada"
    assert Person.objects.get().is_superuser
    assert chosen.project == again.project == "ada/Atlas"
    assert again.key == chosen.key


def test_each_person_has_a_kept_key_of_their_own(folder: Path) -> None:
    first = run()

    other = run(handle="bob")

    assert sorted(path.name for path in folder.iterdir()) == [
        "quickstart-key",
        "quickstart-key.bob",
    ]
    assert stat.S_IMODE((folder / "quickstart-key.bob").stat().st_mode) == 0o600
    assert run(handle="bob").key == run(handle="BOB").key == other.key
    assert run().key == first.key
    assert AgentKey.objects.count() == 2


def test_an_earlier_handle_does_not_change_whom_quickstart_is_for() -> None:
    first = run()
    run(handle="bob")

    assert run().project == "owner/home"
    assert forget_keys()
    assert run().project == first.project


def test_only_the_named_persons_key_is_forgotten(folder: Path) -> None:
    run()
    run(handle="bob")

    assert forget_keys(Person.objects.get(handle="bob"))
    assert [path.name for path in folder.iterdir()] == ["quickstart-key"]


def test_a_key_of_another_database_is_kept_beside_and_found_there_again(folder: Path) -> None:
    foreign = mint_key().text
    folder.mkdir()
    (folder / "quickstart-key").write_text(foreign + "\n")

    made = run()

    assert made.made.beside
    assert (folder / "quickstart-key").read_text() == made.key + "\n"
    assert foreign + "\n" in [path.read_text() for path in folder.iterdir()]
    assert run().key == made.key
    assert not run().made.beside


def test_with_the_former_secret_put_back_the_former_key_is_found_again(
    settings: Settings,
) -> None:
    former, first = settings.SECRET_KEY, run()
    settings.SECRET_KEY = "another-secret-key-of-this-server-000000"
    second = run()
    settings.SECRET_KEY = former

    assert second.made.beside
    assert second.made.agent == "First agent 2"
    assert run().key == first.key


def test_a_key_that_has_ended_is_replaced_without_a_word_about_older_ones() -> None:
    first = run()
    revoke_key(Operator(), key_id=first.key)

    assert not first.made.beside
    assert not run().made.beside


def test_only_the_first_account_of_a_server_is_an_admin() -> None:
    run()

    run(handle="ada")

    assert list(Person.objects.order_by("pk").values_list("handle", "is_superuser")) == [
        ("owner", True),
        ("ada", False),
    ]


def test_a_lost_key_does_not_make_a_second_account() -> None:
    run(handle="ada")
    forget_keys()

    run()

    assert Person.objects.get().handle == "ada"


def test_a_renamed_project_is_still_the_one() -> None:
    run()
    project = Project.objects.get()
    project.name, project.path = "hall", "owner/hall"
    project.save()
    project.paths.create(path="owner/hall")

    assert run().project == "owner/hall"


@pytest.mark.parametrize(
    "wish", [{"handle": "Ada"}, {"handle": "admin"}, {"project": "a b"}, {"project": "a/b"}]
)
def test_a_bad_wish_is_refused_and_leaves_nothing(folder: Path, wish: dict[str, str]) -> None:
    with pytest.raises(DomainError):
        run(**wish)

    assert not Person.objects.exists()
    assert not Project.objects.exists()
    assert not folder.exists()
