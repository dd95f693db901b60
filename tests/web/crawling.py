"""Walks the site as one caller: every page that links lead to, by GET."""

import html
import re
from collections import deque
from typing import Any
from urllib.parse import urldefrag, urlsplit

from django.test import Client

LINK = re.compile(r'(?:href|src|hx-get)="([^"]+)"')
MOST_PAGES = 600


def crawl(client: Client, *starts: str) -> dict[str, Any]:
    """Each address that can be reached from here, with its answer.

    Pages that differ in their query alone are walked a few times each.
    """
    waiting = deque(starts or ("/",))
    seen: dict[str, Any] = {}
    variants: dict[str, int] = {}
    while waiting and len(seen) < MOST_PAGES:
        address = waiting.popleft()
        path = urlsplit(address).path
        if address in seen or variants.get(path, 0) >= 6:
            continue
        variants[path] = variants.get(path, 0) + 1
        seen[address] = answer = client.get(address)
        if answer.has_header("Location"):
            waiting.append(answer["Location"])
        if not answer.get("Content-Type", "").startswith("text/html"):
            continue
        for found in LINK.findall(answer.content.decode()):
            target = urldefrag(html.unescape(found))[0]
            if target.startswith("?"):
                target = path + target
            if target.startswith("/") and not target.startswith("//"):
                waiting.append(target)
    return seen


def body(answer: Any) -> bytes:
    """The whole answer, streamed or not, with its headers."""
    content = b"".join(answer) if answer.streaming else answer.content
    joined: bytes = content + repr(sorted(answer.headers.items())).encode()
    return joined
