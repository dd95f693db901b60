"""Keep how a project's hygiene was on the days that something changed."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("items", "0004_tombstones"),
        ("projects", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="HygienePoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("score", models.PositiveSmallIntegerField()),
                ("found", models.PositiveIntegerField()),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hygiene_points",
                        to="projects.project",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("project", "day"), name="hygiene_one_point_per_day"
                    )
                ],
            },
        ),
    ]
