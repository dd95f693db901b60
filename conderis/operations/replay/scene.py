"""What the project of a replayed session holds before the session begins."""

from conderis.common.json import JsonObject
from conderis.operations.faults import Fault
from conderis.operations.trial.servers import Trial
from conderis.operations.trial.wire import Era, Wire

COLLEAGUE = "colleague"

PAGE = """\
# Deploying

Every merge to main is deployed within the hour, by the pipeline.

## Before a release

Freeze the schema, and tell support which texts change.

## Rolling back a release

Run `deploy back 1`. Migrations stay: they are written so that the version before runs too.

## Who may deploy

Whoever may merge. At weekends two people are needed.
"""

_ITEMS: tuple[tuple[str, JsonObject], ...] = (
    ("task", {"title": "Importer for exports of the old board", "priority": "high",
              "content": "Tasks, comments and files of one board in one go."}),
    ("task", {"title": "Nightly backup to the second region",
              "content": "A copy a night, kept for 30 days."}),
    ("task", {"title": "Say in the docs which browsers are supported", "status": "done"}),
    ("memory", {"title": "Deploy windows", "summary": "Deploys are allowed Monday to Friday.",
                "content": "Support is there Monday to Friday, 8 to 18 hours.",
                "type": "convention", "visibility": "shared"}),
    ("memory", {"title": "Board exports lack time zones", "type": "gotcha",
                "summary": "Times in exports of the old board are in the zone of its server.",
                "visibility": "shared"}),
    ("page", {"title": "Deploying", "content": PAGE}),
)  # fmt: skip


def set_scene(wire: Wire, name: str) -> str:
    """A project with this name and its items, made over the wire; its `owner/name`.

    Raises:
        Fault: the server refuses one of them.
    """
    project: str = _stored(wire, "project_store", {"fields": {"name": name}})["name"]
    for kind, fields in _ITEMS:
        _stored(wire, "item_store", {"projectId": project, "kind": kind, "fields": fields})
    return project


def add_colleague(place: Trial) -> str:
    """The key of another person's agent, which proposes what the session approves."""
    address = f"{COLLEAGUE}@example.org"
    place.run("manage", "add_person", COLLEAGUE, "--email", address, "--json")
    made = place.run("manage", "add_key", COLLEAGUE, "--name", "Colleague's agent", "--json")
    return str(made["key"])


def propose(place: Trial, port: int, key: str, project: str) -> None:
    """Let the colleague's agent propose a change of the page.

    Raises:
        Fault: the server refuses it.
    """
    place.run("manage", "add_member", project, COLLEAGUE, "contributor", "--json")
    with Wire(port, key, Era.MODERN) as wire:
        pages = _stored(wire, "item_list", {"projectId": project, "kind": "page"})["items"]
        page = next(page for page in pages if page["title"] == "Deploying")
        fields = {"edits": [{"find": "At weekends two people", "replace": "At night two people"}]}
        where = {"projectId": project, "number": page["number"], "version": page["version"]}
        _stored(wire, "item_store", {**where, "fields": fields, "reason": "Agreed on Friday."})


def _stored(wire: Wire, tool: str, arguments: JsonObject) -> JsonObject:
    answer = wire.call(tool, arguments)
    if answer.is_error:
        raise Fault(f"{tool} was refused before the session began: {answer.text}")
    return answer.json
