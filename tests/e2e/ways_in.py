"""Ways in of somebody who has all of them: a password, an app, recovery codes, passkeys."""

from dataclasses import dataclass
from hashlib import sha256

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn.internal.auth import WebAuthn
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

from conderis.accounts.models import Person

PASSWORD = "a kettle of long leaves"
SECRET = "JBSWY3DPEHPK3PXP"


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey by its name; `alone` ones need no password beside them."""

    name: str
    alone: bool


PASSKEYS = (Passkey("Phone", alone=True), Passkey("Blue key in the drawer", alone=False))


def give_all(person: Person) -> int:
    """Give all of them; the key of the row of the first passkey."""
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    TOTP.activate(person, SECRET)
    RecoveryCodes.activate(person)
    rows = [WebAuthn.add(person, each.name, _registered(each)).instance for each in PASSKEYS]
    return int(rows[0].pk)


def _registered(passkey: Passkey) -> dict[str, object]:
    """What a browser says when a passkey was made. Nothing checks its signature afterwards."""
    number = sha256(passkey.name.encode()).digest()
    key = ES256({1: 2, 3: -7, -1: 1, -2: number, -3: number})
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT
    data = AuthenticatorData.create(
        sha256(b"localhost").digest(),
        flags,
        0,
        AttestedCredentialData.create(bytes(16), number, key),
    )
    client = CollectedClientData.create("webauthn.create", number, "http://localhost")
    return {
        "id": websafe_encode(number),
        "rawId": websafe_encode(number),
        "type": "public-key",
        "response": {
            "clientDataJSON": websafe_encode(client),
            "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
        },
        "clientExtensionResults": {"credProps": {"rk": passkey.alone}},
    }
