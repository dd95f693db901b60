"""Put a backup in the place of the database."""

import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path

from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.operations.backing.restoring import is_anything_there, restore_backup
from conderis.operations.commanding import OperatorCommand
from conderis.operations.database import database_place

_SECRETS = {
    "same": "The secret key is that of the backup.",
    "restored": "The secret key of the backup is in its place.",
    "other": (
        "The secret key is not that of the backup: its agent keys, sign-in links and second "
        "factors do not work. Put back its secret key, or make new ones."
    ),
}

_AS_IT_WAS = (
    "What else was taken back since is as it was then: revoked keys, ended roles, deactivated "
    "people, pending deletion requests. Look through `list_keys`."
)


class Command(OperatorCommand):
    help = (
        "Put a backup in the place of the database, which is then gone. What was erased since is "
        "erased in it before anything is served. The server must be stopped."
    )

    # Whether there was a database, and whether more erasures than those known here were named.
    _replaced = _named = False

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="What `backup` made.")
        parser.add_argument("--yes", action="store_true", help="Do not ask.")
        parser.add_argument(
            "--erasures",
            metavar="FILE",
            help="More erasures: the erasures.jsonl of another data folder.",
        )

    def handle(self, *_args: object, **options: object) -> None:
        self._replaced = is_anything_there()
        self._named = bool(options["erasures"])
        if self._replaced and not options["yes"]:
            self._ask(as_json=bool(options["json"]))
        self.show(self.answer(options), as_json=bool(options["json"]))

    def answer(self, options: JsonObject) -> JsonObject:
        more = options["erasures"]
        restored = restore_backup(
            Path(str(options["file"])), more_erasures=Path(str(more)) if more else None
        )
        manifest = restored.manifest
        return {
            "database": manifest.database,
            "made": manifest.made,
            "version": manifest.version,
            "counts": asdict(manifest.counts),
            "erased": restored.erased,
            "reindexed": restored.reindexed,
            "secretKey": restored.secret,
            "notes": list(restored.notes),
        }

    def words(self, answer: JsonObject) -> str:
        counts = ", ".join(f"{name} {count:,}" for name, count in answer["counts"].items())
        return "\n".join(
            [
                f"{database_place()} is that of {answer['made']} now: {counts}.",
                *(["The one before is gone."] if self._replaced else []),
                self._erased_since(int(answer["erased"])),
                *(["The search index was rebuilt."] if answer["reindexed"] else []),
                *answer["notes"],
                _SECRETS[str(answer["secretKey"])],
                _AS_IT_WAS,
            ]
        )

    def _erased_since(self, erased: int) -> str:
        if erased:
            return f"Erased again, since it was erased after the backup: {erased:,}."
        if self._replaced or self._named:
            return "Nothing had been erased since."
        return "No later erasure is known here; name the journal of the old server with --erasures."

    def _ask(self, *, as_json: bool) -> None:
        place = database_place()
        if as_json or not sys.stdin.isatty():
            raise Invalid(f"{place} would be replaced. Say so with --yes.", field="yes")
        self.stdout.write(f"{place} will be replaced, and is gone then. Type yes to go on: ")
        self.stdout.flush()
        if sys.stdin.readline().strip().lower() != "yes":
            raise Invalid("Nothing was changed.", field="yes")
