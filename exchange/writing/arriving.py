"""From a record to the change that makes an item of it: checked whole, as if it were stored.

Only what the rules for new items do not know is done here: a status without a deed, an
assignee of another server, times, histories, and names of authors.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from conderis.common.errors import Denied, DomainError, Invalid, TooLarge
from conderis.common.json import Json, JsonObject
from conderis.common.secrets import find_secret
from exchange.records import Record
from exchange.writing.fitting import Fitted, credit_of, fitted, moment, text_of, times_of
from exchange.writing.pasts import commits_of, pasts_of
from exchange.writing.rewriting import Rewriter
from items.access import Place
from items.assignees import find_assignee
from items.change import MADE_NOW, Change, Together
from items.changes import prepare_new
from items.differences import named_texts
from items.importing import Arrival
from items.kinds.base import Kind
from items.kinds.registry import kind_named
from items.kinds.task import MAX_REASON, Holder, Work
from items.kinds.values import Assignee, Choice, Commits, ItemReference, Numbers, Text
from items.mates import Mates
from items.patches import read_value
from items.state import shown
from projects.models import SecretsPolicy
from proposals.publication import proposed_to

BLOCKED_REASON = "blockedReason"


class LeftOut(Exception):
    """A record that no item can come of; the text says why."""


class SecretFound(LeftOut):
    """A record that looks like it holds a secret."""


@dataclass(slots=True)
class Workshop:
    """What records are made into items with: the place, the time, whom tasks may be given to."""

    place: Place
    now: datetime
    store_anyway: bool
    holders: dict[str, Holder | None] = field(default_factory=dict)
    mates: Mates = field(default_factory=lambda: Mates(titles={}))

    def arrival(self, record: Record, rewriter: Rewriter) -> tuple[Arrival, list[str]]:
        """The record as an item that can be written, and warnings about it.

        Raises:
            LeftOut: none can come of it.
        """
        try:
            return self._arrival(record, rewriter)
        except TooLarge as refusal:
            raise LeftOut(_too_large(refusal)) from refusal
        except DomainError as refusal:
            raise LeftOut(refusal.message) from refusal

    def _arrival(self, record: Record, rewriter: Rewriter) -> tuple[Arrival, list[str]]:
        kind = kind_named(record.kind)
        found = fitted(record, kind)
        fields = rewritten(kind, found.fields, rewriter)
        work = _taken_out(kind, fields)
        change = self._change(kind, fields)
        created, changed = times_of(record, self.now)
        if kind.statuses:
            reason = rewriter.plain(text_of(work, BLOCKED_REASON)).strip()[:MAX_REASON]
            status = read_status(kind, work.get("status"))
            state = Work(status, held_since=changed, blocked_reason=reason)
            found.warnings += self._set_work(change, record, state)
        _keep_repositories(change, fields)
        self._screen(change, found.warnings)
        past = pasts_of(
            record,
            kind,
            now=self.now,
            rewriter=rewriter,
            may_keep=self._may_keep,
            holder_of=self._holder_shown,
            warnings=found.warnings,
        )
        archived = record.archived
        if archived is not None and not _can_be_archived(kind):
            archived = None
            found.warnings.append(_("It was archived; here %s are not.") % kind.plural)
        return (
            Arrival(
                change=change,
                created=created,
                changed=changed,
                credit=credit_of(record.credit),
                archived=moment(archived, self.now) if archived is not None else None,
                past=past,
            ),
            found.warnings,
        )

    def _change(self, kind: Kind, fields: JsonObject) -> Change:
        if "visibility" in kind.by_name and not fields.get("visibility"):
            fields["visibility"] = "shared"
        self.mates.new_titles.clear()  # whose title is taken is asked where it is placed
        change = prepare_new(self.place, kind, fields, together=Together(self.mates, screened=True))
        access = proposed_to(self.place, change.use, reviewed=change.reviewed, asked=False)
        if access is not None:
            raise Denied(
                _("What you store of this kind here needs review, and an import proposes nothing."),
                missing=access.missing(change.use) or "person",
            )
        return change

    def _set_work(self, change: Change, record: Record, sent: Work) -> list[str]:
        """The task's state as the source has it; nobody claims anything by importing it."""
        holder, warnings = self._assignee(record.assignee), []
        if record.assignee and holder is None:
            name = record.assignee.get("name") or _("somebody")
            warnings.append(
                _("It was assigned to %s, who cannot have tasks here, so it is unassigned.") % name
            )
        is_blocked = sent.status == "blocked"
        reason = sent.blocked_reason or _("The source does not say why.")
        change.work = Work(
            status=sent.status,
            assignee=holder,
            held_since=sent.held_since if holder is not None else None,
            blocked_reason=reason if is_blocked else "",
            status_before="open" if is_blocked else "",
        )
        change.after |= {"status": sent.status, "assignee": holder}
        by_name = change.kind.by_name
        names = {*change.content}
        names |= {"status"} if sent.status != by_name["status"].type.empty else set()
        names |= {"assignee"} if holder is not None else set()
        change.content = tuple(name for name in by_name if name in names)
        change.reason = change.work.blocked_reason
        return warnings

    def _assignee(self, sent: Mapping[str, str] | None) -> Holder | None:
        ref = str((sent or {}).get("ref") or "")
        if not ref or ref == "me":
            return None
        if ref not in self.holders:
            try:
                read = Assignee().read(ref, "assignee")
                self.holders[ref] = find_assignee(self.place, read, None)
            except DomainError:
                self.holders[ref] = None
        return self.holders[ref]

    def _holder_shown(self, value: Json) -> JsonObject | None:
        """An assignee of an earlier version: here with a reference, else as a name alone."""
        if not isinstance(value, dict):
            return None
        holder = self._assignee({"ref": str(value.get("ref", ""))})
        if holder is not None:
            return {"ref": holder.ref, "name": holder.name}
        name = str(value.get("name", ""))[:100]
        return {"name": name} if name else None

    @property
    def _lets_secrets_in(self) -> bool:
        project = self.place.project
        warns = project is not None and project.secrets_policy == SecretsPolicy.WARN
        return warns or self.store_anyway

    def _screen(self, change: Change, warnings: list[str]) -> None:
        for name, text in named_texts(change):
            secret = find_secret(text)
            if secret is None:
                continue
            values = {"field": name, "kind": secret.kind, "line": secret.line}
            if not self._lets_secrets_in:
                raise SecretFound(
                    _(
                        "The field %(field)s holds what looks like a secret (%(kind)s), in line "
                        "%(line)s."
                    )
                    % values
                )
            warnings.append(
                _(
                    "The field %(field)s holds what looks like a secret (%(kind)s), in line "
                    "%(line)s. It was stored all the same."
                )
                % values
            )

    def _may_keep(self, texts: Sequence[str]) -> bool:
        return self._lets_secrets_in or not any(find_secret(text) for text in texts)


def rewritten(kind: Kind, sent: Mapping[str, Json], rewriter: Rewriter) -> JsonObject:
    """The fields with the numbers that their texts name as they are here."""
    fields = dict(sent)
    for name, value in fields.items():
        each = kind.by_name.get(name)
        if isinstance(value, str) and each is not None and each.searched:
            is_markdown = isinstance(each.type, Text)
            fields[name] = rewriter.markdown(value) if is_markdown else rewriter.plain(value)
    return fields


def fitted_texts(record: Record, rewriter: Rewriter) -> tuple[Kind, Fitted]:
    """The record's fields as they come in, its texts rewritten, without checking them."""
    kind = kind_named(record.kind)
    found = fitted(record, kind)
    return kind, Fitted(rewritten(kind, found.fields, rewriter))


def stands_apart(change: Change) -> bool:
    """Whether the item can stand under nothing."""
    check = change.kind.check
    if check is None:
        return False
    names = [each.name for each in change.kind.fields if isinstance(each.type, ItemReference)]
    try:
        check({**change.after, **dict.fromkeys(names, MADE_NOW)}, None)
    except Invalid:
        return True
    return False


def read_status(kind: Kind, sent: Json) -> str:
    """The status that was sent, or the one that items of the kind begin with."""
    field = kind.by_name["status"]
    return str(field.default if sent is None else read_value(field, sent))


def _taken_out(kind: Kind, fields: JsonObject) -> JsonObject:
    """What is set apart from the rest, taken out of the fields."""
    for each in kind.fields:
        if isinstance(each.type, ItemReference | Numbers | Assignee):
            fields.pop(each.name, None)
    apart = {BLOCKED_REASON: fields.pop(BLOCKED_REASON, None)}
    if kind.statuses:
        apart |= dict(_statuses(kind, fields))
    return {name: value for name, value in apart.items() if value is not None}


def _statuses(kind: Kind, fields: JsonObject) -> Iterator[tuple[str, Json]]:
    words = tuple(status.name for status in kind.statuses)
    for each in kind.fields:
        if isinstance(each.type, Choice) and each.type.words == words:
            yield "status", fields.pop(each.name, None)


def _keep_repositories(change: Change, fields: Mapping[str, Any]) -> None:
    """Linked commits keep the repository that each was linked in, where the source says it."""
    for each in change.kind.fields:
        sent = fields.get(each.name)
        if isinstance(each.type, Commits) and isinstance(sent, list):
            known = {row["sha"]: row for row in commits_of(sent, each.name)}
            change.after[each.name] = [
                known[row["sha"]] if "repository" in known[row["sha"]] else row
                for row in change.after[each.name]
            ]


def _can_be_archived(kind: Kind) -> bool:
    return "archive" in kind.action_names


def _too_large(refusal: TooLarge) -> str:
    return _("The field %(field)s is longer than %(limit)s characters.") % {
        "field": refusal.details.get("field", ""),
        "limit": refusal.details.get("limit", ""),
    }


def texts_of(change: Change) -> JsonObject:
    """The texts that the change stores, by field, as versions show them."""
    return {
        each.name: shown(each, change.after[each.name])
        for each in change.kind.fields
        if each.searched and isinstance(change.after[each.name], str)
    }
