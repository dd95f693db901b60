"""Serve web and MCP: what `make run` runs."""

from argparse import ArgumentParser
from contextlib import ExitStack

from django.conf import settings
from django.db import connection, connections
from django.utils import timezone

from conderis.common.environment import BadSetting, as_whole_number
from conderis.operations.addresses import base_address, mcp_address, note_port
from conderis.operations.backing.erasures import apply_journal
from conderis.operations.backing.places import remove_unfinished
from conderis.operations.commanding import OperatorCommand
from conderis.operations.database import prepared_database
from conderis.operations.faults import Fault
from conderis.operations.listening import open_listener
from conderis.operations.locking import serving_lock
from conderis.operations.quickstart import Quickstart, is_first_start, quickstart
from conderis.operations.serving import run_server
from conderis.operations.welcome import greeting, welcome
from privacy.ended_projects import erase_ended_projects
from privacy.files import clear_files


class Command(OperatorCommand):
    help = (
        "Serve web and MCP on one port. Brings the database up to date first; the first "
        "start makes an account, a project and an agent key, and prints how to connect."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST, help="Else CONDERIS_HOST.")
        parser.add_argument("--port", default=str(settings.PORT), help="Else CONDERIS_PORT.")
        parser.add_argument(
            "--workers", default=str(settings.WORKERS), help="Processes. Else CONDERIS_WORKERS."
        )

    def handle(self, *_args: object, **options: object) -> None:
        port = _number("--port", options["port"], most=65535)
        workers = _number("--workers", options["workers"], most=64)
        listener = open_listener(str(options["host"]), port)
        base = base_address(port)
        with ExitStack() as held:
            with prepared_database():
                held.enter_context(serving_lock())
                made = self._begin(base, as_json=bool(options["json"]))
            connections.close_all()
            note_port(port)
            answer = made.as_answer() if made else {"address": base, "mcp": mcp_address(base)}
            words = welcome(made, port=port) if made else greeting(base, port)
            self.show(
                answer,
                as_json=bool(options["json"]),
                words=f"{words}\n\nCtrl-C stops the server.",
            )
            run_server(listener, workers=workers)

    def _begin(self, base: str, *, as_json: bool) -> Quickstart | None:
        """Bring in order what must be before anything is served; the first start's account."""
        if remove_unfinished():
            clear_files()
        erased = apply_journal()
        if erased and not as_json:
            self.stdout.write(f"Erased again, since the database was put back: {erased:,}.")
        if not as_json:
            self._warn_of_log()
        mended = self.mend_index()
        if mended is not None and not as_json:
            self.stdout.write(f"The search index was incomplete. It was rebuilt: {mended:,} items.")
        erase_ended_projects(timezone.now())
        return quickstart(base) if is_first_start() else None

    def _warn_of_log(self) -> None:
        if connection.vendor != "postgresql":
            return
        # psycopg takes a tenth of a second at every start on SQLite.
        from conderis.operations.postgresql import settings_that_log_texts  # noqa: PLC0415

        if names := settings_that_log_texts():
            self.stdout.write(
                f"PostgreSQL's log will hold stored texts ({', '.join(names)}). "
                "docs/operating.md says how to keep them out."
            )


def _number(name: str, value: object, *, most: int) -> int:
    try:
        return as_whole_number(name, str(value), least=1, most=most)
    except BadSetting as error:
        raise Fault(str(error)) from error
