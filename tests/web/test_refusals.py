"""Refusals in the words of people: none of what only agents know is on a page."""

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from conderis.accounts.models import Person
from conderis.common.errors import Conflict, DomainError, Invalid, TooLarge
from conderis.web.refusals import OF_AGENTS, changes_of, has_words, in_words
from items.requests import Address, DeletionCall
from privacy.requesting import request_deletion
from projects.models import Project
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create
from tests.web.test_item_pages import at, page, post

TOOLS = re.compile(
    r"item_(store|action|get|list|delete|batch)|project_(get|store)|nextCursor|currentVersion"
)
CAMEL_CASE = re.compile(r"\b[a-z]+[A-Z]\w*")
# What only agents can send, so that no page meets it: parameters, batches, keys.
OF_CALLS = (
    "Send number or ref", "Send projectId", "This key", "projectId and", "A version is for",
    "without a project is private", "edits[", "offset must be", "Reading on takes",
    "history goes with", "A proposal never changes",
    "so it has no sections", "A deletion request has no",
    "as compact JSON;", "batch.title is empty", "The batch has 3 items", "beside batch",
    "This idempotencyKey", "a batch does not propose them",
    "A project keeps its owner", "An invitation to the server gives no role",
    "projects must be a list of names", "recallMode must be", "half of a surrogate pair",
)  # fmt: skip
# What recall and hygiene tell agents alone: pages have words of their own for it.
# What importers say is for people already.
OF_AGENTS_ALONE = (
    "items/guide.py", "items/recall/", "items/hygiene/registry.py", "exchange/importers/",
)  # fmt: skip
PACKAGES = {  # and how many texts there are at least
    "items": 120, "proposals": 30, "privacy": 20, "projects": 60, "conderis/accounts": 20,
    "conderis/common": 5, "exchange": 10,
}  # fmt: skip
NAMED_FIRST = re.compile(r"[a-z]+[A-Z]\w*(?= )")  # the page says the label of the field there


def texts_of(package: str) -> Iterator[tuple[str, str]]:
    """Every sentence of the package that is no comment, with words in its gaps."""
    root = settings.BASE_DIR
    for path in sorted((root / package).rglob("*.py")):
        where = path.relative_to(root).as_posix()
        if "/migrations/" in where or where.startswith(OF_AGENTS_ALONE):
            continue
        for line, text in _sentences(ast.parse(path.read_text())):
            yield f"{where}:{line}", text


def _sentences(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # it documents something
    text = _spelled(node) if isinstance(node, ast.expr) else None
    if text is None:
        for each in ast.iter_child_nodes(node):
            yield from _sentences(each)
    elif " " in text and text.endswith("."):
        yield node.lineno, text  # type: ignore[attr-defined]  # expressions have one


def _spelled(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp):
        left, right = _spelled(node.left), _spelled(node.right)
        return f"{left}{right or ''}" if left else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_gap(part) for part in node.values)
    return None


def _gap(part: ast.expr) -> str:
    """What stands in a gap: of the sort that its expression names."""
    if isinstance(part, ast.Constant):
        return str(part.value)
    said = ast.unparse(part)
    for word, filling in (
        ("subject_of", "#7"), ("proposal.ref", "proposal:abc"), ("status", "done"),
        ("version", "3"), ("depth", "3"), ("limit", "3"), ("LIMIT", "3"), ("MAX", "3"),
        ("MOST", "3"), ("len(", "3"), ("number", "7"), ("field", "expiresAt"), ("name", "title"),
        ("clash", "7"), ("kind", "page"), ("what", "page"), ("place", "7"), ("start", "3"),
        ("count", "3"), ("least", "1"),
    ):  # fmt: skip
        if word in said:
            return filling
    return "word"


def no_agents_words(shown: str) -> None:
    """The visible text of a page holds no name of a tool and no parameter of a call."""
    words = re.sub(r"<(script|style|template)\b.*?</\1>|<[^>]*>", " ", shown, flags=re.DOTALL)
    assert TOOLS.search(words) is None, TOOLS.search(words)
    assert CAMEL_CASE.search(words) is None, CAMEL_CASE.search(words)


@pytest.mark.no_database
@pytest.mark.parametrize("package", PACKAGES)
def test_every_text_that_speaks_to_agents_has_words_for_people(package: str) -> None:
    texts = list(texts_of(package))

    without = [
        f"{where} {text}"
        for where, text in texts
        if OF_AGENTS.search(NAMED_FIRST.sub("Field", text, count=1))
        and not has_words(text)
        and not any(of in text for of in OF_CALLS)
    ]

    assert without == []
    assert len(texts) >= PACKAGES[package]


@pytest.mark.no_database
def test_no_text_is_left_out_that_is_not_there() -> None:
    texts = [text for package in PACKAGES for _where, text in texts_of(package)]

    assert [of for of in OF_CALLS if not any(of in text for text in texts)] == []


@pytest.mark.no_database
def test_what_has_no_rule_and_speaks_to_agents_is_answered_by_its_class() -> None:
    unknown = "Send frobnication: item_store does the rest."

    assert in_words(Conflict(unknown)) == "This does not go as things stand. Read it again."
    assert in_words(TooLarge(unknown)) == "This is more than is taken."
    assert OF_AGENTS.search(in_words(unknown)) is None


@pytest.mark.no_database
def test_what_is_for_people_already_stays_as_it_is() -> None:
    said = "The last owner can neither leave nor be removed."

    assert in_words(Conflict(said)) == said


@pytest.mark.no_database
@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        (Invalid("due must be a date without time, as 2026-12-31.", field="due"),
         "Due must be a date, as 2026-12-31."),
        (Invalid("priority must be one of urgent, high, normal, low.", field="priority"),
         "Priority: choose one of Urgent, High, Normal, Low."),
        (TooLarge("tags[2] has 50 characters; at most 40 are allowed.", field="tags[2]"),
         "Tags has 50 characters; at most 40 are taken."),
        (Conflict('This task is done. To take it up again, reopen it with item_store fields '
                  '{"status": "open"}, then claim it.'),
         "This task is closed (Done). To take it up again, edit its status first."),
        (Conflict("proposal:abc cannot be approved whole as things stand: 2 of its items do not "
                  "fit, the first since: #7 is archived. Restore it first (item_action restore). "
                  "A person can leave them out, in the browser."),
         ("It cannot be approved whole as things stand. The first item that does not fit: #7 is "
          "archived. Restore it first. Leave out what does not fit.")),
        (Conflict("proposal:abc cannot be approved as things stand: #7 is archived. Restore it "
                  "first (item_action restore)."),
         "It cannot be approved as things stand: #7 is archived. Restore it first."),
    ],
)  # fmt: skip
def test_fields_states_and_reasons_are_said_as_pages_say_them(
    refusal: DomainError, words: str
) -> None:
    assert in_words(refusal) == words


@pytest.mark.no_database
def test_what_others_have_changed_is_told_by_version_name_and_field() -> None:
    changed: list[Any] = [
        {"version": 4, "by": "Alice", "agent": "robo", "fields": ["verifiedAgainst", "title"]},
        {"version": 5, "by": "Bob", "fields": []},
    ]

    said = changes_of(Conflict("Read it again.", changed=changed))

    assert said == ["Version 4 by Alice (robo): Verified against, Title", "Version 5 by Bob"]
    assert changes_of(Conflict("Read it again.")) == []


@pytest.mark.no_database
def test_a_name_with_signs_of_formats_and_markup_is_a_name() -> None:
    said = in_words(
        Conflict("%(name)s <b> already holds this task. To take it over on purpose, send it.")
    )

    assert said.startswith("%(name)s <b> already works on this task.")


def test_the_refusals_of_forms_and_lists_name_no_tools(
    client: Client, project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Guide", content="x\n" * 900)
    create(owner, project, "page", title="Other")
    create(owner, project, "page", title="Locked")
    create(owner, project, "task", title="Task")
    create(owner, project, "memory", title="Bag", visibility="shared")
    create(owner, project, "memory", title="Inner", visibility="shared", parent=5)
    act(owner, project, 2, "archive", 1)
    request_deletion(owner, DeletionCall(Address(project.path, number=3), reason="x"))
    stands = {"title": "Guide", "content": "x\n" * 900, "tags": "", "parent": "",
              "verifiedAgainst": "", "version": "1"}  # fmt: skip
    wrong: list[dict[str, object]] = [
        {"title": ""}, {"title": "x" * 201}, {"title": "a\u0007b"}, {"title": "\ud7ff\ufffe"},
        {"tags": ",".join(str(n) for n in range(30))}, {"tags": "x" * 50},
        {"parent": "x"}, {"parent": "1"}, {"parent": "2"}, {"parent": "3"}, {"parent": "4"},
        {"parent": "4711"}, {"verifiedAgainst": "abc"}, {"content": "x\n" * 300},
        {"content": "x" * 500_001}, {"version": "9"}, {"version": "0"}, {"version": "x"},
        {"reason": "x" * 3000},
    ]  # fmt: skip
    of_tasks: list[dict[str, object]] = [
        {"due": "tomorrow"}, {"dependsOn": "4"}, {"dependsOn": "1"}, {"dependsOn": "x"},
        {"commits": "abc"}, {"priority": "most"}, {"status": "blocked"}, {"assignee": "person:x"},
    ]  # fmt: skip
    task = {"title": "Task", "content": "", "tags": "", "status": "open", "priority": "normal",
            "assignee": "", "due": "", "parent": "", "dependsOn": "", "commits": "",
            "version": "1"}  # fmt: skip
    memory = {"title": "Inner", "summary": "", "content": "", "tags": "", "type": "fact",
              "expiresAt": "", "parent": "5", "weight": "critical", "verifiedAgainst": "",
              "version": "1"}  # fmt: skip

    answers = [
        post(client, alice, at("item-edit", number=1), **{**stands, **sent}) for sent in wrong
    ]
    answers += [
        post(client, alice, at("item-edit", number=4), **{**task, **sent}) for sent in of_tasks
    ]
    answers += [
        post(client, alice, at("item-edit", number=6), **memory),
        post(client, alice, at("item-edit", number=6), **{**memory, "expiresAt": "soon"}),
        post(client, alice, at("item-edit", number=2), **stands),
        post(client, alice, at("item-edit", number=3), **stands),
        post(client, alice, at("item-new", kind="page"), **{**stands, "parent": "2"}),
        post(client, alice, at("item-new", kind="memory"), **{**memory, "visibility": ""}),
    ]
    lists = [
        "?sort=best", "?cursor=xyz", "?status=open", "?priority=most", "?due=never",
        "?assignee=x", "?parent=x", "?q=" + "x" * 6000, "?tags=" + "x" * 60,
    ]  # fmt: skip
    shown = [answer.content.decode() for answer in answers]
    shown += [
        client.get(at(route) + query).content.decode()
        for route in ("project-tasks", "project-memories", "project-docs")
        for query in lists
    ]

    refused = [text for text in shown if "note-stop" in text or "err" in text or "fault" in text]
    assert len(refused) > 30
    for text in shown:
        no_agents_words(text)


def test_the_refusals_of_actions_name_no_tools(
    client: Client, project: Project, alice: Person, bob: Person
) -> None:
    owner, robo = person_caller(alice), agent_caller(alice, "robo")
    create(owner, project, "task", title="Held")
    create(owner, project, "task", title="Done")
    create(owner, project, "task", title="Blocked")
    create(owner, project, "page", title="Page")
    act(robo, project, 1, "claim", 1)
    act(owner, project, 2, "complete", 1)
    act(owner, project, 3, "block", 1, reason="no network")

    shown = {}
    for number in (1, 2, 3, 4):
        for action in (
            "claim",
            "complete",
            "block",
            "unblock",
            "archive",
            "restore",
            "relate",
            "x",
        ):
            for sent in ("", "1", "2", "x"):
                answer = post(client, bob, at("item-act", number=number), action=action,
                              version=sent, reason="")  # fmt: skip
                shown[number, action, sent] = answer.content.decode()

    assert "already works on this task" in shown[1, "claim", "2"]
    assert "Blocking a task needs a reason" in shown[1, "block", "2"]
    for text in shown.values():
        no_agents_words(text)


def test_the_refusals_of_histories_name_no_tools(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Guide", content="one")
    change(owner, project, 1, 1, content="two")
    history, compare = at("item-history", number=1), at("item-compare", number=1)
    restore = at("item-version-restore", number=1, version=1)

    shown = [page(client, rita, history + "?version=x", 400),
             page(client, rita, history + "?version=9", 400),
             page(client, rita, compare + "?from=x", 400),
             page(client, rita, compare + "?from=9", 404),
             page(client, rita, restore, 403)]  # fmt: skip
    shown += [post(client, alice, restore, over=over).content.decode() for over in ("", "1", "9")]

    for text in shown:
        no_agents_words(text)


@pytest.mark.no_database
def test_words_of_refusals_follow_the_language_of_the_page() -> None:
    changed = Conflict("Read it again.", changed=[{"version": 2, "by": "Bob", "fields": ["title"]}])
    needed = Invalid("title is required and cannot be empty.", field="title")

    with translation.override("de"):
        words, said = in_words(needed), changes_of(changed)

    assert words.startswith("Titel ")
    assert said[0].endswith(" Bob: Titel")
