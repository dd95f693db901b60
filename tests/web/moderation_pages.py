"""Opens pages of moderation and reads them, for tests."""

import html
import re
from typing import Any

from django.test import Client

from conderis.accounts.models import Person
from projects.models import Project
from proposals.models import Proposal
from tests.items.calls import change
from tests.proposals.reviews import proposal_at, propose_new, robo

BACKEND = "django.contrib.auth.backends.ModelBackend"
QUEUE = "/alice/shop/moderation/"
DECIDE = f"{QUEUE}decide/"
_TITLE = re.compile(r'<bdi class="kept">([^<]*)</bdi></a></h2>')


def opened(client: Client, person: Person | None, path: str = QUEUE) -> Any:
    """The page as this person gets it; None has not signed in."""
    client.logout()
    if person is not None:
        client.force_login(person, backend=BACKEND)
    return client.get(path)


def post(client: Client, person: Person, path: str, **fields: Any) -> Any:
    """What comes of sending a form, with the page that it leads to."""
    client.force_login(person, backend=BACKEND)
    return client.post(path, fields, follow=True)


def text_of(answer: Any) -> str:
    """The page's source."""
    return str(answer.content.decode())


def words_of(answer: Any) -> str:
    """What one reads on the page, in one line."""
    bare = re.sub(r"<[^>]*>", "", text_of(answer))
    return html.unescape(re.sub(r"\s+", " ", bare))


def titles(answer: Any) -> list[str]:
    """The titles of the queue's rows, in their order."""
    assert answer.status_code == 200
    return _TITLE.findall(text_of(answer))


def at(ref: str, action: str = "") -> str:
    """The address of a proposal's page, or of one of its actions."""
    tail = f"{action}/" if action else ""
    return f"{QUEUE}{ref.removeprefix('proposal:')}/{tail}"


def value(ref: str) -> str:
    """What the queue's form sends of a proposal as it now stands."""
    row = proposal_at(ref)
    return f"{row.public_id}@{row.item.version if row.item is not None else ''}"


def new(person: Person, project: Project, title: str, **fields: Any) -> str:
    """A new page that the person's agent proposes."""
    return propose_new(robo(person), project, "page", title=title, content="Text.", **fields)


def propose_instructions(person: Person, project: Project) -> str:
    """Instructions that the person's agent proposes."""
    answer = change(robo(person), project, "instructions", content="Be brief.", complete=True)
    return str(answer["proposal"])


def many(project: Project, person: Person, count: int, start: int = 0) -> None:
    """New pages that the person proposes, as rows at once."""
    Proposal.objects.bulk_create(
        Proposal(
            project=project,
            kind="page",
            action="create",
            digest=f"{n:064}",
            proposer=person,
            title=f"Page {n}",
            fields={"title": f"Page {n}", "content": "Text."},
        )
        for n in range(start, start + count)
    )
