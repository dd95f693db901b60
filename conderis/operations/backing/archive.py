"""The one file of a backup: a zip of a manifest, the database, and the list of erasures."""

import errno
import fcntl
import hashlib
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from conderis.operations.backing.manifest import Manifest
from conderis.operations.faults import Fault

MANIFEST = "manifest.json"
DATABASE = "database"
ERASURES = "erasures.jsonl"
SECRET = "secret-key"  # noqa: S105 - the name of a file
# Unfinished: always the same name in a folder, so that a killed backup's is written over.
PART = ".conderis-backup.part"
_CHUNK = 1 << 20
_SPARE = 16 << 20  # bytes that are left free on the disk


class Writer:
    """Fills a backup; `digests` grows by what each member holds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.digests: dict[str, str] = {}
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)

    def add_file(self, name: str, source: Path, *, packed: bool) -> None:
        """Add a file's content; `packed` says that it would not become smaller."""
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
        digest = hashlib.sha256()
        with source.open("rb") as read, self._zip.open(info, "w", force_zip64=True) as write:
            while chunk := read.read(_CHUNK):
                digest.update(chunk)
                write.write(chunk)
        self.digests[name] = digest.hexdigest()

    def add(self, name: str, data: bytes) -> None:
        """Add what is at hand."""
        self._zip.writestr(name, data)
        self.digests[name] = hashlib.sha256(data).hexdigest()

    def finish(self, manifest: Manifest) -> None:
        """Add the manifest, and have all of it on the disk."""
        self._zip.writestr(MANIFEST, manifest.as_bytes())
        self._zip.close()
        with self.path.open("rb+") as file:
            os.fsync(file.fileno())


@contextmanager
def writing(target: Path, *, force: bool) -> Iterator[Writer]:
    """Write a backup beside its place, and put it there when the block has ended well.

    Nobody but its owner may read it. What a killed backup left beside is written over.

    Raises:
        Fault: there is a file already and no `force`, the folder cannot be written, its disk
            is full, or another backup writes to the same place.
    """
    part = target.parent / PART
    try:
        if target.exists() and not (force and target.is_file()):
            raise Fault(
                f"{target} is there already. Name another file, or write over it with --force."
                if target.is_file()
                else f"{target} is no file. Name the file that the backup shall be."
            )
        with _claimed(part):
            writer = Writer(part)
            try:
                yield writer
                part.replace(target)
                _sync_folder(target.parent)
            finally:
                part.unlink(missing_ok=True)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise Fault(f"There is not enough room in {target.parent} for the backup.") from error
        raise Fault(
            f"The backup cannot be written to {target.parent} ({error.strerror})."
        ) from error


def require_room(folder: Path, needed: int) -> None:
    """Go on only where the folder's disk has this many bytes free, and some more.

    Raises:
        Fault: it has not, or the folder is not there.
    """
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise Fault(f"The folder {folder} cannot be used ({error.strerror}).") from error
    if free < needed + _SPARE:
        raise Fault(
            f"There is not enough room in {folder}: {_megabytes(needed + _SPARE)} are needed "
            f"and {_megabytes(free)} are free."
        )


class Reader:
    """A backup that is whole as far as its manifest goes."""

    def __init__(self, opened: zipfile.ZipFile, manifest: Manifest) -> None:
        self.manifest = manifest
        self._zip = opened

    def size(self, name: str) -> int:
        """How many bytes a member will take."""
        return self._zip.getinfo(name).file_size

    def read(self, name: str) -> bytes:
        """A small member's content.

        Raises:
            Fault: it is not what was backed up.
        """
        with _damage():
            data = self._zip.read(name)
        self._check(name, hashlib.sha256(data).hexdigest())
        return data

    def extract(self, name: str, target: Path) -> None:
        """Write a member to a file that its owner alone may read.

        Raises:
            Fault: it is not what was backed up, or cannot be written.
        """
        digest = hashlib.sha256()
        try:
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as write, _damage(), self._zip.open(name) as read:
                while chunk := read.read(_CHUNK):
                    digest.update(chunk)
                    write.write(chunk)
        except OSError as error:
            raise Fault(f"{target} cannot be written ({error.strerror}).") from error
        self._check(name, digest.hexdigest())

    def holds(self, name: str) -> bool:
        """Whether there is such a member."""
        return name in self.manifest.digests

    def _check(self, name: str, digest: str) -> None:
        if self.manifest.digests.get(name) != digest:
            raise Fault("The backup is damaged: it does not hold what was backed up.")


@contextmanager
def reading(path: Path) -> Iterator[Reader]:
    """A backup to read from.

    Raises:
        Fault: there is none at the path, it is damaged, or of a format not known here.
    """
    try:
        opened = zipfile.ZipFile(path)
    except OSError as error:
        raise Fault(f"{path} cannot be read ({error.strerror}).") from error
    except zipfile.BadZipFile as error:
        raise Fault(f"{path} is no backup of Conderis, or only a part of one.") from error
    with opened:
        names = set(opened.namelist())
        if MANIFEST not in names:
            raise Fault(f"{path} is no backup of Conderis: it has no manifest.")
        with _damage():
            manifest = Manifest.from_bytes(opened.read(MANIFEST))
        missing = {DATABASE, ERASURES, *manifest.digests} - names
        if missing:
            raise Fault(f"The backup is damaged: it lacks {', '.join(sorted(missing))}.")
        yield Reader(opened, manifest)


@contextmanager
def _damage() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise Fault("The backup is damaged: it does not hold what was backed up.") from error


@contextmanager
def _claimed(part: Path) -> Iterator[None]:
    """Hold the unfinished file, so that two backups never write to one."""
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Fault(f"Another backup is being written to {part.parent}.") from error
        os.fchmod(descriptor, 0o600)
        yield
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # not every file system can
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _megabytes(count: int) -> str:
    return f"{count / 1_000_000:,.0f} MB"
