from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('items', '0008_events_by_time'),
    ]

    operations = [
        migrations.AddField(
            model_name='item',
            name='credit',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='item',
            name='absent',
            field=models.CharField(blank=True, max_length=12),
        ),
        migrations.AddField(
            model_name='itemevent',
            name='credit',
            field=models.JSONField(null=True),
        ),
    ]
