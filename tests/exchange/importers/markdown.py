"""Sources for the importers of files, and what they read of them."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from exchange.importers.base import Importer, Options
from exchange.records import Problem, Record
from exchange.sources import Source, source_of_bytes, source_of_path

HANDED = Path(__file__).parents[4] / "shared" / "cases" / "files"


@dataclass
class Reading:
    """What an importer reads, by key, and what it says of the rest, by place."""

    records: dict[str, Record] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)

    def content(self, key: str) -> str:
        return str(self.records[key].fields["content"])

    def links(self, key: str) -> list[tuple[str, str]]:
        return [(link.relation, link.key) for link in self.records[key].links]


def read(importer: Importer, source: Source, *only: str) -> Reading:
    """Everything that an importer finds; parents must come before their children."""
    found = Reading()
    for each in importer.read(source, Options(only)):
        if isinstance(each, Record):
            assert each.key not in found.records
            assert each.parent is None or each.parent in found.records
            found.records[each.key] = each
        else:
            assert isinstance(each, Problem)
            (found.left_out if each.left_out else found.words)[each.place] = each.reason
    return found


def zipped(files: Mapping[str, str | bytes], name: str = "source.zip") -> Source:
    """These files as an archive."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return source_of_bytes(name, content.getvalue())


def single(name: str, content: str | bytes) -> Source:
    """A file that comes alone."""
    return source_of_bytes(name, content.encode() if isinstance(content, str) else content)


def handed(name: str) -> Source:
    """A file or folder of real ones, where they are at hand."""
    if not (HANDED / name).exists():
        pytest.skip("The files that were handed over are not here.")
    return source_of_path(HANDED / name)
