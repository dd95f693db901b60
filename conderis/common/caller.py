"""Who is asking: a person, or an agent for a person. Every service call takes one.

Who has not signed in is a caller, too: `nobody`, who reads what is public and does nothing.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

NOBODY: Final = 0
"""In place of a person's key: no row has it, so that nothing is nobody's own."""


class Surface(StrEnum):
    """The way in that a call came by."""

    MCP = "mcp"
    WEB = "web"
    API = "api"
    ADMIN = "admin"
    COMMAND = "command"


class Scope(StrEnum):
    """What an agent key lets through; a person in the browser has all of them."""

    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class KeyLimits:
    """How an agent key narrows the rights of its owner.

    Unknown scopes are dropped when the key is read, so they give nothing. The
    projects of a key that is not for `all_projects` are rows of `projects`.
    """

    key_id: int
    scopes: frozenset[Scope]
    all_projects: bool
    always_review: bool


@dataclass(frozen=True, slots=True)
class Caller:
    """A person (`agent_id` is None), an agent acting for one, or `nobody`.

    `person_ref` and `agent_ref` are the immutable references (`person:<id>`,
    `agent:<id>`); `zone` is the person's IANA time zone.
    """

    person_id: int
    person_ref: str
    person_name: str
    surface: Surface
    zone: str = "UTC"
    agent_id: int | None = None
    agent_ref: str | None = None
    agent_name: str | None = None
    key: KeyLimits | None = None

    @property
    def is_nobody(self) -> bool:
        """Whether who asks has not signed in."""
        return self.person_id == NOBODY

    @property
    def is_agent(self) -> bool:
        """Whether an agent asks."""
        return self.agent_id is not None

    @property
    def ref(self) -> str:
        """The reference of who acts: the agent's, else the person's."""
        return self.agent_ref or self.person_ref

    @property
    def always_reviewed(self) -> bool:
        """Whether whatever can become a proposal must become one."""
        return self.key is not None and self.key.always_review

    def has_scope(self, scope: Scope) -> bool:
        """Whether the caller's key (if any) lets this through; nobody may only read."""
        if self.is_nobody:
            return scope == Scope.READ
        return self.key is None or scope in self.key.scopes


def nobody(surface: Surface) -> Caller:
    """Who has not signed in, as a caller without a role anywhere."""
    return Caller(person_id=NOBODY, person_ref="nobody", person_name="", surface=surface)
