"""Fixed addresses of what programs read: they stay as they are for ever."""

from django.urls import path

from conderis.web.published import views

urlpatterns = [
    path(f"schemas/{views.SCHEMA}", views.batch_schema, name="batch-schema"),
    path(f"examples/{views.EXAMPLE}", views.batch_example, name="batch-example"),
]
