"""A project in which all that can be locked or erased is, with neighbours that are not."""

from dataclasses import dataclass
from typing import Any

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.json import Json
from privacy.requesting import request_organization_deletion
from projects.models import Project
from proposals.organization_instructions import store_organization_instructions
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create
from tests.privacy import reading_paths as paths
from tests.privacy.deletions import ask, erase
from tests.projects.making import make_organization
from tests.proposals.batches import memory, send
from tests.proposals.reviews import propose, propose_new

WORD = "zanzibar"
NO_WORD = "timbuktu"
TEXT = f"# Heading\n\nThe word is {WORD}.\n\n## {WORD} again\n\nmore"


@dataclass(frozen=True, slots=True)
class LockedWorld:
    """The project and what the rows name."""

    project: Project
    names: dict[str, Json]

    def filled(self, value: Any) -> Any:
        """A row's arguments, with what the words in capitals stand for."""
        if isinstance(value, dict):
            return {name: self.filled(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.filled(each) for each in value]
        if isinstance(value, str) and value not in self.names:
            return value.replace(paths.WORD, WORD)
        return self.names[value] if isinstance(value, str) else value

    @property
    def requests(self) -> list[str]:
        """The references of the requests."""
        return [str(each) for name, each in self.names.items() if name.startswith("REQUEST")]


def locked_world(project: Project, alice: Person, bob: Person, carol: Person) -> LockedWorld:
    """Fill the project: what is locked holds the word, and nothing else does."""
    owner, bobs = person_caller(alice), agent_caller(bob)
    made = {
        paths.PAGE: create(owner, project, "page", title=f"Deploying {WORD}", content=TEXT,
                           tags=[WORD], reason=WORD),
        paths.CHILD: create(owner, project, "page", title="Child", content="# Heading", parent=1),
        paths.OLD: create(owner, project, "page", title=f"Old {WORD}", content=TEXT, tags=[WORD],
                          reason=WORD),
        paths.ERASED: create(owner, project, "page", title=f"Gone {WORD}", content=TEXT),
        paths.TASK: create(owner, project, "task", title=f"Task {WORD}", content=TEXT,
                           tags=[WORD]),
        paths.SUBTASK: create(owner, project, "task", title="Subtask", parent=5),
        paths.WAITING: create(owner, project, "task", title="Waiting", dependsOn=[5]),
        paths.BESIDE: create(owner, project, "page", title="Beside"),
        paths.BAG: create(owner, project, "memory", title=f"Bag {WORD}", summary=WORD,
                          content=TEXT, tags=[WORD], visibility="shared"),
        paths.IN_BAG: create(owner, project, "memory", title="In it", visibility="shared",
                             parent=9),
        paths.PRIVATE: create(bobs, project, "memory", title=f"Mine {WORD}", content=TEXT,
                              visibility="private"),
    }  # fmt: skip
    numbers: dict[str, Any] = {name: answer["number"] for name, answer in made.items()}
    # Personal memories: a bag that is read, and what is locked below it.
    own = str(create(owner, None, "memory", title="Across", content="# Heading")["ref"])
    below = create(owner, None, "memory", title=f"Below {WORD}", content=TEXT, parent=own)
    create(owner, project, "instructions", content=TEXT)
    make_organization(alice, members=(bob, carol))
    store_organization_instructions(owner, handle="acme", content=TEXT, version=None)
    act(owner, project, 8, "relate", target=1, relation="relates")
    act(owner, project, 5, "block", 1, reason=WORD)
    of_old = propose(bobs, project, 3, content=f"{TEXT} bobs", reason=WORD)
    change(owner, project, 3, 1, title="Old", content="# Heading\n\nmended", tags=[],
           complete=True)  # fmt: skip
    proposals = {
        paths.OF_PAGE: propose(bobs, project, 1, title=f"Releasing {WORD}", reason=WORD),
        paths.OF_OLD: of_old,
        paths.PROPOSED: propose_new(bobs, project, "page", title=f"New {WORD}", content=TEXT,
                                    reason=WORD),
        paths.GONE_PROPOSAL: propose_new(bobs, project, "page", title=f"Newer {WORD}",
                                         reason=WORD),
    }  # fmt: skip
    for name in (paths.BATCH, paths.GONE_BATCH):
        proposals[name] = _proposed_batch(bobs, project, name)
    for name in (paths.GONE_PROPOSAL, paths.GONE_BATCH):
        erase(carol, ask(bobs, None, proposals[name]))
    erase(carol, ask(owner, project, 4))
    requests = {
        paths.REQUEST: ask(bobs, project, 1),
        "REQUEST OLD": ask(bobs, project, 3, 1),
        "REQUEST TASK": ask(bobs, project, 5),
        "REQUEST BAG": ask(bobs, project, 9),
        "REQUEST PRIVATE": ask(bobs, project, 11),
        "REQUEST PROPOSAL": ask(bobs, None, proposals[paths.PROPOSED]),
        "REQUEST BATCH": ask(bobs, None, proposals[paths.BATCH]),
        "REQUEST INSTRUCTIONS": ask(owner, project, "instructions"),
        "REQUEST BELOW": ask(owner, None, str(below["ref"])),
        "REQUEST ACME": str(
            request_organization_deletion(owner, "acme", version=None, reason="x")["request"]
        ),
    }
    return LockedWorld(project, {**numbers, **proposals, **requests})


def _proposed_batch(caller: Caller, project: Project, name: str) -> str:
    """The reference of a proposed batch that holds the word in its name and in its items."""
    bag = memory("bag", title=f"Batched {WORD}", summary=WORD, tags=[WORD])
    inside = memory("in", title=f"In {name}", content=TEXT, parent="bag")
    answer = send(caller, project, bag, inside, source=f"Notes {WORD}")
    return str(answer["kinds"]["memory"]["proposal"])
