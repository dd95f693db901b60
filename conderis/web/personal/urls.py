"""Addresses of personal memories: those of a person, across projects."""

from django.urls import path

from conderis.web.personal.views import editing, reading

MEMORY = "<slug:memory>/"

urlpatterns = [
    path("", reading.memories, name="memories"),
    path("new/", editing.new, name="memory-new"),
    path(MEMORY, reading.memory, name="memory"),
    path(f"{MEMORY}edit/", editing.edit, name="memory-edit"),
    path(f"{MEMORY}act/", editing.do_action, name="memory-act"),
    path(f"{MEMORY}history/", reading.history, name="memory-history"),
    path(f"{MEMORY}history/<int:version>/", reading.at_version, name="memory-version"),
]
