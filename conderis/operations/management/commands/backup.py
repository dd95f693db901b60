"""Back up the database to one file."""

from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path

from conderis.common.json import JsonObject
from conderis.operations.backing.making import make_backup
from conderis.operations.commanding import OperatorCommand


class Command(OperatorCommand):
    help = (
        "Back up the database to one file, beside a running server too. What was erased is named "
        "in it by its ids, so that a restore erases it again. The secret key is not in it."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="The file to make. Keep it where nobody else reads it.")
        parser.add_argument("--force", action="store_true", help="Write over a file.")
        parser.add_argument(
            "--with-secret-key",
            action="store_true",
            help="For a whole move: agent keys go on working with it, for whoever has the file.",
        )

    def answer(self, options: JsonObject) -> JsonObject:
        made = make_backup(
            Path(str(options["file"])),
            force=bool(options["force"]),
            with_secret=bool(options["with_secret_key"]),
        )
        return {
            "file": str(made.path),
            "bytes": made.size,
            "database": made.manifest.database,
            "made": made.manifest.made,
            "counts": asdict(made.manifest.counts),
            "secretKey": made.with_secret,
            "seconds": round(made.seconds, 1),
        }

    def words(self, answer: JsonObject) -> str:
        said = (
            f"Backed up to {answer['file']} ({answer['bytes']:,} bytes, {answer['seconds']} s): "
            + ", ".join(f"{name} {count:,}" for name, count in answer["counts"].items())
            + "."
        )
        if answer["secretKey"]:
            return f"{said}\nThe secret key is in it: whoever has the file has the server."
        return f"{said}\nThe secret key is not in it. Keep it apart; without it agent keys end."
