"""The files of the repository, as the architecture tests read them."""

import ast
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

# The packages at the top, and those of the Django project that are layers of their own.
PACKAGES = ("conderis", "projects", "items", "proposals", "exchange", "privacy", "mcp_surface")


@cache
def files() -> tuple[str, ...]:
    """Every file that is or would be committed, as a path from the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    return tuple(sorted(name for name in set(listed.split("\0")) if (ROOT / name).is_file()))


def python_files(*folders: str) -> list[str]:
    """The Python files under these folders (all of them without one), no migrations."""
    return [
        name
        for name in files()
        if name.endswith(".py")
        and "/migrations/" not in name
        and (not folders or name.startswith(tuple(f"{folder}/" for folder in folders)))
    ]


def product_files() -> list[str]:
    """The Python files of the product itself."""
    return python_files(*PACKAGES)


def text(name: str) -> str:
    """A file's text; bytes that are no UTF-8 are replaced."""
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


@cache
def tree(name: str) -> ast.Module:
    """A Python file, parsed."""
    return ast.parse(text(name), filename=name)


def nodes(names: list[str]) -> Iterator[tuple[str, ast.AST]]:
    """Every node of these files, with the file's name."""
    for name in names:
        for node in ast.walk(tree(name)):
            yield name, node


@cache
def pyproject() -> dict[str, Any]:
    """The settings of the tools."""
    return tomllib.loads(text("pyproject.toml"))
