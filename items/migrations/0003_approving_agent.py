"""Have a history name the agent that approved a change, beside its person."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_preferences_and_organizations_in_the_audit_log"),
        ("items", "0002_search"),
    ]

    operations = [
        migrations.AddField(
            model_name="itemevent",
            name="approver_agent",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="accounts.agent",
            ),
        ),
    ]
