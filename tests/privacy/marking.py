"""Stores a marker in every place that can hold text, and erases it, in a process of its own.

Run as `python -m tests.privacy.marking STEP` in the environment of a server. Prints JSON.
"""

import json
import os
import random
import string
import sys
from typing import Any

import django

# Found by this stem in whatever form: nothing else begins as it does.
STEM = "qxzvlurk"
MARK = "Qxzvlurkings"
# As JSON with escapes, as UTF-8 and as UTF-16 it looks different each time.
FOREIGN = "Żqłxzvą"
TEXT = f"The word is {MARK}, or {FOREIGN}."
LONG = 400_000


def main(step: str) -> Any:
    """Run the step; what it answers is printed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    django.setup()
    from tests.privacy import marked_places  # noqa: PLC0415

    return getattr(marked_places, step)()


def long_text() -> str:
    """So long that both databases keep it apart from its row; nothing shortens it."""
    letters = random.Random(20261130).choices(string.ascii_letters + string.digits, k=LONG)
    return "".join(letters) + f" {TEXT}"


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(sys.argv[1])))
