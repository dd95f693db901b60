"""Who asks over standard input: an agent key of the environment, or the owner's own agent."""

from dataclasses import replace

from django.db import connection

from conderis.accounts.authentication import NotAuthenticated, caller_of_key, caller_of_person
from conderis.accounts.models import Agent
from conderis.common.caller import Caller, Surface
from conderis.common.errors import Denied
from conderis.operations.addresses import manage_line
from conderis.operations.faults import Fault
from conderis.operations.quickstart import first_owner
from mcp_surface.stdio import Identify

AGENT = "stdio"


def stdio_caller(key: str) -> Identify:
    """What gives the caller, looked up anew at every call; it raises Denied when there is none.

    Without a key it is the agent `stdio` of the account that `quickstart` made, on SQLite
    alone: who can read that file owns it. It has no key, and so all of its person's rights.

    Raises:
        Denied: the key is refused.
        Fault: there is no key, and the database is not this machine's own, or empty.
    """
    identify = _by_key(key) if key else _as_owner()
    identify()
    return identify


def _by_key(key: str) -> Identify:
    def identify() -> Caller:
        try:
            return caller_of_key(key, surface=Surface.MCP)
        except NotAuthenticated as error:
            raise Denied(
                f"{error.reason} Ask your person to make a new agent key, to set it as "
                "CONDERIS_KEY where this client starts Conderis, and to start the client again.",
                missing="key",
            ) from error

    return identify


def _as_owner() -> Identify:
    if connection.vendor != "sqlite":
        raise Fault(
            "mcp_stdio needs an agent key with this database: set CONDERIS_KEY to one "
            f"(`{manage_line('add_key')}` makes it)."
        )
    person = first_owner()
    if person is None:
        raise Fault(f"There is nobody here yet. Run `{manage_line('quickstart')}` first.")
    made, _ = Agent.objects.get_or_create(person=person, name=AGENT)

    def identify() -> Caller:
        agent = Agent.objects.select_related("person").filter(pk=made.pk).first()
        if agent is None or not agent.person.is_active:
            raise Denied(
                "The account that this agent acts for is deactivated. Ask the person who runs "
                "this server to set CONDERIS_KEY to the agent key of another one.",
                missing="key",
            )
        return replace(
            caller_of_person(agent.person, Surface.MCP),
            agent_id=agent.pk,
            agent_ref=agent.ref,
            agent_name=agent.name,
        )

    return identify
