"""A database that is full, read-only, busy or away is said on the page, and nothing is lost."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import IntegrityError, InternalError, OperationalError, connection
from django.test import Client

from conderis.accounts.models import Person
from conderis.common.outages import AWAY, BUSY, FULL, outage
from items.models import Item
from projects.models import Project

Fault = Callable[[], Exception]


class Cause(Exception):
    """What a database's driver raises, with the code that it gives."""

    def __init__(self, **codes: str) -> None:
        super().__init__("SECRET words of the database")
        self.__dict__.update(codes)


def fault(kind: type[Exception] = OperationalError, **codes: str) -> Exception:
    raised = kind("SECRET words of the database")
    raised.__cause__ = Cause(**codes)
    return raised


@contextmanager
def failing(raised: Exception, *, at: str) -> Iterator[None]:
    """Statements that hold the words fail."""

    def fail(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        if at in sql:
            raise raised
        return execute(sql, *more)

    with connection.execute_wrapper(fail):
        yield


@pytest.fixture
def browser(client: Client, carol: Person, project: Project) -> Client:
    client.force_login(carol)
    client.raise_request_exception = False
    return client


def send(browser: Client) -> Any:
    form = {"title": "A page", "content": "What I have typed for long."}
    return browser.post("/alice/shop/items/new/page/", form)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("SQLITE_FULL", "disk is full or cannot be written"),
        ("SQLITE_READONLY", "disk is full or cannot be written"),
        ("SQLITE_BUSY", "busy with other changes"),
    ],
)
def test_a_form_that_cannot_be_stored_is_503_and_what_was_typed_stands_in_it(
    browser: Client, code: str, said: str
) -> None:
    with failing(fault(sqlite_errorname=code), at='INSERT INTO "items_item"'):
        answer = send(browser)

    shown = answer.content.decode()
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert said in shown
    assert "What I have typed for long." in shown
    assert "SECRET" not in shown
    assert not Item.objects.exists()


def test_the_same_form_is_stored_once_the_database_can(browser: Client) -> None:
    assert send(browser).status_code == 302
    assert Item.objects.count() == 1


def test_a_database_that_is_away_for_everything_is_a_page_that_asks_it_nothing(
    browser: Client,
) -> None:
    with failing(fault(sqlstate="08006"), at=""):
        answer = browser.get("/")

    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "no-store" in answer["Cache-Control"]
    assert "The database does not answer." in answer.content.decode()


def test_a_fault_that_is_no_outage_stays_one_of_ours(browser: Client) -> None:
    with failing(fault(IntegrityError, sqlstate="23505"), at='INSERT INTO "items_item"'):
        answer = send(browser)

    assert answer.status_code == 500
    assert "SECRET" not in answer.content.decode()


@pytest.mark.no_database
@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (fault(InternalError, sqlstate="25006"), FULL),  # a standby, or read-only by settings
        (fault(sqlstate="53100"), FULL),
        (fault(sqlite_errorname="SQLITE_IOERR_WRITE"), FULL),
        (fault(sqlstate="57014"), BUSY),
        (fault(sqlstate="40P01"), BUSY),
        (fault(sqlstate="53300"), BUSY),
        (fault(), AWAY),
        (fault(IntegrityError, sqlstate="23505"), None),
        (fault(InternalError, sqlstate="XX000"), None),
        (fault(ValueError), None),
    ],
)
def test_an_outage_is_known_by_its_code_alone(raised: Exception, said: str | None) -> None:
    found = outage(raised)

    assert (found[0] if found is not None else None) == said
