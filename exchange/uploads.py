"""Uploaded files: what is taken, of which format they are, and what tells that two are the same."""

import hashlib
import zipfile
from io import BytesIO

from django.conf import settings

from conderis.accounts.digests import Secret, keyed_digest
from conderis.common.errors import Invalid, TooLarge
from exchange.importers.base import Importer
from exchange.importers.registry import IMPORTERS, importer_for, importer_named
from exchange.sources import Source, source_of_bytes


def importer_of(name: str, content: bytes, *, importer: str = "") -> Importer:
    """What reads this file: the importer named, or else the one that recognizes it.

    Raises:
        Invalid: the file is empty, a broken archive, or of no known format.
        TooLarge: it is larger than CONDERIS_IMPORT_MAX_MB, or has too many files.
    """
    source = _source_of(name, content)
    return importer_named(importer) if importer else _recognized(source)


def upload_digest(content: bytes) -> str:
    """What tells that a file is sent again, and lets nobody who reads the row try out files."""
    return keyed_digest(Secret.UPLOAD, hashlib.sha256(content).hexdigest())


def _source_of(name: str, content: bytes) -> Source:
    most = settings.IMPORT_MAX_BYTES
    if not content:
        raise Invalid("The file is empty.", field="file")
    if len(content) > most:
        raise TooLarge(f"The file is larger than {most // 1024**2} MB.", field="file")
    if name.lower().endswith(".zip") and not zipfile.is_zipfile(BytesIO(content)):
        raise Invalid("The file is no zip archive that can be read.", field="file")
    return source_of_bytes(name, content)


def _recognized(source: Source) -> Importer:
    found = importer_for(source)
    if found is None:
        names = [each.name for each in IMPORTERS]
        raise Invalid(
            f"The format of this file is not known. Known are {', '.join(names)}.",
            field="file",
            allowed=names,
        )
    return found
