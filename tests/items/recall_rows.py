"""Rows for the tests of recall, made without the write door: any state, many at once."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from items.models import Item, Relation
from items.recall import recall
from items.requests import RecallRequest
from items.search import index_item
from projects.models import Organization, OrganizationMember, Project, ProjectPath

LONG_AGO = timezone.now() - timedelta(days=400)


def make_item(project: Project | None, author: Person, kind: str, **fields: Any) -> Item:
    """An item as it would stand after its creation, with the project's next number."""
    number = None
    if project is not None and kind != "instructions":
        project.last_number += 1
        project.save()
        number = project.last_number
    item = Item.objects.create(project=project, author=author, kind=kind, number=number, **fields)
    index_item(item)
    return item


def clear_items() -> None:
    """Take all items away, between the examples of one test."""
    Item.objects.filter(parent__isnull=False).delete()
    Item.objects.all().delete()


def make_memory(project: Project | None, author: Person, title: str, **fields: Any) -> Item:
    """A shared memory of a project, or without one a personal one."""
    visibility = "private" if project is None else "shared"
    defaults = {"visibility": visibility, "category": "fact", "weight": "normal"}
    return make_item(project, author, "memory", title=title, **(defaults | fields))


def make_task(project: Project, author: Person, title: str, **fields: Any) -> Item:
    """An open task of normal priority."""
    return make_item(
        project, author, "task", title=title, **({"status": "open", "priority": 2} | fields)
    )


def make_page(project: Project, author: Person, title: str, **fields: Any) -> Item:
    """A page, behind those that there are."""
    place = {"rank": project.last_number + 1}
    return make_item(project, author, "page", title=title, **(place | fields))


def block(before: Item, after: Item) -> None:
    """Have one task wait for another."""
    Relation.objects.create(source=before, target=after, relation="blocks")


def make_organization(owner: Person, handle: str = "acme") -> Organization:
    """An organization with one owner."""
    made = Organization.objects.create(handle=handle, name=handle.title())
    OrganizationMember.objects.create(organization=made, person=owner, role="owner")
    return made


def organization_project(organization: Organization, name: str, **fields: Any) -> Project:
    """A project of an organization."""
    path = f"{organization.handle}/{name}"
    project = Project.objects.create(
        owner_organization=organization, name=name, path=path, **fields
    )
    ProjectPath.objects.create(path=path, project=project)
    return project


def recalled(caller: Caller, project: Project | None = None, **asked: Any) -> str:
    """What recall answers."""
    return recall(caller, RecallRequest(project_id=project.path if project else None, **asked))


def section(text: str, title: str) -> str:
    """A section of a recall: its heading behind `## `, and what stands below it; or nothing."""
    for part in text.split("\n\n## ")[1:]:
        if part.startswith(f"{title}: "):
            return part
    return ""


def headings(text: str) -> list[str]:
    """The titles of the sections."""
    return [line[3:].partition(":")[0] for line in text.split("\n") if line.startswith("## ")]


def days_ago(days: int) -> datetime:
    """A moment that many days back."""
    return timezone.now() - timedelta(days=days)
