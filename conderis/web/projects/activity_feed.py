"""A project's activity as an Atom feed (RFC 4287), for whoever may read the project."""

import hashlib
import re
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.crypto import salted_hmac
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.http import http_date
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from conderis.web.projects.activity import Shown, shown, title_of
from conderis.web.projects.frame import ProjectFrame
from conderis.web.reaching import public
from items.activity import Happening, project_activity

MOST: Final = 50  # entries
# What XML 1.0 cannot hold at all.
_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ISOLATED: Final = "\N{FIRST STRONG ISOLATE}%s\N{POP DIRECTIONAL ISOLATE}"


def feed_answer(request: HttpRequest, frame: ProjectFrame) -> HttpResponse:
    """The feed, or 304 where the reader has it as it now is.

    Only the ETag decides that: an entry that has been erased changes the feed without
    making it newer. Caches must ask each time, since the project may turn private.
    """
    found = project_activity(frame.caller, frame.project_id, limit=MOST).items
    body = _feed(request, frame, found)
    etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(body, content_type=Atom1Feed.content_type, headers={"ETag": etag})
    if found:
        response["Last-Modified"] = http_date(found[0].at.timestamp())
    answer = get_conditional_response(request, etag=etag, response=response) or response
    patch_cache_control(answer, no_cache=True)
    return answer


def entry_id(host: str, event: Happening) -> str:
    """The entry's tag URI (RFC 4151): stays as it is when the item or the project is renamed.

    It holds no number of an event, since gaps would count what the reader may not see.
    """
    made = salted_hmac("conderis.feed", str(event.id), algorithm="sha256").hexdigest()[:24]
    return f"tag:{host},{event.at.date().isoformat()}:activity/{made}"


class _Feed(Atom1Feed):
    """Atom with an `updated` that depends on nothing but the entries."""

    def latest_post_date(self) -> datetime:
        """The time of the newest entry; of an empty feed, when the project was made."""
        newest: datetime = self.feed["newest"]
        return newest


def _feed(request: HttpRequest, frame: ProjectFrame, found: list[Happening]) -> bytes:
    def here(path: str) -> str:
        return public(request.build_absolute_uri(path))

    project, host = frame.access.project, urlsplit(here("/")).hostname or "localhost"
    feed = _Feed(
        title=_clean(_("Activity in %(project)s") % {"project": frame.full_name}),
        link=here(frame.path("project-activity")),
        description=None,
        subtitle=_clean(frame.description) or None,
        language=get_language(),
        feed_url=here(frame.path("project-feed")),
        feed_guid=f"tag:{host},{project.created.date().isoformat()}:project/{project.public_id}",
        newest=found[0].at if found else project.created,
    )
    for event in found:
        row = shown(frame, event)
        feed.add_item(
            title=_title(row),
            link=here(row.href),
            description=str(escape(_summary(row))),
            unique_id=entry_id(host, event),
            unique_id_is_permalink=False,
            pubdate=event.at,
            updateddate=event.at,
            author_name=_author(row),
            categories=(event.kind,),
        )
    return feed.writeString("utf-8").encode()


def _title(row: Shown) -> str:
    event = row.event
    number = f" (#{event.number})" if event.number is not None else ""
    title = _ISOLATED % _clean(title_of(event))
    return f"{row.word}: {title}{number}"


def _summary(row: Shown) -> str:
    target = f" #{row.event.target}" if row.event.target is not None else ""
    details = ", ".join(row.details) + target
    return f"{row.word}: {details}" if details else row.word


def _author(row: Shown) -> str:
    name = _clean(row.who) or _("whoever runs the server")
    if row.event.credited is not None:
        return _("%(author)s, imported by %(person)s") % {
            "author": _clean(row.event.credited),
            "person": name,
        }
    if row.event.agent is None:
        return name
    return _("%(person)s through %(agent)s") % {
        "person": name,
        "agent": _clean(row.event.agent),
    }


def _clean(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
