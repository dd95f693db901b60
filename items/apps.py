from django.apps import AppConfig


class ItemsConfig(AppConfig):
    """Memories, pages, tasks, instructions: their content, history and search."""

    name = "items"
