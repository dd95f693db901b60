"""Commands serve people and scripts alike, and what documents name is there."""

import re
import subprocess

import pytest
from django.core.management import get_commands, load_command_class

from tests.architecture.sources import PACKAGES, ROOT, text

pytestmark = pytest.mark.no_database


def own_commands() -> list[tuple[str, str]]:
    return [
        (name, str(app))
        for name, app in sorted(get_commands().items())
        if str(app).partition(".")[0] in PACKAGES
    ]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][\w-]*):(?!=)", text("Makefile"), flags=re.MULTILINE))


def shell_lines(name: str) -> list[str]:
    """The lines of a document's shell examples."""
    blocks = re.findall(
        r"^```(?:sh|bash|shell|console)\n(.*?)^```", text(name), re.MULTILINE | re.DOTALL
    )
    return [line.removeprefix("$ ").strip() for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize(("name", "app"), own_commands())
def test_every_command_says_what_it_does_and_can_answer_in_json(name: str, app: str) -> None:
    command = load_command_class(app, name)

    parser = command.create_parser("manage.py", name)

    assert command.help
    assert "--json" in parser.format_help()


def test_every_command_that_the_readme_shows_is_there() -> None:
    lines = shell_lines("README.md")
    targets = {target for line in lines for target in re.findall(r"\bmake ([a-z][\w-]*)", line)}
    commands = {name for line in lines for name in re.findall(r"\bmanage\.py ([a-z]\w*)", line)}

    assert {"run", "test"} <= targets
    assert targets - make_targets() == set()
    assert commands - get_commands().keys() == set()


def test_the_checks_before_landing_call_targets_that_are_there() -> None:
    called = set(re.findall(r"\bmake ([a-z][\w-]*)", text(".ci/run"))) - {"and"}

    assert {"test", "test-postgres", "lint", "types", "imports"} <= called
    assert called - make_targets() == set()


@pytest.mark.parametrize("name", ["run", "steps.sh", "postgres.sh", "chromium.sh"])
def test_the_scripts_of_the_checks_are_valid(name: str) -> None:
    subprocess.run(["bash", "-n", ROOT / ".ci" / name], check=True)
