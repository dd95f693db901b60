"""Examples of the OpenAPI document, by the name of an answer or of a request."""

from typing import Final

from conderis.common.json import JsonObject

_PROJECTS: Final = "/api/v1/projects"
_ITEM: Final = f"{_PROJECTS}/{{project}}/items/{{item}}"
EXAMPLES: Final[dict[str, JsonObject]] = {
    "Stored": {"outcome": "published", "number": 12, "version": 1, "status": "open",
               "priority": "high"},
    "Stored 202": {"outcome": "proposed", "proposal": "proposal:7q2m4x8vbn1c", "number": 12,
                   "baseVersion": 2},
    "Acted 202": {"outcome": "proposed", "proposal": "proposal:7q2m4x8vbn1c", "number": 12},
    "Acted": {"outcome": "done", "number": 12, "version": 2, "status": "in_progress",
              "assignee": {"ref": "agent:7q2m4x8vbn1c", "name": "deploy-bot"}},
    "ItemPage": {"items": [{"number": 12, "title": "Rotate the signing key", "version": 2,
                            "status": "open", "priority": "high", "age": "today"}],
                 "total": 1, "hasMore": False},
    "Item": {"number": 12, "kind": "task", "version": 2, "title": "Rotate the signing key",
             "status": "open", "priority": "high", "author": {"name": "Alice"},
             "created": "2026-11-30T09:00:00Z", "changed": "2026-11-30T10:30:00Z"},
    "ProjectStored": {"outcome": "published", "projectId": "7q2m4x8vbn1c", "name": "alice/shop"},
    "Recall": {"mediaType": "text/markdown", "text": "# alice/shop\n…"},
    "DeletionRequested": {"outcome": "locked", "request": "deletion:7q2m4x8vbn1c", "number": 12},
    "BatchStored": {"outcome": "stored", "kinds": {"task": {"outcome": "stored", "count": 1}},
                    "items": [{"index": 0, "number": 12}]},
    "Batch": {"idempotencyKey": "nightly-2026-11-30",
              "items": [{"kind": "task", "fields": {"title": "Rotate the signing key"}}]},
    "Import": {"import": "7q2m4x8vbn1c", "state": "checked", "importer": "beads",
               "by": {"name": "Alice", "agent": "deploy-bot"}, "created": "2026-11-30T09:00:00Z",
               "done": 2, "total": 2, "made": {"task": 2}, "name": "issues.jsonl", "only": [],
               "storeAnyway": False, "report": {"made": {"task": 2}, "known": 0}},
    "ImportDeleted": {"outcome": "deleted", "import": "7q2m4x8vbn1c"},
    f"POST {_PROJECTS}": {"fields": {"name": "shop"}},
    f"PATCH {_PROJECTS}/{{project}}": {"fields": {"description": "The web shop."}},
    f"POST {_PROJECTS}/{{project}}/items": {
        "kind": "task", "fields": {"title": "Rotate the signing key", "priority": "high"}},
    f"PATCH {_ITEM}": {"version": 2, "fields": {"due": "2026-12-31"}},
    f"POST {_ITEM}/actions": {"action": "claim", "version": 2},
    f"POST {_ITEM}/deletion-requests": {"reason": "It names a customer."},
    "POST /api/v1/items": {
        "kind": "memory", "fields": {"title": "Editor", "content": "I use two spaces."}},
    "PATCH /api/v1/items/{item}": {"version": 1, "fields": {"append": "And no tabs."}},
    "POST /api/v1/items/{item}/actions": {"action": "archive", "version": 2},
    "POST /api/v1/items/{item}/deletion-requests": {"reason": "It is out of date."},
    "POST /api/v1/proposals/{proposal}/actions": {"action": "approve", "reason": "It is right."},
    "POST /api/v1/proposals/{proposal}/deletion-requests": {"reason": "It names a customer."},
}  # fmt: skip
