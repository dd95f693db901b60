"""Restoring an earlier version of an item: as a new version, through the write door."""

from django.db import transaction

from conderis.common.caller import Caller
from conderis.common.json import JsonObject
from items.requests import Address, StoreRequest
from items.restoring import fields_of_version
from proposals.writing import store


def restore_version(
    caller: Caller, address: Address, *, version: int, over: int, reason: str
) -> JsonObject:
    """Store the fields of a version again, or propose to; the write door's answer.

    `over` is the version that the caller has looked at, `reason` (at most 2,000 characters)
    what stands in the history.

    Raises:
        NotFound: there is nothing at the address that the caller may read.
        Locked: the item is locked.
        Conflict: the version is locked or erased, or somebody else was faster.
        DomainError: as the write door refuses.
    """
    with transaction.atomic():
        fields = fields_of_version(caller, address, version)
        return store(caller, StoreRequest(address, version=over, fields=fields, reason=reason))
