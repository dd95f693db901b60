"""Names that others are shown are what one sees."""

import pytest

from conderis.common.errors import Invalid
from conderis.common.text import refuse_unseen

pytestmark = pytest.mark.no_database


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Ó Súilleabháin",
        "佐藤 健",
        "محمد",
        "می\u200cخواهم",
        "क्\u200dष",
        "👩\u200d🚀 Zoë",
        "42",
        "C++",
        "✓",
    ],
)
def test_names_of_all_scripts_are_taken(name: str) -> None:
    refuse_unseen(name, field="name")


@pytest.mark.parametrize(
    "name",
    [
        "\u200b\u200b", "\u3164", "\ufeff", "\u00ad", "\u202eeve", "Ann\u200b", "Ann\u200d",
        "Ann\U000e0041", "\u115f", "\u200f", "\u0301",
    ],
)  # fmt: skip
def test_names_that_hide_or_turn_something_are_refused(name: str) -> None:
    with pytest.raises(Invalid) as refused:
        refuse_unseen(name, field="name")

    assert refused.value.details["field"] == "name"
