"""The faults that the docs promise to be impossible have their tests."""

import ast
import re

import pytest

from tests.architecture.sources import nodes, python_files, text

pytestmark = pytest.mark.no_database


def test_every_test_that_the_table_of_faults_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", text("docs/faults.md")))
    there = {
        node.name
        for _, node in nodes(python_files("tests"))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }

    assert named
    assert named - there == set()
