"""Every model of ours has its list, and no list writes but by its deeds."""

import ast

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.test import RequestFactory

from conderis.administration.reading import ReadOnlyAdmin
from conderis.administration.site import site
from tests.administration.pages import models
from tests.architecture.sources import PACKAGES, nodes, python_files

pytestmark = pytest.mark.no_database

SECRET_COLUMNS = {
    "data", "detail", "digest", "extra_data", "lookup", "password", "session_key",
    "state", "content", "summary", "tags", "tag", "reason", "blocked_reason", "description",
    "verified_against", "commits", "title",
}  # fmt: skip
# A word of a fixed set under a name that elsewhere holds what was written.
HARMLESS = {
    ("exchange.import", "state"),
    ("privacy.deletionrequest", "state"),
    ("proposals.proposal", "state"),
}


def test_every_model_of_ours_has_its_list() -> None:
    ours = {model for model in apps.get_models() if model.__module__.partition(".")[0] in PACKAGES}

    assert ours
    assert ours - set(models()) == set()


def test_sessions_and_djangos_own_log_have_none() -> None:
    assert {Session, LogEntry} & set(models()) == set()


def test_every_list_reads_only_and_does_nothing_to_many_rows_at_once() -> None:
    request = RequestFactory().get("/")
    for admin in site._registry.values():
        assert isinstance(admin, ReadOnlyAdmin)
        assert not admin.has_add_permission(request)
        assert not admin.has_change_permission(request)
        assert not admin.has_delete_permission(request)
        assert admin.actions is None


def test_every_list_names_its_columns_and_none_that_holds_a_secret_or_a_text() -> None:
    for model, admin in site._registry.items():
        assert admin.fields, model
        named = {str(name) for name in (*admin.fields, *admin.list_display)}
        filtered = {name for name in admin.list_filter if isinstance(name, str)}
        searched = {str(name).partition("__")[0] for name in admin.search_fields}
        shown = named | filtered | searched

        assert {
            (model._meta.label_lower, name) for name in shown & SECRET_COLUMNS
        } - HARMLESS == set()


def test_the_admin_stores_and_deletes_nothing_itself() -> None:
    writes = {"save", "delete", "create", "bulk_create", "bulk_update", "get_or_create", "update"}
    found = {
        (name, node.func.attr)
        for name, node in nodes(python_files("conderis/administration"))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in writes
    }

    assert found == set()
