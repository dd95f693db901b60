"""Calls of the REST API, by a key or by a session, as tests make them."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from conderis.accounts.keys import mint_key
from conderis.accounts.models import Agent, AgentKey, Person
from conderis.common.caller import Scope
from projects.models import KeyProject, Project

BACKEND = "django.contrib.auth.backends.ModelBackend"
PREFIX = "/api/v1"
PROBLEM = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer: its status, headers and JSON."""

    status: int
    headers: dict[str, str]
    json: Any

    @property
    def is_problem(self) -> bool:
        """Whether it is a refusal in the form of one."""
        return self.headers["content-type"] == PROBLEM and {"title", "error", "message"} <= set(
            self.json
        )


@dataclass
class Api:
    """A caller of the API."""

    key: str = ""
    client: Client = field(default_factory=Client)

    def __call__(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Heard:
        """The answer at a path below /api/v1."""
        sent = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        more: dict[str, Any] = (
            {} if body is None else {"data": data, "content_type": "application/json"}
        )
        response: Any = self.client.generic(
            method, PREFIX + path, headers=sent | (headers or {}), **more
        )
        kept = {name.lower(): value for name, value in response.headers.items()}
        text = response.content.decode()
        return Heard(response.status_code, kept, json.loads(text) if text else None)

    def get(self, path: str) -> Heard:
        """What stands at a path."""
        return self("GET", path)

    def post(self, path: str, body: Any) -> Heard:
        """The answer to something new."""
        return self("POST", path, body)

    def patch(self, path: str, body: Any) -> Heard:
        """The answer to a change."""
        return self("PATCH", path, body)


def key_of(
    person: Person,
    name: str = "robo",
    *,
    scopes: tuple[Scope, ...] = tuple(Scope),
    projects: tuple[Project, ...] = (),
    always_review: bool = False,
) -> str:
    """A new key of an agent of the person, in words that can be sent."""
    text = mint_key()
    agent, _ = Agent.objects.get_or_create(person=person, name=name)
    key = AgentKey.objects.create(
        agent=agent,
        lookup=text.lookup,
        digest=text.digest,
        scopes=sorted(scopes),
        all_projects=not projects,
        always_review=always_review,
    )
    for project in projects:
        KeyProject.objects.create(key=key, project=project)
    return text.text


def by_key(person: Person, name: str = "robo", **limits: Any) -> Api:
    """An agent of the person, with a key of its own."""
    return Api(key_of(person, name, **limits))


def by_session(person: Person, *, checks: bool = False) -> Api:
    """The person in a browser; with `checks` the token of forms is looked at."""
    client = Client(enforce_csrf_checks=checks)
    client.force_login(person, backend=BACKEND)
    return Api(client=client)
