"""Times ahead, counts and labels in words."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from django.utils.translation import override

from conderis.web.moderation.words import in_sentence
from conderis.web.projects.words import counted_word
from conderis.web.templatetags.conderis import when

pytestmark = pytest.mark.no_database


@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        (timedelta(seconds=2), "in 1 minute"),
        (timedelta(minutes=10), "in 10 minutes"),
        (timedelta(minutes=59, seconds=50), "in 1 hour"),
        (timedelta(hours=5), "in 5 hours"),
        (timedelta(days=1), "in 1 day"),
        (timedelta(days=5, hours=14), "in 6 days"),
        (timedelta(days=7), "in 7 days"),
    ],
)
def test_a_time_ahead_is_rounded_to_the_nearest_unit(ahead: timedelta, said: str) -> None:
    moment = timezone.now() + ahead

    with time_machine.travel(moment - ahead + timedelta(milliseconds=1), tick=False):
        shown = when(moment)

    assert f">{said}<" in str(shown).replace("\xa0", " ")


def test_a_time_further_ahead_than_seven_days_is_a_date() -> None:
    moment = timezone.now() + timedelta(days=8)

    assert f">{timezone.localtime(moment).date().isoformat()}<" in str(when(moment))


@pytest.mark.parametrize(
    ("name", "one", "several"),
    [
        ("pages", "Page", "Pages"),
        ("activeTasks", "Active task", "Active tasks"),
        ("memory", "Shared memory", "Shared memories"),
        ("instructions", "Instructions", "Instructions"),
        ("other", "other", "other"),
    ],
)
def test_one_is_counted_in_the_singular(name: str, one: str, several: str) -> None:
    with override("en"):
        words = [counted_word(name, many) for many in (1, 0, 2)]

    assert words == [one, several, several]


def test_labels_stay_large_in_a_sentence_of_a_language_that_writes_them_so() -> None:
    with override("en"):
        english = in_sentence("Title")
    with override("de"):
        german = in_sentence("Titel")

    assert (english, german) == ("title", "Titel")
