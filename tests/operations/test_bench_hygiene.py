"""The hygiene bench: its made-up project, what it measures, its table."""

import pytest

from conderis.operations.hygiene.benching import table
from conderis.operations.hygiene.seeding import make_project, owner
from conderis.operations.hygiene.timing import timed


# Outside of a transaction, as PostgreSQL's VACUUM needs.
@pytest.mark.django_db(transaction=True)
def test_it_judges_a_made_up_project_in_which_checks_find_something() -> None:
    caller = owner()

    report = timed(caller, make_project(caller, 200), 2)

    assert 0 < report["score"] < 100
    assert {"no_summary", "expired", "bag_size", "unreachable_page"} <= set(report["findings"])
    assert report["queries"] <= 10
    lines = list(table({"items": 200, "times": 2, "databases": {"sqlite": report}}))
    assert lines[0].startswith("200 items, 2 runs")
    assert lines[-1] == "sqlite: keeps 150 ms"
