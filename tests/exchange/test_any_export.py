"""Whatever a project holds: exported and imported it is the same, in both formats."""

from typing import Any

from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import DomainError
from exchange.importers.registry import importer_for
from exchange.sources import source_of_bytes
from exchange.writing.running import Order, run_import
from projects.models import Project
from tests.exchange.exports import exported, told, zipped
from tests.factories import make_project, person_caller
from tests.items.calls import act, change, create, item_at

# Texts of pieces that formats, numbers and lines trip over, and of any characters.
PIECES = ("---\n", "\n", "a", ": ", " #", "#1 ", "#2,", "\\#2", "`", "```\n", "- ", "'", '"', "\t",
          "é", "👩‍👩‍👧", "\u2028", "\x85", "\x7f")  # fmt: skip
ANY = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(ANY, max_size=5)), max_size=8).map(
    "".join
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ("memory", "page", "page", "task", "task", "instructions", "change", "change", "move",
             "relate", "archive", "restore", "claim", "block", "complete")
        ),
        st.integers(1, 6),
        st.integers(1, 6),
        TEXTS,
    ),
    min_size=1, max_size=15,
)  # fmt: skip


def do(caller: Caller, project: Project, step: tuple[str, int, int, str]) -> None:
    """One step; what is refused changes nothing."""
    try:
        with transaction.atomic():
            _do(caller, project, step)
    except DomainError:
        return


def _do(caller: Caller, project: Project, step: tuple[str, int, int, str]) -> None:
    name, one, other, text = step
    title = {"title": text.replace("\n", " ")[:60] or "Title"}
    parent: dict[str, Any] = {"parent": other} if one > 3 else {}
    if name == "memory":
        create(caller, project, name, content=text, visibility="shared", **title, **parent)
    elif name in ("page", "task"):
        create(caller, project, name, content=text, tags=["a", title["title"][:40]], **title,
               **parent)  # fmt: skip
    elif name == "instructions":
        create(caller, project, name, content=text)
    elif Project.objects.get(pk=project.pk).last_number < one:
        return
    elif name == "change":
        version = item_at(project, one).version
        change(caller, project, one, version, content=text, complete=True, reason=text[:90])
    elif name == "move":
        change(caller, project, one, parent=other if other % 2 else None, position=other)
    elif name == "relate":
        names = ("relates", "blocks", "documents", "supersedes", "duplicates")
        act(caller, project, one, name, target=other, relation=names[len(text) % len(names)])
    else:
        act(caller, project, one, name, item_at(project, one).version, reason=text[:90] or "why")


@given(steps=STEPS)
@settings(
    max_examples=25,
    phases=[Phase.generate],  # to shrink an example takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_exported_and_imported_it_is_the_same(
    project: Project, alice: Person, steps: list[tuple[str, int, int, str]]
) -> None:
    owner = person_caller(alice)
    with transaction.atomic():
        for _ in range(2):  # what texts name is there
            create(owner, project, "task", title="Named")
        for step in steps:
            do(owner, project, step)
        before = told(exported(owner, project))

        for name, make in (("lines", exported), ("folder", zipped)):
            place = make_project(alice, name)
            source = source_of_bytes("export", make(owner, project))
            importer = importer_for(source)
            assert importer is not None
            report = run_import(owner, Order(place.path, importer, source))
            after = told(exported(owner, place))

            assert report.left_out == []
            assert after == before
        transaction.set_rollback(True)
