"""Opaque public ids: random, short, without look-alikes, never derived from data."""

import secrets

# Crockford's base 32 in lower case: no i, l, o, u.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 12  # 60 bits


def new_id() -> str:
    """A new public id of 12 characters (60 random bits)."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
