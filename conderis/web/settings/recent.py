"""What only somebody who signed in a short while ago may do."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec

from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest, HttpResponse

P = ParamSpec("P")


def recent_sign_in(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """The view, whose POSTs need a sign-in of the last 10 minutes. Behind `signed_in`.

    Later the person is asked for the password or a second factor, and then the form is sent
    as it was filled in. Who has neither is led to sign in anew.
    """
    guarded: Callable[Concatenate[HttpRequest, P], HttpResponse] = reauthentication_required(
        view, allow_get=True
    )
    return guarded
