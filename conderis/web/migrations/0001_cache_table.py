from django.core.management import call_command
from django.db import migrations


def create(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


def drop(apps, schema_editor):
    schema_editor.execute("DROP TABLE IF EXISTS cache")


class Migration(migrations.Migration):
    """The table of the cache that limits on sign-ins are kept in."""

    dependencies = []
    operations = [migrations.RunPython(create, drop)]
