"""What is pasted into clients: commands and files, with the address and the key in them.

A file that may be committed names the key by an environment variable, or asks for it;
the key itself stands in commands and in files of the person's own folder alone.
"""

import json
import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import Promise

from conderis.common.environment import DECLARED, read
from conderis.common.json import JsonObject
from conderis.operations.addresses import CLIENT_NAME, mcp_address

VARIABLE = "CONDERIS_KEY"
PLACEHOLDER = "YOUR-KEY"
_SECRETS = ("DATABASE_URL", "CONDERIS_SECRET_KEY")
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Snippet:
    """One thing to copy: what to do with it, and its text. `language` is sh, json or toml.

    `other` ones stand for those before them: a file in place of a command.
    """

    say: str | Promise
    language: str
    text: str = field(repr=False)
    other: bool = False

    @property
    def parts(self) -> list[str]:
        """The text between the places where the key is still to be filled in."""
        return self.text.split(PLACEHOLDER)


@dataclass(frozen=True, slots=True)
class Target:
    """What snippets are made for: this server's address, and the key or what stands for it."""

    mcp: str
    key: str = field(default=PLACEHOLDER, repr=False)

    @property
    def is_local(self) -> bool:
        """Whether the server runs on the machine that asks for it."""
        return urlsplit(self.mcp).hostname in LOCAL_HOSTS

    @property
    def bearer(self) -> str:
        """The header's value."""
        return f"Bearer {self.key}"

    @property
    def process(self) -> "Process":
        """How a client launches this installation."""
        return Process(
            command=sys.executable,
            arguments=(str(settings.BASE_DIR / "manage.py"), "mcp_stdio"),
            settings=dict(_other_settings()),
            secrets=tuple(name for name in _SECRETS if read(os.environ, name)),
        )


@dataclass(frozen=True, slots=True)
class Process:
    """A command with its arguments, and the settings that it needs besides the key.

    `secrets` names those that the server was given and that no page shows.
    """

    command: str
    arguments: tuple[str, ...]
    settings: Mapping[str, str]
    secrets: tuple[str, ...] = ()

    def environment(self, key: str) -> dict[str, str]:
        """The environment with the key, or what the client puts the key for."""
        return {VARIABLE: key, **self.settings}

    def as_json(self, key: str) -> JsonObject:
        """The entry of a client's JSON file."""
        return {
            "command": self.command,
            "args": list(self.arguments),
            "env": dict(self.environment(key)),
        }


def target_of(request: HttpRequest, *, key: str = PLACEHOLDER) -> Target:
    """Where clients reach this server: CONDERIS_URL, else where this page was asked for."""
    base = settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}"
    return Target(mcp=mcp_address(base), key=key)


def export_line(key: str) -> str:
    """The line that puts the key into the shell's environment."""
    return f"export {VARIABLE}={shlex.quote(key)}"


def servers_json(entry: JsonObject, *, member: str = "mcpServers", **beside: object) -> str:
    """A client's JSON file with this entry as Conderis."""
    return json.dumps({**beside, member: {CLIENT_NAME: entry}}, indent=2)


def servers_toml(**values: object) -> str:
    """Codex's table with this entry as Conderis; a mapping becomes a table below it."""
    lines = [f"[mcp_servers.{CLIENT_NAME}]"]
    tables: list[str] = []
    for name, value in values.items():
        if isinstance(value, Mapping):
            tables += ["", f"[mcp_servers.{CLIENT_NAME}.{name}]"]
            tables += [f"{inner} = {_toml(text)}" for inner, text in value.items()]
        else:
            lines.append(f"{name} = {_toml(value)}")
    return "\n".join(lines + tables)


def _toml(value: object) -> str:
    # Texts and lists of texts: JSON writes them as TOML reads them, but for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _other_settings() -> Iterator[tuple[str, str]]:
    """The settings that the process needs to find the same data; no secrets."""
    folder: Path = settings.DATA_FOLDER
    if folder != settings.BASE_DIR / DECLARED["CONDERIS_DATA"].default:
        yield "CONDERIS_DATA", str(folder)
