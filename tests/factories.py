"""Makes what tests need, by plain functions with telling defaults."""

from itertools import count

from conderis.accounts.models import Agent, AgentKey, Handle, Person
from conderis.common.caller import Caller, KeyLimits, Scope, Surface
from projects.capabilities import Role
from projects.models import KeyProject, Project, ProjectMember, ProjectPath

_numbers = count(1)
ALL_SCOPES = frozenset(Scope)


def make_person(handle: str | None = None, **fields: object) -> Person:
    """A person with a canary email address."""
    name = handle or f"person{next(_numbers)}"
    values = {"display_name": name.title(), "email": f"{name}.canary@example.org", **fields}
    person = Person.objects.create(handle=name, **values)
    Handle.objects.create(name=name, holder=person.ref)
    return person


def make_project(owner: Person, name: str = "shop", **fields: object) -> Project:
    """A private project of a person."""
    project = Project.objects.create(
        owner_person=owner, name=name, path=f"{owner.handle}/{name}".lower(), **fields
    )
    ProjectPath.objects.create(path=project.path, project=project)
    return project


def join(project: Project, person: Person, role: Role) -> None:
    """Give a person a role in a project."""
    ProjectMember.objects.create(project=project, person=person, role=role)


def person_caller(person: Person, surface: Surface = Surface.WEB) -> Caller:
    """The person, in the browser."""
    return Caller(
        person_id=person.pk,
        person_ref=person.ref,
        person_name=person.display_name,
        surface=surface,
        zone=person.time_zone,
    )


def agent_caller(
    person: Person,
    name: str = "robo",
    *,
    scopes: frozenset[Scope] = ALL_SCOPES,
    projects: list[Project] | None = None,
    always_review: bool = False,
) -> Caller:
    """An agent of the person, with a key of its own (which has no usable secret)."""
    agent, _ = Agent.objects.get_or_create(person=person, name=name)
    key = AgentKey.objects.create(
        agent=agent,
        lookup=f"{next(_numbers):08d}",
        digest="0" * 64,
        scopes=sorted(scopes),
        all_projects=projects is None,
        always_review=always_review,
    )
    for project in projects or []:
        KeyProject.objects.create(key=key, project=project)
    return Caller(
        person_id=person.pk,
        person_ref=person.ref,
        person_name=person.display_name,
        surface=Surface.MCP,
        zone=person.time_zone,
        agent_id=agent.pk,
        agent_ref=agent.ref,
        agent_name=agent.name,
        key=KeyLimits(
            key_id=key.pk,
            scopes=scopes,
            all_projects=projects is None,
            always_review=always_review,
        ),
    )
