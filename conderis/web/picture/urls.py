"""The address of a project's picture."""

from django.urls import path

from conderis.web.picture.views import picture

urlpatterns = [
    path("<owner:owner>/<project:name>/picture/", picture, name="project-picture"),
]
