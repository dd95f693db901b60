"""Who and what the browser tests find on their server; made once, by the product's services.

`make` runs in a process with the settings of that server (see `servers`) and prints JSON.
"""

import json
import sys
from datetime import timedelta

from django.utils import timezone

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.authentication import caller_of_key, caller_of_person
from conderis.accounts.models import Person, SignInLink
from conderis.accounts.people import create_person
from conderis.accounts.sign_in import create_sign_in_link
from conderis.common.caller import Caller, Surface
from conderis.common.json import JsonObject
from conderis.web.projects.instructions import store_instructions
from items.requests import Address, BatchRequest, DeletionCall, StoreRequest
from privacy.deciding import refuse
from privacy.requesting import request_deletion
from projects.invitations import create_invitation
from projects.keys import create_agent_key
from projects.members import set_member
from projects.organizations import create_organization, set_organization_member
from projects.services import create_project
from proposals.organization_instructions import store_organization_instructions
from proposals.reviewing import reject
from proposals.writing import batch as store_batch
from proposals.writing import store
from tests.e2e.around import make_around
from tests.e2e.canaries import MARK, PRIVATE, SHOP
from tests.e2e.imports import make_imports
from tests.e2e.texts import EVERYTHING
from tests.e2e.ways_in import give_all

# quinn has every way in.
HANDLES = ("alice", "bob", "carol", "rita", "mallory", "adam", "quinn")
SHOP_ROLES = {"carol": "moderator", "bob": "contributor", "rita": "reader"}

HOSTILE = (
    "<script>window.hostile = 1</script>"
    '<img data-hostile src="x:" onerror="window.hostile = 1">'
    "\"' onload=alert(1) {{ 7*7 }} {% now %} &lt;b&gt;"
)
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmütze" * 3
RIGHT_TO_LEFT = "\u202eשלום עולם\u202c مرحبا بالعالم"
HOSTILE_CONTENT = (
    f"# {HOSTILE[:60]}\n\n{HOSTILE}\n\n[click](javascript:window.hostile=1) "
    f"![x](data:image/svg+xml,<svg/onload=alert(1)>)\n\n{LONG_WORD}\n\n{RIGHT_TO_LEFT}\n\n"
    f"```html\n{HOSTILE}\n{'wide ' * 80}\n```\n\n"
    f"| {' | '.join(f'column {n}' for n in range(12))} |\n"
    f"|{'---|' * 12}\n| {' | '.join('cell' for _ in range(12))} |\n"
)


def make() -> None:
    """Make all of it on an empty database, and print what paths need as JSON."""
    people = {handle: _person(handle) for handle in HANDLES}
    Person.objects.filter(handle="adam").update(is_staff=True, is_superuser=True)
    alice = caller_of_person(people["alice"], Surface.WEB)
    _organization()
    create_project(alice, fields={"name": "shop", "description": f"Sells tea. {SHOP}"})
    for handle, role in SHOP_ROLES.items():
        set_member(Operator(), project_id="alice/shop", handle=handle, role=role)
    commons = create_project(alice, fields={"name": "commons", "description": HOSTILE[:400]})
    # Making a project public is a person's decision in the browser.
    commons.is_public = True
    commons.save(update_fields=["is_public"])
    create_agent_key(Operator(), person=people["alice"], wish=KeyWish(name=HOSTILE[:60]))
    made = create_agent_key(
        Operator(), person=people["alice"], wish=KeyWish(name="Codex on laptop")
    )
    places = {
        "sign_in_link": lasting_link(people["mallory"]),
        "key": made.key.public_id,
        "passkey": str(give_all(people["quinn"])),
        "invitation": create_invitation(alice, project_id="alice/shop", role="reader").token,
    }
    places |= {f"door_{handle}": lasting_link(person) for handle, person in people.items()}
    _busy_organization(alice)
    _instructions(alice)
    for project, word in (("shop", SHOP), ("commons", "")):
        for name, number in _items(alice, f"alice/{project}", word).items():
            places[f"{project}_{name}"] = str(number)
    places |= _proposals(caller_of_person(people["bob"], Surface.WEB), page=places["shop_page"])
    places |= _decisions(people, page=places["shop_hostile_page"])
    places |= _deletions(people)
    places |= _personal(alice)
    places["shop_compared"] = _versions(people)
    places |= make_around(alice, caller_of_person(people["bob"], Surface.WEB), places)
    places |= make_imports(alice, "alice/shop")
    sys.stdout.write(json.dumps(places))


def _person(handle: str) -> Person:
    name = {"bob": f"Bob {LONG_WORD[:48]}", "mallory": "<b>Mallory</b>"}.get(handle, handle.title())
    email = f"{handle}.{MARK}@example.org"
    return create_person(Operator(), handle=handle, email=email, display_name=name)


def _organization() -> None:
    create_organization(Operator(), handle="guild", name="Tea guild", owner="alice")
    set_organization_member(Operator(), handle="guild", person="bob", role="member")


def _busy_organization(owner: Caller) -> None:
    """One with members, projects, instructions and an open invitation."""
    handle = "harbour-and-hinterland"
    create_organization(Operator(), handle=handle, name=f"Harbour {LONG_WORD[:60]}", owner="alice")
    for member in ("bob", "quinn"):
        set_organization_member(Operator(), handle=handle, person=member, role="member")
    for name, description in (("tides", RIGHT_TO_LEFT), ("cranes", f"Lifts. {LONG_WORD[:48]}")):
        create_project(owner, fields={"name": name, "owner": handle, "description": description})
    create_invitation(owner, organization=handle, role="member")
    for version, content in enumerate(("Be brief.", HOSTILE_CONTENT)):
        store_organization_instructions(owner, handle=handle, content=content, version=version)


def _instructions(owner: Caller) -> None:
    for version, content in enumerate(("# How we work\n\nSlowly.", HOSTILE_CONTENT)):
        store_instructions(owner, "alice/commons", content=content, version=version)


def lasting_link(person: Person) -> str:
    """The secret of a sign-in link that outlives a slow run."""
    token = create_sign_in_link(Operator(), person=person)
    tomorrow = timezone.now() + timedelta(days=1)
    SignInLink.objects.filter(person=person).update(expires_at=tomorrow)
    return token


def _items(caller: Caller, project: str, word: str) -> dict[str, int]:
    """Numbers of one plain, one hostile and one long item of every kind that has numbers."""

    def number(kind: str, title: str, content: str, **more: object) -> int:
        fields: JsonObject = {"title": title, "content": content, **more}
        request = StoreRequest(Address(project_id=project), kind=kind, fields=fields)
        made = store(caller, request)["number"]
        assert isinstance(made, int)
        return made

    shared = {"visibility": "shared"}
    numbers = {
        "task": number("task", f"Pour the tea {word}".strip(), f"Slowly. {word}"),
        "hostile_task": number(
            "task", HOSTILE[:190], HOSTILE_CONTENT, priority="urgent", due="2020-02-29"
        ),
        "long_task": number("task", LONG_WORD[:140], RIGHT_TO_LEFT, assignee="me"),
        "page": number("page", f"How we brew {word}".strip(), f"## Water\n\nHot. {word}"),
        "hostile_page": number("page", HOSTILE[:190], HOSTILE_CONTENT),
        "memory": number(
            "memory",
            f"Tea is green {word}".strip(),
            f"Not black. {word}",
            summary="Green",
            **shared,
        ),
        "hostile_memory": number("memory", HOSTILE[:76], HOSTILE_CONTENT, **shared),
        "right_to_left_memory": number("memory", RIGHT_TO_LEFT, LONG_WORD, **shared),
        "marked_page": number("page", "All that texts can hold", EVERYTHING),
    }
    private = {"summary": f"Mine alone {PRIVATE}", "visibility": "private"}
    mine = number("memory", f"Mine {PRIVATE}", f"Alone. {PRIVATE}", **private)
    return numbers | {"mine": mine}


def _proposals(contributor: Caller, *, page: str) -> dict[str, str]:
    """Ids of a changed page and of a hostile new memory that wait for a moderator."""

    def proposed(request: StoreRequest) -> str:
        answer = store(contributor, request)
        assert answer["outcome"] == "proposed"
        return str(answer["proposal"]).removeprefix("proposal:")

    shop = "alice/shop"
    text: JsonObject = {"content": f"## Water\n\nHot, not boiling. {SHOP}"}
    new: JsonObject = {"title": HOSTILE[:76], "content": HOSTILE_CONTENT, "visibility": "shared"}
    changed = Address(project_id=shop, number=int(page))
    return {
        "proposal": proposed(StoreRequest(changed, version=1, fields=text)),
        "hostile_proposal": proposed(
            StoreRequest(Address(project_id=shop), kind="memory", fields=new)
        ),
        "batch_proposal": _batch(contributor),
    }


def _batch(contributor: Caller) -> str:
    """The id of a proposed batch, with a bag, a hostile memory and one that does not fit."""
    shared: JsonObject = {"visibility": "shared"}
    found = "Measured with run 188-4.\n\n| limit | value |\n| --- | --- |\n| a worker | 640 |"
    items: list[JsonObject] = [
        {"title": "What the load test showed", "summary": f"One memory a limit. {SHOP}"},
        {"title": "One worker holds 640 deliveries a second", "content": found, "parent": "m0",
         "tags": ["limits", "queue"]},
        {"title": "Signing costs 0.4 ms", "content": f"Most of it reading the secret. {SHOP}",
         "parent": "m0", "type": "gotcha"},
        {"title": HOSTILE[:76], "content": HOSTILE_CONTENT, "tags": [LONG_WORD[:40]]},
        {"title": RIGHT_TO_LEFT[:76], "summary": "Has no content", "weight": "critical"},
    ]  # fmt: skip
    batch: JsonObject = {
        "source": "What the November load test showed",
        "items": [
            {"key": f"m{place}", "kind": "memory", "fields": {**each, **shared}}
            for place, each in enumerate(items)
        ],
    }
    answer = store_batch(contributor, BatchRequest("alice/shop", None, batch))
    return str(answer["kinds"]["memory"]["proposal"]).removeprefix("proposal:")


def _deletions(people: dict[str, Person]) -> dict[str, str]:
    """Ids of a request of bob that waits and of a refused one; the number of what is locked."""
    alice, bob = (caller_of_person(people[who], Surface.WEB) for who in ("alice", "bob"))
    ids, numbers = [], []
    for title in (f"Recipe {LONG_WORD}", "Supplier"):
        new: JsonObject = {"title": title, "content": f"{HOSTILE_CONTENT} {SHOP}"}
        request = StoreRequest(Address(project_id="alice/shop"), kind="page", fields=new)
        number = int(str(store(alice, request)["number"]))
        numbers.append(str(number))
        call = DeletionCall(Address("alice/shop", number=number), reason=HOSTILE)
        ids.append(str(request_deletion(bob, call)["request"]).removeprefix("deletion:"))
    refuse(alice, f"deletion:{ids[1]}", reason=f"{LONG_WORD} {RIGHT_TO_LEFT}")
    return {"deletion": ids[0], "refused_deletion": ids[1], "shop_locked": numbers[0]}


def _versions(people: dict[str, Person]) -> str:
    """The number of a page with versions by several, to be compared."""
    shop = "alice/shop"
    alice, bob = (caller_of_person(people[who], Surface.WEB) for who in ("alice", "bob"))
    words = ("Water is boiled for tea, then it stands for a minute. " * 12).strip()
    base = f"## Boiling\n\n{words}\n\n| leaf | heat |\n| --- | --- |\n| green | 70 |\n{SHOP}\n"
    new: JsonObject = {"title": "Boiling", "content": base, "tags": ["water"]}
    made = store(alice, StoreRequest(Address(shop), kind="page", fields=new))
    place = Address(shop, number=int(str(made["number"])))
    hidden = base.replace("| 70 |", "| 80\u200b |").replace("a minute", "two minutes", 1)
    changes: list[tuple[Caller, JsonObject, str]] = [
        (
            alice,
            {"content": hidden, "tags": ["water", "heat"], "verifiedAgainst": "a" * 40},
            f"Too cold {LONG_WORD[:60]}",
        ),
        (alice, {"content": hidden.rstrip("\n")}, ""),
        (
            alice,
            {
                "title": f"Boiling water {RIGHT_TO_LEFT[:40]}",
                "content": f"{hidden}\nAnd never twice.\n\n{HOSTILE_CONTENT}",
            },
            RIGHT_TO_LEFT,
        ),
    ]
    for version, (caller, fields, reason) in enumerate(changes, start=1):
        sent = {**fields, "complete": True}
        store(caller, StoreRequest(place, version=version, fields=sent, reason=reason or None))
    note: JsonObject = {"append": "Proposed by bob."}
    store(bob, StoreRequest(place, fields=note))
    return str(made["number"])


def _personal(owner: Caller) -> dict[str, str]:
    """Ids of a hostile personal memory with one below it, and of one that is as long as words."""
    ids: list[str] = []
    bag = ""
    for title, content in ((HOSTILE[:76], HOSTILE_CONTENT), (RIGHT_TO_LEFT, LONG_WORD)):
        fields: JsonObject = {"title": title, "content": content, "tags": ["tea", LONG_WORD[:40]]}
        fields |= {"parent": bag} if bag else {}
        bag = str(store(owner, StoreRequest(Address(), kind="memory", fields=fields))["ref"])
        ids.append(bag.removeprefix("memory:"))
    changed: JsonObject = {"summary": "What tea is for.", "tags": ["tea", "cups"]}
    address = Address(ref=f"memory:{ids[0]}")
    store(owner, StoreRequest(address, version=1, fields=changed, reason="It had no summary."))
    return {"personal": ids[0], "personal_child": ids[1]}


def _decisions(people: dict[str, Person], *, page: str) -> dict[str, str]:
    """Ids of a proposal in conflict and of a rejected one, and the address of a bad run."""
    shop = "alice/shop"
    alice, bob = (caller_of_person(people[who], Surface.WEB) for who in ("alice", "bob"))
    key = create_agent_key(Operator(), person=people["carol"], wish=KeyWish(name="Rogue"))
    rogue = caller_of_key(key.text, surface=Surface.MCP)
    place = Address(project_id=shop, number=int(page))
    changes: list[JsonObject] = [
        {"content": HOSTILE_CONTENT.replace("wide wide", end), "complete": True}
        for end in ("narrow", "broad")
    ]
    torn = store(bob, StoreRequest(place, version=1, fields=changes[0]))["proposal"]
    store(rogue, StoreRequest(place, version=1, fields=changes[1]))
    new: JsonObject = {"title": "Chat", "content": "Hello."}
    chat = store(bob, StoreRequest(Address(project_id=shop), kind="page", fields=new))["proposal"]
    reject(alice, str(chat), reason=f"No chat here. {LONG_WORD}")
    return {
        "torn_proposal": str(torn).removeprefix("proposal:"),
        "rejected_proposal": str(chat).removeprefix("proposal:"),
        "run": f"agent={rogue.agent_ref}&since=2000-01-01T00:00&until=",
    }
