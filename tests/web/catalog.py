"""The catalog of the pages' texts: collected from the code, merged, compiled.

`make messages` brings locale/ up to the code; a test holds it there. It needs no GNU
gettext: Django turns templates into Python-like text, and Babel reads that.
"""

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT: Final = Path(__file__).resolve().parent.parent.parent
LANGUAGES: Final = ("de",)
CODE: Final = ("conderis", "projects", "items", "proposals", "privacy", "mcp_surface")
DATED: Final = datetime(2026, 11, 30, tzinfo=UTC)
KEYWORDS: Final = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}


def sources() -> Iterator[tuple[Path, str]]:
    """Every file that may hold texts of pages, as Python."""
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if path.suffix in {".html", ".txt"}:
            yield path, templatize(path.read_text(), origin=str(path))
    for name in CODE:
        for path in sorted((ROOT / name).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path, path.read_text()


def collected() -> Catalog:
    """All texts of the code, with the files that they stand in (no lines: they move)."""
    catalog = Catalog(charset="utf-8")
    for path, text in sources():
        place = path.relative_to(ROOT).as_posix()
        for _line, message, comments, context in extract(
            "python", io.BytesIO(text.encode()), KEYWORDS, ("Translators:",)
        ):
            catalog.add(message, None, [(place, 0)], auto_comments=comments, context=context)
    return catalog


def po_file(language: str) -> Path:
    """The catalog of a language."""
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def read(language: str) -> Catalog:
    """The catalog as it stands."""
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language)


def compiled(catalog: Catalog) -> bytes:
    """The catalog as Django reads it; what is not translated is left out."""
    held = io.BytesIO()
    write_mo(held, catalog)
    return held.getvalue()


def update(language: str) -> list[str]:
    """Bring the catalog and its compiled form up to the code; the texts without translation."""
    path = po_file(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalog = read(language) if path.exists() else Catalog(locale=language, charset="utf-8")
    catalog.project, catalog.version, catalog.fuzzy = "Conderis", "1", False
    catalog.header_comment = f"# Texts of Conderis in {language}."
    catalog.creation_date = catalog.revision_date = DATED  # else every run would differ
    catalog.update(collected(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    with path.open("wb") as file:
        write_po(file, catalog, width=100, sort_by_file=True, omit_header=False)
    path.with_suffix(".mo").write_bytes(compiled(read(language)))
    return [str(message.id) for message in catalog if message.id and not message.string]


if __name__ == "__main__":
    for each in LANGUAGES:
        missing = update(each)
        print(f"{each}: {len(missing)} texts without translation")  # noqa: T201 - a command
