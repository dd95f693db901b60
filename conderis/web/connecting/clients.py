"""The clients that can be connected, one row each, and what to paste into them.

How each is set up was tried, or is as its own documentation says: see docs/clients.md.
"""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from conderis.operations.addresses import CLIENT_NAME, claude_line, client_snippet
from conderis.web.connecting.snippets import (
    VARIABLE,
    Snippet,
    Target,
    export_line,
    servers_json,
    servers_toml,
)

_EXPORT: Final = _("Put the key into the environment that the client starts in:")
_EACH_SETS_IT: Final = _("The file names the key, so each person sets it:")
_INPUT: Final = "conderis-key"
_VSCODE_INPUT: Final = {
    "type": "promptString",
    "id": _INPUT,
    "description": "Conderis agent key",
    "password": True,
}


@dataclass(frozen=True, slots=True)
class Client:
    """A client: what pages call it, the file its agents read first, and its snippets.

    `check` is what shows inside the client whether it is connected.
    """

    slug: str
    name: str | Promise
    agent: str
    rules: str
    check: str | Promise
    by_key: Callable[[Target], tuple[Snippet, ...]]
    by_process: Callable[[Target], tuple[Snippet, ...]]


def _claude_code(target: Target) -> tuple[Snippet, ...]:
    shared = {
        "type": "http",
        "url": target.mcp,
        "headers": {"Authorization": f"Bearer ${{{VARIABLE}}}"},
    }
    return (
        Snippet(
            _("Run this in the folder of your project. The key goes into your own settings."),
            "sh",
            claude_line(target.mcp, target.key),
        ),
        Snippet(
            _("For everybody who works in the repository, write this into .mcp.json:"),
            "json",
            servers_json(shared),
            other=True,
        ),
        Snippet(_EACH_SETS_IT, "sh", export_line(target.key), other=True),
    )


def _claude_code_process(target: Target) -> tuple[Snippet, ...]:
    process = target.process
    variables = " ".join(
        f"--env {name}={shlex.quote(value)}"
        for name, value in process.environment(target.key).items()
    )
    command = shlex.join([process.command, *process.arguments])
    return (
        Snippet(
            _("Run this in the folder of your project. The key goes into your own settings."),
            "sh",
            f"claude mcp add {CLIENT_NAME} {variables} -- {command}",
        ),
    )


def _codex(target: Target) -> tuple[Snippet, ...]:
    return (
        Snippet(_EXPORT, "sh", export_line(target.key)),
        Snippet(
            _("Run this once:"),
            "sh",
            f"codex mcp add {CLIENT_NAME} --url {target.mcp} --bearer-token-env-var {VARIABLE}",
        ),
        Snippet(
            _("Write this into ~/.codex/config.toml:"),
            "toml",
            servers_toml(url=target.mcp, bearer_token_env_var=VARIABLE),
            other=True,
        ),
    )


def _codex_process(target: Target) -> tuple[Snippet, ...]:
    process = target.process
    return (
        Snippet(
            _("Write this into ~/.codex/config.toml:"),
            "toml",
            servers_toml(
                command=process.command,
                args=list(process.arguments),
                env=process.environment(target.key),
            ),
        ),
    )


def _cursor(target: Target) -> tuple[Snippet, ...]:
    entry = {"url": target.mcp, "headers": {"Authorization": f"Bearer ${{env:{VARIABLE}}}"}}
    return (
        Snippet(_EXPORT, "sh", export_line(target.key)),
        Snippet(
            _("Write this into .cursor/mcp.json in the project, or ~/.cursor/mcp.json for all:"),
            "json",
            servers_json(entry),
        ),
    )


def _cursor_process(target: Target) -> tuple[Snippet, ...]:
    return _file_of_variable(
        target, say=_("Write this into ~/.cursor/mcp.json:"), variable=f"${{env:{VARIABLE}}}"
    )


def _vscode(target: Target) -> tuple[Snippet, ...]:
    entry = {
        "type": "http",
        "url": target.mcp,
        "headers": {"Authorization": f"Bearer ${{input:{_INPUT}}}"},
    }
    return (
        Snippet(
            _("Write this into .vscode/mcp.json. VS Code asks for the key and keeps it safe:"),
            "json",
            servers_json(entry, member="servers", inputs=[_VSCODE_INPUT]),
        ),
        Snippet(_("The key to type in when it asks:"), "sh", target.key),
    )


def _vscode_process(target: Target) -> tuple[Snippet, ...]:
    entry = {"type": "stdio", **target.process.as_json(f"${{input:{_INPUT}}}")}
    return (
        Snippet(
            _("Run “MCP: Open User Configuration” and write this there; it asks for the key:"),
            "json",
            servers_json(entry, member="servers", inputs=[_VSCODE_INPUT]),
        ),
        Snippet(_("The key to type in when it asks:"), "sh", target.key),
    )


def _gemini(target: Target) -> tuple[Snippet, ...]:
    entry = {"httpUrl": target.mcp, "headers": {"Authorization": f"Bearer ${VARIABLE}"}}
    return (
        Snippet(
            _("Run this once. The key goes into your own settings."),
            "sh",
            f'gemini mcp add --scope user --transport http --header "Authorization: '
            f'{target.bearer}" {CLIENT_NAME} {target.mcp}',
        ),
        Snippet(
            _("For everybody who works in the repository, write this into .gemini/settings.json:"),
            "json",
            servers_json(entry),
            other=True,
        ),
        Snippet(_EACH_SETS_IT, "sh", export_line(target.key), other=True),
    )


def _gemini_process(target: Target) -> tuple[Snippet, ...]:
    return _file_of_variable(
        target, say=_("Write this into ~/.gemini/settings.json:"), variable=f"${VARIABLE}"
    )


def _windsurf(target: Target) -> tuple[Snippet, ...]:
    entry = {"serverUrl": target.mcp, "headers": {"Authorization": f"Bearer ${{env:{VARIABLE}}}"}}
    return (
        Snippet(_EXPORT, "sh", export_line(target.key)),
        Snippet(
            _("Write this into ~/.codeium/windsurf/mcp_config.json:"), "json", servers_json(entry)
        ),
    )


def _windsurf_process(target: Target) -> tuple[Snippet, ...]:
    return _file_of_variable(
        target,
        say=_("Write this into ~/.codeium/windsurf/mcp_config.json:"),
        variable=f"${{env:{VARIABLE}}}",
    )


def _claude_desktop(target: Target) -> tuple[Snippet, ...]:
    # The header without a space: on Windows, arguments with spaces are torn apart.
    arguments = ["-y", "mcp-remote", target.mcp, "--header", "Authorization:${CONDERIS_HEADER}"]
    if target.mcp.startswith("http:") and not target.is_local:
        arguments.append("--allow-http")
    entry = {"command": "npx", "args": arguments, "env": {"CONDERIS_HEADER": target.bearer}}
    return (
        Snippet(
            _(
                "Claude Desktop sends no keys itself; mcp-remote does it for it, and needs "
                "Node.js. Open Settings, Developer, Edit Config, and write this into "
                "claude_desktop_config.json:"
            ),
            "json",
            servers_json(entry),
        ),
    )


def _claude_desktop_process(target: Target) -> tuple[Snippet, ...]:
    return (
        Snippet(
            _(
                "Open Settings, Developer, Edit Config, and write this into "
                "claude_desktop_config.json:"
            ),
            "json",
            servers_json(target.process.as_json(target.key)),
        ),
    )


def _other(target: Target) -> tuple[Snippet, ...]:
    return (
        Snippet(_("The address, for streamable HTTP:"), "sh", target.mcp),
        Snippet(_("The header to send:"), "sh", f"Authorization: {target.bearer}"),
        Snippet(
            _("Most clients read this, in a file of your own folder that is never committed:"),
            "json",
            client_snippet(target.mcp, target.key),
        ),
    )


def _other_process(target: Target) -> tuple[Snippet, ...]:
    return (
        Snippet(
            _("Most clients read this, in a file of your own folder that is never committed:"),
            "json",
            servers_json(target.process.as_json(target.key)),
        ),
    )


def _file_of_variable(target: Target, *, say: Promise, variable: str) -> tuple[Snippet, ...]:
    """A process that takes the key from the client's environment."""
    return (
        Snippet(_EXPORT, "sh", export_line(target.key)),
        Snippet(say, "json", servers_json(target.process.as_json(variable))),
    )


_LIST: Final = _("The list of MCP servers in its settings shows conderis with eight tools.")
CLIENTS: Final = (
    Client(
        "claude-code", "Claude Code", "Claude Code", "CLAUDE.md",
        _("claude mcp list shows conderis and whether it answers."),
        _claude_code, _claude_code_process,
    ),
    Client(
        "codex", "Codex", "Codex", "AGENTS.md",
        _("Type /mcp in Codex: it lists conderis with eight tools."),
        _codex, _codex_process,
    ),
    Client("cursor", "Cursor", "Cursor", "AGENTS.md", _LIST, _cursor, _cursor_process),
    Client(
        "vscode", "VS Code", "VS Code", "AGENTS.md",
        _("Run “MCP: List Servers”: it shows conderis and whether it runs."),
        _vscode, _vscode_process,
    ),
    Client(
        "gemini-cli", "Gemini CLI", "Gemini CLI", "GEMINI.md",
        _("gemini mcp list shows conderis and whether it answers."),
        _gemini, _gemini_process,
    ),
    Client("windsurf", "Windsurf", "Windsurf", "AGENTS.md", _LIST, _windsurf, _windsurf_process),
    Client(
        "claude-desktop", "Claude Desktop", "Claude Desktop", "",
        _("Settings, Developer shows conderis and whether it runs."),
        _claude_desktop, _claude_desktop_process,
    ),
    Client("other", _("Another client"), "Agent", "AGENTS.md", _LIST, _other, _other_process),
)  # fmt: skip
BY_SLUG: Final = {client.slug: client for client in CLIENTS}
