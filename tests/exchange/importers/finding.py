"""What an importer finds in a file, for tests to look at."""

import json
from pathlib import Path
from typing import Any

import pytest

from exchange.importers.base import Importer, Options
from exchange.records import Found, Problem, Record
from exchange.sources import Source, source_of_bytes, source_of_path

SAMPLES = Path(__file__).parents[1] / "samples"
SHARED = Path(__file__).parents[4] / "shared" / "cases" / "files"
with_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared files are not here")


class Finds:
    """What was found: records by key, problems, and what was said of whom."""

    def __init__(self, found: list[Found]) -> None:
        self.records = {each.key: each for each in found if isinstance(each, Record)}
        self.order = [each.key for each in found if isinstance(each, Record)]
        self.problems = [each for each in found if isinstance(each, Problem)]
        self.left_out = {each.place: each.reason for each in self.problems if each.left_out}
        self.warned = {each.place: each.reason for each in self.problems if not each.left_out}

    def titles(self) -> list[Any]:
        return [self.records[key].fields["title"] for key in self.order]

    def content(self, key: str) -> str:
        return str(self.records[key].fields["content"])


def found_in(importer: Importer, source: Source, only: tuple[str, ...] = ()) -> Finds:
    """All of it, after a look whether the importer knows the source and reads it again alike."""
    assert importer.looks_like(source)
    found = list(importer.read(source, Options(only)))
    assert list(importer.read(source, Options(only))) == found
    return Finds(found)


def shared_file(name: str) -> Source:
    return source_of_path(SHARED / name)


def json_file(value: Any, name: str = "file.json") -> Source:
    return source_of_bytes(name, json.dumps(value, ensure_ascii=False).encode())


def text_file(text: str, name: str) -> Source:
    return source_of_bytes(name, text.encode())
