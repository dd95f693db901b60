#!/usr/bin/env python
"""Run a management command of Conderis."""

import json
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import BaseCommand, ManagementUtility, get_commands

from conderis import __version__
from conderis.accounts.redaction import redact
from conderis.common.environment import BadSetting


class UnknownCommand(Exception):
    """There is no command with this name; the message names ours."""


class Management(ManagementUtility):
    """Django's commands and ours; an unknown one is one line."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        """The command with this name."""
        commands = get_commands()
        if subcommand not in commands:
            ours = sorted(
                name for name, app in commands.items() if not str(app).startswith("django.")
            )
            raise UnknownCommand(
                f"There is no command {redact(subcommand)}. There are {', '.join(ours)}; "
                "`manage.py help` lists Django's too."
            )
        return super().fetch_command(subcommand)


def main() -> int:
    """Run the command of the arguments; a bad setting is one clear line and exit code 1."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    if sys.argv[1:] in (["--version"], ["version"]):
        print(f"Conderis {__version__}")  # noqa: T201
        return 0
    try:
        Management(sys.argv).execute()
    except UnknownCommand as error:
        return _refuse("invalid", str(error))
    except (BadSetting, ImproperlyConfigured) as error:
        return _refuse("unavailable", " ".join(str(error).split()))
    return 0


def _refuse(code: str, message: str) -> int:
    if "--json" in sys.argv:
        print(json.dumps({"error": code, "message": message}))  # noqa: T201
    print(message, file=sys.stderr)  # noqa: T201
    return 1


if __name__ == "__main__":
    sys.exit(main())
