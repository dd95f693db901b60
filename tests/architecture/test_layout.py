"""Where things are: packages, contracts, tests, and how long files are."""

import ast
import re
from pathlib import PurePath

import pytest
from django.conf import settings

from tests.architecture.sources import PACKAGES, ROOT, nodes, pyproject, python_files, text

pytestmark = pytest.mark.no_database

# Folders of tests that belong to no app.
OTHER_TESTS = {"architecture", "clients", "common", "concurrency", "e2e", "performance", "surfaces"}
VAGUE = {"utils", "util", "helpers", "helper", "misc", "common_utils"}
MOST_LINES = 400


def first_party_apps() -> list[str]:
    return [app for app in settings.INSTALLED_APPS if app.partition(".")[0] in PACKAGES]


def test_every_package_stands_in_the_import_contracts_and_is_sorted_as_ours() -> None:
    on_disk = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    tools = pyproject()["tool"]

    assert set(PACKAGES) == on_disk
    assert set(tools["importlinter"]["root_packages"]) == on_disk
    assert set(tools["ruff"]["lint"]["isort"]["known-first-party"]) == on_disk | {"tests"}


def test_every_app_is_a_layer() -> None:
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    named = {name.strip(" ()") for layer in layers for name in re.split("[:|]", layer)}

    assert set(first_party_apps()) | {"conderis.common"} <= named


def test_every_app_has_its_folder_of_tests() -> None:
    names = {app.rpartition(".")[2] for app in first_party_apps()} | {"common"}

    empty = [name for name in names if not list((ROOT / "tests" / name).glob("**/test_*.py"))]

    assert empty == []


def test_every_folder_of_tests_belongs_to_an_app_or_is_one_of_the_few_others() -> None:
    names = {app.rpartition(".")[2] for app in first_party_apps()}

    folders = {PurePath(name).parts[1] for name in python_files("tests") if name.count("/") > 1}

    assert folders - names - OTHER_TESTS == set()


def test_no_file_is_longer_than_400_lines_without_a_reason_at_its_top() -> None:
    long = [
        name
        for name in python_files()
        if (lines := text(name).splitlines())[MOST_LINES:]
        and not any(line.startswith("# Long because ") for line in lines[:20])
    ]

    assert long == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [name for name in python_files() if PurePath(name).stem in VAGUE] == []


def test_tests_are_functions_whose_names_are_sentences() -> None:
    classes, short = [], []
    for name, node in nodes(python_files("tests")):
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            classes.append(f"{name}: {node.name}")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            words = node.name.split("_")
            if words[0] == "test" and len(words) < 4:
                short.append(f"{name}: {node.name}")

    assert classes == []
    assert short == []
