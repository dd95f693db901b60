"""The texts of the tool list, generated from the registry of kinds.

A kind shows in the first sentences, since clients find tools by the words there, and in
one line of fields, filters and actions each. Kinds with the same line share it.
"""

from collections.abc import Iterable, Sequence

from items.kinds.registry import all_kinds
from items.kinds.relations import INVERSE
from items.kinds.values import ItemReference, Numbers
from projects.services import FIELDS, RECALL_MODES
from proposals import queue

PROPOSAL = "proposal"
PROJECT = "project"
PROJECT_HINTS = {"owner": "organization", "recallMode": ", ".join(RECALL_MODES)}


def list_kinds() -> list[str]:
    """The kinds that `item_list` lists: those of the registry, proposals and projects."""
    return [kind.name for kind in all_kinds() if kind.listed] + [PROPOSAL, PROJECT]


def action_names() -> list[str]:
    """Every action of every kind, and those of proposals."""
    named = [name for kind in all_kinds() for name in kind.action_names]
    return _once(named + [row.name for row in queue.ACTIONS])


def recall() -> str:
    """Describes `recall`, with the plurals of all kinds."""
    alone = [kind.plural for kind in all_kinds() if not kind.numbered]
    plurals = [kind.plural for kind in all_kinds() if kind.numbered]
    return (
        f"Start here: recall a project's {_series([*alone, *plurals, 'proposals'], 'and')} as a "
        "bounded summary (`all N`: section complete, v3: version). "
        "Without projectId: personal memories."
    )


def project_get() -> str:
    """Describes `project_get`."""
    return (
        "Read a project: your permissions, assignees, counts, hygiene. "
        "Without projectId: the accessible projects."
    )


def project_store() -> str:
    """Describes `project_store`; its fields stand at its parameter."""
    return "Create a project, or with projectId change it. Omitted keeps, null clears."


def project_fields() -> str:
    """The fields of `project_store`."""
    return ", ".join(_hinted(name, PROJECT_HINTS.get(name, "")) for name in FIELDS)


def item_get() -> str:
    """Describes `item_get`."""
    return (
        f"Read one {_items(PROPOSAL)}, with relations and version. "
        "Long text comes in parts; section reads one, by its heading or a word of it."
    )


def reference() -> str:
    """What `ref` takes."""
    words = [kind.name for kind in all_kinds() if not kind.numbered]
    ids = [f"{kind.name}:<id>" for kind in all_kinds() if kind.personal]
    return ", ".join(["owner/name#12", *words, *ids, f"{PROPOSAL}:<id>"])


def item_list() -> str:
    """Describes `item_list`, with one line of filters per kind."""
    first = f"List or search one kind: {_series(list_kinds(), 'or')}; open entries with item_get."
    ended = [
        f"{kind.plural.capitalize()}: {_series(closed, 'and')} ones only with includeClosed."
        for kind in all_kinds()
        if (closed := [each.name for each in kind.statuses if not each.active])
    ]
    rows = [
        (kind.name, ", ".join(each.in_description for each in kind.filters))
        for kind in all_kinds()
        if kind.listed
    ]
    rows.append((PROPOSAL, ", ".join(each.in_description for each in queue.FILTERS)))
    return "\n".join([" ".join([first, *ended]), "Filters:", *_lines(rows)])


def sorts() -> str:
    """The orders of the lists."""
    of_kinds = [name for kind in all_kinds() if kind.listed for name in kind.sorts]
    return ", ".join(_once(["relevance", *of_kinds, *queue.SORTS]))


def item_store() -> str:
    """Describes `item_store`, with one line of fields per kind."""
    rows = [
        (kind.name, ", ".join(field.in_description for field in kind.fields))
        for kind in all_kinds()
    ]
    return "\n".join(
        [
            (
                f"Store a {_items()}: create, or with number or ref change. "
                "Omitted fields keep, null clears."
            ),
            "Fields:",
            *_lines(rows),
            "Instead of content: append, or edits [{find, replace}] (find occurs once).",
        ]
    )


def base_version() -> str:
    """What `version` of `item_store` is, and what needs none."""
    free = _once(field.name for kind in all_kinds() for field in kind.fields if field.structure)
    return f"The one you read; not for append, nor only {', '.join(free)}"


def batch() -> str:
    """What `batch` takes, and which fields may name items inside it."""
    keyed = _once(
        field.name
        for kind in all_kinds()
        for field in kind.fields
        if isinstance(field.type, ItemReference | Numbers)
    )
    return (
        "Up to 100 items instead of fields: {idempotencyKey, atomic, items: [{key, kind, "
        f"fields}}]}}; {' and '.join(keyed)} may be keys"
    )


def item_action() -> str:
    """Describes `item_action`, with one line of actions per kind."""
    rows = [
        (kind.name, ", ".join(row.in_description for row in kind.actions)) for kind in all_kinds()
    ]
    rows.append((PROPOSAL, ", ".join(row.in_description for row in queue.ACTIONS)))
    names = [name for name, line in rows if line]
    return "\n".join([f"Act on a {_series(names, 'or')}.", *_lines(rows)])


def relations() -> str:
    """The relations between items, read from the item acted on to the target."""
    return f"{_series(list(INVERSE), 'or')} target"


def item_delete() -> str:
    """Describes `item_delete`."""
    return (
        f"Request permanent deletion, for privacy, of a {_items(PROPOSAL)}, or one version of it: "
        "locked at once, a person decides. To put away use archive."
    )


def _items(*more: str) -> str:
    """The kinds as one reads them in a sentence; those without numbers come last."""
    numbered = [kind.name for kind in all_kinds() if kind.numbered]
    alone = [f"the {kind.name}" for kind in all_kinds() if not kind.numbered]
    return _series([*numbered, *more, *alone], "or")


def _series(words: Sequence[str], last: str) -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _lines(rows: Iterable[tuple[str, str]]) -> list[str]:
    """One line per kind; kinds with the same line share it, those with none have none."""
    names: dict[str, list[str]] = {}
    for name, line in rows:
        if line:
            names.setdefault(line, []).append(name)
    return [f"{', '.join(sharing)}: {line}" for line, sharing in names.items()]


def _hinted(name: str, hint: str) -> str:
    return f"{name} ({hint})" if hint else name


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
