"""The addresses that people and agents are given, and what to paste into a client."""

import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from conderis.common.environment import DECLARED, read

CLIENT_NAME = "conderis"


def base_address(port: int | None = None) -> str:
    """Where this server is: CONDERIS_URL, else localhost with the port.

    Without one that was given it is CONDERIS_PORT, else the port that `serve` took last
    with this data folder, so that a command started elsewhere prints links that work.
    """
    public: str = settings.PUBLIC_URL
    return public or f"http://localhost:{port or _usual_port()}"


def note_port(port: int) -> None:
    """Keep the port that is served, for commands; where nothing can be written, do not."""
    with suppress(OSError):
        _port_file().write_text(f"{port}\n")


def _usual_port() -> int:
    chosen: int = settings.PORT
    if not os.environ.get("CONDERIS_PORT", "").strip():
        with suppress(OSError, ValueError):
            return int(_port_file().read_text())
    return chosen


def _port_file() -> Path:
    folder: Path = settings.DATA_FOLDER
    return folder / "served-port"


def mcp_address(base: str) -> str:
    """Where agents connect."""
    return f"{base}/mcp"


def sign_in_address(base: str, token: str) -> str:
    """The one-time link of this secret."""
    return absolute(base, "sign-in", token)


def absolute(base: str, route: str, *args: str) -> str:
    """The whole address of a page. `base` may end with the path that routes begin with."""
    path: str = settings.URL_PREFIX
    return base.removesuffix(path) + reverse(route, args=args)


def claude_line(mcp: str, key: str) -> str:
    """The command that connects Claude Code."""
    return (
        f"claude mcp add --transport http {CLIENT_NAME} {mcp} "
        f'--header "Authorization: Bearer {key}"'
    )


def client_snippet(mcp: str, key: str) -> str:
    """The JSON that connects most other clients."""
    server = {"type": "http", "url": mcp, "headers": {"Authorization": f"Bearer {key}"}}
    return json.dumps({"mcpServers": {CLIENT_NAME: server}}, indent=2)


def manage_line(command: str, port: int | None = None) -> str:
    """A command of this server, as it is typed in its folder: with the settings it takes.

    Secrets are named without their values, so that the line fails where they are not set.
    """
    python = _short(Path(sys.executable))
    return " ".join([*_other_settings(port or settings.PORT), python, "manage.py", command])


def _other_settings(port: int) -> Iterator[str]:
    """Assignments of the settings that decide what a command does and prints."""
    folder: Path = settings.DATA_FOLDER
    if folder != settings.BASE_DIR / DECLARED["CONDERIS_DATA"].default:
        yield f"CONDERIS_DATA={_short(folder)}"
    if str(port) != DECLARED["CONDERIS_PORT"].default:
        yield f"CONDERIS_PORT={port}"
    if settings.PUBLIC_URL:
        yield f"CONDERIS_URL={shlex.quote(settings.PUBLIC_URL)}"
    for name in ("DATABASE_URL", "CONDERIS_SECRET_KEY"):
        if read(os.environ, name):
            yield f'{name}="${{{name}:?}}"'


def _short(path: Path) -> str:
    inside = path.is_relative_to(settings.BASE_DIR)
    return shlex.quote(str(path.relative_to(settings.BASE_DIR) if inside else path))
