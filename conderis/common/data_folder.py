"""The data folder: the SQLite database, and the secret that this server makes itself."""

import os
import secrets
import tempfile
from pathlib import Path

from conderis.common.environment import BadSetting

MIN_SECRET = 32


def make_folder(folder: Path) -> None:
    """Make the folder, for nobody else's eyes, if it is not there.

    Raises:
        BadSetting: it cannot be made.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from error


def unwritable(folder: Path, error: OSError) -> BadSetting:
    """The word about a data folder that cannot be written."""
    return BadSetting(
        f"The data folder {folder} cannot be written ({error.strerror}). "
        "Set CONDERIS_DATA to a folder that can be."
    )


def generated_secret(folder: Path) -> str:
    """The secret kept in the folder; made there the first time.

    Processes that start at once agree on one: a whole file is linked into place, and
    whoever comes second takes what is there.

    Raises:
        BadSetting: it cannot be written, read, or is too short to be one.
    """
    path = folder / "secret-key"
    if not path.exists():
        make_folder(folder)
        try:
            _place(path, secrets.token_urlsafe(48))
        except OSError as error:
            raise unwritable(folder, error) from error
    try:
        key = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} cannot be read.") from error
    if len(key) < MIN_SECRET:
        raise BadSetting(
            f"{path} must hold at least {MIN_SECRET} characters. Put back the one that was "
            "there, or delete it to have a new one made: agent keys end when it changes."
        )
    return key


def _place(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".secret-key-")
    made = Path(name)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        path.hardlink_to(made)
    except FileExistsError:
        pass
    finally:
        made.unlink()
