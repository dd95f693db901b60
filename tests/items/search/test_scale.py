"""What a search takes does not grow with what other projects hold."""

import pytest

from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.operations.retrieval import retrieving, scale
from conderis.operations.retrieval.limits import MOST_RATIO, Sizes
from items.listing import list_items
from items.requests import ListRequest
from items.search import rebuild
from tests.factories import person_caller
from tests.looking import looked_at

QUERIES = 8


@pytest.mark.slow
def test_a_search_looks_at_no_more_where_other_projects_hold_as_much(alice: Person) -> None:
    caller: Caller = person_caller(alice)
    project = scale.make_project(caller, 0, 600)
    rebuild()
    words = scale.Words(99)
    requests = [
        ListRequest("memory", project_id=project.path, query=words.query()) for _ in range(QUERIES)
    ]

    def search() -> None:
        for request in requests:
            list_items(caller, request)

    search()
    alone = looked_at(search, naming="items_searchdocument", relation="items_item")
    for place in range(1, 4):
        scale.make_project(caller, place, 600)
    rebuild()
    beside = looked_at(search, naming="items_searchdocument", relation="items_item")

    assert beside <= MOST_RATIO * alone


def test_the_bench_measures_and_says_what_is_kept(db: None) -> None:
    report = scale.measure_scale(Sizes(30, 2, 10), settle=rebuild)

    assert report["items"] == 30
    assert report["alone"].keys() == report["beside"].keys() == {"median", "p95", "processor"}
    lines = list(retrieving.scale_table({"databases": {"sqlite": report}}))
    assert lines[0].startswith("sqlite: a search in 30 memories takes ")
    assert lines[1].startswith("sqlite: with 2 more projects of 10 ")
