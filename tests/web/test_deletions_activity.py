"""The log in the Activity tab: rights and deletions, for owners."""

from django.test import Client

from conderis.accounts.models import Person
from privacy.deciding import erase, refuse, withdraw
from privacy.revealing import reveal
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.web.deletion_pages import (
    MARK,
    REASON,
    asked,
    asked_for_new,
    opened,
    stored,
    text_of,
    words_of,
)

ACTIVITY = "/alice/shop/activity/"
LOG = f"{ACTIVITY}log/"


def test_owners_read_requests_reveals_and_decisions_without_content(
    project: Project, alice: Person, bob: Person
) -> None:
    erased, refused, withdrawn = (asked_for_new(bob, alice, project) for _ in range(3))
    reveal(person_caller(alice), f"deletion:{erased}")
    erase(person_caller(alice), f"deletion:{erased}")
    refuse(person_caller(alice), f"deletion:{refused}", reason=f"Not {MARK}")
    withdraw(person_caller(bob), f"deletion:{withdrawn}")

    page = opened(alice, LOG)

    words = words_of(page)
    for said in (
        "Erasure asked for, and locked", "Locked content revealed", "Erased for good",
        "Erasure refused", "Request for an erasure withdrawn", "#1", "by Bob", "robo",
    ):  # fmt: skip
        assert said in words, said
    assert f'href="/deletions/{erased}/"' in text_of(page)
    assert MARK not in text_of(page)
    assert REASON not in text_of(page)


def test_nothing_of_private_memories_is_in_the_log(
    project: Project, alice: Person, bob: Person
) -> None:
    before = words_of(opened(alice, LOG))
    where = stored(bob, project, "memory", visibility="private")
    private = asked(agent_caller(bob), project, where)
    reveal(person_caller(bob), f"deletion:{private}")
    erase(person_caller(bob), f"deletion:{private}")
    personal = asked(person_caller(bob), None, stored(bob, None, "memory"))
    withdraw(person_caller(bob), f"deletion:{personal}")

    assert words_of(opened(alice, LOG)) == before


def test_the_tab_is_there_for_all_who_read_and_the_log_for_owners(project: Project) -> None:
    for person in Person.objects.all():
        manages = person.handle == "alice"
        page = text_of(opened(person, ACTIVITY))
        assert f'href="{ACTIVITY}"' in page
        assert (f'href="{LOG}"' in page) is manages
        assert opened(person, LOG).status_code == (200 if manages else 403)
    assert "/sign-in/" in Client().get(LOG)["Location"]
