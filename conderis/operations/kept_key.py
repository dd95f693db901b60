"""The keys of `quickstart`, kept in the data folder so that they can be printed again.

One file for each person: `quickstart-key` for the first owner of the server,
`quickstart-key.<handle>` for anybody else. A data folder may serve several databases, so a
key that another database or another secret made is moved beside, never written over, and a
key is found by what a file holds.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from conderis.accounts.agent_keys import find_key, is_live
from conderis.accounts.keys import KeyText, parse_key
from conderis.accounts.models import AgentKey, Person
from conderis.operations.faults import folder_fault

FILE = "quickstart-key"


def kept_key(person: Person) -> tuple[AgentKey, str] | None:
    """The person's kept key and its text; None when none is kept that still works."""
    for _, text in _kept():
        key = find_key(text)
        if key is not None and key.agent.person_id == person.pk and is_live(key):
            return key, text.text
    return None


def keep_key(text: str, *, person: Person, first: bool) -> bool:
    """Keep a person's key, readable by the server's user alone; whether one was moved beside.

    `first` says that the person is the first owner of the server. What the file held
    before is lost only where it works no more.

    Raises:
        Fault: the data folder cannot be written.
    """
    path = _folder() / (FILE if first else f"{FILE}.{person.handle}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        moved = _move_beside(path)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{FILE}-")  # mode 600
        with os.fdopen(handle, "w") as file:
            file.write(text + "\n")
        Path(name).replace(path)
    except OSError as error:
        raise folder_fault(path.parent, error) from error
    return moved


def forget_keys(person: Person | None = None) -> bool:
    """Remove the files of kept keys; whether there were any. The keys themselves live on.

    With a person only the files of that person's keys.

    Raises:
        Fault: the data folder cannot be written.
    """
    if person is None:
        return _remove(_files())
    found = [(path, find_key(text)) for path, text in _kept()]
    return _remove([path for path, key in found if key and key.agent.person_id == person.pk])


def forget_if(key: AgentKey) -> None:
    """Remove the file that keeps this key, if one does."""
    _remove([path for path, text in _kept() if text.lookup == key.lookup])


def _move_beside(path: Path) -> bool:
    """Save the key that the file holds, unless it is known here and has ended."""
    text = _read(path)
    if text is None:
        return False
    key = find_key(text)
    if key is not None and not is_live(key):
        return False
    path.replace(path.with_name(f"{FILE}.other.{text.lookup}"))
    return True


def _kept() -> Iterator[tuple[Path, KeyText]]:
    for path in _files():
        text = _read(path)
        if text is not None:
            yield path, text


def _read(path: Path) -> KeyText | None:
    try:
        return parse_key(path.read_text().strip())
    except (OSError, UnicodeDecodeError):
        return None


def _files() -> list[Path]:
    """The files of kept keys: that of the first owner before all others."""
    return sorted(path for path in _folder().glob(f"{FILE}*") if path.suffix or path.name == FILE)


def _remove(paths: list[Path]) -> bool:
    try:
        for path in paths:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise folder_fault(_folder(), error) from error
    return bool(paths)


def _folder() -> Path:
    folder: Path = settings.DATA_FOLDER
    return folder
