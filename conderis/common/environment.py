"""Settings from the environment: every one declared once, read loudly.

A wrong value stops the start with one clear line (`BadSetting`), never with a guess.
The README's table of settings is held to `DECLARED` by a test.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

# A host name, an IPv4 address, an IPv6 address in brackets, or Django's wildcards.
_HOST = re.compile(r"\*|\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\]")

_PATH = re.compile(r"(/[A-Za-z0-9._-]+)+")


class BadSetting(Exception):
    """A setting has a value that cannot be used; the message is one clear line."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the environment, its default as written, and what it is for."""

    name: str
    default: str
    purpose: str


DECLARED: dict[str, Setting] = {}


def declare(name: str, *, default: str, purpose: str) -> str:
    """Declare a setting and read its text from the environment."""
    DECLARED[name] = Setting(name, default, purpose)
    return read(os.environ, name)


def read(environ: Mapping[str, str], name: str) -> str:
    """The declared setting's text; its default where unset or empty."""
    return environ.get(name, "").strip() or DECLARED[name].default


def as_whole_number(name: str, text: str, *, least: int, most: int) -> int:
    """The text as a whole number within bounds.

    Raises:
        BadSetting: it is none, or out of bounds.
    """
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise BadSetting(f"{name} must be a whole number from {least} to {most}, not {text!r}.")
    return number


def as_switch(name: str, text: str) -> bool:
    """The text as on or off (on, true, yes, 1; off, false, no, 0).

    Raises:
        BadSetting: it is neither.
    """
    word = text.lower()
    if word in {"on", "true", "yes", "1"}:
        return True
    if word in {"off", "false", "no", "0"}:
        return False
    raise BadSetting(f"{name} must be on or off, not {text!r}.")


def as_choice(name: str, text: str, *, allowed: Sequence[str]) -> str:
    """The text in lower case, if it is one of the allowed words.

    Raises:
        BadSetting: it is none of them.
    """
    word = text.lower()
    if word not in allowed:
        raise BadSetting(f"{name} must be one of {', '.join(allowed)}, not {text!r}.")
    return word


def as_list(text: str) -> list[str]:
    """The text's parts between commas, trimmed, without empty ones."""
    return [part.strip() for part in text.split(",") if part.strip()]


def as_hosts(name: str, text: str) -> list[str]:
    """The text as host names, without scheme, port or path.

    Raises:
        BadSetting: a part is none, so that it would never match a request.
    """
    hosts = as_list(text)
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise BadSetting(
                f"{name} must list host names without scheme or port, "
                f"as memory.example.com or [::1], not {host!r}."
            )
    return hosts


def as_origin(name: str, text: str) -> str:
    """The text as `scheme://host` or `scheme://host:port`, in lower case.

    Raises:
        BadSetting: it is none, or has a path, a user name or a password.
    """
    address = _split(text)
    if address is None or address.scheme not in {"http", "https"} or not address.hostname:
        raise BadSetting(f"{name} must be an address as https://memory.example.com.")
    if address.username is not None or address.password is not None:
        raise BadSetting(f"{name} must be an address without a user name or password.")
    if address.path.strip("/") or address.query or address.fragment:
        raise BadSetting(f"{name} must be an address without a path, not {text!r}.")
    usual = {"http": ":80", "https": ":443"}[address.scheme]  # browsers leave it out
    return f"{address.scheme}://{address.netloc.lower().removesuffix(usual)}"


def as_address(name: str, text: str) -> tuple[str, str]:
    """The text as an origin and the path below it (empty, or `/memory` without an end slash).

    Raises:
        BadSetting: it is no address, or its path holds more than words, digits, -, . and _.
    """
    address = _split(text)
    path = address.path.rstrip("/") if address is not None and address.netloc else ""
    if path and not _PATH.fullmatch(path):
        raise BadSetting(f"{name} has a path that cannot be used: {path!r}.")
    return as_origin(name, text.rstrip("/").removesuffix(path)), path


def host_of(origin: str) -> str:
    """The host name of an origin, as hosts are listed (IPv6 in brackets)."""
    host = urlsplit(origin).hostname or ""
    return f"[{host}]" if ":" in host else host


def _split(text: str) -> SplitResult | None:
    try:
        address = urlsplit(text)
        address.port  # noqa: B018 - reading it is what checks it
    except ValueError:
        return None
    return address
