from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The REST API: the same services as the tools, for scripts and programs."""

    name = "conderis.api"
    label = "api"
