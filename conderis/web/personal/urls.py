"""Addresses of personal memories: those of a person, across projects."""

from django.urls import path

from conderis.web.personal.views import editing, history, reading

MEMORY = "<slug:memory>/"

urlpatterns = [
    path("", reading.memories, name="memories"),
    path("new/", editing.new, name="memory-new"),
    path(MEMORY, reading.memory, name="memory"),
    path(f"{MEMORY}edit/", editing.edit, name="memory-edit"),
    path(f"{MEMORY}act/", editing.do_action, name="memory-act"),
    path(f"{MEMORY}history/", history.history, name="memory-history"),
    path(f"{MEMORY}history/compare/", history.compare, name="memory-compare"),
    path(f"{MEMORY}history/<int:version>/", history.at_version, name="memory-version"),
    path(f"{MEMORY}history/<int:version>/restore/", history.restore, name="memory-version-restore"),
]
