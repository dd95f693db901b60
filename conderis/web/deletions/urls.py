"""Addresses of deletion requests, behind `deletions/`. Those of a project are moderation's."""

from django.urls import path

from conderis.web.deletions.views import asking, deciding, listing, several

HERE = "<slug:deletion>/"

urlpatterns = [
    path("", listing.everywhere, name="deletions"),
    path("new/", asking.new, name="deletion-new"),
    path("decide/", several.decide, name="deletions-decide"),
    path("erase/", several.erase, name="deletions-erase"),
    path(HERE, deciding.page, name="deletion"),
    path(f"{HERE}reveal/", deciding.reveal, name="deletion-reveal"),
    path(f"{HERE}erase/", deciding.erase, name="deletion-erase"),
    path(f"{HERE}refuse/", deciding.refuse, name="deletion-refuse"),
    path(f"{HERE}withdraw/", deciding.withdraw, name="deletion-withdraw"),
]
