"""What stands for nothing: null everywhere, and where a tool reads "" and "null"."""

import pytest

from tests.mcp_surface.argument_reading import EVERY_PARAMETER, NEEDED, READING, read, refusal

pytestmark = pytest.mark.no_database

TEXTS = ("query", "focus", "section")
OF_READING = [(tool, name) for tool, name in EVERY_PARAMETER if tool in READING and name != "kind"]


@pytest.mark.parametrize(("tool", "name"), EVERY_PARAMETER)
def test_null_is_absence(tool: str, name: str) -> None:
    if name in NEEDED.get(tool, {}):
        assert refusal(tool, **{name: None}).details["field"] == name
    else:
        assert read(tool, **{name: None}) == {}


@pytest.mark.parametrize(("tool", "name"), OF_READING)
def test_reading_an_empty_text_is_absence(tool: str, name: str) -> None:
    assert read(tool, **{name: ""}) == {}


@pytest.mark.parametrize(("tool", "name"), OF_READING)
def test_reading_the_word_null_is_absence_but_where_it_is_searched_for(
    tool: str, name: str
) -> None:
    assert read(tool, **{name: "null"}) == ({name: "null"} if name in TEXTS else {})


def test_reading_an_absent_kind_is_missing_and_named_with_those_there_are() -> None:
    for absent in (None, "", "null"):
        refused = refusal("item_list", kind=absent)
        assert refused.details["field"] == "kind"
        assert refused.details["allowed"] == ["memory", "page", "task", "proposal", "project"]


def test_writing_an_empty_text_is_text_where_text_is_allowed() -> None:
    assert read("item_store", reason="") == {"reason": ""}
    assert read("item_store", reason="null") == {"reason": "null"}
    assert read("item_delete", reason="") == {"reason": ""}


@pytest.mark.parametrize(
    "name",
    ["kind", "projectId", "number", "ref", "version", "fields", "propose", "batch"],
)
def test_writing_an_empty_text_is_refused_where_none_is_allowed(name: str) -> None:
    assert refusal("item_store", **{name: ""}).details["field"] == name


@pytest.mark.parametrize("name", ["version", "fields", "propose", "batch"])
def test_writing_the_word_null_is_refused_where_no_text_is_allowed(name: str) -> None:
    assert refusal("item_store", **{name: "null"}).details["field"] == name
