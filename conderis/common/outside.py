"""Settings of the servers outside that this one talks to: for mail and for sign-in."""

from typing import Any
from urllib.parse import unquote, urlsplit

from conderis.common.environment import BadSetting

_PORTS = {"smtp": 587, "smtps": 465}


def mail_server(name: str, text: str) -> dict[str, Any]:
    """Django's settings for `smtp://` (STARTTLS where there is a user) or `smtps://`.

    Raises:
        BadSetting: it is no such address. The line does not repeat it: it may hold a password.
    """
    try:
        address = urlsplit(text)
        port = address.port
    except ValueError:
        address, port = urlsplit(""), None
    if address.scheme not in _PORTS or not address.hostname:
        raise BadSetting(f"{name} must be an address as smtp://user:password@host:587.")
    return {
        "EMAIL_HOST": address.hostname,
        "EMAIL_PORT": port or _PORTS[address.scheme],
        "EMAIL_HOST_USER": unquote(address.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(address.password or ""),
        "EMAIL_USE_SSL": address.scheme == "smtps",
        "EMAIL_USE_TLS": address.scheme == "smtp" and address.username is not None,
        "EMAIL_TIMEOUT": 10,  # seconds
    }


def sign_in_provider(*, url: str, client_id: str, secret: str, name: str) -> list[dict[str, Any]]:
    """The one OpenID Connect provider as allauth takes it; empty where none is set.

    Raises:
        BadSetting: the address is not https, or the client id is missing.
    """
    if not url:
        return []
    if not url.startswith(("https://", "http://localhost", "http://127.0.0.1")):
        raise BadSetting("CONDERIS_OIDC_URL must be an https address.")
    if not client_id:
        raise BadSetting("CONDERIS_OIDC_URL is set, so CONDERIS_OIDC_CLIENT_ID must be, too.")
    return [
        {
            "provider_id": "sso",
            "name": name,
            "client_id": client_id,
            "secret": secret,
            "settings": {"server_url": url, "scope": ["openid", "profile"]},
        }
    ]
