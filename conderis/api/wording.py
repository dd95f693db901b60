"""Refusals of the services in the words of this surface: they name tools, REST has addresses."""

import re
from typing import Final

from conderis.common.errors import DomainError

FILTER: Final = "filter."
_PLACE: Final = "/projects/{project}/…"
RULES: Final = (
    (r"project_get without projectId lists", "GET /projects lists"),
    (r"project_store fields (\{[^}]*\})", r'POST /projects {"fields": \1}'),
    (r"project_get lists the projects", "GET /projects lists the projects"),
    (r"project_get(?='s| lists)", "GET /projects/{project}"),
    (r"Send projectId(?= to )", f"Use an address below {_PLACE}"),
    (r"Send projectId(?=[:.])", f"Name the project in the address, {_PLACE}"),
    (r"only with projectId; without it", "only in a project; without one"),
    (r"item_action (\w+)", r"action \1"),
    (r"item_list kind=(\w+) filter", r"the list of kind \1,"),
    (r"with item_get \(", "with GET ("),
    (r"item_store(?: kind (\w+),)? fields", "PATCH, fields"),
)
"""What the services say to agents, and what is right here."""


def in_words_of_rest(refusal: DomainError) -> DomainError:
    """The same refusal, with addresses and parameters instead of tools and their arguments."""
    field = refusal.details.get("field")
    if isinstance(field, str) and field.startswith(FILTER):
        name = field.removeprefix(FILTER)
        refusal.details["field"] = name
        refusal.message = refusal.message.replace(field, name)
    for pattern, words in RULES:
        refusal.message = re.sub(pattern, words, refusal.message)
    return refusal
