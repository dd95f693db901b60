"""Files to import, small and made here, and imports of them."""

import json

from django.utils import timezone

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from exchange import jobs, running
from exchange.jobs import ShownImport, Upload
from exchange.models import Import
from projects.models import Project


def beads(*titles: str, prefix: str = "bd", **fields: object) -> bytes:
    """An export of beads with these issues."""
    lines = (
        {"id": f"{prefix}-{number}", "title": title, "status": "open", "priority": 2,
         "issue_type": "task", "created_at": "2026-01-02T03:04:05Z",
         "updated_at": "2026-01-02T03:04:05Z", **fields}
        for number, title in enumerate(titles, 1)
    )  # fmt: skip
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def begin(
    caller: Caller, project: Project, content: bytes, name: str = "issues.jsonl"
) -> ShownImport:
    """An import that waits to be checked."""
    return jobs.begin_import(caller, project.path, upload=Upload(name, content))


def checked(caller: Caller, project: Project, content: bytes) -> ShownImport:
    """An import that was checked."""
    begun = begin(caller, project, content)
    running.work_off()
    return jobs.read_import(caller, project.path, import_id=begun.import_id)


def done(caller: Caller, project: Project, content: bytes) -> ShownImport:
    """An import that was checked, started, and has run."""
    found = checked(caller, project, content)
    jobs.start_import(caller, project.path, import_id=found.import_id)
    running.work_off()
    return jobs.read_import(caller, project.path, import_id=found.import_id)


def ended_import(person: Person, project: Project) -> str:
    """The id of an import that is over."""
    ended = Import(project=project, person=person, importer="beads", name="a.jsonl", state="done")
    ended.ended, ended.report = timezone.now(), {"made": {"task": 3}, "known": 0}
    ended.save()
    return ended.public_id
