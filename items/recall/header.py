"""The head of a recall: whose it is, what the caller may do there, the guide's version."""

from items.access import Place
from items.change import publishing_use
from items.guide import GUIDE_VERSION
from items.kinds.base import Kind, Review
from items.kinds.registry import all_kinds
from items.recall.asking import Asking
from projects.access import ProjectAccess
from projects.capabilities import Use

NEW = (
    "Nothing is stored here yet. Store with item_store: what later sessions should know as "
    "kind=memory (title, summary, visibility), work as kind=task, documentation as kind=page."
)


def header(asking: Asking, *, is_empty: bool) -> str:
    """The lines before the first section."""
    guide = f"Guide v{GUIDE_VERSION}: recall guide=true."
    if asking.access is None:
        return "\n".join(["# Your own, across projects", *_without_project(asking), guide])
    lines = [f"# {asking.access.project.full_name}", f"{rights(asking.access)} {guide}"]
    if is_empty and asking.access.may(Use.WORK):
        lines.append(NEW)
    return "\n".join(lines)


def rights(access: ProjectAccess) -> str:
    """What the caller may do in the project, as one sentence."""
    if not access.may(Use.WORK):
        if access.may(Use.PROPOSE):
            kinds = [_called(kind) for kind in all_kinds() if kind.review is Review.MODERATORS]
            return f"You may read here, and propose {_series(kinds)}."
        return "You may only read here."
    uses = (("moderate", Use.PUBLISH), ("manage", Use.MANAGE))
    words = ["write", *(word for word, use in uses if access.may(use))]
    said = f"You may {_series(words)} here"
    reviewed = [_called(kind) for kind in all_kinds() if _is_reviewed(access, kind)]
    if not reviewed:
        return f"{said}."
    return f"{said}; changes of {_series(reviewed)} become proposals."


def _without_project(asking: Asking) -> list[str]:
    lines = ["With projectId: what that project knows and what it has to do."]
    if not asking.personal:
        lines.append("This key is for chosen projects and has no personal memories.")
    return lines


def _is_reviewed(access: ProjectAccess, kind: Kind) -> bool:
    """Whether changes of such items, if they are shared, become proposals here."""
    if kind.review is Review.NEVER:
        return False
    use = publishing_use(kind, Place(access.caller, access), "shared")
    return access.always_reviewed or not access.may(use)


def _called(kind: Kind) -> str:
    return f"shared {kind.plural}" if "visibility" in kind.by_name else kind.plural


def _series(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
