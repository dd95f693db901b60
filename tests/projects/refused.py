"""What those who may not change a project's rights are told."""

from collections.abc import Callable

import pytest

from conderis.accounts.models import AuditEvent, Person
from conderis.common.caller import Caller
from conderis.common.errors import DomainError
from projects.models import Project
from tests.factories import agent_caller, person_caller

Call = Callable[[Caller], object]

AGENT = "denied person"
NO_OWNERS = {
    "carol": "denied manage",
    "bob": "denied manage",
    "rita": "denied manage",
    "mallory": "not_found",
    "robo": AGENT,
}


def refusal_of(call: Call, caller: Caller) -> str:
    """The code of the refusal and what is missing; the call has left no event."""
    before = AuditEvent.objects.count()
    with pytest.raises(DomainError) as refused:
        call(caller)
    assert AuditEvent.objects.count() == before
    return f"{refused.value.code} {refused.value.details.get('missing', '')}".strip()


def refusals(call: Call) -> dict[str, str]:
    """The refusals of everybody but alice, and of an agent of hers with every scope."""
    people = {
        handle: person_caller(Person.objects.get(handle=handle))
        for handle in ("carol", "bob", "rita", "mallory")
    }
    callers = people | {"robo": agent_caller(Person.objects.get(handle="alice"))}
    return {name: refusal_of(call, caller) for name, caller in callers.items()}


def answer_to_strangers(call: Callable[[Caller, str], object], project: Project) -> None:
    """A hidden project is refused in the words of one that never was."""
    mallory = person_caller(Person.objects.get(handle="mallory"))
    answers = []
    for name in (project.path, project.public_id, "alice/nothing", "zzzzzzzzzzzz"):
        with pytest.raises(DomainError) as refused:
            call(mallory, name)
        answers.append(refused.value.as_answer())
    assert answers.count(answers[0]) == len(answers)
