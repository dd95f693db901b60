"""What an owner is told before a project turns public."""

import re

import pytest
from pytest_django import DjangoAssertNumQueries

from conderis.accounts.models import Person
from conderis.common.errors import Denied, NotFound
from items import exposure
from items.exposure import CONTENT, Hidden, Suspicion, exposure_of, find_address
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.models import Project, SecretsPolicy
from tests.architecture.sources import text
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create
from tests.items.rows import make_item

TOKEN = "ghp_" + "a1B2c3" * 6
ADDRESS = "ada@example.org"


@pytest.fixture
def lax(project: Project) -> Project:
    """The project, which takes what looks like secrets."""
    project.secrets_policy = SecretsPolicy.WARN
    project.save()
    return project


def found(person: Person, project: Project) -> list[tuple[object, ...]]:
    return [
        (each.kind, each.number, each.title, each.version, each.suspicion.value, each.detail)
        for each in exposure_of(person_caller(person), project.path).findings
    ]


def test_counts_hold_what_everybody_could_read_and_no_private_memory(
    alice: Person, bob: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    create(robo, project, "page", title="P")
    change(robo, project, 1, 1, content="more")
    create(robo, project, "task", title="T")
    create(robo, project, "memory", title="Shared", visibility="shared")
    create(robo, project, "instructions", content="Do so")
    for person in (alice, bob):
        create(agent_caller(person), project, "memory", title=ADDRESS, visibility="private")

    shown = exposure_of(person_caller(alice), project.path)

    assert shown.counts == {"memory": 1, "page": 1, "task": 1, "instructions": 1}
    assert (shown.versions, shown.locked, shown.complete) == (5, 0, True)
    assert Hidden.PRIVATE_MEMORIES in shown.hidden
    assert (shown.findings, shown.findings_total) == ((), 0)


def test_secrets_and_addresses_are_found_in_the_text_as_it_stands_and_in_old_versions(
    alice: Person, lax: Project
) -> None:
    robo = agent_caller(alice)
    create(robo, lax, "page", title="Keys", content=f"use {TOKEN}")
    change(robo, lax, 1, 1, content=f"ask {ADDRESS}")
    change(robo, lax, 1, 2, content="clean", reason=f"{ADDRESS} asked for it")

    assert found(alice, lax) == [
        ("page", 1, "Keys", 3, "address", ""),
        ("page", 1, "Keys", 2, "address", ""),
        ("page", 1, "Keys", 1, "secret", "GitHub token"),
    ]
    assert TOKEN not in str(found(alice, lax))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("page", {"title": f"Ask {ADDRESS}"}),
        ("page", {"title": "P", "tags": [ADDRESS]}),
        ("memory", {"title": "M", "summary": ADDRESS, "visibility": "shared"}),
        ("task", {"title": "T", "status": "blocked", "reason": f"waits for {ADDRESS}"}),
        ("instructions", {"content": ADDRESS}),
    ],
)
def test_every_field_that_people_write_is_looked_through(
    alice: Person, project: Project, kind: str, fields: dict[str, object]
) -> None:
    create(agent_caller(alice), project, kind, **fields)

    assert next((each[0], each[3], each[4]) for each in found(alice, project)) == (
        kind, None, "address",
    )  # fmt: skip


def test_the_columns_that_are_looked_through_are_those_that_hold_content() -> None:
    rows = re.findall(r"^\| `items\.Item\.(\w+)` \| content", text("docs/data.md"), re.MULTILINE)

    assert set(CONTENT) == set(rows)


def test_the_projects_own_description_is_looked_through(alice: Person, project: Project) -> None:
    project.description = f"Ask {ADDRESS}"
    project.save()

    assert found(alice, project) == [("project", None, "shop", None, "address", "")]


def test_a_locked_item_is_counted_and_found_without_its_title(
    alice: Person, project: Project
) -> None:
    robo = agent_caller(alice)
    create(robo, project, "page", title=f"Zanzibar {ADDRESS}")
    request_deletion(robo, DeletionCall(Address(project.path, number=1), reason="too much"))

    shown = exposure_of(person_caller(alice), project.path)

    assert (shown.counts, shown.locked) == ({"page": 1}, 1)
    assert shown.findings[0].suspicion is Suspicion.ADDRESS
    assert "Zanzibar" not in str(shown)


def test_only_an_owner_in_the_browser_is_told(
    alice: Person, carol: Person, mallory: Person, project: Project
) -> None:
    with pytest.raises(Denied) as agent:
        exposure_of(agent_caller(alice), project.path)
    with pytest.raises(Denied) as moderator:
        exposure_of(person_caller(carol), project.path)
    with pytest.raises(NotFound):
        exposure_of(person_caller(mallory), project.path)

    assert agent.value.as_answer()["missing"] == "person"
    assert moderator.value.as_answer()["missing"] == "manage"


def test_many_findings_are_counted_and_the_first_hundred_shown(
    alice: Person, project: Project
) -> None:
    for number in range(103):
        make_item(project, "page", title=f"Page {number}", content=ADDRESS)

    shown = exposure_of(person_caller(alice), project.path)

    assert (len(shown.findings), shown.findings_total, shown.complete) == (100, 103, True)


def test_a_hit_bound_is_said(
    alice: Person, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        make_item(project, "page", title=f"Page {number}")
    caller = person_caller(alice)

    monkeypatch.setattr(exposure, "MOST_TEXTS", 4)  # the three, and the project itself
    just = exposure_of(caller, project.path).complete
    monkeypatch.setattr(exposure, "MOST_TEXTS", 3)
    over = exposure_of(caller, project.path).complete
    monkeypatch.setattr(exposure, "MOST_TEXTS", 100)
    monkeypatch.setattr(exposure, "MOST_CHARACTERS", 10)
    long = exposure_of(caller, project.path).complete

    assert (just, over, long) == (True, False, False)


def test_more_items_take_no_more_queries(
    alice: Person, project: Project, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    robo = agent_caller(alice)
    for number in range(12):
        create(robo, project, "page", title=f"Page {number}")
        act(robo, project, number + 1, "archive", 1)

    with django_assert_num_queries(6):
        exposure_of(person_caller(alice), project.path)


@pytest.mark.no_database
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("write to ada.lovelace+x@mail.example.org today", True),
        ("Jürgen@exämple.de", True),
        ("<ada@example.org>", True),
        ("git@github.com:owner/name.git", False),
        ("ssh://git@host.example.org:22/o/n", False),
        ("npm i left-pad@1.3.0", False),
        ("uses actions/checkout@v4", False),
        ("@dataclass and a@b", False),
        ("x" * 200_000 + "@" + "y" * 200_000, False),
    ],
)
def test_addresses_are_told_from_what_looks_like_them(words: str, *, expected: bool) -> None:
    assert find_address(words) is expected
