"""The checks, one row each. The weights make 100 together: a score cannot fall below 0.

A new check is a row here and a function in the module of its theme; the page has words
for each name (`conderis.web.projects.hygiene_words`), which a test holds to these rows.
"""

from items.hygiene import aging, bags, likeness, recalled, ways, wording, working
from items.hygiene.base import Check
from items.hygiene.survey import Survey


def _memories(survey: Survey) -> int:
    return survey.memories


def _ever(survey: Survey) -> int:
    return survey.live + len(survey.expired)


def _live(survey: Survey) -> int:
    return survey.live


def _all(survey: Survey) -> int:
    return len(survey.numbers)


def _pages(survey: Survey) -> int:
    return survey.pages


def _tasks(survey: Survey) -> int:
    return survey.active_tasks


_CHECKS = (
    Check(
        "no_summary",
        weight=10,
        do="Read each and store a summary of at most 300 characters: what to know without "
        "opening it.",
        of=_memories,
        mark=wording.has_no_summary,
    ),
    Check(
        "near_duplicates",
        weight=10,
        do="Each is [later, earlier]. Bring what is new into one and archive the other; where "
        "both are right, relate them.",
        of=likeness.compared,
        find=likeness.near_duplicates,
    ),
    Check(
        "critical_without_room",
        weight=8,
        do="Recall has no room for these. Give weight normal to what need not be known in every "
        "session, or shorten summaries.",
        of=_memories,
        find=recalled.critical_without_room,
    ),
    Check(
        "summary_repeats_title",
        weight=6,
        do="Have the summary say what the title does not, or clear it and let the content speak.",
        of=_memories,
        find=wording.summaries_that_repeat,
    ),
    Check(
        "misplaced_detail",
        weight=6,
        do="Shorten the title, put the gist into the summary and the detail into the content.",
        of=_live,
        mark=wording.has_misplaced_detail,
    ),
    Check(
        "outdated_bag",
        weight=6,
        do="Read the bag's children and store a summary that covers them as they are now.",
        of=_memories,
        find=bags.outdated_bags,
    ),
    Check(
        "expired",
        weight=6,
        do="Archive each, or store another expiresAt where it still holds.",
        of=_ever,
        find=aging.expired_items,
    ),
    Check(
        "untouched",
        weight=6,
        do="Read each: change or verify what holds (verifiedAgainst), archive what does not, "
        "cancel tasks that nobody will do.",
        of=_live,
        mark=aging.is_untouched,
    ),
    Check(
        "verified_long_ago",
        weight=6,
        do="Check each against the source and store verifiedAgainst with the commit.",
        of=_live,
        mark=aging.was_verified_long_ago,
    ),
    Check(
        "broken_reference",
        weight=6,
        do="Each is [item, numbers it names]. Those were never given or are erased: name "
        "another item, or remove the reference.",
        of=_all,
        find=ways.broken_references,
    ),
    Check(
        "stalled_in_progress",
        weight=6,
        do="Ask who holds each; complete it, give it back (status open) or cancel it.",
        of=_tasks,
        mark=working.has_stalled,
    ),
    Check(
        "long_lived_session",
        weight=5,
        do="Store what lasts as another type, and archive the session memory.",
        of=_memories,
        mark=aging.is_long_lived_session,
    ),
    Check(
        "blocked_for_long",
        weight=5,
        do="See whether the reason still holds; unblock it, say what helps, or cancel it.",
        of=_tasks,
        mark=working.is_blocked_for_long,
    ),
    Check(
        "active_under_closed",
        weight=5,
        do="Each is [task, closed parent]. Complete or cancel it, move it, or reopen the parent.",
        of=_tasks,
        find=working.active_under_closed,
    ),
    Check(
        "unreachable_page",
        weight=5,
        do="Give each a parent, relate it, or name it (#N) in a page that people read.",
        of=_pages,
        find=ways.unreachable_pages,
    ),
    Check(
        "bag_size",
        weight=4,
        do="Move a single child out of its bag (parent null), or add what belongs to it; split "
        "bags of more than 20.",
        of=_memories,
        find=bags.badly_filled_bags,
    ),
)  # fmt: skip


def all_checks() -> tuple[Check, ...]:
    """Every check, the heaviest first."""
    return _CHECKS


def check_named(name: str) -> Check | None:
    """The check of this name."""
    return next((check for check in _CHECKS if check.name == name), None)
