"""The one family of refusals, each able to say what would be right.

Every surface translates these and nothing else: a `DomainError` is a clear word to
the caller, any other exception is a fault of ours. Codes and keys are those of the
contract (docs/contract.md, "Refusals").
"""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from conderis.common.json import Json, JsonObject, without_nulls
from conderis.common.times import iso


class DomainError(Exception):
    """A refusal: a stable code, a message that a model can act on, and details."""

    code: ClassVar[str]

    def __init__(self, message: str, **details: Json) -> None:
        super().__init__(message)
        self.message = message
        self.details: JsonObject = without_nulls(details)

    def as_answer(self) -> JsonObject:
        """The refusal as every surface shows it: `error`, `message`, details."""
        return {"error": self.code, "message": self.message, **self.details}


class Invalid(DomainError):
    """Something sent is wrong; nothing was stored."""

    code = "invalid"

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        allowed: Sequence[Json] | None = None,
        **details: Json,
    ) -> None:
        names = list(allowed) if allowed is not None else None
        super().__init__(message, field=field, allowed=names, **details)


class NotFound(DomainError):
    """There is nothing at this address, or the caller may not read it."""

    code = "not_found"


class Denied(DomainError):
    """The caller may read it, but lacks what this needs; `missing` names it."""

    code = "denied"

    def __init__(self, message: str, *, missing: str, **details: Json) -> None:
        super().__init__(message, missing=missing, **details)


class Conflict(DomainError):
    """Somebody else was there first; the details say who and what now stands."""

    code = "conflict"

    def __init__(
        self,
        message: str,
        *,
        current_version: int | None = None,
        changed: Sequence[JsonObject] | None = None,
        holder: Json = None,
        since: datetime | None = None,
        **details: Json,
    ) -> None:
        super().__init__(
            message,
            currentVersion=current_version,
            changed=list(changed) if changed is not None else None,
            holder=holder,
            since=iso(since) if since is not None else None,
            **details,
        )


class Locked(DomainError):
    """The content is locked by a deletion request."""

    code = "locked"


class TooLarge(DomainError):
    """More was sent than is taken; the message gives the limit."""

    code = "too_large"


class RateLimited(DomainError):
    """Too much at once; `retryAfter` is in seconds."""

    code = "rate_limited"

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message, retryAfter=retry_after)


class Unavailable(DomainError):
    """The server cannot do this now."""

    code = "unavailable"
