"""The address of the search over everything that a person may read."""

from django.urls import path

from conderis.web.searching import views

urlpatterns = [path("", views.find, name="search")]
