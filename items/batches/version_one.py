"""The older `Conderis Memory Batch v1` file, read as a batch of today."""

from conderis.common.errors import Invalid
from conderis.common.json import Json, JsonObject, without_nulls
from items.kinds.memory import MEMORY, PRIVATE, SHARED
from items.kinds.values import read_list

FORMAT = "conderis-memory-batch"
MEMBERS = ("format", "version", "idempotencyKey", "memories")
_SHAPE = '[{"title": "…", "content": "…", "visibility": "shared"}]'
_PUBLIC = "public"  # what such files call shared


def is_version_one(sent: JsonObject) -> bool:
    """Whether it is such a file."""
    return "format" in sent or "memories" in sent


def translated(
    sent: JsonObject, *, kind: str | None, personal: bool
) -> tuple[JsonObject, str | None]:
    """The file as a batch, and the kind of its items; without a project they are personal.

    Raises:
        Invalid: it is no such file, or another kind was sent beside it.
    """
    unknown = next((name for name in sent if name not in MEMBERS), None)
    if unknown is not None or sent.get("format", FORMAT) != FORMAT:
        raise Invalid(
            f"A file with memories has the members {', '.join(MEMBERS)}, and its format is "
            f'"{FORMAT}". Other batches have items.',
            field=f"batch.{(unknown or 'format')[:40]}",
            allowed=MEMBERS,
        )
    if str(sent.get("version", 1)) != "1":
        raise Invalid(f"A file of the format {FORMAT} has version 1.",
                      field="batch.version", allowed=[1])  # fmt: skip
    if kind not in (None, MEMORY.name):
        raise Invalid(f"A file of the format {FORMAT} holds memories.",
                      field="kind", allowed=[MEMORY.name])  # fmt: skip
    rows = read_list(sent.get("memories"), "batch.memories", shape=_SHAPE)
    batch: JsonObject = {"items": [_item(row, personal=personal) for row in rows]}
    if sent.get("idempotencyKey") is not None:
        batch["idempotencyKey"] = sent["idempotencyKey"]
    return batch, MEMORY.name


def _item(row: Json, *, personal: bool) -> Json:
    if not isinstance(row, dict):
        return row  # refused with its place, as in a batch of today
    fields = without_nulls(row)
    if fields.get("visibility") == _PUBLIC:
        fields["visibility"] = SHARED
    if personal and fields.get("visibility") in (PRIVATE, SHARED):
        del fields["visibility"]
    return {"fields": fields}
