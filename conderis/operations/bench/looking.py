"""A person who is signed in, in the trial's own database, and the statements of pages."""

from collections.abc import Mapping

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.operations.bench.seeding import HANDLE
from conderis.operations.faults import Fault

OK = 200
_BACKEND = "django.contrib.auth.backends.ModelBackend"


def signed_in() -> tuple[Client, str]:
    """A client that is signed in as the owner, and its cookie header (a secret)."""
    client = Client(HTTP_HOST="localhost")
    client.force_login(Person.objects.get(handle=HANDLE), backend=_BACKEND)
    name = str(settings.SESSION_COOKIE_NAME)
    return client, f"{name}={client.cookies[name].value}"


def count_page_queries(client: Client, pages: Mapping[str, str]) -> dict[str, int]:
    """How many statements each page takes, after a visit that warms up.

    Raises:
        Fault: a page is not shown.
    """
    counted = {}
    for name, address in pages.items():
        client.get(address)
        with CaptureQueriesContext(connection) as heard:
            answer = client.get(address)
        if answer.status_code != OK:
            raise Fault(f"The page {name} answered {answer.status_code}.")
        counted[name] = len(heard)
    return counted
