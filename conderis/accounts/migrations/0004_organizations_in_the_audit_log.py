"""Leave entries that are of no organization out of its index, so that they cost no write."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("accounts", "0003_agent_usage")]
    operations: ClassVar = [
        migrations.RemoveIndex(model_name="auditevent", name="audit_by_organization"),
        migrations.AddIndex(
            model_name="auditevent",
            index=models.Index(
                condition=models.Q(("organization_id__isnull", False)),
                fields=["organization_id", "-id"],
                name="audit_by_organization",
            ),
        ),
    ]
