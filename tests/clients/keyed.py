"""The product as the conformance suite can test it: an ASGI application for tests alone.

The suite can send no header, so every request gets the key of TEST_KEY. It calls tools by
names that it expects of every server; those that ours can stand in for are called instead.
"""

import os

from conderis.asgi import application as product
from mcp_surface.transport.bodies import read_body
from mcp_surface.transport.http import Event, Receive, Scope, Send

KEY = os.environ["TEST_KEY"]
STAND_INS = {
    b"test_simple_text": b"recall",
    b"test_error_handling": b"item_store",  # called without arguments: a refusal
}


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Add the key, put the stand-ins, and hand on."""
    if scope["type"] != "http":
        await product(scope, receive, send)
        return
    body = await read_body(receive) or b""
    for name, ours in STAND_INS.items():
        body = body.replace(b'"%s"' % name, b'"%s"' % ours)
    headers = [
        (name, STAND_INS.get(value, value))
        for name, value in scope["headers"]
        if name != b"content-length"
    ]
    headers += [
        (b"authorization", f"Bearer {KEY}".encode()),
        (b"content-length", str(len(body)).encode()),
    ]
    sent: list[Event] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_changed() -> Event:
        return sent.pop() if sent else await receive()

    await product({**scope, "headers": headers}, receive_changed, send)
