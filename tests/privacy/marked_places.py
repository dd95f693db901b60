"""The steps of `tests.privacy.marking`: each through the services, as people and agents do."""

from collections.abc import Iterator

from django.db import connection

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.models import Item, ItemEvent
from items.requests import BatchRequest
from privacy import files
from privacy.clearing import finish_erasures
from privacy.models import DeletionRequest
from privacy.requesting import request_organization_deletion
from projects.capabilities import Role
from projects.models import Organization, Project
from projects.services import change_project
from proposals import writing
from proposals.models import Proposal
from proposals.organization_instructions import store_organization_instructions
from proposals.reviewing import approve, reject
from tests.factories import agent_caller, join, make_person, make_project, person_caller
from tests.items.calls import act, change, create, item_at
from tests.privacy.deletions import ask, erase, refuse
from tests.privacy.marking import MARK, STEM, TEXT, long_text
from tests.privacy.tables import places_of
from tests.projects.making import make_organization

SHA = "a" * 40
REPOSITORY = f"https://git.example/{STEM}/{STEM}"
CHECKED = {"commit": SHA, "repository": REPOSITORY}


def store() -> dict[str, int]:
    """Store the marker everywhere; how many rows of each sort there are."""
    alice = Person.objects.get(handle="alice")
    bob, carol = make_person("bob"), make_person("carol")
    project = make_project(alice)
    join(project, bob, Role.CONTRIBUTOR)
    join(project, carol, Role.MODERATOR)
    owner, robo = person_caller(alice), agent_caller(alice)
    _items(owner, robo, project)
    _proposals(project, bob, carol)
    create(agent_caller(bob), project, "memory", title=MARK, summary=TEXT, content=TEXT,
           tags=[MARK], visibility="private")  # fmt: skip
    create(agent_caller(bob), None, "memory", title=MARK, summary=TEXT, content=TEXT)
    create(owner, project, "instructions", content=TEXT, reason=TEXT)
    change(owner, project, "instructions", 1, content=f"{TEXT} Again.")
    make_organization(alice)
    store_organization_instructions(owner, handle="acme", content=TEXT, version=None)
    refuse(carol, ask(robo, project, 1, reason=TEXT), reason=TEXT)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as its own daemon does, a minute later
            # A project's remote is a name, which erasing leaves alone; so may its old rows.
            cursor.execute("VACUUM (FULL) projects_project")
    return {
        each.__name__: each.objects.count() for each in (Item, ItemEvent, Proposal, DeletionRequest)
    }


def _items(owner: Caller, robo: Caller, project: Project) -> None:
    """Nine of them: of each kind, with one version, with an old one and with a current one."""
    create(robo, project, "page", title=MARK, content=TEXT, tags=[MARK], reason=TEXT,
           verifiedAgainst=CHECKED)  # fmt: skip
    change(robo, project, 1, 1, content=f"{TEXT} Again.", reason=TEXT)
    create(robo, project, "page", title="Child", parent=1)
    act(robo, project, 2, "relate", target=1, relation="relates")
    # Commits keep the repository that the project had then.
    change_project(owner, project.path, fields={"remote": REPOSITORY})
    create(robo, project, "task", title=MARK, content=TEXT, tags=[MARK], commits=[SHA])
    act(robo, project, 3, "block", 1, reason=TEXT)
    change_project(owner, project.path, fields={"remote": "git.example/a/b"})
    create(robo, project, "task", title=MARK, content=TEXT)
    act(robo, project, 4, "complete", 1, fields={"summary": TEXT})
    create(robo, project, "memory", title=MARK, summary=TEXT, content=TEXT, tags=[MARK],
           visibility="shared", verifiedAgainst=CHECKED)  # fmt: skip
    # Of the next only one version is erased: an old one, the current one, the only one.
    create(robo, project, "page", title="Old", content=long_text(), reason=TEXT)
    change(owner, project, 6, 1, content="mended", complete=True)
    create(robo, project, "page", title="Current", content="clean")
    change(robo, project, 7, 1, title=f"{MARK} now", content=long_text(), tags=[MARK], reason=TEXT)
    create(robo, project, "page", title="Only", content=long_text())
    create(robo, project, "task", title="Old", content=TEXT, tags=[MARK])
    change(robo, project, 9, 1, content="mended", tags=[])
    for number in range(30):  # rows beside them, so that pages fill and are parted
        create(robo, project, "page", title=f"{'beside ' * (number % 7)}{number}",
               tags=[f"t{number}", "q", "qz"], content="x" * 150 * number)  # fmt: skip


def _proposals(project: Project, bob: Person, carol: Person) -> None:
    """Of an item and of a new one, in every state."""
    for what in (1, None):
        refs = []
        for state in ("pending", "approved", "rejected", "withdrawn"):
            values = {"content": f"{TEXT} {state}", "tags": [MARK, state]}
            if what is None:
                answer = create(agent_caller(bob), project, "page", title=f"{MARK} {state}",
                                reason=TEXT, **values)  # fmt: skip
            else:
                answer = change(agent_caller(bob), project, 1, item_at(project, 1).version,
                                reason=TEXT, **values)  # fmt: skip
            refs.append(str(answer["proposal"]))
        reject(person_caller(carol), refs[2], reason=TEXT)
        act(person_caller(bob), None, refs[3], "withdraw", reason=TEXT)
        approve(person_caller(carol), refs[1], reason=TEXT)
    _batches(project, bob, carol)


def _batches(project: Project, bob: Person, carol: Person) -> None:
    """One that waits, one that was rejected, and one of which two of three were approved."""
    refs = []
    for turn in range(3):
        batch: JsonObject = {
            "idempotencyKey": f"{MARK} {turn}",
            "source": f"{MARK} {turn}",
            "items": [
                {"key": f"{MARK} {place}", "kind": "memory", "fields": {
                    "title": f"{MARK} {turn}{place}", "content": TEXT, "tags": [MARK],
                    "visibility": "shared"}}
                for place in range(3)
            ],
        }  # fmt: skip
        answer = writing.batch(agent_caller(bob), BatchRequest(project.path, None, batch))
        refs.append(str(answer["kinds"]["memory"]["proposal"]))
    reject(person_caller(carol), refs[1], reason=TEXT)
    approve(person_caller(carol), refs[2], reason=TEXT, leave_out=[1])


def erase_all() -> dict[str, int]:
    """Erase all of it: requested with the marker in the reason, decided by people."""
    for person, ref in _requests():
        erase(person, ref)
    return states()


def _requests() -> Iterator[tuple[Person, str]]:
    people = {each.handle: each for each in Person.objects.all()}
    alice, bob, carol = (people[handle] for handle in ("alice", "bob", "carol"))
    project = Project.objects.get(path="alice/shop")
    owner = person_caller(alice)
    marked = Item.objects.filter(title__icontains=STEM).exclude(number__isnull=True)
    versions = {6: 1, 7: 2, 8: 1, 9: 1}
    for number, version in versions.items():
        yield carol, ask(owner, project, number, version, reason=TEXT)
    for item in marked.filter(project=project, visibility__in=["", "shared"]).order_by("pk"):
        yield carol, ask(owner, project, item.number or 0, reason=TEXT)
    private = Item.objects.get(project=project, visibility="private")
    yield bob, ask(person_caller(bob), project, private.number or 0, reason=TEXT)
    personal = Item.objects.get(project=None, organization=None)
    yield bob, ask(person_caller(bob), None, f"memory:{personal.public_id}", reason=TEXT)
    yield alice, ask(owner, project, "instructions", reason=TEXT)
    answer = request_organization_deletion(person_caller(alice), "acme", version=None, reason=TEXT)
    yield alice, str(answer["request"])
    for proposal in Proposal.objects.filter(erased_at=None).order_by("pk"):
        yield carol, ask(person_caller(bob), None, proposal.ref, reason=TEXT)
    assert Organization.objects.exists()


def states() -> dict[str, int]:
    """How many requests stand at which state."""
    found: dict[str, int] = {}
    for state in DeletionRequest.objects.values_list("state", flat=True):
        found[state] = found.get(state, 0) + 1
    return found


def places() -> list[str]:
    """The columns of all tables that hold the marker."""
    return sorted(places_of(STEM) | places_of("xzvą") | places_of("\\u0105"))


def finish_as_large() -> dict[str, int]:
    """Finish the erasures as in a file that is too large to be written anew as a whole."""
    files.SMALL_BYTES = 0
    finish_erasures()
    return states()
