"""Who a caller is, in words that it may be told of itself."""

from conderis.common.caller import Caller, Scope
from conderis.common.json import JsonObject, without_nulls


def introduce(caller: Caller) -> JsonObject:
    """`ref` and `name` of who acts, the `person`, and for an agent what its key lets through."""
    person = {"ref": caller.person_ref, "name": caller.person_name}
    key: JsonObject = {}
    if caller.key is not None:
        key = {
            "scopes": [scope.value for scope in Scope if scope in caller.key.scopes],
            "allProjects": caller.key.all_projects,
            "alwaysReviewed": caller.key.always_review,
        }
    return without_nulls(
        {
            "ref": caller.ref,
            "name": caller.agent_name or caller.person_name,
            "person": person,
            "timeZone": caller.zone,
            **key,
        }
    )
