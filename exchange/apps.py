from django.apps import AppConfig


class ExchangeConfig(AppConfig):
    """Export of projects, and import of them and of other systems' files."""

    name = "exchange"
