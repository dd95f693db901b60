"""What an agent key may be limited to."""

from collections.abc import Sequence
from datetime import datetime

from conderis.common.caller import Scope
from conderis.common.errors import Invalid


def clean_scopes(words: Sequence[str]) -> list[str]:
    """The scopes, each once, in their usual order.

    Raises:
        Invalid: there is none, an unknown one, or not `read`.
    """
    allowed = [scope.value for scope in Scope]
    listed = ", ".join(allowed)
    if not words:
        raise Invalid(
            f"A key needs at least one scope of {listed}.", field="scopes", allowed=allowed
        )
    for word in words:
        if word not in allowed:
            raise Invalid(
                f"There is no scope {word!r}; scopes are {listed}.", field="scopes", allowed=allowed
            )
    if Scope.READ not in words:
        raise Invalid(
            "A key needs the scope read: whoever changes a text learns what it says.",
            field="scopes",
            allowed=allowed,
        )
    return [scope for scope in allowed if scope in words]


def refuse_own_review(scopes: Sequence[str], *, always_review: bool) -> None:
    """Refuse a key that would review what its own changes have to wait for.

    Raises:
        Invalid: it is always reviewed and has the scope `review`.
    """
    if always_review and Scope.REVIEW in scopes:
        raise Invalid(
            "A key whose changes always need review cannot have the scope review. "
            "Leave one of them away.",
            field="scopes",
            allowed=[scope.value for scope in Scope if scope is not Scope.REVIEW],
        )


def refuse_past_expiry(expires_at: datetime | None, *, now: datetime) -> None:
    """Refuse an end that has passed already.

    Raises:
        Invalid: it has.
    """
    if expires_at is not None and expires_at <= now:
        raise Invalid("expires must be in the future.", field="expires")
