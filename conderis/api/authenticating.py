"""Who calls: an agent by its key, or the person of a browser's session.

A request that sends a key is judged by the key alone: a session never adds to it.
"""

from typing import Final

from django.http import HttpRequest
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from conderis.accounts.authentication import NotAuthenticated, caller_of_key, caller_of_person
from conderis.accounts.limits import refuse_rapid_calls
from conderis.accounts.models import Person
from conderis.common.caller import Caller, Surface
from conderis.common.errors import Denied

SAFE: Final = ("GET", "HEAD")
NO_SCHEME: Final = "Send the key as the header Authorization: Bearer <key>."


class AgentKey(HttpBearer):
    """A bearer token: the key of an agent."""

    openapi_bearerFormat = "agent key"  # noqa: N815 - named so by OpenAPI

    def __call__(self, request: HttpRequest) -> Caller | None:
        """The caller of the key; None where no header is sent.

        Raises:
            NotAuthenticated: it is no key that is in force.
        """
        sent = request.headers.get(self.header)
        if sent is None:
            return None
        scheme, _, token = sent.partition(" ")
        if scheme.lower() != self.openapi_scheme or not token.strip():
            raise NotAuthenticated(NO_SCHEME)
        return self.authenticate(request, token.strip())

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """The caller of the key.

        Raises:
            NotAuthenticated: it is no key that is in force.
            RateLimited: the agent calls too fast.
        """
        del request
        caller = caller_of_key(token, surface=Surface.API)
        refuse_rapid_calls(caller)
        return caller


class BrowserSession(APIKeyCookie):
    """The session of who is signed in, with the token of a form where something changes."""

    def __call__(self, request: HttpRequest) -> Caller | None:
        """The person who is signed in; None where nobody is.

        Raises:
            Denied: the request would change something and lacks the token.
            RateLimited: the person calls too fast.
        """
        return self.authenticate(request, None)

    def authenticate(self, request: HttpRequest, key: str | None) -> Caller | None:
        """The person who is signed in, as `__call__` says."""
        del key
        person = request.user
        if not isinstance(person, Person):
            return None
        if request.method not in SAFE and check_csrf(request) is not None:
            raise Denied(
                "A session changes nothing without the token of a form of this server: send it "
                "as the header X-CSRFToken, from a page of this server. A script sends an agent "
                "key instead.",
                missing="X-CSRFToken",
            )
        caller = caller_of_person(person, Surface.API)
        refuse_rapid_calls(caller)
        return caller


def caller_of(request: HttpRequest) -> Caller:
    """Who calls, as the credentials said."""
    caller = vars(request)["auth"]
    if not isinstance(caller, Caller):
        raise TypeError("Nobody was authenticated: this operation lacks its credentials.")
    return caller
