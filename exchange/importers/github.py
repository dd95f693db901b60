"""Issues of GitHub as JSON: what the REST API answers, or `gh issue list --json` writes.

The files are read more than once: first who stands under whom, then a level at a time, so that
parents come before their children.
"""

from collections.abc import Iterator
from itertools import count
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conderis.common.json import Json
from exchange.importers.base import Importer, Options
from exchange.importers.drafts import Draft
from exchange.importers.json_streams import (
    Unreadable,
    first_piece,
    json_files,
    other_files,
    pieces,
)
from exchange.importers.members import Members
from exchange.importers.places import named_place
from exchange.importers.standing import Stand, deepest, stands
from exchange.importers.statuses import is_not_done
from exchange.importers.texts import closed
from exchange.importers.values import moment_of
from exchange.records import Credit, Found, Problem
from exchange.sources import Source, SourceFile

_API: Final = "https://api.github.com/repos/"
_WEB: Final = "https://github.com/"
_LISTS: Final = ("", "items")  # the file is a list, or an answer of the search with `items`
_KNOWN: Final = frozenset({"html_url", "node_id", "repository_url", "state", "stateReason"})


def _looks_like(source: Source) -> bool:
    files = json_files(source)
    first = first_piece(files[0]) if files else None
    if first is not None and first.name in {"total_count", "incomplete_results"}:
        return any(_is_issue(value) for value in _of_file(files[0], stop_after=1))
    return first is not None and first.name in _LISTS and _is_issue(first.value)


def _is_issue(value: Json) -> bool:
    if isinstance(value, list):  # pages of `gh api --paginate --slurp`
        return bool(value) and _is_issue(value[0])
    if not isinstance(value, dict) or not {"number", "title"} <= value.keys():
        return False
    return bool(_KNOWN & value.keys()) or "/issues/" in str(value.get("url"))


def _of_file(file: SourceFile, stop_after: int = 0) -> Iterator[Json]:
    number = count(1)
    for piece in pieces(file):
        if piece.name not in _LISTS or piece.index is None:
            continue
        for value in piece.value if isinstance(piece.value, list) else [piece.value]:
            yield value
            if next(number) == stop_after:
                return


def _issues(source: Source) -> Iterator[tuple[str, Members, Json] | Problem]:
    """Each issue with its place; problems of the files at the end of each."""
    many = len(json_files(source)) > 1
    for file in json_files(source):
        try:
            for number, value in enumerate(_of_file(file), start=1):
                place = _("entry %(number)d") % {"number": number}
                place = f"{file.name}, {place}" if many else place
                yield place, Members(value), value
        except Unreadable as error:
            yield Problem(file.name, str(error))


def _read(source: Source, _options: Options) -> Iterator[Found]:
    parents: dict[str, str | None] = {}
    yield from other_files(source)
    for found in _issues(source):
        if isinstance(found, Problem):
            yield found
            continue
        place, issue, value = found
        key = _key(issue)
        reason = _unfit(issue, value, key, parents)
        if reason:
            yield Problem(_place(place, issue), reason)
        else:
            parents[key] = _address(issue.line("parent_issue_url")) or None
    yield from _records(source, stands(parents, "task"))


def _unfit(issue: Members, value: Json, key: str, seen: dict[str, str | None]) -> str:
    """Why no task comes of it; "" where one does."""
    if not isinstance(value, dict):
        return _("It is no object.")
    if issue.raw("pull_request") is not None or "/pull/" in key:
        return _("It is a pull request, not an issue.")
    if not key:
        return _("It has no address, id or number.")
    if not issue.line("title"):
        return _("It has no title.")
    if key in seen:
        return _("The same issue came before in the file.")
    return ""


def _records(source: Source, where: dict[str, Stand]) -> Iterator[Found]:
    levels = {stand.level for stand in where.values()}
    waiting = set(where)
    for level in range(1, deepest("task") + 1):
        if level not in levels:
            return
        for found in _issues(source):
            if isinstance(found, Problem):
                continue
            place, issue, value = found
            key = _key(issue)
            if key in waiting and where[key].level == level and not _unfit(issue, value, key, {}):
                waiting.discard(key)
                yield _drafted(_place(place, issue), key, issue, where[key]).finished()


def _key(issue: Members) -> str:
    """The issue's address in the browser, the same in both forms; else its id or number."""
    address = _address(issue.line("html_url", "url"))
    identity = issue.line("node_id", "id")
    number = issue.line("number")
    return address or identity or (f"number:{number}" if number else "")


def _address(url: str) -> str:
    return _WEB + url.removeprefix(_API) if url.startswith(_API) else url


def _place(place: str, issue: Members) -> str:
    number = issue.line("number")
    return named_place(f"{place}, #{number}" if number else place, issue.line("title"))


def _drafted(place: str, key: str, issue: Members, stand: Stand) -> Draft:
    draft = Draft(key, place, "task", issue.line("title"), closed(issue.text("body")))
    draft.parent = stand.parent
    draft.fields["status"] = _status(issue)
    draft.tags = _labels(issue)
    draft.details = [
        ("Milestone", _milestone(issue)),
        ("Type", issue.object("type").line("name") if isinstance(issue.raw("type"), dict) else ""),
        ("Closed as", _reason(issue)),
        ("Assignees", ", ".join(_people(issue))),
        ("GitHub", key if key.startswith("https://") else issue.line("number")),
    ]
    draft.credit = Credit(issue.object("user").person("login") or _login(issue, "author"))
    draft.created = issue.moment("created_at", "createdAt")
    draft.changed = issue.moment("updated_at", "updatedAt")
    _discuss(draft, issue)
    draft.warnings.extend([stand.warning] if stand.warning else [])
    draft.warnings.extend(issue.odd.sentences())
    return draft


def _status(issue: Members) -> str:
    if issue.line("state").casefold() != "closed":
        return "open"
    return "canceled" if is_not_done(_reason(issue)) else "done"


def _reason(issue: Members) -> str:
    reason = issue.line("state_reason", "stateReason").casefold().replace("_", " ")
    return "" if reason in {"completed", "reopened"} else reason


def _labels(issue: Members) -> list[str]:
    found = []
    for label in issue.entries("labels"):
        value = label if isinstance(label, dict) else {"name": label}
        if name := Members(value, issue.odd, "labels.").line("name"):
            found.append(name)
    return found


def _milestone(issue: Members) -> str:
    if issue.raw("milestone") is None:
        return ""
    milestone = issue.object("milestone")
    due = milestone.day("due_on") or milestone.day("dueOn")
    title = milestone.line("title")
    return f"{title} (due {due})" if title and due else title


def _people(issue: Members) -> list[str]:
    several = [person.person("login", "name") for person in issue.objects("assignees")]
    single = _login(issue, "assignee")
    return [name for name in dict.fromkeys([*several, single]) if name]


def _login(of: Members, name: str) -> str:
    return of.object(name).person("login", "name") if of.raw(name) is not None else ""


def _discuss(draft: Draft, issue: Members) -> None:
    embedded = isinstance(issue.raw("comments"), list)
    if not embedded:
        counted = int(issue.number("comments"))
        if counted > 0:
            reason = ngettext(
                "GitHub counts %(count)d comment on this issue; the file does not hold it.",
                "GitHub counts %(count)d comments on this issue; the file does not hold them.",
                counted,
            )
            draft.warnings.append(reason % {"count": counted})
        return
    for comment in issue.objects("comments"):
        written = comment.line("createdAt", "created_at")
        by = _login(comment, "author") or _login(comment, "user")
        text = comment.text("body")
        if text.strip():
            draft.comments.append((by, moment_of(written) or written, text))
        else:
            draft.warnings.append(_("A comment without text is skipped."))
    draft.comments.sort(key=lambda each: str(each[1]))


GITHUB: Final = Importer(
    name="github",
    label=gettext_lazy("GitHub issues"),
    hint=gettext_lazy(
        "For example: gh api --paginate --slurp 'repos/OWNER/NAME/issues?state=all', or "
        "gh issue list --state all --limit 10000 --json "
        "number,title,body,state,stateReason,labels,milestone,assignees,author,comments,"
        "createdAt,updatedAt,url."
    ),
    looks_like=_looks_like,
    read=_read,
)
