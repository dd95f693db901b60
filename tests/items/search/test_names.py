"""The made-up store of names: what developers look for comes first."""

import pytest

from conderis.operations.retrieval.asking import ask_names
from conderis.operations.retrieval.names import named_memories, wanted

LEAST = 0.95


@pytest.mark.no_database
def test_the_store_asks_for_sixty_names_or_more_and_each_is_there() -> None:
    keys = [each.key for each in named_memories()]
    asked = [each.query for each in wanted()]

    assert len(asked) >= 60
    assert len(set(keys)) == len(keys)
    assert len(set(asked)) == len(asked)
    assert {each.key for each in wanted()} <= set(keys)


def test_of_names_as_developers_write_them_19_of_20_find_the_right_memory_first(db: None) -> None:
    missed = ask_names()

    assert len(missed) <= (1 - LEAST) * len(wanted()), missed
