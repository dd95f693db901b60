"""What tests ask inside a server's database, past the server: a process that stays.

Started as `python -m tests.concurrency.inside` in the server's environment. It reads a JSON
object on each line and answers with one.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.running import ROOT, Running

ALL = ("read", "write", "delete", "review")
BACKEND = "django.contrib.auth.backends.ModelBackend"


@dataclass(frozen=True, slots=True)
class Inside:
    """The process, asked by the tests."""

    process: "subprocess.Popen[str]"

    def ask(self, what: str, **arguments: Any) -> Any:
        """The answer to one question."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"what": what, **arguments}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the process inside has ended"
        return json.loads(line)


@contextmanager
def inside(server: Running) -> Iterator[Inside]:
    """A process in the server's database, ended with the block."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.concurrency.inside"],
        env=server.environment | {"DJANGO_SETTINGS_MODULE": "conderis.settings"},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:  # leaving closes the pipes, which ends it
        yield Inside(process)


def people(*, owners: int, contributors: int) -> dict[str, Any]:
    """A project `owner/soak`: keys of the owner's and a contributor's agents, and the cookie of
    the owner's browser.
    """
    from django.conf import settings  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from conderis.accounts.actors import Operator  # noqa: PLC0415
    from conderis.accounts.agent_keys import KeyWish  # noqa: PLC0415
    from conderis.accounts.authentication import caller_of_person  # noqa: PLC0415
    from conderis.accounts.models import Person  # noqa: PLC0415
    from conderis.accounts.people import create_owner  # noqa: PLC0415
    from conderis.common.caller import Surface  # noqa: PLC0415
    from projects.keys import create_agent_key  # noqa: PLC0415
    from projects.members import set_member  # noqa: PLC0415
    from projects.services import create_project  # noqa: PLC0415

    owner = Person.objects.get(handle="owner")
    other = create_owner(Operator(), handle="bob", display_name="Bob")
    project = create_project(caller_of_person(owner, Surface.COMMAND), fields={"name": "soak"})
    set_member(Operator(), project_id=project.full_name, handle="bob", role="contributor")
    keys = {
        person.handle: [
            create_agent_key(
                Operator(), person=person, wish=KeyWish(f"{person.handle} {place}", scopes)
            ).text
            for place in range(count)
        ]
        for person, count, scopes in ((owner, owners, ALL), (other, contributors, ALL[:3]))
    }
    client = Client(HTTP_HOST="localhost")
    client.force_login(owner, backend=BACKEND)
    name = str(settings.SESSION_COOKIE_NAME)
    return {
        "project": project.full_name,
        "owners": keys["owner"],
        "contributors": keys["bob"],
        "cookie": {name: client.cookies[name].value},
    }


def look(*, project: str, above: int = 0) -> dict[str, Any]:
    """What is not whole in the database, and the project's items numbered above this one.

    Each item is looked at with its history, tags, row of the index and entries of the log.
    """
    from django.db import transaction  # noqa: PLC0415

    from items.models import Item  # noqa: PLC0415
    from projects.models import Project  # noqa: PLC0415

    with transaction.atomic():
        place = Project.objects.get(path=project)
        numbers = [each.number or 0 for each in place.items.exclude(number=None).only("number")]
        faults = [] if _is_whole() else ["the database or the index is not whole"]
        if sorted(numbers) != list(range(1, place.last_number + 1)):
            faults.append(f"{len(numbers)} numbers up to {place.last_number}")
        items = Item.objects.filter(project=place, number__gt=above).select_related(
            "assignee_person", "assignee_agent__person", "parent"
        )
        found = {}
        for item in items.prefetch_related("events", "tag_rows").order_by("number"):
            faults += [f"#{item.number}: {fault}" for fault in _faults(item)]
            found[str(item.number)] = _shown(item)
        return {"faults": faults, "items": found, "last": place.last_number}


def _is_whole() -> bool:
    from django.db import connection  # noqa: PLC0415

    from items.search import is_complete  # noqa: PLC0415

    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA quick_check")
            if cursor.fetchall() != [("ok",)]:
                return False
            cursor.execute("PRAGMA foreign_key_check")
            if cursor.fetchall():
                return False
    return is_complete()


def _faults(item: Any) -> Iterator[str]:
    from conderis.accounts.models import AuditEvent  # noqa: PLC0415
    from items.state import full_state  # noqa: PLC0415

    versions = [each for each in _events(item) if each.version is not None]
    if [each.version for each in versions] != list(range(1, item.version + 1)):
        yield f"versions {[each.version for each in versions]} of {item.version}"
    elif versions[-1].state != full_state(item):
        yield "the newest event has another state than the item"
    if sorted(each.tag for each in item.tag_rows.all()) != sorted(item.tags):
        yield "other rows of tags than tags"
    if _index_row(item) != _index_row_wanted(item):
        yield "another row of the index than its text"
    logged = AuditEvent.objects.filter(project_id=item.project_id, subject=f"#{item.number}")
    changes = Counter(each.partition(".")[0] for each in logged.values_list("action", flat=True))
    if changes["item"] < len(versions):
        yield f"{changes['item']} entries of the log for {len(versions)} versions"


def _events(item: Any) -> list[Any]:
    return sorted(item.events.all(), key=lambda each: each.pk)


def _index_row(item: Any) -> tuple[Any, ...] | None:
    from django.db import connection  # noqa: PLC0415

    statement = {
        "sqlite": "SELECT * FROM items_search WHERE rowid = %s",
        "postgresql": "SELECT heading, gist, body FROM items_searchdocument WHERE item_id = %s",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(statement, [item.pk])
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row


def _index_row_wanted(item: Any) -> tuple[Any, ...] | None:
    from django.db import connection  # noqa: PLC0415

    from items.search.documents import document_of  # noqa: PLC0415
    from items.search.sqlite import row_of  # noqa: PLC0415

    if item.locked_at is not None:
        return None
    wanted = document_of(item)
    if connection.vendor == "sqlite":
        return row_of(wanted)[1:]
    return (wanted.heading, wanted.gist, wanted.body)


def _shown(item: Any) -> dict[str, Any]:
    return {
        "title": item.title,
        "kind": item.kind,
        "version": item.version,
        "content": item.content,
        "locked": item.locked_at is not None,
        "events": [
            {
                "event": each.event,
                "version": each.version,
                "content": (each.state or {}).get("content", ""),
            }
            for each in _events(item)
        ],
    }


def main() -> None:
    """Answer until the tests have no more questions."""
    import django  # noqa: PLC0415

    django.setup()
    from django.db import connections  # noqa: PLC0415

    questions: dict[str, Any] = {"people": people, "look": look}
    for line in sys.stdin:
        asked = json.loads(line)
        answer = questions[asked.pop("what")](**asked)
        # What keeps the database open must not hide that the server left it as it did.
        connections.close_all()
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    main()
