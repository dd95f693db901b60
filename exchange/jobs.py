"""Imports that a person begins: an uploaded file is looked at, then imported, apart from the page.

What a file holds is its person's alone: an upload may hold anything. Others who may publish in
the project see that an import is there, of whom, and how many items it made of which kind.
`exchange.running` does the work; the end of an import empties the file.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTransform
from django.utils import timezone

from conderis.accounts import audit
from conderis.accounts.models import Person
from conderis.common.caller import Caller
from conderis.common.errors import Conflict, Denied, Invalid, NotFound, RateLimited
from conderis.common.json import JsonObject, without_nulls
from conderis.common.times import iso
from exchange import running
from exchange.importers.base import Importer
from exchange.models import Import, ImportFile, Origin
from exchange.running import KEPT_UNFINISHED, WORKING, end_imports
from exchange.uploads import importer_of, upload_digest
from projects.access import ProjectAccess, access_project
from projects.capabilities import Use

State = Import.State
MAX_UNFINISHED: Final = 3  # of one person, in all projects
LISTED: Final = 50
MAX_NAME: Final = 255  # characters
MAX_PARTS: Final = 100
COUNTS: Final = ("made", "known", "tombstones", "secrets", "parts", "reason")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was sent."""

    name: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """What of the file is imported, and how: chosen at the beginning or after the check.

    `only` are the parts of it (all without any); `store_anyway` has texts stored that look like
    secrets, which else are left out.
    """

    only: Sequence[str] = ()
    store_anyway: bool = False


@dataclass(frozen=True, slots=True)
class ShownImport:
    """An import as its person sees it; others see no `name`, `report` and parts.

    `done` and `total` count records; `total` is 0 until the file has been checked. `made` counts
    new items by kind: what was made, before the end what would be. `expires`: an unfinished one
    is thrown away then.
    """

    import_id: str
    state: str
    importer: str
    created: datetime
    ended: datetime | None
    by: str
    agent: str
    is_own: bool
    done: int
    total: int
    name: str = ""
    only: Sequence[str] = ()
    store_anyway: bool = False
    made: JsonObject = field(default_factory=dict)
    report: JsonObject = field(default_factory=dict)

    @property
    def is_working(self) -> bool:
        """Whether the server works on it now, or is about to."""
        return self.state in WORKING

    @property
    def is_unfinished(self) -> bool:
        """Whether the uploaded file is still kept."""
        return self.ended is None

    @property
    def expires(self) -> datetime | None:
        """When it is thrown away, if nobody goes on with it."""
        return self.created + KEPT_UNFINISHED if self.is_unfinished else None

    def as_answer(self) -> JsonObject:
        """As JSON surfaces show it."""
        own = {"name": self.name, "only": list(self.only), "storeAnyway": self.store_anyway,
               "report": self.report}  # fmt: skip
        whole = {
            "import": self.import_id,
            "state": self.state,
            "importer": self.importer,
            "by": without_nulls({"name": self.by, "agent": self.agent or None}),
            "created": iso(self.created),
            "ended": iso(self.ended) if self.ended else None,
            "done": self.done,
            "total": self.total or None,
            "made": self.made or None,
        }
        return without_nulls(whole | (own if self.is_own else {}))


def begin_import(
    caller: Caller,
    project_id: str,
    *,
    upload: Upload,
    importer: str = "",
    choice: Choice | None = None,
) -> ShownImport:
    """The import of this file, which is now being checked; nothing is written to the project.

    Without `importer` the format is recognized. The same file sent again while it is unfinished
    is the same import.

    Raises:
        NotFound: there is no project that the caller may read.
        Denied: the caller may not publish there, needs review, or is an agent with `store_anyway`.
        Invalid: the file is empty, a broken archive, or of no known format.
        TooLarge: it is larger than CONDERIS_IMPORT_MAX_MB, or has too many files.
        Conflict: the same file is unfinished with another `choice` than the one sent.
        RateLimited: the person has three unfinished imports.
    """
    access_imports(caller, project_id)
    _checked_choice(caller, choice or Choice())
    # The file is read before anything is locked: that may take its time.
    found = importer_of(upload.name, upload.content, importer=importer)
    return _begin(caller, project_id, upload, found, choice)


@transaction.atomic
def _begin(
    caller: Caller, project_id: str, upload: Upload, found: Importer, choice: Choice | None
) -> ShownImport:
    digest = upload_digest(upload.content)
    access = access_imports(caller, project_id, lock=True)
    _lock_person(caller)
    unfinished = Import.objects.filter(person=caller.person_id, ended__isnull=True).exclude(
        state=State.CANCELED
    )
    same = unfinished.filter(project=access.project, importer=found.name, digest=digest)
    if (known := with_locks(_shown(same)).first()) is not None:
        if choice and [*choice.only, choice.store_anyway] != [*known.only, known.store_anyway]:
            raise Conflict("This file waits with another choice. Throw that import away first.")
        return show(caller, known)
    if unfinished.count() >= MAX_UNFINISHED:
        raise RateLimited(
            f"You have {MAX_UNFINISHED} unfinished imports. Finish or stop one of them first.",
            retry_after=60,
        )
    chosen = choice or Choice()
    made = Import.objects.create(
        project=access.project, person_id=caller.person_id, agent_id=caller.agent_id,
        key_id=caller.key.key_id if caller.key is not None else None,
        importer=found.name, only=list(chosen.only), store_anyway=chosen.store_anyway,
        name=upload.name[:MAX_NAME], digest=digest,
    )  # fmt: skip
    ImportFile.objects.create(of=made, content=upload.content)
    _record(caller, access, made, "import.begun")
    transaction.on_commit(running.start_working)
    return show(caller, made)


def read_import(caller: Caller, project_id: str, *, import_id: str) -> ShownImport:
    """An import of one's own, with its report.

    Raises:
        NotFound: there is none of the caller's person in a project that the caller may read.
        Denied: the caller may not publish there.
    """
    return show(caller, _own(access_imports(caller, project_id), import_id))


def list_imports(caller: Caller, project_id: str) -> list[ShownImport]:
    """The latest 50 imports of the project, newest first; two queries however many there are.

    Raises:
        NotFound: there is no project that the caller may read.
        Denied: the caller may not publish there.
    """
    rows = listed_rows(access_imports(caller, project_id))
    return [listed(caller, row) for row in rows.order_by("-created", "-pk")[:LISTED]]


def listed_rows(access: ProjectAccess) -> QuerySet[Import]:
    """The imports of the project for `listed`, without files and reports."""
    rows = _shown(Import.objects.filter(project=access.project)).defer("report")
    return rows.annotate(made=KeyTransform("made", "report"))


@transaction.atomic
def start_import(caller: Caller, project_id: str, *, import_id: str) -> ShownImport:
    """The import, which now runs. One that runs or has been done stays as it is.

    Raises:
        NotFound: there is none of the caller's in a project that the caller may read.
        Denied: the caller may not publish there.
        Conflict: it is being checked, or has been stopped, or its file is no longer kept.
    """
    access, row = _own_locked(caller, project_id, import_id)
    if row.state in (State.RUNNING, State.DONE):
        return show(caller, row)
    again = row.state == State.FAILED and row.ended is None
    if row.state != State.CHECKED and not again:
        raise Conflict(_refusal_of(row))
    was_checked = row.state == State.CHECKED or bool(row.total)
    row.state = State.RUNNING if was_checked else State.CHECKING
    row.done, row.working_until, row.claim = 0, None, ""
    row.save(update_fields=["state", "done", "working_until", "claim"])
    _record(caller, access, row, "import.started")
    transaction.on_commit(running.start_working)
    return show(caller, row)


@transaction.atomic
def check_again(caller: Caller, project_id: str, *, import_id: str, choice: Choice) -> ShownImport:
    """The import, whose file is checked anew with another choice.

    Raises:
        NotFound: there is none of the caller's in a project that the caller may read.
        Denied: the caller may not publish there, or is an agent that would store secrets.
        Conflict: it has not been checked, or is running, or has ended.
    """
    access, row = _own_locked(caller, project_id, import_id)
    chosen = _checked_choice(caller, choice)
    if row.state != State.CHECKED:
        raise Conflict(_refusal_of(row))
    row.state, row.working_until, row.total, row.report = State.CHECKING, None, 0, {}
    row.only, row.store_anyway = list(chosen.only), chosen.store_anyway
    row.save(update_fields=["state", "working_until", "total", "report", "only", "store_anyway"])
    _record(caller, access, row, "import.begun")
    transaction.on_commit(running.start_working)
    return show(caller, row)


@transaction.atomic
def stop_import(caller: Caller, project_id: str, *, import_id: str) -> ShownImport:
    """The import, which ends here; what it has made until now stays. An ended one stays as it is.

    Raises:
        NotFound: there is none of the caller's in a project that the caller may read.
        Denied: the caller may not publish there.
    """
    access, row = _own_locked(caller, project_id, import_id)
    rows = Import.objects.filter(pk=row.pk)
    if end_imports(rows, timezone.now(), state=State.CANCELED, report={}):
        _record(caller, access, row, "import.stopped")
    return show(caller, _own(access, import_id))


@transaction.atomic
def delete_import(caller: Caller, project_id: str, *, import_id: str) -> None:
    """Throw away the file and the report; what the import has made stays.

    Raises:
        NotFound: there is none of the caller's in a project that the caller may read.
        Denied: the caller may not publish there.
        Conflict: it is running; it can be stopped.
    """
    access, row = _own_locked(caller, project_id, import_id)
    if row.state == State.RUNNING:
        raise Conflict("This import is running. Stop it first.")
    _record(caller, access, row, "import.deleted")
    row.delete()


def access_imports(caller: Caller, project_id: str, *, lock: bool = False) -> ProjectAccess:
    """The project, for who may import into it: an import publishes at once.

    Raises:
        NotFound: there is none that the caller may read.
        Denied: the caller may not publish there, or always needs review.
    """
    access = access_project(caller, project_id, use=Use.PUBLISH, lock=lock)
    if access.always_reviewed:
        raise Denied(
            "What this agent changes always needs review, and an import publishes at once.",
            missing="review",
        )
    return access


def _checked_choice(caller: Caller, choice: Choice) -> Choice:
    if choice.store_anyway and caller.is_agent:
        raise Denied(
            "Only a person may have texts stored that look like secrets.", missing="person"
        )
    if len(choice.only) > MAX_PARTS:
        raise Invalid(f"An import takes at most {MAX_PARTS} parts.", field="only")
    return choice


def _own(access: ProjectAccess, import_id: str) -> Import:
    rows = _shown(Import.objects.filter(project=access.project, person=access.caller.person_id))
    row: Import | None = with_locks(rows).filter(public_id=import_id).first()
    if row is None:
        raise NotFound("There is no such import of yours here.", field="import")
    return row


def _own_locked(caller: Caller, project_id: str, import_id: str) -> tuple[ProjectAccess, Import]:
    """An import, while no other call changes it: all of them lock its project first."""
    access = access_imports(caller, project_id, lock=True)
    return access, _own(access, import_id)


def _lock_person(caller: Caller) -> None:
    """One import begins at a time, whatever their projects: so three are never four."""
    Person.objects.select_for_update(no_key=True).only("pk").get(pk=caller.person_id)


def _refusal_of(row: Import) -> str:
    if row.state == State.CHECKING:
        return "The file is still being checked."
    if row.state == State.RUNNING:
        return "This import is running already."
    return "This import has ended. Upload the file once more."


def _shown(rows: QuerySet[Import]) -> QuerySet[Import]:
    return rows.select_related("person", "agent")


def _record(caller: Caller, access: ProjectAccess, row: Import, action: str) -> None:
    audit.record(caller, action=action, subject=str(row), project_id=access.project.pk)


def with_locks(rows: QuerySet[Import]) -> QuerySet[Import]:
    """The imports for `readable_report`, which then asks no more."""
    brought = Origin.objects.filter(project=OuterRef("project"))
    is_locked = ~Q(item__locked_by="") | Q(item__events__locked_by__gt="")
    return rows.annotate(locks=Exists(brought.filter(is_locked)))


def readable_report(row: Import) -> JsonObject:
    """The report of one of `with_locks`, for its own person.

    While a deletion request locks something that was imported into the project, it has its
    counts alone, and says so: places in a file are often called by titles.
    """
    report: JsonObject = row.report
    if "made" in report and vars(row)["locks"]:
        return counts_of(report) | {"locked": True}
    return report


def counts_of(report: JsonObject) -> JsonObject:
    """What of a report names nothing."""
    return {name: report[name] for name in COUNTS if name in report}


def show(caller: Caller, row: Import) -> ShownImport:
    """The import with its report, for its own person."""
    report = readable_report(row)
    return _with_report(caller, row, made=report.get("made", {}), report=report)


def listed(caller: Caller, row: Import) -> ShownImport:
    """One of `listed_rows`, without its report."""
    return _with_report(caller, row, made=vars(row)["made"] or {}, report={})


def _with_report(
    caller: Caller, row: Import, *, made: JsonObject, report: JsonObject
) -> ShownImport:
    is_own = row.person_id == caller.person_id
    return ShownImport(
        import_id=row.public_id,
        state=row.state,
        importer=row.importer,
        created=row.created,
        ended=row.ended,
        by=row.person.display_name,
        agent=row.agent.name if row.agent is not None else "",
        is_own=is_own,
        done=row.done,
        total=row.total,
        name=row.name if is_own else "",
        only=tuple(row.only) if is_own else (),
        store_anyway=row.store_anyway,
        made=made,
        report=report if is_own else {},
    )
