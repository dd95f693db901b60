"""Asks for erasures, opens their pages and reads them, for tests."""

import html
import re
from typing import Any

from django.test import Client

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from items.models import Item
from items.requests import Address, DeletionCall
from privacy.models import DeletionRequest
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import create
from tests.web.settings_pages import signed_in_long_ago

LIST = "/deletions/"
OF_SHOP = "/alice/shop/moderation/deletions/"
MARK = "zanzibarqx"  # stands in all content, and in no reason
REASON = "It names a customer"
_TITLE = re.compile(r'<a href="/deletions/(\w+)/">([^<]+)</a></h2>')


def stored(person: Person, project: Project | None, kind: str = "page", **fields: Any) -> Any:
    """The number, or reference, of an item whose every text has the mark."""
    named = {"title": f"Title {MARK}", "content": f"Content {MARK}", **fields}
    answer = create(person_caller(person), project, kind, **named)
    return answer.get("number") or answer["ref"]


def asked(
    caller: Caller, project: Project | None, where: int | str, version: int | None = None
) -> str:
    """The id of the request that the caller makes."""
    path = project.path if project is not None else None
    number, ref = (where, None) if isinstance(where, int) else (None, where)
    address = Address(path, number=number, ref=ref)
    answer = request_deletion(caller, DeletionCall(address, version, REASON))
    return str(answer["request"]).partition(":")[2]


def asked_for_new(requester: Person, owner: Person, project: Project) -> str:
    """The id of a request that the requester's agent makes for a new page of the owner."""
    return asked(agent_caller(requester), project, stored(owner, project))


def many(project: Project, requester: Person, owner: Person, count: int) -> None:
    """So many requests for new tasks, as rows at once."""
    for number in range(count):
        where = stored(owner, project, "task", title=f"Task {number}")
        item = Item.objects.get(project=project, number=where)
        DeletionRequest.objects.create(
            project=project, item=item, reason=REASON, requester=requester
        )


def opened(person: Person | None, path: str = LIST) -> Any:
    """The page as this person gets it; None has not signed in."""
    client = Client()
    if person is not None:
        client = signed_in_long_ago(person)
    return client.get(path)


def request_of(public_id: str) -> DeletionRequest:
    """The request as it stands."""
    return DeletionRequest.objects.get(public_id=public_id)


def at(public_id: str, action: str = "") -> str:
    """The address of a request's page, or of one of its actions."""
    return f"{LIST}{public_id}/" + (f"{action}/" if action else "")


def text_of(answer: Any) -> str:
    """The page's source."""
    return str(answer.content.decode())


def words_of(answer: Any) -> str:
    """What one reads on the page, in one line."""
    parted = re.sub(r"</(t[dhr]|p|li|d[dt]|div|h\d|a|dl)>", " ", text_of(answer))
    bare = re.sub(r"<[^>]*>", "", parted)
    return html.unescape(re.sub(r"\s+", " ", bare))


def listed(answer: Any) -> list[str]:
    """The ids of the list's rows, in their order."""
    assert answer.status_code == 200
    return [public_id for public_id, _title in _TITLE.findall(text_of(answer))]


def recorded(action: str) -> int:
    """How many such rows the audit log has."""
    return AuditEvent.objects.filter(action=f"deletion.{action}").count()
