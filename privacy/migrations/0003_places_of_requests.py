"""Requests made so far get the project of their item."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery


def fill(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    requests = apps.get_model("privacy", "DeletionRequest").objects.all()
    items = apps.get_model("items", "Item").objects.filter(pk=OuterRef("item"))
    requests.update(project=Subquery(items.values("project")[:1]))


class Migration(migrations.Migration):
    dependencies = [("privacy", "0002_deciding")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
