"""Any request that the document allows, and many that it does not: never a fault of ours, and
every answer in the shape that the document promises. `make test-api` asks many more.
"""

import os
from collections.abc import Callable
from typing import Any

import pytest
import requests
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from conderis.accounts.models import Person
from conderis.api.assembling import api
from projects.models import Project
from tests.api.calling import by_key, key_of
from tests.factories import person_caller
from tests.items.calls import create
from tests.privacy.test_locked_everywhere import undone
from tests.proposals.reviews import propose_new

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("API_EXAMPLES", "6"))
CHECKS: tuple[Callable[..., Any], ...] = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)
DOCUMENT = api.get_openapi_schema(path_prefix="/api/v1/")
OPERATIONS = [(method, path) for path, methods in DOCUMENT["paths"].items() for method in methods]
PROJECTS = ("alice/shop", "alice/shop", "alice/shop", "alice/none", "shop", "%", "a/b/c")
ITEMS = ("1", "2", "3", "4", "instructions", "99", "#1", "memory:0", "deletion:0", "\x00", "é")


@pytest.fixture
def key(alice: Person, bob: Person, project: Project) -> str:
    """The owner's key; the project holds one of everything, changed once."""
    owner = person_caller(alice)
    text = "# One\n\nfirst\n\n## Two\n\nsecond"
    create(owner, project, "task", title="Task", content=text, tags=["a"], due="2026-12-31")
    create(owner, project, "page", title="Page", content=text)
    create(owner, project, "memory", title="Bag", content=text, visibility="shared")
    create(owner, project, "task", title="Subtask", parent=1, dependsOn=[], assignee="me")
    create(owner, project, "memory", title="In it", visibility="shared", parent=3)
    create(owner, project, "instructions", content="Test first.")
    propose_new(person_caller(bob), project, "page", title="Proposed")
    by_key(alice).post("/items", {"kind": "memory", "fields": {"title": "Mine"}})
    return key_of(alice, "fuzzer")


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE],
                         ids=lambda mode: mode.value)  # fmt: skip
@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=str)
def test_every_answer_is_one_that_the_document_promises(
    key: str, method: str, path: str, mode: GenerationMode
) -> None:
    schema = schemathesis.openapi.from_dict(DOCUMENT)
    operation = schema[path][method]

    @settings(
        max_examples=EXAMPLES,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        deadline=None,
        database=None,
    )
    @given(
        case=operation.as_strategy(generation_mode=mode),
        project=st.sampled_from(PROJECTS),
        item=st.sampled_from(ITEMS),
    )
    def asked(case: Any, project: str, item: str) -> None:
        known = {"project": project, "item": item}
        for name in case.path_parameters or {}:
            case.path_parameters[name] = known.get(name, case.path_parameters[name])
        with undone():
            response = answer_to(case, key)
        case.validate_response(response, checks=CHECKS)

    asked()


def answer_to(case: Any, key: str) -> Response:
    """The answer of the product itself, inside the transaction of the test."""
    sent = requests.Request(**case.as_transport_kwargs(base_url="http://localhost")).prepare()
    headers: dict[str, Any] = {**sent.headers, "Authorization": f"Bearer {key}"}
    media = headers.pop("Content-Type", "application/octet-stream")
    heard: Any = Client(headers=headers).generic(
        str(sent.method), sent.path_url, sent.body or b"", media
    )
    return Response(
        status_code=heard.status_code,
        headers={name.lower(): [value] for name, value in heard.headers.items()},
        content=heard.getvalue(),
        request=sent,
        elapsed=0.0,
        verify=True,
    )
