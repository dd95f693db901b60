"""Files that are sent while they are made."""

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse


class Download(StreamingHttpResponse):
    """A file of these pieces, under this name. Nothing keeps it, no cache either.

    Under ASGI the pieces are taken one by one in the request's own thread: Django itself
    would read all of them into memory first.
    """

    def __init__(self, pieces: Iterator[str] | Iterator[bytes], *, name: str, kind: str) -> None:
        super().__init__(
            pieces,
            content_type=kind,
            headers={
                "Content-Disposition": f'attachment; filename="{name}"',
                "Cache-Control": "no-store",
            },
        )

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = iter(self)
        while (piece := await sync_to_async(_following)(pieces)) is not None:
            yield piece


def _following(pieces: Iterator[bytes]) -> bytes | None:
    return next(pieces, None)
