"""Serve MCP to a client that launches this process."""

from django.conf import settings
from django.db import connections

from conderis.operations.backing.erasures import apply_journal
from conderis.operations.commanding import OperatorCommand
from conderis.operations.database import require_prepared
from conderis.operations.locking import serving_lock, setup_lock
from conderis.operations.stdio_caller import stdio_caller
from mcp_surface.stdio import serve_stdio


class Command(OperatorCommand):
    help = (
        "Serve MCP over standard input and output, for clients that launch a process. Acts "
        "as the agent key in CONDERIS_KEY; without one, and with SQLite, for the account of "
        "quickstart."
    )

    def handle(self, *_args: object, **_options: object) -> None:
        require_prepared()
        connections.close_all()
        with serving_lock():
            with setup_lock():
                apply_journal()
                self.mend_index()
            identify = stdio_caller(settings.STDIO_KEY)
            connections.close_all()
            serve_stdio(identify)
