"""The namespace of handles, held by persons and organizations for good."""

from django.db import IntegrityError, transaction

from conderis.accounts.handle_rules import check_handle
from conderis.accounts.models import Handle
from conderis.common.errors import Conflict
from conderis.common.json import Json


def claim_handle(value: Json, *, holder: str) -> str:
    """Take a handle for a holder (`person:<id>`, `organization:<id>`) and give it back.

    A handle that this holder had before is its own. Runs in the caller's transaction.

    Raises:
        Invalid: it is no handle, or reserved.
        Conflict: somebody else has it, or had it.
    """
    name = check_handle(value)
    try:
        with transaction.atomic():
            found, _ = Handle.objects.get_or_create(name=name, defaults={"holder": holder})
    except IntegrityError:  # somebody took it at this very moment
        found = Handle.objects.get(name=name)
    if found.holder != holder:
        raise Conflict(f"The handle {name} is taken. Choose another one.", field="handle")
    return name
