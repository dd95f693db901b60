"""What a page of connecting is for: the way, the project, and the key that it waits for."""

from dataclasses import dataclass
from enum import StrEnum

from conderis.common.caller import Caller
from conderis.common.errors import NotFound
from projects.access import access_project
from projects.keys import KeyRow, list_agent_keys
from projects.selectors import list_projects

MOST_PROJECTS = 100


class Way(StrEnum):
    """How a client connects."""

    KEY = "key"
    STDIO = "stdio"


@dataclass(frozen=True, slots=True)
class Choice:
    """The project that agents are told of, "" for none, and those to choose from."""

    project: str
    projects: tuple[str, ...]


def read_way(word: str) -> Way:
    """The way of this word; with a key for any other."""
    return Way.STDIO if word == Way.STDIO else Way.KEY


def choose_project(caller: Caller, *, wanted: str = "") -> Choice:
    """The wanted project, else the one that was changed last; up to 100 to choose from.

    Raises:
        NotFound: the caller may read no such project.
    """
    found = list_projects(caller, limit=MOST_PROJECTS)
    names = [str(entry["name"]) for entry in found["items"]]
    if not wanted:
        return Choice(project=names[0] if names else "", projects=tuple(names))
    project = access_project(caller, wanted).project.full_name
    return Choice(project=project, projects=tuple(names if project in names else [project, *names]))


def find_key(caller: Caller, *, key_id: str) -> KeyRow:
    """The caller's own key.

    Raises:
        NotFound: the caller has no such key.
    """
    for row in list_agent_keys(caller):
        if row.id == key_id:
            return row
    raise NotFound("There is no such key.")
