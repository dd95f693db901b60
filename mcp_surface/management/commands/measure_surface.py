"""Print what the list of tools costs, and how well its tools are found."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from mcp_surface.measuring import (
    QUERIES,
    Measurement,
    NoToolListError,
    Size,
    measure,
    measure_ours,
    saved_tools,
)
from mcp_surface.tools import listed_tools


class Command(BaseCommand):
    help = "Measure the list of tools as registered, or any saved tools/list."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", help="A saved tools/list to measure instead.")
        parser.add_argument("--json", action="store_true", help="Print the figures as JSON.")
        parser.add_argument("--list", action="store_true", help="Print our list itself, as JSON.")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["list"]:
            self.stdout.write(json.dumps(listed_tools(), ensure_ascii=False, indent=1))
            return
        measured = _measured(options["file"])
        if options["json"]:
            self.stdout.write(json.dumps(measured.as_answer(), ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(_lines(measured)))


def _measured(file: str | None) -> Measurement:
    if file is None:
        return measure_ours()
    try:
        return measure(saved_tools(Path(file).read_text(encoding="utf-8")))
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{file}: this is no UTF-8 text.") from error
    except NoToolListError as error:
        raise CommandError(f"{file}: {error}") from error


def _lines(measured: Measurement) -> Iterator[str]:
    yield f"{'tool':<24}{'characters':>12}{'tokens':>8}"
    for name, size in measured.by_tool.items():
        yield _row(name, size)
    yield _row("whole list", measured.whole)
    if measured.growth is not None:
        yield _row("one more kind", measured.growth)
    if measured.round_trip is not None:
        yield _row("create, list, complete", measured.round_trip)
    yield ""
    for query, found in measured.found.items():
        yield f"{query:<24}{found or 'no tool alone on top'}"
    if measured.growth is not None:
        yield f"found as meant: {measured.hits} of {len(QUERIES)}"


def _row(name: str, size: Size) -> str:
    return f"{name:<24}{size.characters:>12,}{size.tokens:>8,}"
