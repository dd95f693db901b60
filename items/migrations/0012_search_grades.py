"""The search index on SQLite by what a term is worth: its rows are made at the next start."""

from django.db import migrations

GRADES = ", ".join(f'"{chr(sign)}"' for sign in range(ord("À"), ord("ÿ") + 1))
MADE = (
    "DROP TABLE IF EXISTS items_search_hits",
    "DROP TABLE IF EXISTS items_search",
    f"""
CREATE VIRTUAL TABLE items_search USING fts5(
    scope, {GRADES}, tokenize='ascii', detail=column, columnsize=0
)
""",
    # Holds nothing: it reads the lists of the table above.
    "CREATE VIRTUAL TABLE items_search_hits USING fts5vocab(items_search, instance)",
)
OLDER = (
    "DROP TABLE items_search_hits",
    "DROP TABLE items_search",
    """
CREATE VIRTUAL TABLE items_search USING fts5(
    scope, heading, gist, body, tokenize='ascii', detail=column, columnsize=0
)
""",
)


def create(_apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for statement in MADE:
            schema_editor.execute(statement)


def drop(_apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for statement in OLDER:
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("items", "0011_by_state")]

    operations = [migrations.RunPython(create, drop)]
