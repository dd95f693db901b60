from importlib import import_module

from django.apps import AppConfig

# Each registers the models of one area at `site`.
PAGES = (
    "people",
    "credentials",
    "places",
    "members",
    "invitations",
    "items",
    "proposals",
    "imports",
    "deletions",
    "log",
)


class AdministrationConfig(AppConfig):
    """The Django admin. It has no models of its own."""

    name = "conderis.administration"

    def ready(self) -> None:
        """Register every page, once all models are there."""
        for page in PAGES:
            import_module(f"{self.name}.{page}")
