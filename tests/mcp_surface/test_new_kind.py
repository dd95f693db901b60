"""One module and one row: a further kind is in every text and every check at once."""

from collections.abc import Iterator

import pytest

from conderis.common.errors import Invalid
from conderis.common.json import compact
from items.kinds.base import Kind
from items.kinds.registry import one_more
from mcp_surface.arguments import read_arguments
from mcp_surface.measuring import SAMPLE_KIND, growth_by
from mcp_surface.tools import Tool, all_tools, listed_tools
from tests.mcp_surface.risk import RISK

pytestmark = pytest.mark.no_database

MOST_GROWTH = 97


@pytest.fixture
def with_risks() -> Iterator[None]:
    with one_more(RISK):
        yield


def described(name: str) -> str:
    return next(str(tool["description"]) for tool in listed_tools() if tool["name"] == name)


def tool_named(name: str) -> Tool:
    return next(tool for tool in all_tools() if tool.name == name)


def test_a_further_kind_is_named_in_the_first_sentences(with_risks: None) -> None:
    assert "pages, tasks, risks and proposals" in described("recall")
    assert described("item_get").startswith("Read one memory, page, task, risk, proposal or the")
    assert "one kind: memory, page, task, risk, proposal or project;" in described("item_list")
    assert described("item_store").startswith("Store a memory, page, task, risk or the")
    assert described("item_action").startswith("Act on a memory, page, task, risk or proposal.")
    assert "of a memory, page, task, risk, proposal or the" in described("item_delete")


def test_a_further_kind_has_its_fields_filters_and_actions_listed(with_risks: None) -> None:
    assert "\nrisk: title, content, level\n" in described("item_store")
    assert "\nrisk: level\n" in described("item_list")
    assert "\nmemory, page, risk: archive, restore, relate, unrelate\n" in described("item_action")


def test_a_further_kind_teaches_where_its_fields_and_filters_go(with_risks: None) -> None:
    with pytest.raises(Invalid, match="send it inside fields") as store:
        read_arguments(tool_named("item_store"), {"kind": "risk", "level": "high"})
    with pytest.raises(Invalid, match="send it inside filter"):
        read_arguments(tool_named("item_list"), {"kind": "risk", "level": "high"})

    assert store.value.details["field"] == "level"


def test_a_further_kind_is_named_where_the_kind_is_missing(with_risks: None) -> None:
    with pytest.raises(Invalid) as refusal:
        read_arguments(tool_named("item_list"), {})

    assert "risk" in refusal.value.details["allowed"]


def test_the_list_is_as_before_when_the_kind_is_gone() -> None:
    before = compact(listed_tools())

    with one_more(RISK):
        between = compact(listed_tools())

    assert between != before
    assert compact(listed_tools()) == before


@pytest.mark.parametrize("kind", [SAMPLE_KIND, RISK], ids=lambda kind: kind.name)
def test_a_further_kind_costs_no_more_than_97_characters(kind: Kind) -> None:
    assert growth_by(kind).characters <= MOST_GROWTH
