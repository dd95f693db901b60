"""Exports as they are handed out: lines of JSON, a zip archive, files in a folder."""

import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from conderis.common.caller import Caller
from conderis.common.json import compact
from conderis.common.pieces import gathered
from exchange.exporting.markdown import markdown_files
from exchange.exporting.names import file_stem
from exchange.exporting.reading import Export, Private, begin_export, lines_of

LINES: Final = "jsonl"
MARKDOWN: Final = "markdown"
PIECE: Final = 65_536  # characters or bytes, about, that are handed on at once
_ALWAYS: Final = (1980, 1, 1, 0, 0, 0)  # so that the same project gives the same archive


def export_lines(
    caller: Caller, project_id: str, *, private: Private = Private.OWN
) -> Iterator[str]:
    """What the caller may read of a project, as pieces of one JSON Lines file.

    The caller's own private memories are in it unless `private` says otherwise. The file is
    whole when its last line is of the type `end`. An audit event says that it was asked for.

    Raises:
        Denied: nobody has signed in, or the key has not the scope `read` (at once).
        NotFound: there is no such project that the caller may read (at once; while it is
            read, where that right is lost).
    """
    export = begin_export(caller, project_id, private=private, written_as=LINES)
    return gathered((f"{compact(line)}\n" for line in lines_of(export)), PIECE)


def export_zip(
    caller: Caller, project_id: str, *, private: Private = Private.OWN
) -> Iterator[bytes]:
    """The same as a zip archive of Markdown files, in pieces.

    Raises:
        Denied, NotFound: as `export_lines`.
    """
    export = begin_export(caller, project_id, private=private, written_as=MARKDOWN)
    return _zipped(export)


def write_folder(
    caller: Caller, project_id: str, folder: Path, *, private: Private = Private.OWN
) -> int:
    """The same as files in an empty folder that is there; how many files it wrote.

    Raises:
        Denied, NotFound: as `export_lines`.
    """
    export = begin_export(caller, project_id, private=private, written_as=MARKDOWN)
    count = 0
    for name, pieces in markdown_files(export):
        count += 1
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
    return count


def export_name(full_name: str, at: datetime, ending: str) -> str:
    """A name for the file: `alice-shop-2026-11-30.jsonl`."""
    return f"{file_stem(full_name)}-{at:%Y-%m-%d}.{ending}"


class _Sink:
    """What an archive is written into; `taken` hands out and forgets it."""

    def __init__(self) -> None:
        self.held = bytearray()

    def write(self, written: bytes, /) -> int:
        self.held += written
        return len(written)

    def flush(self) -> None:
        """Nothing waits anywhere else."""

    def close(self) -> None:
        """Nothing is open."""

    def taken(self) -> bytes:
        taken, self.held = bytes(self.held), bytearray()
        return taken


def _zipped(export: Export) -> Iterator[bytes]:
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, pieces in markdown_files(export):
            info = zipfile.ZipInfo(name, _ALWAYS)
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=True) as member:
                for piece in pieces:
                    member.write(piece.encode())
                    if len(sink.held) >= PIECE:
                        yield sink.taken()
    yield sink.taken()
