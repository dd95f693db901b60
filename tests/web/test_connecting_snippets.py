"""What clients are given to paste: valid, complete, and without the key where it is committed."""

import json
import re
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from conderis.web.connecting.clients import BY_SLUG, CLIENTS
from conderis.web.connecting.lines import agent_lines
from conderis.web.connecting.snippets import PLACEHOLDER, Snippet, Target, servers_toml
from items.kinds.registry import all_kinds
from mcp_surface.tools import all_tools

pytestmark = pytest.mark.no_database

KEY = "cndr_" + "k" * 44
LOCAL = Target(mcp="http://localhost:8000/mcp", key=KEY)
PUBLIC = Target(mcp="https://memory.example.com/team/mcp", key=KEY)
COMMITTED = (".mcp.json", ".cursor/mcp.json in", ".vscode/mcp.json", ".gemini/settings.json:")
WAYS = [
    pytest.param(client.slug, way, id=f"{client.slug} {way}")
    for client in CLIENTS
    for way in ("by_key", "by_process")
]


def snippets(slug: str, way: str, target: Target = LOCAL) -> tuple[Snippet, ...]:
    made: tuple[Snippet, ...] = getattr(BY_SLUG[slug], way)(target)
    return made


def files(slug: str, way: str, target: Target = LOCAL) -> list[Any]:
    """The files, as clients read them."""
    readers = {"json": json.loads, "toml": tomllib.loads}
    return [
        readers[each.language](each.text)
        for each in snippets(slug, way, target)
        if each.language != "sh"
    ]


def entry(file: dict[str, Any]) -> dict[str, Any]:
    """What the file says of Conderis."""
    (servers,) = [file[name] for name in ("mcpServers", "servers", "mcp_servers") if name in file]
    found: dict[str, Any] = servers["conderis"]
    return found


@pytest.mark.parametrize(("slug", "way"), WAYS)
def test_every_file_is_valid_and_names_the_server(slug: str, way: str) -> None:
    for file in files(slug, way):
        assert entry(file)
    for each in snippets(slug, way):
        assert each.language in {"sh", "json", "toml"}
        if each.language == "sh":
            assert shlex.split(each.text)


@pytest.mark.parametrize(("slug", "way"), WAYS)
def test_the_key_stands_somewhere_and_never_in_a_file_that_is_committed(
    slug: str, way: str
) -> None:
    made = snippets(slug, way)
    home = ("~/", "of your own folder", "claude_desktop_config.json", "User Configuration")

    assert any(KEY in each.text for each in made)
    for each in made:
        if each.language != "sh" and not any(word in str(each.say) for word in home):
            assert any(word in str(each.say) for word in COMMITTED)
        if any(word in str(each.say) for word in COMMITTED):
            assert KEY not in each.text


@pytest.mark.parametrize(("slug", "way"), WAYS)
def test_a_snippet_shows_where_the_key_is_to_be_filled_in(slug: str, way: str) -> None:
    made = snippets(slug, way, Target(mcp="http://localhost:8000/mcp"))

    assert any(len(each.parts) > 1 for each in made)
    assert all(PLACEHOLDER.join(each.parts) == each.text for each in made)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda each: each.slug)
def test_every_client_gets_the_address_of_the_server(client: Any) -> None:
    assert any(PUBLIC.mcp in each.text for each in client.by_key(PUBLIC))
    assert not any(LOCAL.mcp in each.text for each in client.by_key(PUBLIC))


def test_claude_code_gets_the_command_that_was_tried() -> None:
    command, *_more = snippets("claude-code", "by_key")

    assert command.text == (
        "claude mcp add --transport http conderis http://localhost:8000/mcp "
        f'--header "Authorization: Bearer {KEY}"'
    )


@pytest.mark.parametrize(("slug", "first"), [("claude-code", 1), ("codex", 2), ("gemini-cli", 1)])
def test_what_stands_for_a_command_comes_after_it(slug: str, first: int) -> None:
    made = snippets(slug, "by_key")

    assert [each.other for each in made] == [False] * first + [True] * (len(made) - first)
    assert len(made) > first


def test_codex_reads_the_key_from_the_environment() -> None:
    export, command, _file = snippets("codex", "by_key")
    (file,) = files("codex", "by_key")

    assert export.text == f"export CONDERIS_KEY={KEY}"
    assert command.text == (
        "codex mcp add conderis --url http://localhost:8000/mcp --bearer-token-env-var CONDERIS_KEY"
    )
    assert entry(file) == {
        "url": "http://localhost:8000/mcp",
        "bearer_token_env_var": "CONDERIS_KEY",
    }


def test_gemini_gets_the_command_that_was_tried_for_all_folders() -> None:
    command, *_more = snippets("gemini-cli", "by_key")

    assert shlex.split(command.text) == [
        *("gemini", "mcp", "add", "--scope", "user", "--transport", "http"),
        *("--header", f"Authorization: Bearer {KEY}", "conderis", "http://localhost:8000/mcp"),
    ]


def test_vs_code_asks_for_the_key() -> None:
    (file,) = files("vscode", "by_key")

    (asked,) = file["inputs"]
    assert asked["password"] is True
    assert entry(file)["headers"] == {"Authorization": f"Bearer ${{input:{asked['id']}}}"}


def test_mcp_remote_takes_http_from_other_machines_only_when_told() -> None:
    other = Target(mcp="http://memory.lan:8000/mcp", key=KEY)

    (near,) = files("claude-desktop", "by_key")
    (far,) = files("claude-desktop", "by_key", other)
    (public,) = files("claude-desktop", "by_key", PUBLIC)

    assert "--allow-http" not in entry(near)["args"]
    assert entry(far)["args"][-1] == "--allow-http"
    assert "--allow-http" not in entry(public)["args"]
    assert entry(near)["env"] == {"CONDERIS_HEADER": f"Bearer {KEY}"}


@pytest.mark.parametrize("slug", list(BY_SLUG))
def test_a_process_is_this_installation_on_the_same_data(
    slug: str, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_FOLDER = tmp_path / "da ta"

    if slug == "claude-code":
        (command,) = snippets(slug, "by_process")
        words = shlex.split(command.text)
        started = words[words.index("--") + 1 :]
        variables = dict(word.split("=", 1) for word in words if re.match("[A-Z_]+=", word))
    else:
        (file,) = files(slug, "by_process")
        started = [entry(file)["command"], *entry(file)["args"]]
        variables = entry(file)["env"]

    assert started == [sys.executable, str(settings.BASE_DIR / "manage.py"), "mcp_stdio"]
    assert variables.keys() == {"CONDERIS_KEY", "CONDERIS_DATA"}
    assert variables["CONDERIS_DATA"] == str(tmp_path / "da ta")


def test_a_process_names_secret_settings_without_their_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:hush@db.example/conderis")

    assert "DATABASE_URL" in LOCAL.process.secrets
    for client in CLIENTS:
        assert not any("hush" in each.text for each in client.by_process(LOCAL))


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "localhost"])
def test_a_local_server_is_one_on_the_same_machine(host: str) -> None:
    assert Target(mcp=f"http://{host}/mcp").is_local


@pytest.mark.parametrize("host", ["memory.example.com", "localhost.example.com", "10.0.0.1:8000"])
def test_any_other_server_is_not_local(host: str) -> None:
    assert not Target(mcp=f"http://{host}/mcp").is_local


@pytest.mark.parametrize("text", ['a"b', "a\\b", "a\x7fb", "ü\N{GRINNING FACE}", "tab\tline\n"])
def test_any_text_survives_in_toml(text: str) -> None:
    read = tomllib.loads(servers_toml(command=text, args=[text], env={"NAME": text}))

    assert entry(read) == {"command": text, "args": [text], "env": {"NAME": text}}


def test_the_lines_for_repositories_name_the_project_and_only_tools_that_exist() -> None:
    lines = agent_lines("alice/shop")
    known = {tool.name for tool in all_tools()}
    known |= {name for tool in all_tools() for name in tool.parameter_names}
    actions = {name for kind in all_kinds() for name in kind.action_names}

    named = set(re.findall(r"`(\w+)", lines))

    assert 'call `recall` with `projectId: "alice/shop"`' in lines
    assert named <= known
    assert {"claim", "complete"} <= actions
    assert 'projectId: "owner/name"' in agent_lines("")
    assert len(lines) < 800


def test_a_key_shows_in_no_representation() -> None:
    made = snippets("claude-code", "by_key")

    assert KEY not in repr(LOCAL)
    assert KEY not in repr(made)
