from django.apps import AppConfig


class ProposalsConfig(AppConfig):
    """The one write door: what a caller may publish, and what must be proposed."""

    name = "proposals"

    def ready(self) -> None:
        """Have recall, project_get and item_get say what there is of proposals."""
        from proposals.sources import register  # noqa: PLC0415 - models are ready only now

        register()
