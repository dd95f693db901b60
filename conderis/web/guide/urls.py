"""Addresses of the guide and of the tool reference."""

from django.urls import path

from conderis.web.guide import views

urlpatterns = [
    path("guide/", views.guide, name="guide"),
    path("tools/", views.tools, name="tools"),
    path("tools/schema.json", views.tools_schema, name="tools-schema"),
    path("tools/<str:name>.json", views.tool_schema, name="tool-schema"),
]
