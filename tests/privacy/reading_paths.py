"""Every way in which somebody reads what is stored: a row for each, by surface.

`LOCKED_WORLD` of the tests fills the words in capitals: numbers and references of what is
locked or erased. A row's `says` is who is told of the request, if it says so at all.
"""

from dataclasses import dataclass, field
from typing import Any

PAGE, TASK, BAG, OLD, ERASED, PRIVATE = "PAGE", "TASK", "BAG", "OLD", "ERASED", "PRIVATE"
CHILD, SUBTASK, IN_BAG, WAITING, BESIDE = "CHILD", "SUBTASK", "IN_BAG", "WAITING", "BESIDE"
OF_PAGE, OF_OLD, PROPOSED, GONE_PROPOSAL = "OF_PAGE", "OF_OLD", "PROPOSED", "GONE_PROPOSAL"
BATCH, GONE_BATCH = "BATCH", "GONE_BATCH"
REQUEST = "REQUEST"  # the request that has locked PAGE
WORD, NO_WORD = "WORD", "NO_WORD"  # what only hidden texts hold; what nothing holds
HIDDEN = (PAGE, TASK, BAG, OLD, ERASED, PRIVATE)  # numbers
BESIDES = (CHILD, SUBTASK, IN_BAG, WAITING, BESIDE)
PROPOSALS = (OF_PAGE, OF_OLD, PROPOSED, GONE_PROPOSAL, BATCH, GONE_BATCH)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool with its arguments. `tells`: the answer names the request or says `erased`."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    tells: bool = False
    in_project: bool = True

    def __str__(self) -> str:
        return f"{self.tool} {self.arguments}"


def _get(**arguments: Any) -> Call:
    return Call("item_get", arguments, tells=bool({"ref", "number"} & set(arguments)))


def _gets() -> list[Call]:
    calls = [_get(number=number) for number in HIDDEN if number != OLD]
    for number in (*HIDDEN, *BESIDES):
        calls += [
            Call("item_get", {"number": number}),
            Call("item_get", {"number": number, "history": True}),
            Call("item_get", {"number": number, "history": True, "version": 1}),
            Call("item_get", {"number": number, "version": 1}),
            Call("item_get", {"number": number, "section": "Heading"}),
            Call("item_get", {"number": number, "section": WORD}),
            Call("item_get", {"number": number, "take": 5}),
            Call("item_get", {"number": number, "offset": 3, "version": 1}),
        ]
    for ref in PROPOSALS:
        calls += [Call("item_get", {"ref": ref}), Call("item_get", {"ref": ref, "take": 5})]
    return [
        *calls,
        Call("item_get", {"ref": "instructions"}, tells=True),
        Call("item_get", {"ref": "instructions", "history": True}),
        Call("item_get", {"ref": "instructions", "version": 1}),
        Call("item_get", {"ref": REQUEST}),
    ]


def _lists() -> list[Call]:
    calls = []
    sorts = {
        "task": ("priority", "due", "updated", "created", "title"),
        "memory": ("updated", "created", "title"),
        "page": ("position", "updated", "created", "title"),
        "proposal": ("created",),
    }
    more = {"task": "includeClosed", "memory": "includeArchived", "page": "includeArchived"}
    for kind, names in sorts.items():
        calls += [Call("item_list", {"kind": kind, "sort": sort}) for sort in names]
        calls += [Call("item_list", {"kind": kind, "query": word}) for word in (WORD, "Heading")]
        if kind in more:
            calls += [
                Call("item_list", {"kind": kind, "filter": wanted})
                for wanted in ({more[kind]: True}, {"tags": [WORD]}, {"parent": "none"})
            ]
    calls += [
        Call("item_list", {"kind": "proposal", "filter": {"state": state}})
        for state in ("pending", "approved", "rejected", "withdrawn")
    ]
    parents = (("page", PAGE), ("task", TASK), ("memory", BAG))
    calls += [
        Call("item_list", {"kind": kind, "filter": {"parent": number}}) for kind, number in parents
    ]
    return [
        *calls,
        Call("item_list", {"kind": "task", "filter": {"ready": True}}),
        Call("item_list", {"kind": "project", "query": WORD}, in_project=False),
        Call("item_list", {"kind": "memory"}, in_project=False),
        Call("item_list", {"kind": "task"}, in_project=False),
        Call("item_list", {"kind": "proposal"}, in_project=False),
    ]


def _writes() -> list[Call]:
    """What is refused, and what answers beside a change: neither says what is hidden."""
    new = {"kind": "page", "fields": {"title": "Deploying", "content": "x"}}
    calls = [
        Call("item_store", new),
        Call("item_store", {"kind": "memory", "fields": {
            "title": f"Deploying {WORD}", "summary": WORD, "content": WORD,
            "visibility": "shared"}}),
        Call("item_store", {"kind": "instructions", "fields": {"content": "x"}, "version": 1},
             tells=True),
        Call("item_store", {"number": BESIDE, "version": 1, "fields": {"parent": PAGE}}),
        Call("item_store", {"batch": {"items": [
            {"kind": "page", "fields": {"title": "x", "parent": PAGE}},
            {"kind": "task", "fields": {"title": "x", "dependsOn": [TASK]}},
            {"kind": "memory", "fields": {"title": WORD, "visibility": "shared", "parent": BAG}},
        ]}}),
        Call("item_store", {"number": WAITING, "version": 1, "fields": {"dependsOn": [TASK]}}),
        Call("item_store", {"number": CHILD, "version": 1, "fields": {"title": "Child 2"}}),
        Call("item_store", {"number": OLD, "version": 1, "fields": {"content": "x"}}),
        Call("item_action", {"number": BESIDE, "action": "relate", "target": PAGE,
                             "relation": "relates"}),
    ]  # fmt: skip
    for number in (PAGE, TASK, BAG, ERASED, PRIVATE):
        fields = {"title": "Other"}
        calls += [
            Call("item_store", {"number": number, "version": 1, "fields": fields}),
            Call("item_store", {"number": number, "fields": {"append": "x"}}),
            Call("item_store", {"number": number, "version": 1, "fields": {
                "edits": [{"find": WORD, "replace": "x"}]}}),
            Call("item_delete", {"number": number, "reason": "again"}),
            Call("item_delete", {"number": number, "version": 1, "reason": "again"}),
            *(
                Call("item_action", {"number": number, "action": action, "version": 1,
                                     "reason": "x"})
                for action in ("archive", "restore", "claim", "complete", "block", "unblock")
            ),
        ]  # fmt: skip
    for ref in PROPOSALS:
        calls += [
            Call("item_action", {"ref": ref, "action": action, "reason": "x"})
            for action in ("approve", "reject", "withdraw")
        ]
        calls.append(Call("item_delete", {"ref": ref, "reason": "again"}))
    return calls


CALLS: tuple[Call, ...] = (
    *_gets(),
    *_lists(),
    *_writes(),
    Call("recall"),
    Call("recall", {"maxChars": 60_000}),
    Call("recall", {"focus": WORD, "maxChars": 60_000}),
    Call("recall", {"focus": WORD}, in_project=False),
    Call("recall", {"guide": True}),
    Call("project_get"),
    Call("project_get", in_project=False),
    Call("project_store", {"fields": {"description": "x"}}),
)

# Addresses of the browser that links do not lead to: they are asked beside the crawl.
ADDRESSES = (
    "/{shop}/items/{number}/", "/{shop}/items/{number}/edit/", "/{shop}/items/{number}/history/",
    "/{shop}/items/{number}/relate/", "/{shop}/items/{number}/relate/?relation=relates&q={word}",
    "/{shop}/items/{number}/share/", "/{shop}/items/{number}/history/1/",
    "/{shop}/moderation/{proposal}/",
    "/{shop}/docs/?q={word}", "/{shop}/tasks/?q={word}", "/{shop}/memories/?q={word}",
    "/{shop}/docs/?tags={word}", "/{shop}/settings/instructions/",
    "/{shop}/settings/instructions/edit/", "/{shop}/settings/instructions/history/",
    "/{shop}/settings/instructions/versions/1/", "/deletions/{request}/",
    "/{shop}/items/{number}/history/compare/",
    "/{shop}/items/{number}/history/compare/?from=1&to=1",
    "/{shop}/items/{number}/history/compare/?from=1&to=2&view=lines",
    "/{shop}/items/{number}/history/1/restore/", "/{shop}/items/{number}/history/2/restore/",
    "/{shop}/settings/instructions/history/compare/",
    "/{shop}/settings/instructions/versions/1/restore/",
    "/{shop}/moderation/deletions/", "/{shop}/moderation/runs/", "/{shop}/activity/",
    "/{shop}/activity/?kind=page", "/{shop}/activity/?by=agents", "/{shop}/activity/feed/",
    "/{shop}/activity/log/",
    "/{shop}/picture/", "/{shop}/docs/?open={number}", "/{shop}/docs/?at={number}",
    "/{shop}/docs/?parent={number}", "/{shop}/tasks/?view=board", "/{shop}/items/{number}/move/",
    "/search/?q={word}", "/search/?q={word}&all=true", "/search/?q=Heading&all=true",
    "/search/?q={shop}%23{number}", "/search/?q=%23{number}", "/memories/?q={word}",
    "/memories/?includeArchived=true&includeExpired=true", "/memories/new/",
    "/memories/{memory}/", "/memories/{memory}/edit/", "/memories/{memory}/history/",
    "/memories/{memory}/history/1/", "/memories/{memory}/history/compare/",
    "/memories/{memory}/history/1/restore/",
    "/{shop}/settings/exchange/",
    "/{shop}/hygiene/", "/deletions/", "/settings/account/export/",
    "/organizations/acme/", "/organizations/acme/instructions/",
    "/organizations/acme/instructions/edit/", "/organizations/acme/instructions/history/",
    "/organizations/acme/instructions/versions/1/", "/organizations/acme/settings/",
    "/organizations/acme/leave/", "/organizations/acme/log/",
)  # fmt: skip

# Addresses that no walk reads, and why that is right.
BEFORE_SIGN_IN = "shows no item to anybody: it is for who is not signed in yet, or anew"
OF_MACHINES = "answers machines, of the server alone"
OF_OTHERS = "is of keys, links, members or organizations, none of which is here"
NOT_WALKED: dict[str, str] = {
    "health": OF_MACHINES,
    "ready": OF_MACHINES,
    "robots": OF_MACHINES,
    "batch-schema": OF_MACHINES,
    "batch-example": OF_MACHINES,
    "connect-state": OF_OTHERS,
    "invitation": BEFORE_SIGN_IN,
    "sign-in": BEFORE_SIGN_IN,
    "deletion-reveal": "shows the content on purpose, to who decides, on record",
    "project-import": "is one person's file; `tests/exchange/test_running.py` locks and erases it",
    "project-import-report": "is one person's file, as above",
    "project-imports": "sends to the page of its form",
    "project-leave": OF_OTHERS,
    "project-private": OF_OTHERS,
    "settings-deleted": BEFORE_SIGN_IN,
    "settings-key": OF_OTHERS,
    "settings-key-replace": OF_OTHERS,
    "settings-key-revoke": OF_OTHERS,
}

# Commands that print stored text: none prints an item's. These run the product's surfaces
# on databases of their own, or in files for whoever runs the server.
COMMANDS = {
    "replay_session": "plays on a database of its own",
    "bench": "measures on a database of its own",
    "bench_retrieval": "measures on a database of its own",
    "bench_erasing": "measures on a database of its own",
    "bench_hygiene": "measures on a database of its own",
    "bench_recall": "measures on a database of its own",
    "measure_surface": "reads the tools alone",
    "backup": "is the whole database, for whoever runs the server",
    "export_project": "is the export of a project, which a test of its own reads",
    "mcp_stdio": "is the tools above, in other pipes",
    "serve": "is the tools and the browser",
}
