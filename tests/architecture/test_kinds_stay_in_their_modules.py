"""What a kind is and may do is asked of the registry, never tested by its name."""

import ast
from collections.abc import Iterator

import pytest

from items.kinds.registry import all_kinds
from tests.architecture.sources import nodes, product_files

pytestmark = pytest.mark.no_database

# (file, word): why the word stands there.
ALLOWED = {
    ("items/access.py", "instructions"): "an address: `instructions` instead of a number",
    ("items/access.py", "memory"): "an address: `memory:<id>`",
    ("items/changes.py", "instructions"): "the address of the instructions names their kind",
    ("items/models.py", "instructions"): "a constraint of the database: one per project",
}


def words_compared(node: ast.AST) -> Iterator[str]:
    """The texts that a node compares with, or asks for as `kind=`."""
    match node:
        case ast.Compare():
            parts = [node.left, *node.comparators]
        case ast.MatchValue():
            parts = [node.value]
        case ast.keyword(arg=str(name)) if name.split("__")[0] == "kind":
            parts = [node.value]
        case _:
            return
    for part in parts:
        elements = part.elts if isinstance(part, ast.Tuple | ast.List | ast.Set) else [part]
        for element in elements:
            if isinstance(element, ast.Constant) and isinstance(element.value, str):
                yield element.value


def test_no_code_outside_the_kinds_asks_for_a_kind_by_its_name() -> None:
    names = {kind.name for kind in all_kinds()}
    outside = [name for name in product_files() if not name.startswith("items/kinds/")]

    found = {
        (name, word)
        for name, node in nodes(outside)
        for word in words_compared(node)
        if word in names
    }

    assert found - ALLOWED.keys() == set()
    assert ALLOWED.keys() - found == set(), "no longer needed in the list of exceptions"
