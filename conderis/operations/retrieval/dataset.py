"""The data of a retrieval bench: conversations with questions and the turns that answer them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conderis.operations.faults import Fault


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said, named by its id in the conversation."""

    turn_id: str
    speaker: str
    text: str
    date: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a category, with the ids of the turns that answer it; never none."""

    text: str
    category: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns, and the questions that they answer."""

    name: str
    turns: Sequence[Turn]
    questions: Sequence[Question]


def read_conversations(path: Path) -> list[Conversation]:
    """The conversations of a file.

    Evidence that names no turn is left out, and so is a question that has no other.

    Raises:
        Fault: the file is not there, is of another form, or asks nothing.
    """
    try:
        conversations = [_conversation(each) for each in json.loads(path.read_bytes())]
    except OSError as error:
        raise Fault(f"{path} cannot be read ({error.strerror}).") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Fault(
            f"{path} is no list of conversations in JSON, each with id, turns (id, speaker, text) "
            f"and questions (question, category, evidence): {type(error).__name__} {error}"
        ) from error
    if not any(conversation.questions for conversation in conversations):
        raise Fault(f"{path} has no question whose evidence is among its turns.")
    return conversations


def _conversation(given: dict[str, Any]) -> Conversation:
    turns = [
        Turn(str(turn["id"]), turn["speaker"], turn["text"], turn.get("date", ""))
        for turn in given["turns"]
    ]
    known = frozenset(turn.turn_id for turn in turns)
    questions = [
        Question(
            asked["question"],
            str(asked["category"]),
            known.intersection(map(str, asked["evidence"])),
        )
        for asked in given["questions"]
    ]
    return Conversation(str(given["id"]), turns, [each for each in questions if each.evidence])
