"""What lists and pages of items call kinds, filters, orders and states."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

# By kind: the address of its list.
LISTS: Final = {"task": "project-tasks", "memory": "project-memories", "page": "project-docs"}
# By kind: the tab, the words of an empty list, and what the list is searched for.
TABS: Final[dict[str, Promise]] = {
    "task": _("Tasks"),
    "memory": _("Memories"),
    "page": _("Docs"),
}
# By kind: the word in the midst of a sentence, and that of several at the beginning of one.
KIND: Final[dict[str, Promise]] = {
    "task": _("task"),
    "memory": _("memory"),
    "page": _("page"),
    "instructions": _("instructions"),
}
KINDS: Final[dict[str, Promise]] = {
    "task": _("Tasks"),
    "memory": _("Memories"),
    "page": _("Pages"),
    "instructions": _("Instructions"),
}
NONE_YET: Final[dict[str, Promise]] = {
    "task": _("No tasks yet"),
    "memory": _("No memories yet"),
    "page": _("No pages yet"),
}
SEARCH: Final[dict[str, Promise]] = {
    "task": _("Search tasks"),
    "memory": _("Search memories"),
    "page": _("Search pages"),
}
FILTERS: Final[dict[str, Promise]] = {
    "priority": _("Priority"),
    "assignee": _("Assignee"),
    "tags": _("Tag"),
    "due": _("Due"),
    "ready": _("Ready to be begun"),
    "includeClosed": _("Closed ones, too"),
    "type": _("Type"),
    "visibility": _("Who can see it"),
    "weight": _("Weight"),
    "includeArchived": _("Archived ones, too"),
    "includeExpired": _("Expired ones, too"),
    "status": _("Status"),
}
SORTS: Final[dict[str, Promise]] = {
    "relevance": _("Best match"),
    "priority": _("Priority"),
    "due": _("Due"),
    "updated": _("Last changed"),
    "created": _("Created"),
    "title": _("Title"),
    "position": _("Place"),
}
VALUES: Final[dict[str, Promise]] = {
    "open": _("Open"),
    "in_progress": _("In progress"),
    "blocked": _("Blocked"),
    "done": pgettext_lazy("status of a task", "Done"),
    "canceled": _("Canceled"),
    "urgent": _("Urgent"),
    "high": _("High"),
    "normal": _("Normal"),
    "low": _("Low"),
    "critical": _("Critical"),
    "fact": _("Fact"),
    "decision": _("Decision"),
    "convention": _("Convention"),
    "gotcha": _("Gotcha"),
    "preference": _("Preference"),
    "reference": _("Reference"),
    "session": _("Session"),
    "private": _("Only its author"),
    "shared": _("Shared"),
    "overdue": _("Overdue"),
    "none": _("Without"),
    "me": _("Me"),
}
RELATIONS: Final[dict[str, Promise]] = {
    "relates": _("Related"),
    "blocks": _("Blocks"),
    "blockedBy": _("Blocked by"),
    "documents": _("Documents"),
    "documentedBy": _("Documented by"),
    "supersedes": _("Supersedes"),
    "supersededBy": _("Superseded by"),
    "duplicates": _("Duplicate of"),
    "duplicatedBy": _("Duplicated by"),
}
EVENTS: Final[dict[str, Promise]] = {
    "created": _("Created"),
    "changed": _("Changed"),
    "claimed": _("Claimed"),
    "completed": _("Completed"),
    "blocked": _("Blocked"),
    "unblocked": _("Unblocked"),
    "archived": _("Archived"),
    "restored": _("Restored"),
    "erased": _("Erased"),
}
STATUS_ICONS: Final = {
    "open": "s-open",
    "in_progress": "s-progress",
    "blocked": "s-blocked",
    "done": "s-done",
    "canceled": "s-canceled",
}


def value_word(value: str) -> str:
    """The word of a fixed set as pages say it; as it is where there is none."""
    return str(VALUES.get(value, value))


# Labels of forms, and what histories call fields.
FIELDS: Final[dict[str, Promise]] = {
    "title": _("Title"),
    "summary": _("Summary"),
    "content": _("Content"),
    "tags": _("Tags"),
    "type": _("Type"),
    "visibility": _("Who can see it"),
    "expiresAt": _("End date"),
    "parent": _("Parent"),
    "weight": _("Weight"),
    "verifiedAgainst": _("Verified against"),
    "status": _("Status"),
    "priority": _("Priority"),
    "assignee": _("Assignee"),
    "due": _("Due"),
    "dependsOn": _("Waits for"),
    "commits": _("Commits"),
    "archived": _("Archived"),
    "blockedReason": _("Reason of the block"),
}
HELP: Final[dict[str, Promise]] = {
    "summary": _("The gist, in at most 300 characters: recall shows it."),
    "content": _("Markdown."),
    "tags": _("Parted by commas."),
    "visibility": _("It cannot be changed later."),
    "expiresAt": _("As 2026-12-31, or with a time: 2026-12-31T18:00:00Z."),
    "parent": _("The number of the item that it stands under."),
    "verifiedAgainst": _("The full commit that the text was checked against."),
    "dependsOn": _("Numbers of tasks that come before it, parted by commas."),
    "commits": _("Full hashes, one in each line."),
}
NEW: Final[dict[str, Promise]] = {
    "task": _("New task"),
    "memory": _("New memory"),
    "page": _("New page"),
}
ACTIONS: Final[dict[str, Promise]] = {
    "claim": _("Claim"),
    "complete": _("Complete"),
    "block": _("Block"),
    "unblock": _("End the block"),
    "archive": _("Archive"),
    "restore": _("Restore"),
    "relate": _("Relate"),
    "unrelate": _("Take the relation away"),
}
DONE: Final[dict[str, Promise]] = {
    "claim": _("#%(number)s is yours."),
    "complete": _("#%(number)s is done."),
    "block": _("#%(number)s is blocked."),
    "unblock": _("The block of #%(number)s has ended."),
    "archive": _("#%(number)s is archived."),
    "restore": _("#%(number)s is restored."),
}
