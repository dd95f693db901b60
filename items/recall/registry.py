"""Where the sections of a recall come from, one row each.

An app above adds its own when it is ready: `add_source("proposals", read_pending)` in
its `AppConfig.ready`, with a slot of `slots`.
"""

from items.recall.instructions import read_instructions
from items.recall.memories import read_memories
from items.recall.other_kinds import read_other_kinds
from items.recall.pages import read_pages
from items.recall.projects import read_projects
from items.recall.slots import Source
from items.recall.tasks import read_tasks

_SOURCES: dict[str, Source] = {
    "instructions": read_instructions,
    "memories": read_memories,
    "tasks": read_tasks,
    "pages": read_pages,
    "other kinds": read_other_kinds,
    "projects": read_projects,
}


def all_sources() -> tuple[Source, ...]:
    """Every source, in the order of the rows."""
    return tuple(_SOURCES.values())


def add_source(name: str, source: Source) -> None:
    """Have recall ask this source too; one of the same name is replaced."""
    _SOURCES[name] = source
