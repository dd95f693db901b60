"""What a backup says of itself: the first thing that a restore reads."""

import hashlib
import hmac
import json
import secrets
from dataclasses import asdict, dataclass
from typing import Self

from conderis.common.json import JsonObject
from conderis.operations.faults import Fault

FORMAT = 1
_ROUNDS = 200_000  # so that a weak secret is not guessed from its print


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a backup holds."""

    projects: int
    items: int
    proposals: int
    people: int
    erasures: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds, of which database and version.

    `digests` has the SHA-256 of each other member. `secret` is a print of the server's secret
    key, which tells whether another key is the same and nothing more.
    """

    version: str
    database: str
    server: str
    made: str
    migrations: tuple[str, ...]
    counts: Counts
    digests: dict[str, str]
    secret: str

    def as_bytes(self) -> bytes:
        """The member of the file."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The manifest of a backup.

        Raises:
            Fault: it is none, or of a format that this version does not know.
        """
        try:
            held: JsonObject = json.loads(data)
            form = held.pop("format")
            if isinstance(form, int) and form > FORMAT:
                raise Fault(
                    f"The backup has the format {form}; this version reads {FORMAT} and older. "
                    "Restore it with the version that made it, or a newer one."
                )
            return cls(
                **{
                    **held,
                    "migrations": tuple(held["migrations"]),
                    "counts": Counts(**held["counts"]),
                }
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Fault(
                "The file is no backup of Conderis: its manifest cannot be read."
            ) from error


def print_of(secret: str) -> str:
    """A print of a secret key, another one each time."""
    salt = secrets.token_hex(8)
    return f"{salt}${_stretched(secret, salt)}"


def is_print_of(made: str, secret: str) -> bool:
    """Whether the print was made of this secret key."""
    salt, _, stretched = made.partition("$")
    return hmac.compare_digest(stretched, _stretched(secret, salt))


def _stretched(secret: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", secret.encode(), salt.encode(), _ROUNDS).hex()
