from django.apps import AppConfig


class McpSurfaceConfig(AppConfig):
    """The eight tools and their transport."""

    name = "mcp_surface"
