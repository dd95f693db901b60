"""Who may publish what, by role and key, through the write door."""

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller, Scope
from conderis.common.errors import Conflict, Denied, DomainError, Invalid
from items.models import Item
from projects.models import Project
from proposals.models import Proposal
from tests.factories import agent_caller, make_project, person_caller
from tests.items.calls import act, change, create, item_at

ROLES = ("mallory", "rita", "bob", "carol", "alice")

# What each role gets: the code of the refusal, the capability that it misses, `proposed`
# or ok.
CREATING = [
    # kind, visibility, stranger, reader, contributor, moderator, owner
    ("task", None, "not_found", "write", "ok", "ok", "ok"),
    ("page", None, "not_found", "write", "proposed", "ok", "ok"),
    ("memory", "shared", "not_found", "write", "proposed", "ok", "ok"),
    ("memory", "private", "not_found", "write", "ok", "ok", "ok"),
    ("instructions", None, "not_found", "write", "proposed", "proposed", "ok"),
]


@pytest.fixture
def people(
    alice: Person, bob: Person, carol: Person, rita: Person, mallory: Person
) -> dict[str, Person]:
    return {person.handle: person for person in (alice, bob, carol, rita, mallory)}


def outcome_of(call: object) -> str:
    """`ok`, `proposed`, what was missing, or the code of the refusal."""
    try:
        assert callable(call)
        answer = call()
    except Denied as refusal:
        return str(refusal.as_answer()["missing"])
    except DomainError as refusal:
        return refusal.code
    return "proposed" if answer["outcome"] == "proposed" else "ok"


@pytest.mark.parametrize("row", CREATING, ids=lambda row: f"{row[0]}-{row[1]}")
@pytest.mark.parametrize("through", [person_caller, agent_caller])
def test_creating_by_role(
    people: dict[str, Person], project: Project, row: tuple[str, ...], through: object
) -> None:
    kind, visibility, *expected = row
    visible = {"visibility": visibility} if visibility else {}
    assert callable(through)

    outcomes = []
    for name in ROLES:
        caller: Caller = through(people[name])
        before = Item.objects.count()
        what = {"content": name} if kind == "instructions" else {"title": name} | visible
        outcome = outcome_of(lambda caller=caller, what=what: create(caller, project, kind, **what))
        assert (Item.objects.count() > before) == (outcome == "ok")
        outcomes.append(outcome)

    assert outcomes == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("task", ["not_found", "write", "ok", "ok", "ok"]),
        ("page", ["not_found", "write", "proposed", "ok", "ok"]),
        ("memory", ["not_found", "write", "proposed", "ok", "ok"]),
    ],
)
def test_changing_and_moving_by_role(
    people: dict[str, Person], project: Project, kind: str, expected: list[str]
) -> None:
    visible = {"visibility": "shared"} if kind == "memory" else {}
    owner = person_caller(people["alice"])
    create(owner, project, kind, title="Parent", **visible)

    for position, name in enumerate(ROLES):
        number = create(owner, project, kind, title=f"Item {name}", **visible)["number"]
        caller = agent_caller(people[name])
        title = f"N{number}"
        changed = outcome_of(
            lambda caller=caller, number=number, title=title: change(
                caller, project, number, 1, title=title
            )
        )
        moved = outcome_of(
            lambda caller=caller, number=number: change(caller, project, number, parent=1)
        )
        item = item_at(project, number)
        assert [changed, moved] == [expected[position]] * 2
        assert (item.title == title) == (item.parent_id is not None) == (changed == "ok")


def test_archiving_needs_what_publishing_needs_and_task_actions_need_write(
    people: dict[str, Person], project: Project
) -> None:
    owner = person_caller(people["alice"])
    archived, claimed, related = [], [], []
    for name in ROLES:
        caller = agent_caller(people[name])
        page = create(owner, project, "page", title=f"Page {name}")["number"]
        task = create(owner, project, "task", title=f"Task {name}")["number"]
        archived.append(outcome_of(lambda c=caller, n=page: act(c, project, n, "archive", 1)))
        claimed.append(outcome_of(lambda c=caller, n=task: act(c, project, n, "claim", 1)))
        related.append(
            outcome_of(
                lambda c=caller, n=page, t=task: act(
                    c, project, n, "relate", target=t, relation="documents"
                )
            )
        )

    assert archived == ["not_found", "write", "proposed", "ok", "ok"]
    assert claimed == ["not_found", "write", "ok", "ok", "ok"]
    assert related == ["not_found", "write", "ok", "ok", "ok"]


def test_a_public_project_lets_strangers_read_and_nothing_else(
    people: dict[str, Person], project: Project
) -> None:
    project.is_public = True
    project.save()
    stranger = agent_caller(people["mallory"])

    for kind in ("task", "page"):
        assert outcome_of(lambda kind=kind: create(stranger, project, kind, title="T")) == "write"


@pytest.mark.parametrize("scopes", [{"read"}, {"read", "delete", "review"}, set()])
def test_a_key_without_write_writes_nothing_whatever_its_owner_may(
    people: dict[str, Person], project: Project, scopes: set[str]
) -> None:
    owner = people["alice"]
    create(person_caller(owner), project, "task", title="T")
    key = agent_caller(owner, "narrow", scopes=frozenset(Scope(scope) for scope in scopes))

    calls = [
        lambda: create(key, project, "task", title="x"),
        lambda: create(key, project, "instructions", content="x"),
        lambda: create(key, None, "memory", title="x"),
        lambda: change(key, project, 1, 1, title="x"),
        lambda: change(key, project, 1, append="x"),
        lambda: act(key, project, 1, "claim", 1),
        lambda: act(key, project, 1, "relate", target=1, relation="relates"),
    ]

    assert [outcome_of(call) for call in calls] == ["write"] * len(calls)
    assert Item.objects.get().version == 1


def test_a_key_that_always_needs_review_publishes_nothing_reviewable(
    people: dict[str, Person], project: Project
) -> None:
    key = agent_caller(people["alice"], "careful", always_review=True)

    outcomes = [
        outcome_of(lambda: create(key, project, "page", title="P")),
        outcome_of(lambda: create(key, project, "memory", title="M", visibility="shared")),
        outcome_of(lambda: create(key, project, "instructions", content="x")),
        outcome_of(lambda: create(key, project, "memory", title="M", visibility="private")),
        outcome_of(lambda: create(key, project, "task", title="T")),
        outcome_of(lambda: create(key, None, "memory", title="M")),
    ]

    assert outcomes == ["proposed", "proposed", "proposed", "ok", "ok", "ok"]


def test_contributors_publish_memories_where_the_project_says_so(
    people: dict[str, Person], project: Project
) -> None:
    project.memories_unreviewed = True
    project.save()
    caller = agent_caller(people["bob"])

    memory = outcome_of(lambda: create(caller, project, "memory", title="M", visibility="shared"))
    page = outcome_of(lambda: create(caller, project, "page", title="P"))

    assert (memory, page) == ("ok", "proposed")


def test_where_agents_are_always_reviewed_people_publish_and_their_agents_propose(
    people: dict[str, Person], project: Project
) -> None:
    project.agents_reviewed = True
    project.save()
    owner = people["alice"]

    by_person = outcome_of(lambda: create(person_caller(owner), project, "page", title="P"))
    by_agent = outcome_of(lambda: create(agent_caller(owner), project, "page", title="Q"))
    task = outcome_of(lambda: create(agent_caller(owner), project, "task", title="T"))

    assert (by_person, by_agent, task) == ("ok", "proposed", "ok")


def test_a_key_of_chosen_projects_reaches_nothing_else(
    people: dict[str, Person], project: Project
) -> None:
    other = make_project(people["alice"], "other", is_public=True)
    key = agent_caller(people["alice"], "narrow", projects=[project])

    assert outcome_of(lambda: create(key, project, "task", title="T")) == "ok"
    assert outcome_of(lambda: create(key, other, "task", title="T")) == "not_found"
    assert outcome_of(lambda: create(key, None, "memory", title="M")) == "all projects"


def test_propose_is_refused_on_what_is_never_reviewed_and_asks_for_review_elsewhere(
    people: dict[str, Person], project: Project
) -> None:
    caller = agent_caller(people["alice"])

    with pytest.raises(Invalid):
        create(caller, project, "task", title="T", propose=True)
    with pytest.raises(Invalid):
        create(caller, project, "memory", title="M", visibility="private", propose=True)
    answer = create(caller, project, "page", title="P", propose=True)

    assert answer["outcome"] == "proposed"
    assert not Item.objects.exists()


def test_a_proposal_is_never_changed_by_storing_at_its_reference(
    people: dict[str, Person], project: Project
) -> None:
    caller = agent_caller(people["bob"])
    made = create(caller, project, "page", title="P")

    for ref in (made["proposal"], "proposal:abc123"):
        with pytest.raises(Invalid) as refusal:
            change(caller, project, ref, 1, title="Q")
        assert refusal.value.as_answer()["field"] == "ref"


def test_who_may_not_propose_is_told_so_before_being_asked_for_a_version(
    people: dict[str, Person], project: Project
) -> None:
    owner = person_caller(people["alice"])
    create(owner, project, "instructions", content="Test first.")
    create(owner, project, "page", title="P")

    for where in ("instructions", 1):
        with pytest.raises(Denied) as refusal:
            change(agent_caller(people["rita"]), project, where, content="x")
        assert refusal.value.as_answer()["missing"] == "write"


def test_who_proposes_needs_the_version_as_for_publishing(
    people: dict[str, Person], project: Project
) -> None:
    owner = person_caller(people["alice"])
    create(owner, project, "instructions", content="Test first.")
    create(owner, project, "page", title="P")
    change(owner, project, 1, 1, content="Newer")

    for name, where in (("carol", "instructions"), ("bob", 1)):
        with pytest.raises(Invalid) as refusal:
            change(agent_caller(people[name]), project, where, content="x")
        assert refusal.value.as_answer()["field"] == "version"
    with pytest.raises(Conflict) as stale:
        change(agent_caller(people["bob"]), project, 1, 1, content="x")
    assert stale.value.as_answer()["currentVersion"] == 2
    assert not Proposal.objects.exists()
