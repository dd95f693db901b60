"""Addresses of connecting an agent."""

from django.urls import path

from conderis.web.connecting import views

urlpatterns = [
    path("", views.connect, name="connect"),
    path("state/<str:key_id>/", views.connect_state, name="connect-state"),
    path("<slug:slug>/", views.connect_client, name="connect-client"),
]
