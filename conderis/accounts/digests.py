"""Keyed digests of secrets that are handed out: only these are stored.

HMAC-SHA256 under a pepper that comes from the server's secret key, one for each kind
of secret. The secrets are random (140 bits and more), so no slow hash is needed; with
the pepper, a stolen database alone cannot even be used to test a guess.
"""

import hmac
from enum import StrEnum

from django.conf import settings


class Secret(StrEnum):
    """The kinds of secrets; each word is the label of its pepper and never changes."""

    AGENT_KEY = "conderis agent key v1"
    SIGN_IN_LINK = "conderis sign-in link v1"
    INVITATION = "conderis invitation v1"
    ORIGIN = "conderis origin v1"
    UPLOAD = "conderis upload v1"


def keyed_digest(kind: Secret, text: str) -> str:
    """The digest of a secret of this kind, as 64 hexadecimal digits."""
    pepper = hmac.digest(settings.SECRET_KEY.encode(), kind.encode(), "sha256")
    return hmac.digest(pepper, text.encode(), "sha256").hex()
