"""A made-up project as data: what is written by hand, and the words that the rest is made of.

What is `must` was marked before recall was tuned on it: what whoever starts a session
there must know, whatever the session is about. Those are the critical memories; tasks
in work, stuck, overdue or urgent; what is known that bears on these, however old it is;
what was decided in the last days; a few standing conventions and gotchas; and the pages
on how the project is set up, released and kept running.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """An item written by hand. `days` ago it was changed last; `about` are keys of others.

    A memory has a type in `category`, a task a status. `bag` is the key of the memory
    that holds it, or of the task or page above it.
    """

    key: str
    kind: str
    title: str
    text: str
    days: int
    must: bool = False
    category: str = "fact"
    weight: str = "normal"
    status: str = "open"
    priority: str = "normal"
    due_in: int | None = None
    tags: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    bag: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """What the items that nobody wrote by hand are about."""

    parts: Sequence[str]
    tools: Sequence[str]
    places: Sequence[str]
    troubles: Sequence[str]
    works: Sequence[str]
    people: Sequence[str]
    tags: Sequence[str]


@dataclass(frozen=True, slots=True)
class World:
    """A project: its name, its instructions, what is written by hand, and its words."""

    name: str
    instructions: str
    known: Sequence[Known]
    words: Words


def pinned(key: str, title: str, text: str, days: int, **more: object) -> Known:
    """A critical memory; always one to know."""
    values = {"must": True, "weight": "critical", "category": "convention"} | more
    return Known(key, "memory", title, text, days, **values)  # type: ignore[arg-type]


def memory(key: str, title: str, text: str, days: int, **more: object) -> Known:
    """A memory of normal weight that one must know."""
    return Known(key, "memory", title, text, days, **({"must": True} | more))  # type: ignore[arg-type]


def task(key: str, title: str, text: str, days: int, **more: object) -> Known:
    """A task that one must know."""
    return Known(key, "task", title, text, days, **({"must": True} | more))  # type: ignore[arg-type]


def page(key: str, title: str, text: str, days: int, **more: object) -> Known:
    """A page that one must know."""
    return Known(key, "page", title, text, days, **({"must": True} | more))  # type: ignore[arg-type]
