"""Relating two items in several windows at the same moment, in real threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from conderis.accounts.models import Person
from items.kinds.relations import INVERSE
from items.models import Relation
from tests.factories import make_project, person_caller
from tests.items.calls import create
from tests.web.signing_in_steps import BACKEND


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("relation", ["relates", "blocks"])
def test_whoever_is_slower_is_told_that_they_are_related_already(
    alice: Person, relation: str
) -> None:
    project = make_project(alice)
    for title in ("First", "Second"):
        create(person_caller(alice), project, "task", title=title)
    ends = [(1, relation, "2"), (2, INVERSE[relation], "1")] * 2
    start = Barrier(len(ends))

    def sending(number: int, name: str, target: str) -> Callable[[], str]:
        client = Client()
        client.force_login(alice, backend=BACKEND)
        path = reverse("item-relate", kwargs={"owner": "alice", "name": "shop", "number": number})

        def send() -> str:
            start.wait(timeout=120)
            try:
                sent = {"action": "relate", "relation": name, "target": target}
                answer = client.post(path, sent, follow=True)
            finally:
                connections.close_all()
            assert answer.status_code == 200
            return answer.content.decode()  # the context is of any thread

        return send

    with ThreadPoolExecutor(len(ends)) as pool:
        said = list(pool.map(lambda send: send(), [sending(*end) for end in ends]))

    assert sum("they are related so already" in each for each in said) == len(ends) - 1
    assert sum("the relation is stored" in each for each in said) == 1
    assert Relation.objects.count() == 1
