from django.apps import AppConfig


class OperationsConfig(AppConfig):
    """What whoever runs the server does: serve it, set it up, add people and keys."""

    name = "conderis.operations"
    label = "operations"
