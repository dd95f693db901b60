"""Git remotes: every spelling of one remote read as one text.

Read are addresses (`https://host/o/n.git`, `ssh://git@host:22/o/n`, `git://…`, with
`git+` before them as package managers write it), the short form of ssh
(`git@host:o/n.git`, see git-fetch(1), "GIT URLS") and what this module writes itself
(`host/o/n`). Hosts are ASCII, an international one in its `xn--` form.
"""

import re
import unicodedata

from conderis.common.errors import Invalid

MAX_REMOTE = 300
_MAX_PORT = 65_535

_ADDRESS = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_AUTHORITY = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[^:\[\]]+)(?::(?P<port>[0-9]{0,5}))?")
_SHORT = re.compile(r"(?P<host>\[[0-9a-f:.]+\]|[^:/\[\]]+):(?!//)(?P<path>.+)")
_HOST = re.compile(r"[a-z0-9_][a-z0-9_-]*(?:\.[a-z0-9_][a-z0-9_-]*)*|\[[0-9a-f:.]*:[0-9a-f:.]*\]")
_SEGMENT = re.compile(r"[\w.~+%!$&'(),;=-]+")
_ESCAPE = re.compile(r"%(?P<code>[0-9a-f]{2})?", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z0-9._~-]")  # never need an escape: RFC 3986, section 2.3
_USER = re.compile(r"[\w.+-]+@")

_WEB = {"http", "https", "git+http", "git+https"}
_SCHEMES = _WEB | {"git", "ssh", "git+ssh", "ssh+git"}
_USUAL_PORTS = {22, 80, 443, 9418}


def canonical_remote(text: str, *, field: str) -> str | None:
    """`host/group/…/name` of a git remote, or None when the text is no remote.

    The host is in lower case and the ports 22, 80, 443 and 9418 are left out. The path
    is as written but for a `.git` or `/` at its end: it is kept so for display, while
    look-ups compare it without case, as nearly every git host does. A name of two parts
    whose first could be an owner's handle (`acme/shop`) is no remote unless it is
    written as an address. At most 300 characters.

    Raises:
        Invalid: it carries a user name or password (the refusal never repeats it). The
            user name of an ssh spelling is no secret and is dropped.
    """
    text = unicodedata.normalize("NFC", text).strip()
    address = _ADDRESS.fullmatch(text)
    if address is not None:
        scheme = address["scheme"].lower()
        rest = _without_user(address["rest"], web=scheme in _WEB, field=field)
        if scheme not in _SCHEMES:
            return None
        authority, _, path = rest.partition("/")
        return _joined(authority, path)
    rest = _without_user(text, web=False, field=field)
    if rest != text:
        return _short(rest)
    found = _bare(text) or _short(text)
    return found if found is not None and _looks_like_remote(found) else None


def _without_user(rest: str, *, web: bool, field: str) -> str:
    """What follows the user name of an ssh spelling; any other `@` may hide a secret."""
    user = _USER.match(rest)
    if user is not None and not web:
        rest = rest[user.end() :]
    if "@" in rest:
        raise Invalid(
            f"{field} holds a user name, password or token, which is never taken. "
            "Send the address without it, as https://host/owner/name.",
            field=field,
        )
    return rest


def _bare(text: str) -> str | None:
    """`host/o/n` and `host:8080/o/n`: without a user name, a number after a colon is a port."""
    authority, _, path = text.partition("/")
    return _joined(authority, path)


def _short(text: str) -> str | None:
    """`host:o/n`, where git reads all that follows the colon as the path."""
    short = _SHORT.fullmatch(text)
    return _joined(short["host"], short["path"]) if short is not None else None


def _looks_like_remote(remote: str) -> bool:
    host, *path = remote.split("/")
    if len(host) == 1:
        return False  # a drive letter: C:/code/shop
    return "." in host or ":" in host or host == "localhost" or len(path) > 1


def _joined(authority: str, path: str) -> str | None:
    match = _AUTHORITY.fullmatch(authority.lower())
    if match is None:
        return None
    host, port = match["host"].removesuffix("."), int(match["port"] or 0)
    if _HOST.fullmatch(host) is None or port > _MAX_PORT:
        return None
    segments = _segments(path)
    if segments is None:
        return None
    shown = f"{host}:{port}" if port and port not in _USUAL_PORTS else host
    remote = "/".join([shown, *segments])
    return remote if len(remote) <= MAX_REMOTE else None


def _segments(path: str) -> list[str] | None:
    segments = [_normal(part) for part in path.split("/") if part]
    while segments and segments[-1].lower().endswith(".git"):
        segments[-1] = segments[-1][:-4]
    if not segments or not all(map(_is_segment, segments)):
        return None
    return segments


def _normal(segment: str) -> str:
    """The segment with needless escapes undone and the others in upper case."""

    def normal(escape: re.Match[str]) -> str:
        if escape["code"] is None:
            return "\n"  # a bare percent sign: no segment
        character = chr(int(escape["code"], 16))
        return character if _PLAIN.fullmatch(character) else escape.group().upper()

    return _ESCAPE.sub(normal, segment)


def _is_segment(segment: str) -> bool:
    if segment.strip(".") == "" or re.search("%[01]|%7F|%2F|%5C", segment):
        return False
    return _SEGMENT.fullmatch(segment) is not None
