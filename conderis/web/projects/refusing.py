"""Which refusals a form shows beside its fields; the others have pages of their own."""

from typing import Final

from conderis.common.errors import Conflict, DomainError, Invalid, NotFound, TooLarge
from conderis.common.statuses import status_of

SHOWN: Final = (Invalid, TooLarge, Conflict, NotFound)


def form_status(refusal: DomainError) -> int:
    """The status of a page with the form again.

    What a form names and cannot be found makes the form wrong, not the page missing.
    """
    return 400 if isinstance(refusal, NotFound) else status_of(refusal)
