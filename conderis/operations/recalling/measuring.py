"""All that is measured of recall's choices, on the database of this process."""

from collections.abc import Sequence

from django.db import connection, transaction

from conderis.common.json import JsonObject
from conderis.operations.recalling import covering, focusing, likening
from conderis.operations.recalling.storing import make_caller, store_world
from conderis.operations.retrieval.dataset import Conversation
from items.search import rebuild


def measure_recall(conversations: Sequence[Conversation]) -> JsonObject:
    """The figures of `focus` (None where there are no conversations), `coverage`, `similar`."""
    with transaction.atomic():
        caller = make_caller()
        worlds = [store_world(caller, world) for world in covering.WORLDS]
        projects = [
            focusing.store_conversation(caller, place, conversation)
            for place, conversation in enumerate(conversations, start=1)
        ]
    rebuild()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as its own daemon does, a minute later
    found = [
        each
        for project, conversation in zip(projects, conversations, strict=True)
        for each in focusing.ask(caller, project, conversation)
    ]
    return {
        "focus": focusing.figures(found) if found else None,
        "coverage": covering.figures([covering.coverage_of(world) for world in worlds]),
        "similar": likening.figures(),
    }
