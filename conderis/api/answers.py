"""The JSON schemas of answers: the shapes of the contract, section for section.

Fields of kinds are made from the registry; what stands here is the frame round them. All are
open: later versions of an answer may say more.
"""

from typing import Any, Final

from conderis.api.shapes import NAMED, NUMBER, fields_shown
from conderis.common.errors import DomainError
from conderis.common.json import JsonObject
from exchange.jobs import State
from items.kinds.base import Kind
from items.kinds.registry import all_kinds

TEXT: Final = {"type": "string"}
TEXTS: Final = {"type": "array", "items": TEXT}
WHOLE: Final = {"type": "integer"}
YES: Final = {"const": True}
FLAG: Final = {"type": "boolean"}
TIME: Final = {"type": "string", "format": "date-time"}
OBJECT: Final[JsonObject] = {"type": "object"}
OBJECTS: Final = {"type": "array", "items": OBJECT}
NUMBERS: Final = {"type": "array", "items": NUMBER}


def ref(name: str) -> JsonObject:
    """The schema of this name."""
    return {"$ref": f"#/components/schemas/{name}"}


def many(schema: JsonObject) -> JsonObject:
    """A list of these."""
    return {"type": "array", "items": schema}


def record(needed: str = "", /, **properties: Any) -> JsonObject:
    """An object with these properties; `needed` are those that it always has."""
    schema: JsonObject = {"type": "object", "properties": properties}
    if needed:
        schema["required"] = needed.split()
    return schema


def outcome(*words: str) -> JsonObject:
    """What came of a call."""
    return {"type": "string", "enum": list(words)}


def page_of(entries: JsonObject) -> JsonObject:
    """A page of a list."""
    return record(
        "items total hasMore",
        items=many(entries),
        total={**WHOLE, "description": "Exact up to 1,000; beyond it 1,000 with `more`."},
        more=YES,
        hasMore=FLAG,
        nextCursor={**TEXT, "description": "Sent as `cursor` for the next page."},
    )


def problem_schema() -> JsonObject:
    """A refusal."""
    codes = sorted({each.code for each in DomainError.__subclasses__()} | {"invalid_token"})
    return record(
        "title error message",
        title={**TEXT, "description": "The phrase of the HTTP status."},
        error={"type": "string", "enum": codes},
        message={**TEXT, "description": "What is wrong and what would be right."},
        field={**TEXT, "description": "What was sent wrong."},
        allowed={"type": "array", "description": "What would be right."},
        missing={**TEXT, "description": "The capability or scope that is lacking."},
        currentVersion=WHOLE,
        changed={**OBJECTS, "description": "Who changed which fields since."},
        holder=OBJECT,
        since=TIME,
        blockedReason=TEXT,
        candidates={"type": "array"},
        retryAfter={**WHOLE, "description": "Seconds, as in Retry-After."},
    )


COMMON: Final[dict[str, JsonObject]] = {
    "Named": record("", number=NUMBER, ref=TEXT, title=TEXT, locked=YES, index=WHOLE),
    "Who": record("ref name", ref={**TEXT, "description": "Never changes."}, name=TEXT),
    "Author": record("name", name=TEXT, agent=TEXT, importedBy=TEXT),
    "Relation": record("relation number", relation=TEXT, number=NUMBER, title=TEXT, locked=YES),
    "Heading": record("level title offset", level=WHOLE, title=TEXT, offset=WHOLE),
    "Lock": record("request", request=TEXT, since=TIME),
}

PARTS: Final[dict[str, JsonObject]] = {
    "offset": WHOLE,
    "nextOffset": {**WHOLE, "description": "Where the next part begins; none at the end."},
    "length": {**WHOLE, "description": "Of the whole text, in code points."},
    "outline": many(ref("Heading")),
    "section": TEXT,
}
FLAGS: Final[dict[str, JsonObject]] = {
    "archived": YES,
    "expired": YES,
    "locked": ref("Lock"),
    "erased": {"type": ["object", "boolean"]},
}


def item_schema() -> JsonObject:
    """An item as it is read: its fields stand beside the frame."""
    return record(
        "kind version",
        number=NUMBER,
        ref=TEXT,
        kind={"type": "string", "enum": [kind.name for kind in all_kinds()]},
        version=WHOLE,
        currentVersion={**WHOLE, "description": "Where a newer one than the one read exists."},
        **fields_shown(lambda kind: kind.by_name),
        author=ref("Author"),
        created=TIME,
        changed=TIME,
        **FLAGS,
        blockedReason=TEXT,
        heldSince=TIME,
        waitsFor=NUMBERS,
        children=OBJECTS,
        childrenTotal=WHOLE,
        relations=many(ref("Relation")),
        pendingProposals={**WHOLE, "description": "Those that you may see."},
        **PARTS,
    )


def entry_schema() -> JsonObject:
    """An entry of a list of items."""
    return record(
        "version",
        number=NUMBER,
        ref={**TEXT, "description": "memory:<id>, or owner/name#12 across projects."},
        title=TEXT,
        version=WHOLE,
        **fields_shown(_in_entries),
        waitsFor=NUMBERS,
        children=WHOLE,
        blockedReason=TEXT,
        archived=YES,
        expired=YES,
        age=TEXT,
        match={"description": "Where the search found something."},
        section=TEXT,
    )


def _in_entries(kind: Kind) -> tuple[str, ...]:
    return kind.entry if kind.listed else ()


def stored_schema() -> JsonObject:
    """What came of storing an item."""
    now = fields_shown(lambda kind: [name for name in kind.by_name if name in STANDING])
    return record(
        "outcome",
        outcome=outcome("published", "proposed", "unchanged"),
        number=NUMBER,
        ref=TEXT,
        version=WHOLE,
        **now,
        changed={**TEXTS, "description": "The fields that the call has changed."},
        parent=NAMED,
        proposal=TEXT,
        baseVersion=WHOLE,
        similar=OBJECTS,
        warnings=TEXTS,
        activeSubtasks=NUMBERS,
        blockedReason=TEXT,
    )


COUNTS_BY_KIND: Final = {"type": "object", "additionalProperties": WHOLE}
PROBLEMS: Final = many(record("place reason", place=TEXT, reason=TEXT))
IMPORTS: Final[dict[str, JsonObject]] = {
    "Import": record(
        "import state importer by created done",
        **{"import": TEXT},
        state=outcome(*State.values),
        importer={**TEXT, "description": "The format, as named or recognized."},
        by=record("name", name=TEXT, agent=TEXT),
        created=TIME,
        ended={**TIME, "description": "The file is no longer kept since."},
        done={**WHOLE, "description": "Records worked through."},
        total={**WHOLE, "description": "Records in all, once it is checked."},
        made={**COUNTS_BY_KIND, "description": "New items by kind: before the end what will be."},
        name={**TEXT, "description": "The file's; as what follows for who sent it alone."},
        only=TEXTS,
        storeAnyway=FLAG,
        report=ref("ImportReport"),
    ),
    "ImportReport": record(
        "",
        made=COUNTS_BY_KIND,
        known={**WHOLE, "description": "Items that an earlier import has made."},
        leftOut=PROBLEMS,
        differing={**TEXTS, "description": "Known ones that the source has changed since."},
        warnings=PROBLEMS,
        numbers={**COUNTS_BY_KIND, "description": "Numbers here by those of the source."},
        tombstones={**WHOLE, "description": "Numbers without an item."},
        secrets={**WHOLE, "description": "Texts left out that look like secrets."},
        parts={**TEXTS, "description": "What `only` can choose among."},
        reason={**TEXT, "description": "Why it failed."},
        locked={**YES, "description": "Only the counts, while something imported is locked."},
    ),
    "ImportDeleted": record("outcome import", outcome={"const": "deleted"}, **{"import": TEXT}),
}

STANDING: Final = ("status", "priority", "assignee")
ANSWERS: Final[dict[str, JsonObject]] = {
    "History": record(
        "kind version events hasMore",
        number=NUMBER,
        ref=TEXT,
        kind=TEXT,
        version=WHOLE,
        locked=ref("Lock"),
        erased={"type": ["object", "boolean"]},
        events=many(ref("Event")),
        hasMore=FLAG,
        nextVersion={**WHOLE, "description": "Sent as `version` for the next page."},
    ),
    "Event": record(
        "event at by",
        event=TEXT,
        version=WHOLE,
        at=TIME,
        by=TEXT,
        agent=TEXT,
        approver=TEXT,
        approverAgent=TEXT,
        importedBy=TEXT,
        reason=TEXT,
        fields={"type": ["array", "object"]},
        locked=ref("Lock"),
        erased=YES,
    ),
    "Acted": record(
        "outcome",
        outcome=outcome("done", "proposed", "unchanged"),
        number=NUMBER,
        ref=TEXT,
        proposal=TEXT,
        version=WHOLE,
        status=TEXT,
        assignee=ref("Who"),
        blockedReason=TEXT,
        holder=ref("Who"),
        since=TIME,
        activeSubtasks=NUMBERS,
        along=NUMBERS,
    ),
    "DeletionRequested": record(
        "outcome request", outcome=outcome("locked", "unchanged"), request=TEXT, number=NUMBER,
        ref=TEXT,
    ),
    "DeletionRequest": record(
        "request state of", request=TEXT, state=TEXT, projectId=TEXT, of=NAMED, version=WHOLE,
        author=ref("Author"), created=TIME, reason=TEXT, decidedBy=TEXT, decidedAt=TIME,
        decisionReason=TEXT,
    ),
    "ProposalEntry": record(
        "state action kind", ref=TEXT, proposal=TEXT, projectId=TEXT, number=NUMBER, title=TEXT,
        state=TEXT, action=TEXT, kind=TEXT, baseVersion=WHOLE, count=WHOLE, reason=TEXT,
        author=ref("Author"), age=TEXT, locked=ref("Lock"), erased=YES, decidedBy=TEXT,
        decidedAt=TIME, decisionReason=TEXT, version=WHOLE, leftOut=NUMBERS,
    ),
    "Proposal": record(
        "proposal state action kind", proposal=TEXT, state=TEXT, action=TEXT, kind=TEXT,
        projectId=TEXT, number=NUMBER, ref=TEXT, title=TEXT, baseVersion=WHOLE, reason=TEXT,
        author=ref("Author"), created=TIME, age=TEXT, fields=OBJECT, clears=TEXTS,
        currentVersion=WHOLE, conflicts=TEXTS, blocked=TEXT, rejectedBefore=TEXT,
        decidedBy=TEXT, decidedAt=TIME, decisionReason=TEXT, version=WHOLE, count=WHOLE,
        items=OBJECTS, content=TEXT, leftOut=NUMBERS, locked=ref("Lock"), erased=YES, **PARTS,
    ),
    "ProjectEntry": record(
        "projectId name", projectId=TEXT, name=TEXT, description=TEXT, visibility=TEXT,
        role=TEXT, age=TEXT,
    ),
    "Project": record(
        "projectId name visibility permissions assignees counts hygiene", projectId=TEXT,
        name={**TEXT, "description": "owner/name"}, description=TEXT, remote=TEXT,
        remoteVerified=FLAG, visibility=outcome("private", "public"), upstream=TEXT,
        recallMode=TEXT,
        permissions=record(
            "write moderate manage alwaysReviewed", write=FLAG, moderate=FLAG, manage=FLAG,
            alwaysReviewed=FLAG,
        ),
        assignees=many(ref("Who")), counts={"type": "object", "additionalProperties": WHOLE},
        hygiene=record("score findings", score=WHOLE, findings=OBJECTS, more=WHOLE),
    ),
    "ProjectStored": record(
        "outcome projectId name", outcome=outcome("published", "unchanged"), projectId=TEXT,
        name=TEXT,
    ),
    "BatchStored": record(
        "outcome kinds items", outcome=outcome("stored", "proposed", "partly", "failed"),
        kinds={"type": "object", "additionalProperties": OBJECT}, items=OBJECTS,
        replayed=TEXTS,
    ),
    "Recall": record("mediaType text", mediaType={"const": "text/markdown"}, text=TEXT),
    "Me": record(
        "ref name person timeZone", ref=TEXT, name=TEXT, person=ref("Who"), timeZone=TEXT,
        scopes=TEXTS, allProjects=FLAG, alwaysReviewed=FLAG,
    ),
}  # fmt: skip


def answer_schemas() -> dict[str, JsonObject]:
    """Every schema of an answer by name, those of the kinds that there are now among them."""
    return {
        "Problem": problem_schema(),
        **COMMON,
        "Item": item_schema(),
        "ItemEntry": entry_schema(),
        "ItemPage": page_of(ref("ItemEntry")),
        "Stored": stored_schema(),
        **ANSWERS,
        **IMPORTS,
        "ImportPage": page_of(ref("Import")),
        "ProposalPage": page_of(ref("ProposalEntry")),
        "ProjectPage": page_of(ref("ProjectEntry")),
    }
