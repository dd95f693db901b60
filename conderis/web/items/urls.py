"""Addresses of items; `urls` of the server includes them before those of projects."""

from django.urls import path

from conderis.web.items.views import edit, history, item, lists, relate, share, tree
from conderis.web.items.words import LISTS

HERE = "<owner:owner>/<project:name>/"
ITEM = f"{HERE}items/<int:number>/"

urlpatterns = [
    *(
        path(f"{HERE}{word}/", lists.of_kind, {"kind": kind}, name=LISTS[kind])
        for word, kind in (("tasks", "task"), ("memories", "memory"), ("docs", "page"))
    ),
    path(f"{HERE}items/new/<slug:kind>/", edit.new, name="item-new"),
    path(ITEM, item.item, name="item"),
    path(f"{ITEM}edit/", edit.edit, name="item-edit"),
    path(f"{ITEM}act/", edit.do_action, name="item-act"),
    path(f"{ITEM}move/", tree.move_item, name="item-move"),
    path(f"{ITEM}relate/", relate.relations, name="item-relate"),
    path(f"{ITEM}share/", share.share_copy, name="item-share"),
    path(f"{ITEM}history/", history.history, name="item-history"),
    path(f"{ITEM}history/compare/", history.compare, name="item-compare"),
    path(f"{ITEM}history/<int:version>/", history.at_version, name="item-version"),
    path(f"{ITEM}history/<int:version>/restore/", history.restore, name="item-version-restore"),
]
