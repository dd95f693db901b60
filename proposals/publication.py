"""The one rule that decides between publishing a change and proposing it."""

from conderis.common.errors import Invalid
from items.access import Place
from items.change import can_be_proposed, publishing_use
from items.kinds.base import Kind
from projects.access import ProjectAccess
from projects.capabilities import Use


def proposed_to(place: Place, use: Use, *, reviewed: bool, asked: bool) -> ProjectAccess | None:
    """The project that the change becomes a proposal in; None where it is published.

    It becomes one where the caller lacks what publishing needs, must be reviewed here, or
    has `asked` for it.

    Raises:
        Denied: the caller may not even propose it.
        Invalid: a review was asked for of what is never reviewed.
    """
    if asked and not reviewed:
        raise Invalid(
            "Tasks and private memories are never reviewed. Leave out propose.", field="propose"
        )
    access = place.access
    if not reviewed or access is None:
        place.require(use)
        return None
    if not (asked or _waits(access, use)):
        return None
    access.require(Use.PROPOSE)
    return access


def waits_for_review(access: ProjectAccess, kind: Kind, *, visibility: str) -> bool:
    """Whether what this caller stores of such an item here would wait for somebody's review.

    For pages that say so before it is sent. It does not say whether the caller may store it.
    """
    use = publishing_use(kind, Place(access.caller, access), visibility)
    return can_be_proposed(kind, use) and _waits(access, use)


def _waits(access: ProjectAccess, use: Use) -> bool:
    return access.always_reviewed or not access.may(use)
