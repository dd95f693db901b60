"""Who gets what in the browser: a row for every use of every address of ours.

An answer is the status, `sign in` where the door is shown instead, with a 403 what is
missing, and `changed` where the database is another one afterwards. Words in capitals in a
row stand for what the tests have made under this name.
"""

# Long because it is one table, to be read in one piece.
from collections.abc import Iterator
from dataclasses import dataclass, field

GET, POST = "GET", "POST"

# What there is; `NEVER_MADE` has the same names for what never was.
SHOP, OTHER, GONE = "SHOP", "OTHER", "GONE"  # projects of alice
ACME, SITE = "ACME", "SITE"  # an organization of hers; a project of another one
PROPOSAL, INSTRUCTING, MODERATORS = "PROPOSAL", "INSTRUCTING", "MODERATORS"
INVITATION, FOREIGN, TO_ACME = "INVITATION", "FOREIGN", "TO_ACME"
KEY, LINK, WELCOME, REVOKED = "KEY", "LINK", "WELCOME", "REVOKED"
AGENT, SINCE, UNTIL, SEEN = "AGENT", "SINCE", "UNTIL", "SEEN"
# Requests of the contributor for a page of the owner, and for a private memory of their own.
DELETION, ALONE, ERASABLE = "DELETION", "ALONE", "ERASABLE"
ITEM, UNLOCKED = "ITEM", "UNLOCKED"  # the numbers of two items of shop
MEMORY = "MEMORY"  # the id of a personal memory of alice
IMPORT = "IMPORT"  # of the owner, done
NEVER_MADE = {
    ITEM: "4711",
    PROPOSAL: "abcdefghijkm",
    INSTRUCTING: "abcdefghijkm",
    MODERATORS: "abcdefghijkm",
    DELETION: "abcdefghijkm",
    ALONE: "abcdefghijkm",
    INVITATION: "abcdefghijkm",
    FOREIGN: "abcdefghijkm",
    TO_ACME: "abcdefghijkm",
    GONE: "abcdefghijkm",
    KEY: "abcdefghijkm",
    MEMORY: "abcdefghijkm",
    IMPORT: "abcdefghijkm",
    LINK: "T" * 43,
    WELCOME: "T" * 43,
    REVOKED: "T" * 43,
    OTHER: "ship",
}
NEVER_MADE_PLACES = {SHOP: "ship", SITE: "sight", ACME: "acne"}

IN_PROJECTS = (
    "nobody",  # signed out
    "stranger",  # signed in, no member; the project is private
    "visitor",  # signed in, no member; the project is public
    "reader",
    "contributor",
    "moderator",
    "co-owner",  # an owner among the members; the project is another's
    "owner",  # the person whom it belongs to
)
IN_ORGANIZATIONS = ("nobody", "stranger", "member", "owner")
OF_KEYS = ("nobody", "stranger", "holder")
OF_EVERYBODY = ("nobody", "person")
# Who is signed out, where the project is public: reads what a visitor reads, and these not.
PASSER_BY = "passer-by"
OF_PEOPLE_ALONE = {
    "project-exchange",
    "deletion-new",
    "deletions",
    "moderation",
    "moderation-deletions",
}
# An admin of the server has no say in what is others', and sees none of it in the browser.
LIKE_A_STRANGER = "admin"


@dataclass(frozen=True, slots=True)
class Row:
    """A request, and the answer for each caller."""

    route: str
    method: str
    callers: tuple[str, ...]
    answers: tuple[str, ...]
    at: dict[str, str | int] = field(default_factory=dict)
    sent: dict[str, str] = field(default_factory=dict)
    note: str = ""
    is_public: bool = False  # for all callers but the stranger
    takes_proposals: bool = False  # likewise
    fault: str = ""  # why it is not so yet

    def __str__(self) -> str:
        return f"{self.method} {self.route} {self.note}".strip()

    def cells(self) -> Iterator[tuple[str, str]]:
        """Each caller with their answer, the admin among them."""
        for caller, answer in zip(self.callers, self.answers, strict=True):
            yield caller, answer
            if caller == "stranger":
                yield LIKE_A_STRANGER, answer
            if caller == "visitor":
                yield PASSER_BY, self._to_passer_by(answer)

    def _to_passer_by(self, to_visitor: str) -> str:
        reads = self.method == GET and to_visitor == OK and self.route not in OF_PEOPLE_ALONE
        return OK if reads else self.answers[0]


OK, LED, DONE, SHOWN = "200", "302", "302 changed", "200 changed"
SIGN_IN, HIDDEN, WRONG, NO = "sign in", "404", "400", "405"
W, M, A = "403 write", "403 moderate", "403 manage"
NO_ROLE, OTHER_PERSON, NOT_OWN = "403 role", "403 another person", "403 ownership"


def _project(
    route: str, method: str, answers: tuple[str, ...], sent: dict[str, str] | None = None,
    *, name: str = SHOP, note: str = "", is_public: bool = False, takes_proposals: bool = False,
    fault: str = "", **more: str | int,
) -> Row:  # fmt: skip
    at = {"owner": "alice", "name": name, **more}
    return Row(
        route, method, IN_PROJECTS, answers, at, sent or {}, note, is_public, takes_proposals, fault
    )


def _organization(
    route: str, method: str, answers: tuple[str, ...], sent: dict[str, str] | None = None,
    *, fault: str = "", **more: str | int,
) -> Row:  # fmt: skip
    at = {"handle": ACME, **more}
    return Row(route, method, IN_ORGANIZATIONS, answers, at, sent or {}, fault=fault)


def _theirs(
    route: str, method: str, answers: tuple[str, ...], sent: dict[str, str] | None = None
) -> Row:
    at: dict[str, str | int] = {"owner": "guild", "name": SITE}
    note = "of an organization"
    return Row(route, method, IN_ORGANIZATIONS, answers, at, sent or {}, note)


def _key(
    route: str, method: str, answers: tuple[str, ...], sent: dict[str, str] | None = None
) -> Row:
    return Row(route, method, OF_KEYS, answers, {"key_id": KEY}, sent or {})


def _deletion(
    route: str, method: str, answers: tuple[str, ...], sent: dict[str, str] | None = None,
    *, of: str = DELETION,
) -> Row:  # fmt: skip
    note = "of a private memory" if of == ALONE else ""
    return Row(route, method, IN_PROJECTS, answers, {"deletion": of}, sent or {}, note)


def _open(
    route: str, method: str, answers: tuple[str, ...], sent: dict[str, str] | None = None,
    *, note: str = "", **at: str | int,
) -> Row:  # fmt: skip
    return Row(route, method, OF_EVERYBODY, answers, at, sent or {}, note)


def _memory(
    route: str, method: str, answers: tuple[str, ...], sent: dict[str, str] | None = None,
    **more: str | int,
) -> Row:  # fmt: skip
    at: dict[str, str | int] = {"memory": MEMORY, **more}
    return Row(route, method, OF_KEYS, answers, at, sent or {})


READING = (SIGN_IN, HIDDEN, OK, OK, OK, OK, OK, OK)
MEMBERS = (SIGN_IN, HIDDEN, NO_ROLE, OK, OK, OK, OK, OK)
MANAGING = (SIGN_IN, HIDDEN, A, A, A, A, OK, OK)
CHANGING = (SIGN_IN, HIDDEN, A, A, A, A, DONE, DONE)
INVITING = (SIGN_IN, HIDDEN, A, A, A, A, SHOWN, SHOWN)
MODERATING = (SIGN_IN, HIDDEN, M, M, M, OK, OK, OK)
WRITING = (SIGN_IN, HIDDEN, W, W, OK, OK, OK, OK)
# What a file held is seen by whoever imported it alone: here, the owner.
IMPORTING = (SIGN_IN, HIDDEN, M, M, M, HIDDEN, HIDDEN, OK)
WRITTEN = (SIGN_IN, HIDDEN, W, W, DONE, DONE, DONE, DONE)
# A form with what was typed that is sent signed out is shown again, whether there is such a
# place or not.
KEPT = "403 sign-in"
SENT = (KEPT, *WRITTEN[1:])
SENT_ON = (KEPT, HIDDEN, W, W, LED, LED, LED, LED)
NOT_READ = (NO,) * len(IN_PROJECTS)
# A contributor's proposal is there for that contributor and for who may approve it.
REVIEWING = (SIGN_IN, HIDDEN, HIDDEN, HIDDEN, OK, OK, OK, OK)
DECIDING = (KEPT, HIDDEN, HIDDEN, HIDDEN, M, DONE, DONE, DONE)
NOBODYS = (SIGN_IN, *(HIDDEN,) * (len(IN_PROJECTS) - 1))

NEW_PAGE = {"title": "New", "content": "x", "tags": "", "parent": "", "verifiedAgainst": "",
            "reason": ""}  # fmt: skip
NEW_MEMORY = {"title": "New", "summary": "", "content": "x", "tags": "", "type": "fact",
              "expiresAt": "", "parent": "", "weight": "normal", "verifiedAgainst": "",
              "reason": ""}  # fmt: skip
ROLE, LINK_FORM = {"role": "moderator"}, {"invite-role": "reader", "invite-days": "7"}
TEXT = {"content": "Other", "version": "1", "reason": ""}
RUN = {"agent": AGENT, "since": SINCE, "until": UNTIL, "seen": SEEN}
SAID = {"reason": "not so"}

PROJECT_ROWS = (
    _project("project-tasks", GET, READING),
    _project("project-memories", GET, READING),
    _project("project-docs", GET, READING),
    _project("item-new", GET, WRITING, kind="page"),
    _project("item-new", POST, SENT, NEW_PAGE, kind="page"),
    _project("item-edit", GET, WRITING, number=ITEM),
    _project("item-edit", POST, SENT, {**NEW_PAGE, "version": "1"}, number=ITEM),
    _project("project-picture", GET, READING),
    _project("item-move", GET, WRITING, number=ITEM),
    _project("item-move", POST, SENT, {"where": "down"}, number=ITEM),
    _project("item-act", GET, NOT_READ, number=ITEM),
    _project("item-act", POST, SENT, {"action": "archive", "version": "1"}, number=ITEM),
    _project("item-relate", GET, WRITING, number=ITEM),
    _project("item-relate", POST, SENT, {"action": "relate", "relation": "relates",
                                         "target": UNLOCKED}, number=ITEM),
    # Of a shared item there is no copy to share: its own page says so.
    _project("item-share", GET, (SIGN_IN, HIDDEN, W, W, LED, LED, LED, LED), number=ITEM),
    _project("item-share", POST, SENT_ON, {"title": "Copy"}, number=ITEM),
    _project("item", GET, READING, number=ITEM),
    _project("item-history", GET, READING, number=ITEM),
    _project("item-version", GET, READING, number=ITEM, version=1),
    _project("item-compare", GET, READING, number=ITEM),
    _project("item-version-restore", GET, WRITING, number=ITEM, version=1),
    _project("item-version-restore", POST, (KEPT, HIDDEN, W, W, LED, LED, LED, LED),
             {"over": "1", "reason": ""}, number=ITEM, version=1, note="of what stands"),
    _project("project", GET, READING),
    _project("project-hygiene", GET, READING),
    _project("project-hygiene-mend", GET, WRITING, number=ITEM, deed="archive"),
    _project("project-hygiene-mend", POST, WRITTEN, {"version": "1"}, number=ITEM,
             deed="archive"),
    _project("project-settings", GET, MANAGING),
    _project("project-settings", POST, CHANGING, {"name": "shop", "description": "New"}),
    _project("project-members", GET, MEMBERS),
    _project("project-members", POST, CHANGING, {"add-handle": "erin", "add-role": "reader"}),
    _project("project-leave", GET, (SIGN_IN, HIDDEN, NO_ROLE, OK, OK, OK, OK, HIDDEN)),
    _project("project-leave", POST,
             (SIGN_IN, HIDDEN, NO_ROLE, DONE, DONE, DONE, DONE, HIDDEN)),
    _project("project-member", GET, MANAGING, handle="frank"),
    _project("project-member", POST, CHANGING, ROLE, handle="frank"),
    _project("project-member-remove", GET, NOT_READ, handle="frank"),
    _project("project-member-remove", POST, CHANGING, handle="frank"),
    _project("project-invite", GET, NOT_READ),
    _project("project-invite", POST, INVITING, LINK_FORM),
    _project("project-invitation-revoke", GET, NOT_READ, invitation_id=INVITATION),
    _project("project-invitation-revoke", POST, CHANGING, invitation_id=INVITATION),
    _project("project-invitation-revoke", POST, (*CHANGING[:6], HIDDEN, HIDDEN),
             invitation_id=FOREIGN, note="of another's project"),
    _project("project-instructions", GET, READING),
    _project("project-instructions-edit", GET, WRITING),
    _project("project-instructions-edit", POST,
             (KEPT, HIDDEN, W, W, DONE, DONE, DONE, DONE), TEXT),
    _project("project-instructions-edit", GET, WRITING,
             takes_proposals=True, note="where everybody may propose"),
    _project("project-instructions-edit", POST,
             (KEPT, HIDDEN, W, W, DONE, DONE, DONE, DONE), TEXT,
             takes_proposals=True, note="where everybody may propose"),
    _project("project-instructions-history", GET, READING),
    _project("project-instructions-version", GET, READING, version=1),
    _project("project-instructions-compare", GET, READING),
    _project("project-instructions-restore", GET, WRITING, version=1),
    _project("project-instructions-restore", POST, (KEPT, HIDDEN, W, W, LED, LED, LED, LED),
             {"over": "1", "reason": ""}, version=1, note="of what stands"),
    _project("project-exchange", GET, (SIGN_IN, HIDDEN, OK, OK, OK, OK, OK, OK)),
    _project("project-imports", GET, (SIGN_IN, HIDDEN, M, M, M, LED, LED, LED)),
    _project("project-imports", POST, (SIGN_IN, HIDDEN, M, M, M, WRONG, WRONG, WRONG),
             {"importer": ""}, note="without a file"),
    _project("project-export", GET, NOT_READ),
    _project("project-export", POST, (SIGN_IN, HIDDEN, *(SHOWN,) * 6), {"form": "jsonl"}),
    _project("project-import", GET, IMPORTING, import_id=IMPORT),
    _project("project-import-report", GET, IMPORTING, import_id=IMPORT),
    _project("project-import-do", GET, NOT_READ, import_id=IMPORT),
    _project("project-import-do", POST, (*IMPORTING[:7], DONE), {"do": "delete"},
             import_id=IMPORT),
    _project("project-policies", GET, MANAGING),
    _project("project-policies", POST, CHANGING,
             {"secrets": "warn", "session_days": "9", "recall_mode": "default"}),
    _project("project-visibility", GET, MANAGING),
    _project("project-visibility", POST, CHANGING, {"typed_name": "alice/shop"}),
    _project("project-private", GET, MANAGING, is_public=True),
    _project("project-private", POST, CHANGING, is_public=True),
    _project("project-ending", GET, MANAGING),
    _project("project-transfer", GET, NOT_READ),
    _project("project-transfer", POST, (SIGN_IN, HIDDEN, A, A, A, A, NOT_OWN, DONE),
             {"transfer-owner": "dave", "transfer-typed_name": "alice/shop"}),
    _project("project-delete", GET, NOT_READ),
    _project("project-delete", POST, CHANGING, {"delete-typed_name": "alice/shop"}),
    _project("project-activity", GET, READING),
    _project("project-feed", GET, READING),
    _project("project-log", GET, MANAGING),
    Row("project-restore", GET, IN_PROJECTS, NOT_READ),
    Row("project-restore", POST, IN_PROJECTS, (*NOBODYS[:6], DONE, DONE),
        sent={"project": GONE}),
    _project("moderation", GET, READING),
    _project("moderation-decide", GET, NOT_READ),
    # What is refused among the selected is listed; what is hidden, in the same words as nothing.
    _project("moderation-decide", POST, (KEPT, HIDDEN, LED, LED, LED, DONE, DONE, DONE),
             {"proposal": PROPOSAL, "do": "approve"}),
    _project("moderation-runs", GET, MODERATING),
    _project("moderation-undo", GET, NOT_READ),
    _project("moderation-undo", POST, (KEPT, HIDDEN, M, M, M, DONE, DONE, DONE), RUN),
    _project("moderation-proposal", GET, REVIEWING, proposal=PROPOSAL),
    _project("moderation-proposal", GET, (*REVIEWING[:5], HIDDEN, OK, OK),
             proposal=INSTRUCTING, note="for the instructions"),
    _project("moderation-proposal", GET, NOBODYS, proposal=PROPOSAL, name=OTHER,
             note="of another project"),
    _project("moderation-approve", GET, NOT_READ, proposal=PROPOSAL),
    _project("moderation-approve", POST, DECIDING, proposal=PROPOSAL),
    _project("moderation-approve", POST, (*DECIDING[:4], A, HIDDEN, DONE, DONE),
             {"version": "1"}, proposal=INSTRUCTING, note="for the instructions"),
    _project("moderation-approve", POST, (KEPT, *NOBODYS[1:5], OTHER_PERSON, DONE, DONE),
             proposal=MODERATORS, note="of the moderator"),
    _project("moderation-approve", POST, (KEPT, *NOBODYS[1:]), proposal=PROPOSAL, name=OTHER,
             note="of another project"),
    _project("moderation-reject", GET, NOT_READ, proposal=PROPOSAL),
    _project("moderation-reject", POST, DECIDING, SAID, proposal=PROPOSAL),
    _project("moderation-reject", POST, (*DECIDING[:4], A, HIDDEN, DONE, DONE), SAID,
             proposal=INSTRUCTING, note="for the instructions"),
    _project("moderation-withdraw", GET, NOT_READ, proposal=PROPOSAL),
    _project("moderation-withdraw", POST,
             (*NOBODYS[:4], DONE, NOT_OWN, NOT_OWN, NOT_OWN), proposal=PROPOSAL),
)  # fmt: skip

# The contributor has asked; who moderates decides.
SEEING_ONE = (SIGN_IN, HIDDEN, HIDDEN, HIDDEN, OK, OK, OK, OK)
GOING_BACK = (*SEEING_ONE[:4], LED, LED, LED, LED)
LAST_PAGE = (*SEEING_ONE[:4], LED, OK, OK, OK)
ERASING = (*SEEING_ONE[:4], M, DONE, DONE, DONE)
SELECTED = (SIGN_IN, LED, LED, LED, LED, DONE, DONE, DONE)
AUTHORS = (*NOBODYS[:4], OK, *NOBODYS[5:])
AUTHORS_DO = (*NOBODYS[:4], DONE, *NOBODYS[5:])
REFUSING = {"request": DELETION, "do": "refuse", "reason": "not so"}
DELETION_ROWS = (
    _project("moderation-deletions", GET, READING),
    _project("moderation-deletions-decide", GET, NOT_READ),
    _project("moderation-deletions-decide", POST,
             (SIGN_IN, HIDDEN, *SELECTED[2:]), REFUSING),
    Row("deletions", GET, IN_PROJECTS, (SIGN_IN, *(OK,) * 7)),
    Row("deletions-decide", GET, IN_PROJECTS, NOT_READ),
    Row("deletions-decide", POST, IN_PROJECTS, SELECTED, sent=REFUSING),
    Row("deletions-erase", GET, IN_PROJECTS, NOT_READ),
    Row("deletions-erase", POST, IN_PROJECTS, SELECTED, sent={"request": DELETION}),
    Row("deletion-new", GET, IN_PROJECTS, (SIGN_IN, *(OK,) * 7)),
    Row("deletion-new", POST, IN_PROJECTS, (SIGN_IN, WRONG, W, W, DONE, DONE, DONE, DONE),
        sent={"what": ERASABLE, "reason": "a secret"}),
    _deletion("deletion", GET, SEEING_ONE),
    _deletion("deletion-reveal", GET, GOING_BACK),
    _deletion("deletion-reveal", POST, (*SEEING_ONE[:4], M, SHOWN, SHOWN, SHOWN)),
    _deletion("deletion-erase", GET, LAST_PAGE),
    _deletion("deletion-erase", POST, ERASING),
    _deletion("deletion-refuse", GET, NOT_READ),
    _deletion("deletion-refuse", POST, ERASING, SAID),
    _deletion("deletion-withdraw", GET, NOT_READ),
    _deletion("deletion-withdraw", POST,
              (*SEEING_ONE[:4], DONE, NOT_OWN, NOT_OWN, NOT_OWN)),
    _deletion("deletion", GET, AUTHORS, of=ALONE),
    _deletion("deletion-reveal", POST, (*NOBODYS[:4], SHOWN, *NOBODYS[5:]), of=ALONE),
    _deletion("deletion-erase", GET, AUTHORS, of=ALONE),
    _deletion("deletion-erase", POST, AUTHORS_DO, of=ALONE),
    _deletion("deletion-refuse", POST, AUTHORS_DO, SAID, of=ALONE),
    _deletion("deletion-withdraw", POST, AUTHORS_DO, of=ALONE),
)  # fmt: skip

IN, OWNING = (SIGN_IN, HIDDEN, OK, OK), (SIGN_IN, HIDDEN, A, OK)
OWNERS_DO = (SIGN_IN, HIDDEN, A, DONE)
NOT_READ_THERE = (NO,) * len(IN_ORGANIZATIONS)
ORGANIZATION_ROWS = (
    _organization("organization", GET, IN),
    _organization("organization-leave", GET, IN),
    _organization("organization-leave", POST, (SIGN_IN, HIDDEN, DONE, DONE)),
    _organization("organization-member", GET, OWNING, person="frank"),
    _organization("organization-member", POST, OWNERS_DO, {"role": "owner"}, person="frank"),
    _organization("organization-member-remove", GET, NOT_READ_THERE, person="frank"),
    _organization("organization-member-remove", POST, OWNERS_DO, person="frank"),
    _organization("organization-invite", GET, NOT_READ_THERE),
    _organization("organization-invite", POST, (SIGN_IN, HIDDEN, A, SHOWN),
                  {"invite-role": "member", "invite-days": "7"}),
    _organization("organization-invitation-revoke", GET, NOT_READ_THERE, invitation_id=TO_ACME),
    _organization("organization-invitation-revoke", POST, OWNERS_DO, invitation_id=TO_ACME),
    _organization("organization-instructions", GET, IN),
    _organization("organization-instructions-edit", GET, OWNING),
    _organization("organization-instructions-edit", POST, (KEPT, *OWNERS_DO[1:]), TEXT),
    _organization("organization-instructions-history", GET, IN),
    _organization("organization-instructions-version", GET, IN, version=1),
    _organization("organization-settings", GET, OWNING),
    _organization("organization-settings", POST, OWNERS_DO,
                  {"name": "Other", "handle": "acme", "member_role": "reader"}),
    _organization("organization-delete", GET, NOT_READ_THERE),
    _organization("organization-delete", POST, OWNERS_DO, {"delete-typed": "acme"}),
    _organization("organization-log", GET, OWNING),
    # Members are readers of the organization's projects here, its owners their owners.
    _theirs("project", GET, IN),
    _theirs("project-members", GET, IN),
    _theirs("project-instructions-edit", GET, (SIGN_IN, HIDDEN, W, OK)),
    _theirs("project-settings", GET, OWNING),
    _theirs("project-settings", POST, OWNERS_DO, {"name": "site", "description": "New"}),
    _theirs("project-transfer", POST, OWNERS_DO,
            {"transfer-owner": ACME, "transfer-typed_name": "guild/site"}),
    _theirs("project-delete", POST, OWNERS_DO, {"delete-typed_name": "guild/site"}),
    _theirs("moderation-runs", GET, (SIGN_IN, HIDDEN, M, OK)),
    # Who is no owner of it is not offered it.
    Row("project-new", POST, IN_ORGANIZATIONS, (SIGN_IN, WRONG, WRONG, DONE),
        sent={"owner": ACME, "name": "fresh"}, note="of an organization"),
)  # fmt: skip

HOLDING = (SIGN_IN, HIDDEN, OK)
KEY_ROWS = (
    _key("settings-key", GET, HOLDING),
    _key("settings-key", POST, (SIGN_IN, HIDDEN, DONE),
         {"scopes": "read", "reach": "all", "ends": "keep"}),
    _key("settings-key-replace", GET, (SIGN_IN, HIDDEN, LED)),
    _key("settings-key-replace", POST, (SIGN_IN, HIDDEN, SHOWN), {"overlap": "0"}),
    _key("settings-key-revoke", GET, HOLDING),
    _key("settings-key-revoke", POST, (SIGN_IN, HIDDEN, DONE)),
    _key("connect-state", GET, HOLDING),
    _memory("memory", GET, HOLDING),
    _memory("memory-edit", GET, HOLDING),
    _memory("memory-edit", POST, (KEPT, HIDDEN, DONE), {**NEW_MEMORY, "version": "1"}),
    _memory("memory-act", GET, (NO, NO, NO)),
    _memory("memory-act", POST, (KEPT, HIDDEN, DONE), {"action": "archive", "version": "1"}),
    _memory("memory-history", GET, HOLDING),
    _memory("memory-version", GET, HOLDING, version=1),
    _memory("memory-compare", GET, HOLDING),
    _memory("memory-version-restore", GET, HOLDING, version=1),
    _memory("memory-version-restore", POST, (KEPT, HIDDEN, LED), {"over": "1", "reason": ""},
            version=1),
)  # fmt: skip

EVERYBODY, PEOPLE, SAVING = (OK, OK), (SIGN_IN, OK), (SIGN_IN, DONE)
FORMS_ALONE, NOTHING_THERE = (NO, NO), (HIDDEN, HIDDEN)
OPEN_ROWS = (
    _open("start", GET, EVERYBODY),
    _open("health", GET, EVERYBODY),
    _open("ready", GET, EVERYBODY),
    _open("robots", GET, EVERYBODY),
    _open("theme", GET, FORMS_ALONE),
    _open("theme", POST, (LED, DONE), {"theme": "dark"}),  # signed out it is a cookie
    _open("shortcuts", GET, EVERYBODY),
    _open("guide", GET, EVERYBODY),
    _open("tools", GET, EVERYBODY),
    _open("tools-schema", GET, EVERYBODY),
    _open("api-docs", GET, EVERYBODY),
    _open("api-shapes", GET, EVERYBODY),
    _open("batch-schema", GET, EVERYBODY),
    _open("batch-example", GET, EVERYBODY),
    _open("tool-schema", GET, EVERYBODY, name="recall"),
    _open("sign-in", GET, EVERYBODY, token=LINK),
    _open("sign-in", POST, (DONE, DONE), token=LINK),
    _open("invitation", GET, EVERYBODY, token=WELCOME),
    _open("invitation", POST, SAVING, token=WELCOME),
    _open("invitation", GET, NOTHING_THERE, token=REVOKED, note="revoked"),
    _open("invitation", POST, NOTHING_THERE, token=REVOKED, note="revoked"),
    _open("projects", GET, PEOPLE),
    _open("project-new", GET, PEOPLE),
    _open("project-new", POST, SAVING, {"owner": "mallory", "name": "fresh"}),
    _open("organizations", GET, PEOPLE),
    _open("organization-new", GET, PEOPLE),
    _open("organization-new", POST, SAVING, {"handle": "fresh", "name": "Fresh"}),
    _open("connect", GET, PEOPLE),
    _open("search", GET, PEOPLE),
    _open("memories", GET, PEOPLE),
    _open("memory-new", GET, PEOPLE),
    _open("memory-new", POST, (KEPT, DONE), NEW_MEMORY),
    _open("connect-client", GET, PEOPLE, slug="claude-code"),
    _open("connect-client", POST, (SIGN_IN, SHOWN), {"name": "Claude", "reach": "all"},
          slug="claude-code"),
    _open("settings", GET, PEOPLE),
    _open("settings", POST, SAVING, {"display_name": "Mall", "time_zone": "Europe/Rome"}),
    _open("settings-handle", GET, FORMS_ALONE),
    _open("settings-handle", POST, SAVING, {"handle": "fresh"}),
    _open("settings-email", GET, FORMS_ALONE),
    _open("settings-email", POST, SAVING, {"email": "fresh@example.org"}),
    _open("settings-security", GET, PEOPLE),
    _open("settings-keys", GET, PEOPLE),
    _open("settings-keys", POST, (SIGN_IN, SHOWN),
          {"name": "Codex", "scopes": "read", "reach": "all", "ends": "90d"}),
    _open("settings-appearance", GET, PEOPLE),
    _open("settings-appearance", POST, SAVING, {"theme": "dark", "language": ""}),
    _open("settings-account", GET, PEOPLE),
    _open("settings-export", GET, FORMS_ALONE),
    _open("settings-export", POST, PEOPLE),
    _open("settings-delete", GET, PEOPLE),
    _open("settings-delete", POST, SAVING, {"name": "keep", "typed_handle": "mallory"}),
    _open("settings-deleted", GET, (LED, LED)),  # it stands there once, for who has just left
)  # fmt: skip

# Forms that need a sign-in of a short while ago.
ASKING_ANEW = {
    "settings-email", "settings-keys", "settings-key", "settings-key-replace", "settings-delete",
    "connect-client", "deletion-reveal", "deletion-erase", "deletions-erase",
}  # fmt: skip

ROWS = (*PROJECT_ROWS, *DELETION_ROWS, *ORGANIZATION_ROWS, *KEY_ROWS, *OPEN_ROWS)
