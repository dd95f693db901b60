"""Pages that no address alone brings: each with the way that somebody comes to it.

`arrive` opens a fresh tab of `who`, goes that way, and leaves the page open.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from tests.e2e.visits import Visit
from tests.e2e.ways_in import PASSWORD

_numbers = count(1)
_TRIES = 15  # more wrong passwords than are let through


@dataclass(frozen=True, slots=True)
class Arrival:
    """A page, and the way to it; `path` is where it ends ("*" stands for anything).

    `shows` are beginnings of faults that are what the page is for.
    """

    name: str
    go: Callable[[Visit], None]
    path: str
    who: str | None = None
    status: int = 200
    shows: tuple[str, ...] = ()


def _second_step(visit: Visit) -> None:
    visit.open("/sign-in/")
    visit.tab.fill("#id_login", "quinn")
    visit.tab.fill("#id_password", PASSWORD)
    _press(visit, "Sign in")


def _password_link(visit: Visit) -> None:
    link: str = visit.world.server.command("password_link", "quinn")["link"]
    visit.open(link.removeprefix(visit.world.url))


def _account_deleted(visit: Visit) -> None:
    handle = f"passing-{next(_numbers)}"
    visit.world.server.command("add_person", handle, "--email", f"{handle}@example.org")
    visit.open(visit.world.sign_in_link(handle).removeprefix(visit.world.url))
    _press(visit, "Sign in")
    visit.open("/settings/account/delete/")
    visit.tab.get_by_label("Type your handle to confirm").fill(handle)
    _press(visit, "Delete the account for good")


def _new_key(visit: Visit) -> None:
    visit.open("/settings/keys/")
    visit.tab.get_by_label("Name of the agent").fill(f"Robot {next(_numbers)}")
    _press(visit, "Create key")


def _refused_form(visit: Visit) -> None:
    visit.open("/projects/new/")
    visit.tab.get_by_label("Name", exact=True).fill("no spaces, no commas")
    _press(visit, "Create project")


def _old_form(visit: Visit) -> None:
    visit.open("/projects/new/")
    visit.tab.get_by_label("Name", exact=True).fill("kettles")
    visit.tab.context.clear_cookies()
    _press(visit, "Create project")


def _conflict(visit: Visit) -> None:
    visit.open("/organizations/guild/members/alice/")
    visit.tab.locator("form[action$='remove/'] button").click()


def _sign_in_ended(visit: Visit) -> None:
    visit.open("/alice/shop/items/new/task/")
    visit.tab.get_by_label("Title").fill("Pour the tea")
    visit.tab.get_by_label("Content").fill("Slowly.\n\nVery slowly.")
    visit.tab.context.clear_cookies()
    _press(visit, "New task")


def _changed_meanwhile(visit: Visit) -> None:
    """Two tabs of one person: the second to store is the slower one."""
    path = f"/alice/shop/items/{visit.world.places['shop_torn']}/edit/"
    faster = visit.tab.context.new_page()
    for tab in (visit.tab, faster):
        tab.goto(visit.world.address(path))
    for tab, word in ((faster, f"Warm {next(_numbers)}"), (visit.tab, "Tepid, not boiling")):
        text = tab.get_by_label("Content").input_value().split("\n\n")
        tab.locator("#id_content").fill("\n\n".join([text[0], f"{word}.", *text[2:]]))
        tab.get_by_label("Title").fill(f"How we serve: {word}")
        with tab.expect_navigation():
            tab.get_by_role("button", name="Store", exact=True).click()
    faster.close()


def _too_many_tries(visit: Visit) -> None:
    visit.open("/account/reauthenticate/")
    for _ in range(_TRIES):
        if not visit.tab.locator("#id_password").count():
            return
        visit.tab.fill("#id_password", "wrong")
        _press(visit, "Go on")


def _press(visit: Visit, name: str) -> None:
    with visit.tab.expect_navigation():
        visit.tab.locator("main").get_by_role("button", name=name, exact=True).click()


ARRIVALS = (
    Arrival("second-step", _second_step, "/account/2fa/authenticate/"),
    Arrival("password-link", _password_link, "/account/password/reset/key/*"),
    Arrival("account-deleted", _account_deleted, "/settings/account/deleted/"),
    Arrival("key-made", _new_key, "/settings/keys/", "bob", shows=("shows a whole agent key",)),
    Arrival("form-refused", _refused_form, "/projects/new/", who="bob", status=400),
    Arrival("form-too-old", _old_form, "/projects/new/", who="bob", status=403),
    Arrival("conflict", _conflict, "/organizations/guild/*", who="alice", status=409),
    Arrival("item-sign-in-ended", _sign_in_ended, "/alice/shop/items/new/task/", "bob", 403),
    Arrival("item-conflict", _changed_meanwhile, "/alice/shop/items/*", "alice", 409),
    Arrival("too-many-tries", _too_many_tries, "/account/reauthenticate/", "quinn", 429),
)
