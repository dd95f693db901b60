"""Addresses of the API: version 1, its document, and the page about it."""

from django.urls import path

from conderis.api import views
from conderis.api.assembling import api

urlpatterns = [
    path("docs/", views.documentation, name="api-docs"),
    path("docs/shapes/", views.shapes, name="api-shapes"),
    path("v1/", api.urls),
]
