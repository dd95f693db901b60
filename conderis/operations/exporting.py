"""Saving an export of a project on this machine: whole under its name, or not at all."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from conderis.common.caller import Caller
from conderis.common.errors import Invalid
from exchange.exporting.reading import Private
from exchange.exporting.writing import MARKDOWN, export_lines, export_zip, write_folder

ARCHIVE: Final = ".zip"
_OWN: Final = 0o600  # nobody else on this machine reads it
_OWN_FOLDER: Final = 0o700


def save_export(
    caller: Caller, project_id: str, target: Path, *, form: str, private: Private
) -> Path:
    """Export into a file, or for Markdown into a folder or a `.zip` archive; where it is.

    Nothing is overwritten. It is written beside, under a name with `.part`, first.

    Raises:
        Invalid: there is something of this name, or no folder for it.
        Denied, NotFound: as `export_lines`.
    """
    path = target.expanduser().absolute()
    if path.exists() or path.is_symlink():
        raise Invalid(f"{path} is there already. Name another one with --out.", field="out")
    if not path.parent.is_dir():
        raise Invalid(f"There is no folder {path.parent}.", field="out")
    part = path.with_name(f".{path.name}.part")
    _remove(part)
    try:
        if form != MARKDOWN:
            pieces = export_lines(caller, project_id, private=private)
            _write(part, (piece.encode() for piece in pieces))
        elif path.suffix.lower() == ARCHIVE:
            _write(part, export_zip(caller, project_id, private=private))
        else:
            part.mkdir(mode=_OWN_FOLDER)
            write_folder(caller, project_id, part, private=private)
        part.rename(path)
    finally:
        _remove(part)
    return path


def _write(path: Path, pieces: Iterator[bytes]) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWN), "wb") as file:
        file.writelines(pieces)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
