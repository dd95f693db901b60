"""The HTTP statuses of refusals, the same on every surface that has some."""

from typing import Final

from conderis.common.errors import (
    Conflict,
    Denied,
    DomainError,
    Invalid,
    Locked,
    NotFound,
    RateLimited,
    TooLarge,
    Unavailable,
)

STATUS: Final[dict[type[DomainError], int]] = {
    Invalid: 400,
    Denied: 403,
    NotFound: 404,
    Conflict: 409,
    TooLarge: 413,
    Locked: 423,
    RateLimited: 429,
    Unavailable: 503,
}


def status_of(refusal: DomainError) -> int:
    """The HTTP status of a refusal."""
    return next(status for kind, status in STATUS.items() if isinstance(refusal, kind))
