"""A surface parses, calls one service or selector, and renders: no query, no address."""

import ast
import re
from pathlib import PurePath

import pytest

from tests.architecture.sources import nodes, product_files

pytestmark = pytest.mark.no_database

QUERIES = {"objects", "_default_manager", "_base_manager"}
# Who may read email addresses: accounts keep them, commands set them, allauth's forms take
# them, and a person's own export holds the person's own.
KNOWS_EMAIL = (
    "conderis/accounts/",
    "conderis/operations/",
    "conderis/settings.py",
    "conderis/web/settings/",
    "conderis/web/signing_in/",
    "conderis/administration/people.py",
    "privacy/exporting.py",
)


def surfaces() -> list[str]:
    return [
        name
        for name in product_files()
        if name.startswith(("mcp_surface/", "conderis/api/"))
        or {"views", "views.py"} & set(PurePath(name).parts)
    ]


def test_surfaces_make_no_queries() -> None:
    found = [
        f"{name}:{node.lineno} .{node.attr}"
        for name, node in nodes(surfaces())
        if isinstance(node, ast.Attribute) and node.attr in QUERIES
    ]

    assert found == []


def test_surfaces_import_no_models_but_those_of_people() -> None:
    found = [
        f"{name}:{node.lineno} {node.module}"
        for name, node in nodes(surfaces())
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").endswith(".models")
        and node.module != "conderis.accounts.models"
    ]

    assert found == []


def test_no_answer_can_hold_an_email_address() -> None:
    found = []
    for name, node in nodes(product_files()):
        if name.startswith(KNOWS_EMAIL):
            continue
        if isinstance(node, ast.Attribute) and node.attr == "email":
            found.append(f"{name}:{node.lineno}")
        if isinstance(node, ast.Constant) and re.search(r"(^|__)email$", str(node.value)):
            found.append(f"{name}:{node.lineno}")

    assert found == []
