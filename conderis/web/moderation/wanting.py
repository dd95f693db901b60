"""Which proposals the queue shows: the filters, from the address or as they were last.

All but the state are kept in the session while the person stays in one project: whoever
comes to the queue comes to what waits.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict

from conderis.web.moderation.words import PENDING, STATES
from conderis.web.projects.frame import ProjectFrame

KEPT: Final = "moderation"
NEWEST, OLDEST = "newest", "oldest"
NAMES: Final = ("state", "kind", "by", "sort", "q")
MOST_WORDS: Final = 200  # characters of a search


@dataclass(frozen=True, slots=True)
class Wanted:
    """The filters of the queue. `by` is a person's or an agent's reference."""

    state: str = PENDING
    kind: str = ""
    by: str = ""
    sort: str = NEWEST
    q: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether only the state is chosen."""
        return self == Wanted(state=self.state)

    @property
    def query(self) -> str:
        """The filters as the query of an address; what is not chosen is left out."""
        chosen = {name: value for name, value in asdict(self).items() if value}
        if self.sort == NEWEST:
            del chosen["sort"]
        return urlencode(chosen)

    def with_state(self, state: str) -> "Wanted":
        """The same filters over another state."""
        return replace(self, state=state)


def wanted_by(request: HttpRequest, frame: ProjectFrame) -> Wanted:
    """The filters in the address, which are kept; without any, those kept for this project."""
    if set(NAMES) & request.GET.keys():
        wanted = _read(request.GET)
        _keep(request, frame, wanted)
        return wanted
    return kept_by(request, frame)


def kept_by(request: HttpRequest, frame: ProjectFrame) -> Wanted:
    """The filters last chosen here, over what waits; those of another project are dropped."""
    kept = request.session.get(KEPT)
    if not isinstance(kept, dict):
        return Wanted()
    if kept.get("project") != frame.project_id:
        del request.session[KEPT]
        return Wanted()
    return _read({name: str(value) for name, value in kept.items()}).with_state(PENDING)


def forget_elsewhere(request: HttpRequest, frame: ProjectFrame) -> None:
    """Drop what is kept for another project: whoever goes there begins anew on coming back."""
    kept = request.session.get(KEPT)
    if isinstance(kept, dict) and kept.get("project") != frame.project_id:
        del request.session[KEPT]


def _keep(request: HttpRequest, frame: ProjectFrame, wanted: Wanted) -> None:
    keeping = {"project": frame.project_id, **asdict(wanted)}
    del keeping["state"]
    if request.session.get(KEPT) != keeping:
        request.session[KEPT] = keeping


def _read(sent: Mapping[str, str] | QueryDict) -> Wanted:
    state, sort = sent.get("state", PENDING), sent.get("sort", NEWEST)
    return Wanted(
        state=state if state in STATES else PENDING,
        kind=_line(sent, "kind")[:20],
        by=_line(sent, "by")[:40],
        sort=OLDEST if sort == OLDEST else NEWEST,
        q=_line(sent, "q")[:MOST_WORDS],
    )


def _line(sent: Mapping[str, str] | QueryDict, name: str) -> str:
    """What was sent, in one line that every database can look for."""
    return " ".join(str(sent.get(name, "")).replace("\0", " ").split())
