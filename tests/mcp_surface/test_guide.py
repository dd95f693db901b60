"""Guide, instructions and tools are read together: none names what another does not have."""

import hashlib
import re

import pytest

from items.guide import GUIDE, GUIDE_VERSION
from items.kinds.registry import all_kinds
from items.kinds.relations import INVERSE
from items.kinds.values import Choice
from items.patches import TEXT_WAYS
from mcp_surface import descriptions
from mcp_surface.instructions import SERVER_INSTRUCTIONS
from mcp_surface.tools import BATCH_MEMBERS, all_tools, listed_tools
from projects.services import FIELDS, RECALL_MODES
from proposals import queue

pytestmark = pytest.mark.no_database

MOST_GUIDE = 6_000
MOST_INSTRUCTIONS = 600

# A text once given out keeps its version for ever: a changed one gets the next.
DIGESTS = {
    1: "816f87a0c98392716df4aebb0622b5fa9d398ec1a88835ccb9b6700c5e1b2e86",
    2: "f4558f609b530ece462916fb3c1c95dd6796f11c4521c94fa09497a5a24e46cc",
    3: "59ba4d8099fe6b94125da6cc8039e2780648352597f3da49460b1fe2b786185f",
    4: "4671ae6dbffce3e8ab9c03fa116fc5cb3a780d89362d472deef0bedaab7dc800",
}

# Words of answers and of values that stand in the texts beside the names of parameters.
OF_ANSWERS = {"similar", "outcome", "published", "proposed", "unchanged", "nextOffset", "denied"}
OF_VALUES = {"all", "of", "true", "null", "me", "none", "overdue"}
OF_BATCHES = {"key", "find", "replace"}


def vocabulary() -> set[str]:
    """Every name that a call can hold."""
    names = {tool.name for tool in all_tools()}
    names |= {name for tool in all_tools() for name in tool.parameter_names}
    names |= {*descriptions.list_kinds(), *descriptions.action_names(), *INVERSE}
    names |= {*FIELDS, *RECALL_MODES, *BATCH_MEMBERS, *TEXT_WAYS}
    names |= {each.name for each in queue.FILTERS}
    for kind in all_kinds():
        names |= {kind.name, *kind.by_name, *kind.filter_names}
        names |= {each.name for row in kind.actions for each in row.fields}
        types = [each.type for each in kind.fields] + [each.type for each in kind.filters]
        names |= {word for each in types if isinstance(each, Choice) for word in each.words}
    return names | OF_ANSWERS | OF_VALUES | OF_BATCHES


TEXTS = {
    "guide": GUIDE,
    "instructions": SERVER_INSTRUCTIONS,
    **{
        f"{tool['name']}.{name}": text
        for tool in listed_tools()
        for name, text in [
            ("description", tool["description"]),
            *(
                (name, each.get("description", ""))
                for name, each in tool["inputSchema"]["properties"].items()
            ),
        ]
    },
}


@pytest.mark.parametrize("text", TEXTS)
def test_every_name_with_an_underscore_or_a_capital_inside_exists(text: str) -> None:
    named = re.findall(r"\b(?:[a-z]+(?:_[a-z]+)+|[a-z]+[A-Z]\w*)\b", TEXTS[text])

    assert set(named) <= vocabulary()


def test_every_word_that_the_guide_shows_as_code_exists() -> None:
    words = {
        word
        for span in re.findall(r"`([^`\n]+)`", GUIDE)
        for word in re.findall(r"[A-Za-z_]{2,}", span)
    }

    assert words <= vocabulary()


def test_the_guide_tells_of_every_tool() -> None:
    for tool in all_tools():
        assert f"`{tool.name}`" in GUIDE


def test_the_guide_tells_of_every_kind() -> None:
    for kind in all_kinds():
        assert f"**{kind.name}**" in GUIDE


def test_the_guide_tells_of_every_action_of_an_item() -> None:
    for kind in all_kinds():
        for name in kind.action_names:
            assert re.search(rf"`{name}`", GUIDE) or name == "unrelate"


def test_the_guide_is_short_enough_to_be_read() -> None:
    assert len(GUIDE) <= MOST_GUIDE


def test_the_guide_has_no_unbalanced_code() -> None:
    assert all(line.count("`") % 2 == 0 for line in GUIDE.splitlines())


def test_a_changed_guide_has_a_higher_version() -> None:
    digest = hashlib.sha256(GUIDE.encode()).hexdigest()

    assert DIGESTS.get(GUIDE_VERSION) == digest, (
        f"The guide has changed: raise GUIDE_VERSION and add its digest {digest} here."
    )
    assert max(DIGESTS) == GUIDE_VERSION


def test_the_instructions_keep_their_limit() -> None:
    assert len(SERVER_INSTRUCTIONS) <= MOST_INSTRUCTIONS


@pytest.mark.parametrize("word", ["Call recall first", "proposals", "guide: true", "projectId"])
def test_the_instructions_say_what_comes_first(word: str) -> None:
    assert word in SERVER_INSTRUCTIONS
