"""Whatever happens in whatever order: what was erased never shows again."""

from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import Person
from conderis.common.errors import DomainError
from items import search
from items.models import Item
from privacy import deciding
from privacy.models import DeletionRequest
from projects.models import Project
from tests.factories import person_caller
from tests.items.calls import act, change, create, item_at
from tests.privacy.deletions import ask, erase, left_of, refuse, states

STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ("page", "task", "change", "change", "status", "move", "archive", "restore", "ask",
             "ask version", "ask version", "erase", "erase", "refuse", "withdraw")
        ),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    min_size=4, max_size=25,
)  # fmt: skip


class History:
    """Does the steps; each text that it writes holds a word of its own."""

    def __init__(self, person: Person, project: Project) -> None:
        self.person, self.project = person, project
        self.caller = person_caller(person)
        self.words = 0
        self.numbers: list[int] = []

    def word(self) -> str:
        self.words += 1
        return f"qzword{'abcdefghijklmnopqrstuvwxyz'[self.words // 26 % 26]}" + (
            "abcdefghijklmnopqrstuvwxyz"[self.words % 26] + "zq"
        )

    def do(self, name: str, which: int, more: int) -> None:
        """One step; what is refused changes nothing."""
        try:
            with transaction.atomic():
                self._do(name, which, more)
        except DomainError:
            return

    def _do(self, name: str, which: int, more: int) -> None:
        if name in ("page", "task"):
            titles = {"title": f"Title {more % 2}"} if name == "page" else {"title": self.word()}
            parent = {"parent": self._number(which)} if self.numbers and more > 3 else {}
            made = create(self.caller, self.project, name, content=self.word(), tags=[self.word()],
                          reason=self.word(), **titles, **parent)  # fmt: skip
            self.numbers.append(made["number"])
            return
        if name in ("erase", "refuse", "withdraw"):
            self._decide(name, which)
            return
        number = self._number(which)
        if number is not None:
            self._change(name, number, more)

    def _number(self, which: int) -> int | None:
        return self.numbers[which % len(self.numbers)] if self.numbers else None

    def _change(self, name: str, number: int, more: int) -> None:
        item = item_at(self.project, number)
        version = item.version
        calls: dict[str, Callable[[], object]] = {
            "change": lambda: change(self.caller, self.project, number, version,
                                     content=self.word(), complete=True, reason=self.word()),
            "status": lambda: act(self.caller, self.project, number, "block", version,
                                  reason=self.word()),
            "move": lambda: change(self.caller, self.project, number, parent=self._number(more)),
            "archive": lambda: act(self.caller, self.project, number, "archive", version),
            "restore": lambda: act(self.caller, self.project, number, "restore", version),
            "ask": lambda: ask(self.caller, self.project, number, reason=self.word()),
            "ask version": lambda: ask(self.caller, self.project, number, 1 + more % version,
                                       reason=self.word()),
        }  # fmt: skip
        calls[name]()

    def _decide(self, name: str, which: int) -> None:
        pending = DeletionRequest.objects.filter(state="pending").order_by("pk")
        if not pending:
            return
        ref = pending[which % len(pending)].ref
        if name == "erase":
            erase(self.person, ref)
        elif name == "refuse":
            refuse(self.person, ref, self.word())
        else:
            deciding.withdraw(self.caller, ref)


def texts_of(item: Item) -> str:
    return f"{item.title} {item.content} {item.tags} {item.blocked_reason}"


def check(item: Item) -> None:
    """What must be so of an item, whatever has happened."""
    held = states(item)
    pending = list(item.deletion_requests.filter(state="pending"))
    locks = [each for each in pending if each.version in (None, item.version)]
    assert list(held) == list(range(1, item.version + 1))
    if item.erased_at is not None:
        assert not any(held.values())
        assert "qzword" not in texts_of(item)
        assert not pending
        return
    assert held[item.version], "the current version has no text"
    assert (item.locked_at is not None) == bool(locks)
    assert not item.locked_by or item.locked_by in {each.public_id for each in locks}
    locked = {event.version for event in item.events.exclude(locked_by="")}
    assert locked == {each.version for each in pending if each.version is not None}


@settings(
    max_examples=25,
    deadline=timedelta(seconds=60),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
def test_no_history_brings_back_what_was_erased(
    alice: Person, project: Project, steps: list[tuple[str, int, int]]
) -> None:
    with transaction.atomic():
        history = History(alice, project)
        for name, which, more in steps:
            before = _words_held()
            history.do(name, which, more)
            gone = before - _words_held()
            if name == "erase":
                assert {word for word in gone if left_of(word)} == set()
            for item in Item.objects.all():
                check(item)
            assert search.is_complete()
        transaction.set_rollback(True)


def _words_held() -> set[str]:
    """The words in the texts of items and of their histories."""
    held = [texts_of(item) for item in Item.objects.all()]
    for item in Item.objects.all():
        held += [f"{event.state} {event.reason}" for event in item.events.all()]
    return {word for text in held for word in text.replace("'", " ").split() if "qzword" in word}
