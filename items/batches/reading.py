"""A batch as it was sent, read: its frame whole, its items as far as they have a kind.

What is wrong with the frame refuses the batch; what is wrong with an item is noted with it,
so that the other kinds can be stored.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from conderis.common.errors import DomainError, Invalid, TooLarge
from conderis.common.json import Json, JsonObject, compact, without_nulls
from conderis.common.text import clean_line
from items.batches.version_one import is_version_one, translated
from items.kinds.base import Kind
from items.kinds.registry import all_kinds
from items.kinds.values import Switch, read_json, read_list

MAX_ITEMS = 100
MAX_BYTES = 1_000_000  # of the batch as compact JSON in UTF-8
MAX_KEY = 100
MAX_IDEMPOTENCY_KEY = 200
MAX_SOURCE = 200
MEMBERS = ("idempotencyKey", "source", "atomic", "items")
OF_ITEMS = ("key", "kind", "fields", "reason")
SHAPE = '[{"key": "a", "kind": "task", "fields": {"title": "…"}}]'
_NUMBER = re.compile(r"#?[0-9]+\Z")


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of a batch: its place there from 0, and why it cannot be stored, if it cannot."""

    index: int
    kind: Kind
    key: str | None = None
    fields: JsonObject | None = None
    reason: str | None = None
    refusal: DomainError | None = None

    @property
    def content(self) -> list[Json]:
        """What makes it the same item when it is sent again."""
        return [self.key, self.fields, self.reason, *(["refused"] if self.refusal else [])]


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch with its items in order."""

    idempotency_key: str | None
    source: str
    atomic: bool
    entries: tuple[Entry, ...]

    def by_kind(self) -> dict[str, list[Entry]]:
        """The items by the name of their kind, in the order in which the kinds come."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            found.setdefault(entry.kind.name, []).append(entry)
        return found


def kinds_of_batches() -> list[str]:
    """The kinds whose items a batch may hold."""
    return [kind.name for kind in all_kinds() if kind.numbered]


def read_batch(sent: JsonObject, *, kind: str | None, personal: bool) -> Batch:
    """The batch, read. `kind` is that of items which name none; `personal`: it has no project.

    Raises:
        Invalid: the frame is wrong, an item has no kind that a batch may hold, or one that
            needs a project where there is none.
        TooLarge: more than 100 items, more than 1 MB, or a text of the frame is too long.
    """
    _refuse_large(sent)
    if kind is not None:
        _kind_named(kind, "kind")
    if is_version_one(sent):
        sent, kind = translated(sent, kind=kind, personal=personal)
    unknown = next((name for name in sent if name not in MEMBERS), None)
    if unknown is not None:
        raise Invalid(
            f"A batch has no member {unknown[:40]}. Members: {', '.join(MEMBERS)}.",
            field=f"batch.{unknown[:40]}",
            allowed=MEMBERS,
        )
    return Batch(
        idempotency_key=_line(sent, "idempotencyKey", MAX_IDEMPOTENCY_KEY),
        source=_line(sent, "source", MAX_SOURCE) or "",
        atomic=Switch().read(sent["atomic"], "batch.atomic") if _has(sent, "atomic") else False,
        entries=_entries(sent.get("items"), kind, personal=personal),
    )


def _refuse_large(sent: JsonObject) -> None:
    size = len(compact(sent).encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise TooLarge(
            f"The batch has {size:,} bytes as compact JSON; at most {MAX_BYTES:,} are taken. Send "
            "several, each with an idempotencyKey of its own.",
            field="batch",
            limit=MAX_BYTES,
        )


def _has(sent: JsonObject, name: str) -> bool:
    return sent.get(name) is not None


def _line(sent: JsonObject, name: str, limit: int) -> str | None:
    if not _has(sent, name):
        return None
    text = clean_line(sent[name], field=f"batch.{name}", limit=limit)
    if not text and name == "idempotencyKey":
        raise Invalid(f"batch.{name} is empty. Leave it out, or send a text.",
                      field=f"batch.{name}")  # fmt: skip
    return text


def _entries(value: Json, kind: str | None, *, personal: bool) -> tuple[Entry, ...]:
    if value is None:
        raise Invalid(f"A batch needs items: {SHAPE}.", field="batch.items", allowed=[SHAPE])
    rows = read_list(value, "batch.items", shape=SHAPE)
    if not rows:
        raise Invalid(f"batch.items is empty: {SHAPE}.", field="batch.items", allowed=[SHAPE])
    if len(rows) > MAX_ITEMS:
        raise TooLarge(
            f"The batch has {len(rows)} items; at most {MAX_ITEMS} are taken. Send several, each "
            "with an idempotencyKey of its own.",
            field="batch.items",
            limit=MAX_ITEMS,
        )
    keys: set[str] = set()
    return tuple(
        _entry(index, row, kind, keys, personal=personal) for index, row in enumerate(rows)
    )


def _entry(index: int, row: Json, kind: str | None, keys: set[str], *, personal: bool) -> Entry:
    members = read_json(row) if isinstance(row, str) else row
    where = f"batch.items[{index}]"
    if not isinstance(members, dict):
        raise Invalid(f"{where} must be a JSON object, as in {SHAPE}.", field=where,
                      allowed=OF_ITEMS, index=index)  # fmt: skip
    members = without_nulls(members)
    found = _kind_of(members, kind, where)
    if personal and not found.personal:
        names = [each.name for each in all_kinds() if each.personal]
        raise Invalid(
            f"Send projectId: without it a batch holds personal memories alone, and {where} is "
            f"a {found.name}.",
            field="projectId",
            allowed=["owner/name", "git remote"],
            index=index,
            kinds=names,
        )
    try:
        return _read(index, members, found, keys)
    except DomainError as refusal:
        key = members.get("key")
        shown = key if isinstance(key, str) and 0 < len(key) <= MAX_KEY else None
        fields = members.get("fields")
        return Entry(
            index, found, shown, fields if isinstance(fields, dict) else None, refusal=refusal
        )


def _kind_of(members: JsonObject, kind: str | None, where: str) -> Kind:
    named: Any = members.get("kind", kind)
    if named is None:
        raise Invalid(f"{where} needs kind.", field=f"{where}.kind", allowed=kinds_of_batches())
    if kind is not None and named != kind:
        raise Invalid(
            f"{where} is of another kind than the one that was sent beside batch. Leave kind "
            "out beside batch.",
            field="kind",
            allowed=[kind],
        )
    return _kind_named(named, f"{where}.kind")


def _kind_named(name: Json, field: str) -> Kind:
    names = kinds_of_batches()
    if isinstance(name, str) and name.strip() in names:
        return next(kind for kind in all_kinds() if kind.name == name.strip())
    raise Invalid(f"{field} must be one of {', '.join(names)}.", field=field, allowed=names)


def _read(index: int, members: JsonObject, kind: Kind, keys: set[str]) -> Entry:
    """The item's members; its fields are read by its kind later."""
    for name in members:
        if name not in OF_ITEMS:
            raise Invalid(
                f"An item of a batch has no member {name[:40]}: it holds {', '.join(OF_ITEMS)}.",
                field=name[:40],
                allowed=OF_ITEMS,
            )
    key = _key(members.get("key"), keys)
    fields = members.get("fields")
    if isinstance(fields, str):
        fields = read_json(fields)
    if not isinstance(fields, dict):
        raise Invalid("fields must be a JSON object.", field="fields",
                      allowed=list(kind.by_name))  # fmt: skip
    reason = members.get("reason")
    if reason is not None and not (kind.statuses and fields.get("status") == "blocked"):
        others: Sequence[str] = [name for name in OF_ITEMS if name != "reason"]
        raise Invalid("In a batch only what is stored as blocked has a reason.", field="reason",
                      allowed=others)  # fmt: skip
    return Entry(index, kind, key, fields, reason)


def _key(value: Json, keys: set[str]) -> str | None:
    if value is None:
        return None
    key = clean_line(value, field="key", limit=MAX_KEY)
    if not key or _NUMBER.match(key):
        raise Invalid(
            "A key is a text that names the item inside the batch, and no bare number.",
            field="key",
            allowed=["a1"],
        )
    if key in keys:
        raise Invalid(
            "An earlier item of the batch has this key. Each item needs its own.", field="key"
        )
    keys.add(key)
    return key


def canonical(value: Json) -> str:
    """The value as JSON text that is the same for equal values, whatever their order was."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
