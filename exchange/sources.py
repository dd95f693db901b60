"""Sources of an import: a file, a folder or a zip archive, as named files of bytes."""

import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Final

from conderis.common.errors import Invalid, TooLarge

MAX_FILES: Final = 50_000
MAX_FILE_BYTES: Final = 64 * 1024 * 1024
MAX_TOTAL_BYTES: Final = 512 * 1024 * 1024  # unpacked; larger archives are refused
LINES: Final = ".jsonl"  # read line by line, and so as large as all together may be

_Opener = Callable[[], IO[bytes]]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a source; `name` is its path in the source, with slashes."""

    name: str
    size: int  # bytes
    _open: _Opener

    def open(self) -> IO[bytes]:
        """The file's bytes, as a binary stream that the caller closes."""
        return self._open()

    def read(self) -> bytes:
        """All its bytes, at most those of a file that is read whole.

        Raises:
            ValueError: there are more.
        """
        with self.open() as stream:
            found = stream.read(MAX_FILE_BYTES + 1)
        if len(found) > MAX_FILE_BYTES:
            raise ValueError(f"{self.name} is too large to be read at once")
        return found

    def beginning(self, size: int = 4096) -> bytes:
        """Its first bytes, to tell what it is."""
        with self.open() as stream:
            return stream.read(size)

    @property
    def suffix(self) -> str:
        """The ending of its name in lower case, with the dot."""
        return PurePosixPath(self.name).suffix.lower()


@dataclass(frozen=True, slots=True)
class Source:
    """What is imported: `name` as the person knows it, and its files, in the order of names.

    A single file is a source of one file.
    """

    name: str
    files: tuple[SourceFile, ...]

    @property
    def single(self) -> SourceFile | None:
        """The file, where there is but one."""
        return self.files[0] if len(self.files) == 1 else None

    def with_suffix(self, *suffixes: str) -> Iterator[SourceFile]:
        """The files whose names end so."""
        return (each for each in self.files if each.suffix in suffixes)


def source_of_path(path: Path) -> Source:
    """A file, zip archive or folder on this machine, as a source.

    Links inside a folder are not followed, and a `.git` is left out.

    Raises:
        Invalid: there is nothing at the path, or the archive cannot be read.
        TooLarge: it has too many or too large files.
    """
    if path.is_dir():
        return Source(path.name, _limited(_files_of_folder(path)))
    if not path.is_file():
        raise Invalid(f"There is no file or folder {path.name}.", field="path")
    if zipfile.is_zipfile(path):
        return _source_of_zip(path.name, path)
    file = SourceFile(path.name, path.stat().st_size, _opener(path))
    return Source(path.name, _limited(iter([file])))


def source_of_bytes(name: str, content: bytes) -> Source:
    """An uploaded file as a source: a zip archive is one of the files in it.

    Raises:
        Invalid: the archive cannot be read.
        TooLarge: it has too many or too large files.
    """
    if zipfile.is_zipfile(io.BytesIO(content)):
        return _source_of_zip(name, io.BytesIO(content))
    file = SourceFile(name, len(content), lambda: io.BytesIO(content))
    return Source(name, _limited(iter([file])))


def _files_of_folder(folder: Path) -> Iterator[SourceFile]:
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        linked = any(
            (folder / part).is_symlink() for part in (relative, *relative.parents) if part.name
        )
        if linked or not path.is_file() or ".git" in relative.parts:
            continue
        yield SourceFile(relative.as_posix(), path.stat().st_size, _opener(path))


def _opener(path: Path) -> _Opener:
    return lambda: path.open("rb")


def _source_of_zip(name: str, found_at: Path | io.BytesIO) -> Source:
    """The files of an archive. One at a path is closed with the last that reads of it."""
    try:
        archive = zipfile.ZipFile(found_at)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise Invalid(f"{name} is no zip archive that can be read.", field="file") from error
    found = (
        SourceFile(info.filename, info.file_size, _member(archive, info))
        for info in sorted(archive.infolist(), key=lambda each: each.filename)
        if not info.is_dir() and not info.filename.startswith("__MACOSX/")
    )
    return Source(name, _limited(found))


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Opener:
    return lambda: archive.open(info)


def _limited(files: Iterator[SourceFile]) -> tuple[SourceFile, ...]:
    """The files, unless there are too many or they are too large.

    The sizes are those that an archive states; reading one whole stops at MAX_FILE_BYTES all the
    same.
    """
    found: list[SourceFile] = []
    total = 0
    for file in files:
        total += file.size
        most = MAX_TOTAL_BYTES if file.suffix == LINES else MAX_FILE_BYTES
        if len(found) >= MAX_FILES or file.size > most or total > MAX_TOTAL_BYTES:
            raise TooLarge(
                f"An import takes up to {MAX_FILES} files of up to "
                f"{MAX_FILE_BYTES // 1024**2} MB, {MAX_TOTAL_BYTES // 1024**2} MB together.",
                field="file",
            )
        found.append(file)
    return tuple(found)
