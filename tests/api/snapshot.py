"""The stored OpenAPI document: `make api-snapshot` writes it anew after a change on purpose."""

import json
from pathlib import Path

SNAPSHOT = Path(__file__).parent / "openapi.json"


def document_now() -> str:
    """The document as it would be published now, as stored."""
    from conderis.api.assembling import api  # noqa: PLC0415 - Django is set up by then

    return json.dumps(api.get_openapi_schema(), indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the document as it is now."""
    import os  # noqa: PLC0415 - before Django

    import django  # noqa: PLC0415 - after its settings are named

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conderis.settings")
    django.setup()
    SNAPSHOT.write_text(document_now(), encoding="utf-8")


if __name__ == "__main__":
    main()
