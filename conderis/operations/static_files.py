"""Static files, from where they are."""

import gzip
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]
from whitenoise.responders import StaticFile  # type: ignore[import-untyped]

COMPRESSED = ("text/", "image/svg+xml", "application/json", "application/javascript")


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise, with whole files instead of streams, text in them compressed.

    Under ASGI, Django warns about its streams and reads them in one piece anyway. No file
    is compressed ahead, since nothing is collected before a start.
    """

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """The file, or that it has not changed."""
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file as file:
                content = file.read()
        headers = dict(found.headers)
        textual = headers.get("Content-Type", "").startswith(COMPRESSED)
        if textual and content and "gzip" in request.headers.get("Accept-Encoding", ""):
            content = _compressed(content)
            headers |= {"Content-Encoding": "gzip", "Content-Length": str(len(content))}
        response = HttpResponse(content, status=int(found.status))
        del response["Content-Type"]
        for name, value in headers.items():
            response[name] = value
        if textual:
            patch_vary_headers(response, ["Accept-Encoding"])
        return response


@lru_cache(maxsize=64)
def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
