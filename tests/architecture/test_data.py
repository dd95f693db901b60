"""docs/data.md names every field of text; erasure and exports rely on that list."""

import re

import pytest
from django.apps import apps
from django.db import connection, models

from tests.architecture.sources import PACKAGES, text

TEXT_FIELDS = (models.CharField, models.TextField, models.JSONField, models.BinaryField)
CLASSES = {"content", "name", "technical"}


def documented() -> list[tuple[str, str]]:
    """(field or table, class) of the rows."""
    return re.findall(r"^\| `([\w.]+)` \| (\w+) \| .+ \|$", text("docs/data.md"), re.MULTILINE)


def text_fields() -> list[str]:
    return [
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        if model.__module__.partition(".")[0] in PACKAGES
        for field in model._meta.local_fields
        if isinstance(field, TEXT_FIELDS)
    ]


@pytest.mark.no_database
def test_every_field_of_text_has_one_row_and_every_row_its_field() -> None:
    assert sorted(field for field, _ in documented() if "." in field) == sorted(text_fields())


@pytest.mark.no_database
def test_every_row_is_of_one_of_the_three_classes() -> None:
    assert {kind for _, kind in documented()} == CLASSES


@pytest.mark.no_database
def test_the_long_texts_are_content() -> None:
    long = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        if model.__module__.partition(".")[0] in PACKAGES
        for field in model._meta.local_fields
        if isinstance(field, models.TextField) or (getattr(field, "max_length", None) or 0) > 300
    }

    assert long - {field for field, kind in documented() if kind == "content"} == set()


@pytest.mark.django_db
def test_every_table_is_that_of_a_model_or_has_its_row() -> None:
    models_tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    named = {name for name, _ in documented() if "." not in name}

    others = set(connection.introspection.table_names()) - models_tables - {"django_migrations"}

    # A table of SQLite's full-text search brings tables of its own, named after it.
    assert {
        table
        for table in others
        if table not in named and not any(table.startswith(f"{name}_") for name in named)
    } == set()
    assert named & others
