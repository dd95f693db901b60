from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    """Requests to delete for good, and the lock that they put on content."""

    name = "privacy"
