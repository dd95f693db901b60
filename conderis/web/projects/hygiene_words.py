"""The checks of hygiene in the words of the page: what was found, and what to do about it."""

from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy


@dataclass(frozen=True, slots=True)
class Words:
    """What a check says of so many items; `joins` stands before the others that it names."""

    found: Any
    advice: Promise
    joins: Promise | None = None

    def heading(self, count: int) -> str:
        """What was found, with the number."""
        return str(self.found % {"count": count})


WORDS: Final[dict[str, Words]] = {
    "no_summary": Words(
        ngettext_lazy(
            "%(count)d memory has no summary", "%(count)d memories have no summary", "count"
        ),
        _("Recall shows how the text begins instead. Say what to know without opening it."),
    ),
    "near_duplicates": Words(
        ngettext_lazy(
            "%(count)d memory says nearly the same as an earlier one",
            "%(count)d memories say nearly the same as earlier ones",
            "count",
        ),
        _("Keep the better one and archive the other. Where both are right, relate them."),
        joins=_("and"),
    ),
    "critical_without_room": Words(
        ngettext_lazy(
            "%(count)d critical memory has no room in recall",
            "%(count)d critical memories have no room in recall",
            "count",
        ),
        _("Half of a recall is for critical memories. What is left out is not known in time."),
    ),
    "summary_repeats_title": Words(
        ngettext_lazy(
            "%(count)d summary repeats its title", "%(count)d summaries repeat their title", "count"
        ),
        _("Say what the title does not."),
    ),
    "misplaced_detail": Words(
        ngettext_lazy(
            "%(count)d item has its detail in the wrong place",
            "%(count)d items have their detail in the wrong place",
            "count",
        ),
        _("A short title, the gist in the summary, everything else in the content."),
    ),
    "outdated_bag": Words(
        ngettext_lazy(
            "%(count)d bag is older than what is in it",
            "%(count)d bags are older than what is in them",
            "count",
        ),
        _("A memory in it was changed after its summary. Have the summary cover them all."),
    ),
    "expired": Words(
        ngettext_lazy(
            "%(count)d memory has expired and is not archived",
            "%(count)d memories have expired and are not archived",
            "count",
        ),
        _("Recall leaves them out. Archive them, or give them a later end."),
    ),
    "untouched": Words(
        ngettext_lazy(
            "%(count)d item was untouched for long",
            "%(count)d items were untouched for long",
            "count",
        ),
        _("No version for a year, or for half a year where a task was never begun."),
    ),
    "verified_long_ago": Words(
        ngettext_lazy(
            "%(count)d item was verified long ago",
            "%(count)d items were verified long ago",
            "count",
        ),
        _("Half a year or more. Have an agent check each against the source."),
    ),
    "broken_reference": Words(
        ngettext_lazy(
            "%(count)d item names a number that leads nowhere",
            "%(count)d items name numbers that lead nowhere",
            "count",
        ),
        _("Never given, or erased for good."),
        joins=_("names"),
    ),
    "stalled_in_progress": Words(
        ngettext_lazy(
            "%(count)d task in progress is unchanged for two weeks",
            "%(count)d tasks in progress are unchanged for two weeks",
            "count",
        ),
        _("Who holds it may have gone. Given back, others can claim it."),
    ),
    "long_lived_session": Words(
        ngettext_lazy(
            "%(count)d session memory lives on and on",
            "%(count)d session memories live on and on",
            "count",
        ),
        _("What is still needed should become a fact or a decision. The rest may go."),
    ),
    "blocked_for_long": Words(
        ngettext_lazy(
            "%(count)d task is blocked without movement for 30 days",
            "%(count)d tasks are blocked without movement for 30 days",
            "count",
        ),
        _("See whether the reason still holds."),
    ),
    "active_under_closed": Words(
        ngettext_lazy(
            "%(count)d active task stands under a closed one",
            "%(count)d active tasks stand under closed ones",
            "count",
        ),
        _("Nobody looks for it there."),
        joins=_("under"),
    ),
    "unreachable_page": Words(
        ngettext_lazy(
            "Nothing leads to %(count)d page", "Nothing leads to %(count)d pages", "count"
        ),
        _("No parent, no children, no relation, and no text that names it."),
    ),
    "bag_size": Words(
        ngettext_lazy(
            "%(count)d bag has too many memories or a single one",
            "%(count)d bags have too many memories or a single one",
            "count",
        ),
        _("A single memory needs no bag. More than 20 are no longer seen at once."),
        joins=_("holds"),
    ),
}
