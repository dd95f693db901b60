from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People, their agents, agent keys, sign-in and the audit log."""

    name = "conderis.accounts"
    label = "accounts"
