"""The one rule that decides between publishing a change and proposing it."""

from conderis.common.errors import Invalid
from items.access import Place
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
    if access.may(use) and not (asked or access.always_reviewed):
        return None
    access.require(Use.PROPOSE)
    return access
