"""Questions as the focus of a recall: how much of what answers them has a line in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from conderis.operations.recalling.covering import shown_numbers
from conderis.operations.retrieval.asking import moment_of
from conderis.operations.retrieval.dataset import Conversation
from items.kinds.memory import MEMORY
from items.models import Item
from items.recall import recall
from items.requests import RecallRequest
from projects.models import Project
from projects.services import create_project

LEAST = {2_000: 0.62, 8_000: 0.76}  # by the characters of the recall
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Found:
    """One question: the share of its evidence that has a line, by the recall's length."""

    category: str
    shares: dict[int, float]


def store_conversation(caller: Caller, place: int, conversation: Conversation) -> Project:
    """A project with a memory for each turn, as `bench_retrieval` stores them."""
    project: Project = create_project(caller, fields={"name": f"conversation-{place}"})
    Item.objects.bulk_create(_memories(caller, project, conversation), CHUNK)
    project.last_number = len(conversation.turns)
    project.save(update_fields=["last_number"])
    return project


def _memories(caller: Caller, project: Project, conversation: Conversation) -> Iterator[Item]:
    for number, turn in enumerate(conversation.turns, start=1):
        written = moment_of(turn.date)
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


def ask(caller: Caller, project: Project, conversation: Conversation) -> Iterator[Found]:
    """Every question as a focus, at each length."""
    turns = {number: turn.turn_id for number, turn in enumerate(conversation.turns, start=1)}
    for question in conversation.questions:
        shares = {}
        for length in LEAST:
            request = RecallRequest(project_id=project.path, focus=question.text, max_chars=length)
            shown = {turns[number] for number in shown_numbers(recall(caller, request))}
            shares[length] = len(shown & question.evidence) / len(question.evidence)
        yield Found(question.category, shares)


def figures(found: Sequence[Found]) -> JsonObject:
    """The means over all questions and over each category's, and what is reached."""
    overall = _means(found)
    return {
        "questions": len(found),
        "categories": {
            category: _means([each for each in found if each.category == category])
            for category in sorted({each.category for each in found})
        },
        "all": overall,
        "reached": {
            name(length): overall[name(length)] >= least for length, least in LEAST.items()
        },
    }


def name(length: int) -> str:
    """What a figure within so many characters is called."""
    return f"within{length}"


def _means(found: Sequence[Found]) -> JsonObject:
    return {
        name(length): round(fmean(each.shares[length] for each in found), 4) for length in LEAST
    }
