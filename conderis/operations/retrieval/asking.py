"""Conversations as projects, turns as memories, and questions as searches among them."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.authentication import caller_of_person
from conderis.accounts.people import create_owner
from conderis.common.caller import Caller, Surface
from conderis.operations.retrieval.dataset import Conversation, Turn
from conderis.operations.retrieval.names import Wanted, named_memories, wanted
from conderis.operations.retrieval.scoring import Score
from items.access import visible_items
from items.kinds.memory import MEMORY
from items.listing import list_items
from items.models import Item
from items.requests import ListRequest
from items.search import project_scopes, ranked, rebuild
from projects.models import Project
from projects.services import create_project

HANDLE = "retrieval"
CHUNK = 500


def ask_all(conversations: Sequence[Conversation]) -> list[Score]:
    """Store all conversations, then ask every question in its own project."""
    with transaction.atomic():
        person = create_owner(Operator(), handle=HANDLE, display_name="Rae Retrieval")
        caller = caller_of_person(person, Surface.COMMAND)
        projects = [
            _store(caller, place, conversation)
            for place, conversation in enumerate(conversations, start=1)
        ]
    rebuild()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as its own daemon does, a minute later
    return [
        score
        for project, conversation in zip(projects, conversations, strict=True)
        for score in _ask(caller, project, conversation)
    ]


def _store(caller: Caller, place: int, conversation: Conversation) -> Project:
    project: Project = create_project(caller, fields={"name": f"conversation-{place}"})
    Item.objects.bulk_create(_memories(caller, project, conversation.turns), CHUNK)
    project.last_number = len(conversation.turns)
    project.save(update_fields=["last_number"])
    return project


def _memories(caller: Caller, project: Project, turns: Iterable[Turn]) -> Iterator[Item]:
    """A memory for each turn, numbered in their order."""
    for number, turn in enumerate(turns, start=1):
        written = moment_of(turn.date) + timedelta(seconds=number)
        yield Item(
            project=project,
            number=number,
            kind=MEMORY.name,
            author_id=caller.person_id,
            visibility="shared",
            category="fact",
            weight="normal",
            content=f"{turn.speaker}: {turn.text}",
            created=written,
            changed=written,
        )


def ask_names() -> list[str]:
    """Ask for what the made-up store holds; the queries whose memory did not come first."""
    with transaction.atomic():
        person = create_owner(Operator(), handle="names", display_name="Nia Names")
        caller = caller_of_person(person, Surface.COMMAND)
        project: Project = create_project(caller, fields={"name": "names"})
        memories = named_memories()
        start = timezone.now() - timedelta(days=len(memories))
        Item.objects.bulk_create(
            Item(
                project=project,
                number=number,
                kind=MEMORY.name,
                author_id=caller.person_id,
                visibility="shared",
                category="fact",
                weight="normal",
                title=each.title,
                content=each.content,
                created=start + timedelta(days=number),
                changed=start + timedelta(days=number),
            )
            for number, each in enumerate(memories, start=1)
        )
        project.last_number = len(memories)
        project.save(update_fields=["last_number"])
    rebuild()
    keys = {number: each.key for number, each in enumerate(memories, start=1)}
    return [each.query for each in wanted() if keys.get(_first(caller, project, each)) != each.key]


def _first(caller: Caller, project: Project, asked: Wanted) -> int:
    """The number of the first entry that a list with the query has; 0 where it has none."""
    request = ListRequest(MEMORY.name, project_id=project.path, query=asked.query, limit=1)
    entries = list_items(caller, request)["items"]
    number: int = entries[0]["number"] if entries else 0
    return number


def moment_of(date: str) -> datetime:
    """When a turn was said: `1:56 pm on 8 May, 2023`; all of an unknown date are of one."""
    try:
        return datetime.strptime(date, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError:
        return datetime(2000, 1, 1, tzinfo=UTC)


def _ask(caller: Caller, project: Project, conversation: Conversation) -> Iterator[Score]:
    """As `item_list` with a query searches the memories of a project, to its 200 best."""
    rows = visible_items(caller, project).filter(kind=MEMORY.name)
    scopes = project_scopes(caller, [project.pk], [MEMORY])
    stored = Item.objects.filter(project=project).values_list("pk", "number")
    turns = {key: conversation.turns[number - 1].turn_id for key, number in stored if number}
    for question in conversation.questions:
        hits = ranked(rows, question.text, scopes)
        yield Score.of(question, [turns[hit.item_id] for hit in hits])
