"""Take away indexes that others begin with, and leave rows without a value out of theirs.

Django would make the tables anew on SQLite to change what is only an index.
"""

from typing import Any, ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# The index that Django made, by table and column.
INDEXES = {
    "items_item_project_id_718a508b": ("items_item", "project_id"),
    "items_item_organization_id_437bbe8b": ("items_item", "organization_id"),
    "items_item_assignee_person_id_702dd535": ("items_item", "assignee_person_id"),
    "items_item_assignee_agent_id_c05a8846": ("items_item", "assignee_agent_id"),
    "items_item_archived_with_id_63dcefe5": ("items_item", "archived_with_id"),
    "items_item_erased_by_id_9d07c323": ("items_item", "erased_by_id"),
    "items_itemevent_item_id_6453a57d": ("items_itemevent", "item_id"),
    "items_itemevent_approver_id_c27fcd6a": ("items_itemevent", "approver_id"),
    "items_itemevent_approver_agent_id_cb5c2ab8": ("items_itemevent", "approver_agent_id"),
    "items_itemtag_item_id_3c967b39": ("items_itemtag", "item_id"),
}
PERSON, AGENT = settings.AUTH_USER_MODEL, "accounts.agent"
PROTECT = django.db.models.deletion.PROTECT


def key(to: str, on_delete: Any = PROTECT, **others: Any) -> "models.ForeignKey[Any, Any]":
    """A foreign key without an index of its own."""
    return models.ForeignKey(db_index=False, on_delete=on_delete, to=to, **others)


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("accounts", "0004_organizations_in_the_audit_log"),
        ("items", "0012_search_grades"),
        ("projects", "0003_agents_reviewed"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"DROP INDEX IF EXISTS {name}", f"CREATE INDEX {name} ON {table} ({column})"
                )
                for name, (table, column) in INDEXES.items()
            ],
            state_operations=[
                migrations.AlterField(model, name, field)
                for model, name, field in (
                    ("item", "project", key("projects.project", null=True, related_name="items")),
                    (
                        "item",
                        "organization",
                        key("projects.organization", null=True, related_name="items"),
                    ),
                    ("item", "assignee_person", key(PERSON, null=True, related_name="tasks")),
                    ("item", "assignee_agent", key(AGENT, null=True, related_name="tasks")),
                    (
                        "item",
                        "archived_with",
                        key(
                            "items.item",
                            django.db.models.deletion.SET_NULL,
                            null=True,
                            related_name="taken",
                        ),
                    ),
                    ("item", "erased_by", key(PERSON, null=True, related_name="+")),
                    ("itemevent", "approver", key(PERSON, null=True, related_name="+")),
                    ("itemevent", "approver_agent", key(AGENT, null=True, related_name="+")),
                    (
                        "itemevent",
                        "item",
                        key("items.item", django.db.models.deletion.CASCADE, related_name="events"),
                    ),
                    (
                        "itemtag",
                        "item",
                        key(
                            "items.item", django.db.models.deletion.CASCADE, related_name="tag_rows"
                        ),
                    ),
                )
            ],
        ),
        *(
            migrations.AddIndex(
                model,
                models.Index(
                    condition=models.Q((f"{column}__isnull", False)),
                    fields=[column],
                    name=f"{prefix}_{column}",
                ),
            )
            for model, prefix, columns in (
                (
                    "item",
                    "item",
                    (
                        "organization",
                        "assignee_person",
                        "assignee_agent",
                        "archived_with",
                        "erased_by",
                    ),
                ),
                ("itemevent", "event", ("approver", "approver_agent")),
            )
            for column in columns
        ),
    ]
