"""The instructions of a project in the browser: versions, conflicts, who may change them."""

import pytest
from django.test import Client

from conderis.accounts.models import Person
from conderis.web.projects.instructions import read_instructions, store_instructions
from projects.models import Project
from tests.factories import person_caller

BACKEND = "django.contrib.auth.backends.ModelBackend"
HERE = "/alice/shop/settings/instructions/"


@pytest.fixture
def owner(client: Client, project: Project, alice: Person) -> Client:
    """A browser in which alice is signed in."""
    client.force_login(alice, backend=BACKEND)
    return client


def store(person: Person, content: str, version: int) -> None:
    store_instructions(person_caller(person), "alice/shop", content=content, version=version)


def text_of(client: Client, path: str = HERE) -> str:
    return client.get(path).content.decode()


def stored(alice: Person) -> tuple[int, str]:
    text = read_instructions(person_caller(alice), "alice/shop")
    return text.version, text.content


def test_an_owner_writes_the_first_ones_and_everybody_reads_them_rendered(
    owner: Client, alice: Person, rita: Person
) -> None:
    before = text_of(owner)
    answer = owner.post(
        f"{HERE}edit/", {"content": "# Be *kind*\n", "version": "0", "reason": ""}, follow=True
    )
    owner.force_login(rita, backend=BACKEND)
    after = text_of(owner)

    assert "No instructions yet" in before
    assert "Version 1 of the instructions is published." in answer.content.decode()
    assert stored(alice) == (1, "# Be *kind*\n")
    assert "<em>kind</em>" in after
    assert f"{HERE}edit/" not in after
    assert "<em>kind</em>" in text_of(owner, "/alice/shop/")


def test_the_form_holds_the_whole_text_however_long(owner: Client, alice: Person) -> None:
    long = "".join(f"line {number} of the instructions\n" for number in range(1400))
    store(alice, long, 0)

    page = text_of(owner, f"{HERE}edit/")

    assert len(long) > 40_000
    assert long in page
    assert 'name="version" value="1"' in page
    assert "Publish as version 2" in page
    assert "Read the rest" in text_of(owner, "/alice/shop/")


def test_who_was_slower_keeps_the_typed_text_and_sees_what_stands(
    owner: Client, alice: Person
) -> None:
    store(alice, "first", 0)
    store(alice, "second, by somebody else", 1)

    answer = owner.post(
        f"{HERE}edit/", {"content": "mine, <typed>", "version": "1", "reason": "because"}
    )
    page = answer.content.decode()

    assert answer.status_code == 409
    assert "mine, &lt;typed&gt;" in page
    assert 'value="because"' in page
    assert "second, by somebody else" in page
    assert 'name="version" value="2"' in page
    assert stored(alice) == (2, "second, by somebody else")

    owner.post(f"{HERE}edit/", {"content": "both", "version": "2", "reason": ""})
    assert stored(alice) == (3, "both")


def test_two_first_ones_at_once_are_a_conflict_too(owner: Client, alice: Person) -> None:
    store(alice, "faster", 0)

    answer = owner.post(f"{HERE}edit/", {"content": "slower", "version": "0", "reason": ""})

    assert answer.status_code == 409
    assert "slower" in answer.content.decode()
    assert stored(alice) == (1, "faster")


def test_what_is_refused_stands_beside_the_text(owner: Client, alice: Person) -> None:
    secret = "token " + "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"

    answer = owner.post(f"{HERE}edit/", {"content": secret, "version": "0", "reason": ""})
    long = owner.post(f"{HERE}edit/", {"content": "x" * 50_001, "version": "0", "reason": ""})

    assert answer.status_code == 400
    assert secret in answer.content.decode()
    assert 'aria-invalid="true"' in answer.content.decode()
    assert long.status_code == 400
    assert stored(alice)[0] == 0


def test_they_can_be_emptied(owner: Client, alice: Person) -> None:
    store(alice, "something", 0)

    owner.post(f"{HERE}edit/", {"content": "", "version": "1", "reason": ""})

    assert stored(alice) == (2, "")
    assert "They are empty." in text_of(owner)


def test_what_stands_already_adds_no_version(owner: Client, alice: Person) -> None:
    store(alice, "same", 0)

    answer = owner.post(
        f"{HERE}edit/", {"content": "same", "version": "1", "reason": ""}, follow=True
    )

    assert "Nothing was changed." in answer.content.decode()
    assert stored(alice)[0] == 1


@pytest.mark.parametrize("handle", ["carol", "bob"])
def test_who_may_not_publish_proposes_and_changes_nothing_yet(
    client: Client, project: Project, alice: Person, handle: str
) -> None:
    store(alice, "as it stands", 0)
    client.force_login(Person.objects.get(handle=handle), backend=BACKEND)

    shown = client.get(f"{HERE}edit/").content.decode()
    sent = client.post(
        f"{HERE}edit/", {"content": "mine", "version": "1", "reason": "Clearer."}, follow=True
    )

    assert "Propose the change" in shown
    assert "Publish as" not in shown
    assert "It counts once an owner approves it." in sent.content.decode()
    assert stored(alice) == (1, "as it stands")
    assert "What you change waits for one of them." in text_of(client)


def test_a_reader_is_refused_and_told_what_is_missing(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    client.force_login(rita, backend=BACKEND)

    shown = client.get(f"{HERE}edit/")
    sent = client.post(f"{HERE}edit/", {"content": "mine", "version": "0", "reason": ""})

    for answer in (shown, sent):
        assert answer.status_code == 403
        assert "Contributors, moderators and owners may do it." in answer.content.decode()
    assert "<textarea" not in shown.content.decode()
    assert "mine</textarea>" in sent.content.decode()
    assert "Owners change the instructions." in text_of(client)
    assert stored(alice)[0] == 0


def test_a_stranger_cannot_tell_that_there_are_instructions(
    client: Client, project: Project, alice: Person, mallory: Person
) -> None:
    store(alice, "hidden", 0)
    client.force_login(mallory, backend=BACKEND)

    for path in (HERE, f"{HERE}history/", f"{HERE}versions/1/", f"{HERE}edit/"):
        assert client.get(path).status_code == 404
    sent = client.post(f"{HERE}edit/", {"content": "mine", "version": "1", "reason": ""})
    assert sent.status_code == 404


def test_every_version_is_read_from_the_history(owner: Client, alice: Person, rita: Person) -> None:
    store(alice, "old words", 0)
    store(alice, "new words", 1)
    owner.force_login(rita, backend=BACKEND)

    history = text_of(owner, f"{HERE}history/")
    old = text_of(owner, f"{HERE}versions/1/")

    assert f'href="{HERE}versions/1/"' in history
    assert f'href="{HERE}versions/2/"' in history
    assert "old words" in old
    assert "Version 1 of 2" in old
    assert "Version 2 stands." in old
    assert "old words" not in text_of(owner)


def test_a_long_history_goes_on_page_by_page(owner: Client, alice: Person) -> None:
    for version in range(23):
        store(alice, f"text {version}", version)

    first = text_of(owner, f"{HERE}history/")
    second = text_of(owner, f"{HERE}history/?version=3")

    assert f'href="{HERE}history/?version=3"' in first
    assert f'href="{HERE}versions/1/"' not in first
    assert f'href="{HERE}versions/1/"' in second


@pytest.mark.parametrize("path", ["versions/9/", "versions/0/", "history/?version=9"])
def test_versions_that_never_were_are_refused_as_a_page(
    owner: Client, alice: Person, path: str
) -> None:
    store(alice, "one", 0)

    assert owner.get(f"{HERE}{path}").status_code == 400


@pytest.mark.parametrize("word", ["x", "-1", "", "9999999999", "1;2"])
def test_an_address_that_is_no_version_leads_nowhere(owner: Client, word: str) -> None:
    assert owner.get(f"{HERE}history/", {"version": word}).status_code == 404


def test_markup_in_instructions_does_nothing(owner: Client, alice: Person) -> None:
    store(alice, "<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1))", 0)

    page = text_of(owner)

    assert "<img" not in page
    assert 'href="javascript:' not in page
