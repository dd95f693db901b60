"""A small OpenID Connect provider on this machine, for tests."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt

CLIENT = "conderis-tests"


class FakeProvider:
    """Says of everybody who comes what `person` holds; `asked` keeps what it was asked."""

    def __init__(self) -> None:
        self.person: dict[str, Any] = {"sub": "u-1", "preferred_username": "ada", "name": "Ada L"}
        self.down = False
        self.asked: list[str] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server.server_port}"

    @property
    def settings(self) -> list[dict[str, Any]]:
        """What the environment's settings would make of it."""
        return [
            {
                "provider_id": "sso",
                "name": "the team's server",
                "client_id": CLIENT,
                "secret": "its-secret",
                "settings": {"server_url": self.url, "scope": ["openid", "profile"]},
            }
        ]

    def answer(self, path: str) -> dict[str, Any]:
        """What it says at this path."""
        self.asked.append(path)
        if path.startswith("/.well-known/"):
            return {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "userinfo_endpoint": f"{self.url}/userinfo",
                "jwks_uri": f"{self.url}/keys",
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
            }
        if path == "/token":
            now = int(time.time())
            said = {**self.person, "iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300}
            signed = jwt.encode(said, "k" * 32, algorithm="HS256")
            return {"access_token": "token", "token_type": "Bearer", "id_token": signed}
        if path == "/userinfo":
            return self.person
        return {"keys": []}


def _handler(provider: FakeProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say()

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self._say()

        def _say(self) -> None:
            body = json.dumps(provider.answer(self.path)).encode()
            self.send_response(500 if provider.down else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            """Nothing."""

    return Handler


@contextmanager
def fake_provider() -> Iterator[FakeProvider]:
    """One that answers until the test ends."""
    provider = FakeProvider()
    thread = threading.Thread(target=provider.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.server.shutdown()
        provider.server.server_close()
        thread.join()
