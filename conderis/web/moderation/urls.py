"""Addresses of moderation; `urls` of the server includes them before those of projects."""

from django.urls import path

from conderis.web.deletions.views import listing, several
from conderis.web.moderation.views import queue, review, runs

HERE = "<owner:owner>/<project:name>/moderation/"
PROPOSAL = f"{HERE}<slug:proposal>/"

urlpatterns = [
    path(HERE, queue.queue, name="moderation"),
    path(f"{HERE}decide/", queue.decide, name="moderation-decide"),
    path(f"{HERE}runs/", runs.runs, name="moderation-runs"),
    path(f"{HERE}runs/undo/", runs.undo, name="moderation-undo"),
    path(f"{HERE}deletions/", listing.of_project, name="moderation-deletions"),
    path(f"{HERE}deletions/decide/", several.decide_in_project, name="moderation-deletions-decide"),
    path(PROPOSAL, review.proposal, name="moderation-proposal"),
    path(f"{PROPOSAL}approve/", review.approve, name="moderation-approve"),
    path(f"{PROPOSAL}reject/", review.reject, name="moderation-reject"),
    path(f"{PROPOSAL}withdraw/", review.withdraw, name="moderation-withdraw"),
]
