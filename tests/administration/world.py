"""A server with a row of every model, with marks where the admin must not look."""

import re
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession

from conderis.accounts.actors import Operator
from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.models import AgentKey, Person, SignInLink
from conderis.accounts.sign_in import create_sign_in_link
from conderis.common.json import Json, JsonObject
from items.models import Item
from items.requests import Address, BatchRequest, DeletionCall
from privacy.requesting import request_deletion
from projects.invitations import create_invitation
from projects.keys import create_agent_key
from projects.models import Invitation, Organization, Project
from projects.organizations import create_organization
from proposals import writing
from proposals.models import Proposal
from tests.factories import agent_caller, person_caller
from tests.items.calls import act, change, create, item_at

TOLD = "Tolderol"  # stands in titles that may be shown
MARK = "zanzibarqx"  # stands in all that may not
PRIVATE = "zanzibarpv"  # stands in titles of private and personal memories
FACTOR = "JBSWY3DPEHPK3PXPZANZIBAR"


@dataclass(frozen=True, slots=True)
class World:
    """What the tests ask for by name."""

    project: Project
    organization: Organization
    secrets: tuple[str, ...]
    open_item: Item
    locked: Item
    private: Item
    personal: Item


def fill(alice: Person, project: Project) -> World:
    """Rows of every model that the admin shows."""
    caller = person_caller(alice)
    organization = create_organization(caller, handle="acme", name="Acme", owner="alice")
    secrets = _credentials(alice, project)
    create(
        caller, project, "memory", title=TOLD, summary=MARK, content=MARK, tags=[MARK],
        visibility="shared", reason=MARK,
    )  # fmt: skip
    change(caller, project, 1, 1, content=f"{MARK} again", reason=MARK)
    create(caller, project, "task", title=f"{TOLD} task", content=MARK)
    act(caller, project, 2, "block", 1, reason=MARK)
    create(caller, project, "page", title=f"{MARK} locked", content=MARK, tags=[MARK])
    private = {"title": PRIVATE, "content": MARK, "tags": [MARK], "visibility": "private"}
    create(caller, project, "memory", **private)
    create(caller, project, "memory", title=TOLD, visibility="shared", content="Other")
    personal = create(caller, None, "memory", title=PRIVATE, content=MARK)
    act(caller, project, 1, "relate", target=2, relation="relates")
    act(caller, project, 4, "relate", target=2, relation="relates")
    request_deletion(caller, DeletionCall(Address(project.path, number=3), reason=MARK))
    create(caller, project, "memory", title=f"{PRIVATE} locked", visibility="private")
    request_deletion(caller, DeletionCall(Address(project.path, number=6), reason=MARK))
    Project.objects.filter(pk=project.pk).update(description=MARK)
    Proposal.objects.create(
        project=project, item=item_at(project, 1), kind="memory", action="change", proposer=alice,
        digest="0f" * 32, reason=MARK, decision_reason=MARK, title=MARK, fields={"content": MARK},
    )  # fmt: skip
    _batches(alice, project)
    return World(
        project=project,
        organization=organization,
        secrets=secrets,
        open_item=item_at(project, 1),
        locked=item_at(project, 3),
        private=item_at(project, 4),
        personal=Item.objects.get(public_id=str(personal["ref"]).partition(":")[2]),
    )


def _batches(alice: Person, project: Project) -> None:
    """One that is stored, one of private memories, and one that waits."""
    robo = agent_caller(alice, "batcher", always_review=True)
    memories: list[Json] = [
        {"kind": "memory", "fields": {"title": PRIVATE, "visibility": "private"}},
    ]
    task: Json = {"kind": "task", "fields": {"title": f"{TOLD} task", "content": MARK}}
    shared: Json = {"kind": "memory", "fields": {"title": MARK, "visibility": "shared"}}
    for key, items in (("a", [task]), ("b", memories), ("c", [shared])):
        batch: JsonObject = {"idempotencyKey": f"{MARK} {key}", "source": MARK, "items": items}
        writing.batch(robo, BatchRequest(project.path, None, batch))


def _credentials(alice: Person, project: Project) -> tuple[str, ...]:
    """Rows of everything that proves who somebody is; what no page may hold."""
    alice.set_password("correct horse battery")
    alice.save()
    key = create_agent_key(
        person_caller(alice), person=alice, wish=KeyWish("robo"), projects=[project.path]
    )
    link = create_sign_in_link(Operator(), person=alice)
    invitation = create_invitation(person_caller(alice), project_id=project.path, role="reader")
    EmailAddress.objects.create(user=alice, email=alice.email)
    Authenticator.objects.create(user=alice, type="totp", data={"secret": FACTOR})
    SocialAccount.objects.create(
        user=alice, provider="oidc", uid="alice-there", extra_data={"token": MARK}
    )
    UserSession.objects.create(
        user=alice, ip="127.0.0.1", user_agent="Firefox", session_key="sessionkeyofalice"
    )
    stored = AgentKey.objects.get(pk=key.key.pk)
    return (
        key.text,
        re.sub(r"^cndr_", "", key.text)[:8],
        stored.lookup,
        stored.digest,
        link,
        SignInLink.objects.get(person=alice).digest,
        invitation.token,
        Invitation.objects.get().digest,
        alice.password,
        FACTOR,
        "sessionkeyofalice",
    )
