from django.apps import AppConfig


class ProjectsConfig(AppConfig):
    """Organizations, projects, members, and who may do what."""

    name = "projects"
