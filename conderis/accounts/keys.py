"""The text of agent keys: `cndr_`, 8 characters to look it up by, 30 secret, 6 to check.

The check is the CRC32 of what stands before it, so that a mistyped or cut key is known
without a query, and the prefix lets scanners for leaked secrets know one. All in base
62, so that a double click selects it. The design follows GitHub's tokens
(https://github.blog/engineering/behind-githubs-new-authentication-token-formats/).
"""

import hmac
import re
import secrets
import string
import zlib
from dataclasses import dataclass, field

from conderis.accounts.digests import Secret, keyed_digest

PREFIX = "cndr_"
LOOKUP = 8
SECRET = 30  # 178 bits
CHECK = 6
LENGTH = len(PREFIX) + LOOKUP + SECRET + CHECK

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_FORM = re.compile(
    rf"({PREFIX}([0-9A-Za-z]{{{LOOKUP}}})[0-9A-Za-z]{{{SECRET}}})([0-9A-Za-z]{{{CHECK}}})"
)


@dataclass(frozen=True, slots=True)
class KeyText:
    """A well-formed key. Its text is shown to its owner once and stored nowhere."""

    lookup: str
    text: str = field(repr=False)

    @property
    def digest(self) -> str:
        """What is stored of it."""
        return keyed_digest(Secret.AGENT_KEY, self.text)

    def matches(self, digest: str) -> bool:
        """Whether a stored digest is this key's, in constant time."""
        return hmac.compare_digest(self.digest, digest)


def mint_key() -> KeyText:
    """A new random key."""
    lookup = _random(LOOKUP)
    body = PREFIX + lookup + _random(SECRET)
    return KeyText(lookup=lookup, text=body + _check(body))


def parse_key(text: str) -> KeyText | None:
    """The key that the text is, or None when it is mistyped, cut or no key at all."""
    found = _FORM.fullmatch(text)
    if found is None:
        return None
    body, lookup, check = found.groups()
    if check != _check(body):
        return None
    return KeyText(lookup=lookup, text=text)


def _random(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def _check(body: str) -> str:
    rest = zlib.crc32(body.encode())
    digits = []
    for _ in range(CHECK):
        rest, digit = divmod(rest, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))
