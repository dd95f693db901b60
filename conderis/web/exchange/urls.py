"""Addresses of import and export; `urls` of the server includes them before those of projects."""

from django.urls import path

from conderis.web.exchange import views

HERE = "<owner:owner>/<project:name>/settings/exchange/"
IMPORT = f"{HERE}imports/<str:import_id>/"

urlpatterns = [
    path(HERE, views.exchange, name="project-exchange"),
    path(f"{HERE}export/", views.export, name="project-export"),
    path(f"{HERE}imports/", views.upload, name="project-imports"),
    path(IMPORT, views.one, name="project-import"),
    path(f"{IMPORT}report/", views.report, name="project-import-report"),
    path(f"{IMPORT}do/", views.do, name="project-import-do"),
]
