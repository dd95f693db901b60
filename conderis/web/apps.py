"""The browser's pages as a Django app."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Has no models; its migration makes the table of the cache."""

    name = "conderis.web"
