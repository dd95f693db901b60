"""The search index: no model, since each database has its own kind of table."""

from django.db import migrations

SQLITE = """
CREATE VIRTUAL TABLE items_search USING fts5(
    scope, heading, gist, body, tokenize='ascii', detail=column, columnsize=0
)
"""

POSTGRESQL = """
CREATE TABLE items_searchdocument (
    item_id bigint PRIMARY KEY,
    scope text NOT NULL,
    heading text NOT NULL,
    gist text NOT NULL,
    body text NOT NULL,
    words tsvector NOT NULL
);
CREATE INDEX search_by_words ON items_searchdocument USING gin (words) WITH (fastupdate = off);
CREATE INDEX search_by_scope ON items_searchdocument (scope);
"""


def create(_apps, schema_editor):
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    schema_editor.execute(SQLITE if on_sqlite else POSTGRESQL)


def drop(_apps, schema_editor):
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    schema_editor.execute(f"DROP TABLE {'items_search' if on_sqlite else 'items_searchdocument'}")


class Migration(migrations.Migration):
    dependencies = [("items", "0001_initial")]

    operations = [migrations.RunPython(create, drop)]
