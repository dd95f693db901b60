"""In which format the search index was made: one row, and none where it is to be made anew.

A database without items has nothing that an older version could have indexed.
"""

from django.db import migrations

from items.search.documents import FORMAT

CREATE = "CREATE TABLE items_searchformat (format integer NOT NULL)"


def create(apps, schema_editor):
    schema_editor.execute(CREATE)
    if not apps.get_model("items", "Item").objects.exists():
        schema_editor.execute("INSERT INTO items_searchformat (format) VALUES (%s)", [FORMAT])


def drop(_apps, schema_editor):
    schema_editor.execute("DROP TABLE items_searchformat")


class Migration(migrations.Migration):
    dependencies = [("items", "0005_hygiene")]

    operations = [migrations.RunPython(create, drop)]
