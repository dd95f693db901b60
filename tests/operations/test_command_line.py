"""The commands, as a shell runs them: exit codes, one clear line, JSON alone."""

import os
import subprocess
from pathlib import Path

import pytest

from conderis import __version__
from tests.operations.processes import ROOT, manage

pytestmark = [pytest.mark.slow, pytest.mark.no_database]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's folder after quickstart."""
    made = tmp_path_factory.mktemp("server") / "data"
    assert manage("quickstart", folder=made).code == 0
    return made


def test_each_command_answers_in_json_with_exit_code_0(folder: Path) -> None:
    person = manage("add_person", "bob", "--email", "bob@example.org", "--json", folder=folder)
    key = manage("add_key", "bob", "--name", "Codex", "--json", folder=folder)
    member = manage("add_member", "owner/home", "bob", "reader", "--json", folder=folder)
    revoked = manage("revoke_key", key.json["id"], "--json", folder=folder)

    assert [ended.code for ended in (person, key, member, revoked)] == [0, 0, 0, 0]
    assert [ended.err for ended in (person, key, member, revoked)] == ["", "", "", ""]
    assert person.json.keys() == {"id", "handle", "sign_in"}
    assert key.json.keys() == {"id", "key"}
    assert member.json == {"project": "owner/home", "handle": "bob", "role": "reader"}
    assert revoked.json.keys() == {"id", "revoked"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["add_member", "owner/home", "owner", "boss"], "reader, contributor, moderator, owner"),
        (["add_member", "owner/home"], "HANDLE, ROLE"),
        (["add_person", "ada"], "--email"),
        (["add_person", "Ada", "--email", "ada@example.org"], "lower-case letters"),
        (["add_key", "owner", "--name", "x", "--scopes", "all"], "read, write, delete, review"),
        (["add_key", "owner", "--name", "x", "--expires", "soon"], "90d"),
        (["revoke_key", "nothing"], "There is no key nothing."),
        (["sign_in_link", "owner", "--what"], "--what"),
        (["tidy_up"], "add_key, add_member"),
    ],
)
def test_a_refusal_is_one_line_that_says_what_is_allowed_and_exit_code_1(
    folder: Path, arguments: list[str], said: str
) -> None:
    in_words = manage(*arguments, folder=folder)
    in_json = manage(*arguments, "--json", folder=folder)

    assert in_words.code == in_json.code == 1
    assert said in in_words.fault
    assert said in in_json.json["message"]
    assert in_json.json["error"] in {"invalid", "not_found"}
    assert in_json.err == in_words.err


def test_a_refusal_in_words_names_the_option_as_it_is_typed(folder: Path) -> None:
    ended = manage("add_key", "owner", "--name", "x", "--expires", "soon", folder=folder)
    taken = manage("add_key", "owner", "--name", "First agent", folder=folder)

    assert ended.fault.startswith("--expires must be a date")
    assert taken.fault.startswith("--name: owner has a key named First agent already.")


def test_no_refusal_of_words_that_are_too_many_repeats_a_key(folder: Path) -> None:
    key = (folder / "quickstart-key").read_text().strip()

    for arguments in (["revoke_key", "x", key], [key], ["list_keys", "owner", key]):
        assert key not in manage(*arguments, folder=folder).fault


@pytest.mark.parametrize("arguments", [["--version"], ["version"]])
def test_the_version_is_ours(folder: Path, arguments: list[str]) -> None:
    assert manage(*arguments, folder=folder).out == f"Conderis {__version__}\n"
    assert manage("list_keys", "--version", folder=folder).out == f"{__version__}\n"


def test_the_printed_line_works_as_printed(folder: Path) -> None:
    printed = manage("quickstart", folder=folder).out.splitlines()[-1]
    key = (folder / "quickstart-key").read_text().strip()

    again = subprocess.run(
        ["sh", "-c", printed],
        env={"PATH": os.environ["PATH"]},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert again.stderr == ""
    assert key in again.stdout


def test_text_that_is_no_utf_8_is_refused_like_other_bad_text(folder: Path) -> None:
    ended = manage(
        "add_person", "ada", "--email", "a@example.org", "--name", "\udcff", folder=folder
    )

    assert "surrogate" in ended.fault


def test_refusals_repeat_no_email_address(folder: Path) -> None:
    taken = ["--email", "carol.canary@example.org"]
    assert manage("add_person", "carol", *taken, folder=folder).code == 0

    ended = manage("add_person", "other", *taken, folder=folder)

    assert "canary" not in ended.fault
