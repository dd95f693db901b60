"""Items made by direct rows, for tests of reading; indexed as the services do it."""

from itertools import count
from typing import Any

from conderis.accounts.models import Person
from items.kinds.registry import kind_of
from items.models import Item, ItemTag, Relation
from items.search import index_item
from projects.models import Project

_names = count(1)


def make_item(project: Project | None, kind: str = "memory", **columns: Any) -> Item:
    """An item of a project, or (None, with its `author`) a personal one."""
    defaults: dict[str, Any] = {"title": f"Item {next(_names)}"}
    if project is not None:
        defaults["author"] = project.owner_person
        defaults["number"] = Item.objects.filter(project=project).count() + 1
    if kind_of(kind).statuses:
        defaults |= {"status": "open", "priority": 2}
    if "visibility" in kind_of(kind).by_name:
        visibility = "shared" if project is not None else "private"
        defaults |= {"visibility": visibility, "category": "fact", "weight": "normal"}
    item = Item.objects.create(project=project, kind=kind, **(defaults | columns))
    ItemTag.objects.bulk_create(ItemTag(item=item, tag=tag) for tag in item.tags)
    index_item(item)
    return item


def make_personal(author: Person, **columns: Any) -> Item:
    """A personal memory."""
    return make_item(None, author=author, **columns)


def block(blocker: Item, waiting: Item) -> None:
    """Have one task wait for another."""
    Relation.objects.create(source=blocker, target=waiting, relation="blocks")
