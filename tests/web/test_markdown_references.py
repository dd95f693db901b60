"""`#12` and `owner/name#12` in texts lead to items, as far as the reader may read them."""

import re
from collections.abc import Collection

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conderis.accounts.models import Person
from conderis.web.markdown import render, render_outlined
from conderis.web.projects.instructions import store_instructions
from items.linked_numbers import ItemName
from projects.models import Project, ProjectPath
from proposals.organization_instructions import store_organization_instructions
from tests.factories import make_project, person_caller
from tests.items.calls import change, create
from tests.items.recall_rows import make_page
from tests.privacy.deletions import ask, erased
from tests.projects.making import make_organization
from tests.proposals.reviews import propose, robo
from tests.web.markdown_texts import links
from tests.web.moderation_pages import at as review_at
from tests.web.moderation_pages import opened

ITEM = "/alice/shop/items/"


def prose(client: Client, person: Person, path: str) -> str:
    """What was made of texts on the page."""
    answer = opened(client, person, path)
    assert answer.status_code == 200
    page = answer.content.decode()
    return "".join(re.findall(r'<div class="prose">(.*?)</div>', page, re.DOTALL))


def every(names: Collection[ItemName], /) -> dict[ItemName, str]:
    """A linker for which everything is there."""
    return {name: f"/{name.project or 'own/one'}/items/{name.number}/" for name in names}


@pytest.mark.no_database
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("#12", ["#12"]),
        ('see #12, #13. (#14) "#15" *#16*: #17!', ["#12", "#13", "#14", "#15", "#16", "#17"]),
        ("#12-#15", ["#12", "#15"]),
        ("# Head #12\n\n- [ ] #13\n\n| #14 |\n|---|\n\n> #15", ["#12", "#13", "#14", "#15"]),
        ("al-ice/my_shop.2#12", ["al-ice/my_shop.2#12"]),
        ("Alice/Shop#12 and a/b_c#1", ["Alice/Shop#12", "a/b_c#1"]),
        ("a#12b #12b x#12 12#12 #12_ é#12 #12é", []),
        ("#fff #0 #01 #123456a #1a2b3c #1234567890 ##12 #12# &#12 /#12 #12.5 #12-b #1/a", []),
        ("-a/b#1 .a/b#1 x/a/b#1 a/b/c#1 https://x.example/a/b#1 https://x.example/#12 ?q=#12", []),
        ("`#12` ``a/b#1``\n\n    #12\n\n```\n#12\n```\n\n```py\n#12\n```", []),
        ("[#12](https://x.example) <https://x.example/#12> ![#12](https://x.example)", []),
        ("[a/b#1][x]\n\n[x]: https://x.example", []),
        ("\\#12 a/b\\#12 &#35;12 &#35;#12 #&#49;2 #1\\.5 x\\_#12 a\\_b/c#12", ["#1"]),
        ("[[#12]] [#13]", ["#12", "#13"]),
    ],
)  # fmt: skip
def test_what_names_an_item_is_told_from_what_only_looks_so(text: str, named: list[str]) -> None:
    html = render(text, linker=every)

    found = re.findall(r'<a href="/[^"]*/items/\d+/">([^<]*)</a>', html)
    assert found == named


@pytest.mark.no_database
def test_words_stay_as_they_were_written_and_no_mark_is_left() -> None:
    text = "# See #12\n\nal/x#3 and #4"
    marked = ["#12", "#4"]

    some = render_outlined(text, linker=lambda names: {n: "/x/" for n in names if not n.project})
    nothing = render(text, linker=lambda _: {})

    assert [heading.text for heading in some.headings] == ["See #12"]
    assert re.findall(r'<a href="/x/">([^<]*)</a>', some.html) == marked
    assert re.sub(r"</?a\b[^>]*>", "", some.html) == nothing == render(text)
    assert "ref" not in nothing


@pytest.mark.no_database
def test_only_the_first_five_hundred_are_looked_up() -> None:
    asked: list[Collection[ItemName]] = []

    def linker(names: Collection[ItemName], /) -> dict[ItemName, str]:
        asked.append(names)
        return every(names)

    html = render(" ".join(f"#{number}" for number in range(1, 600)) + " #1 #599", linker=linker)

    assert asked == [frozenset(ItemName("", number) for number in range(1, 501))]
    assert len(links(html)) == 501


def test_a_reader_gets_links_to_what_may_be_read_and_cannot_tell_why_not_to_the_rest(
    client: Client, project: Project, alice: Person, bob: Person, mallory: Person
) -> None:
    rita = Person.objects.get(handle="rita")
    owner = person_caller(alice)
    make_page(make_project(mallory, "hidden"), mallory, "There")
    create(owner, project, "page", title="Guide")  # 1
    create(person_caller(bob), project, "memory", title="Own", visibility="private")  # 2
    create(owner, project, "page", title="Locked")  # 3
    create(owner, project, "page", title="Erased")  # 4
    ask(owner, project, 3)
    erased(alice, project, 4)
    text = "#1 #2 #3 #4 #99 alice/shop#1 alice/shop#2 mallory/hidden#1 mallory/never#1"
    create(owner, project, "page", title="Links", content=text)  # 5

    for_rita = prose(client, rita, f"{ITEM}5/")
    for_bob = prose(client, bob, f"{ITEM}5/")

    to = f'<a href="{ITEM}%s/">%s</a>'
    assert for_rita == (
        f'<p dir="auto">{to % (1, "#1")} #2 #3 #4 #99 {to % (1, "alice/shop#1")} alice/shop#2 '
        "mallory/hidden#1 mallory/never#1</p>\n"
    )
    assert links(for_bob) == [f"{ITEM}{number}/" for number in (1, 2, 1, 2)]


def test_what_is_locked_later_loses_its_link_though_the_text_was_laid_out_before(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    owner = person_caller(alice)
    create(owner, project, "page", title="Guide")
    create(owner, project, "page", title="Links", content="see #1")
    before = links(prose(client, rita, f"{ITEM}2/"))

    ask(owner, project, 1)

    assert before == [f"{ITEM}1/"]
    assert links(prose(client, rita, f"{ITEM}2/")) == []


def test_a_former_name_of_a_project_leads_to_where_it_is_now(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    ProjectPath.objects.create(path="alice/store", project=project)
    create(person_caller(alice), project, "page", title="Links", content="Alice/Store#1")

    assert links(prose(client, rita, f"{ITEM}1/")) == [f"{ITEM}1/"]


def test_every_page_that_shows_texts_has_the_links(
    client: Client, project: Project, alice: Person, bob: Person, carol: Person
) -> None:
    owner, text = person_caller(alice), "as #1 and alice/shop#1 say"
    create(owner, project, "page", title="Guide", content=text)
    change(owner, project, 1, 1, content="changed")
    create(owner, project, "task", title="Pour", content=text)
    create(owner, project, "memory", title="Tea", content=text, visibility="shared")
    store_instructions(owner, "alice/shop", content=text, version=0)
    store_instructions(owner, "alice/shop", content=f"{text}.", version=1)
    ref = propose(robo(bob), project, 1, content=f"{text}!", complete=True)
    settings = "/alice/shop/settings/instructions/"
    pages = [f"{ITEM}1/history/1/", f"{ITEM}2/", f"{ITEM}3/", "/alice/shop/", settings,
             f"{settings}versions/1/", review_at(ref)]  # fmt: skip

    for path in pages:
        assert links(prose(client, carol, path)) == [f"{ITEM}1/"] * 2, path


def test_an_organizations_instructions_name_items_with_their_projects_alone(
    client: Client, project: Project, alice: Person, bob: Person
) -> None:
    make_organization(alice, members=(bob,))
    create(person_caller(alice), project, "page", title="Guide")
    content = "#1 and alice/shop#1"
    store_organization_instructions(person_caller(alice), handle="acme", content=content, version=0)

    assert links(prose(client, bob, "/organizations/acme/instructions/")) == [f"{ITEM}1/"]


def test_many_names_cost_a_page_as_many_queries_as_one(
    client: Client, project: Project, alice: Person, rita: Person
) -> None:
    owner = person_caller(alice)
    for number in range(1, 31):
        create(owner, project, "page", title=f"Page {number}", content="plain")
    create(owner, project, "page", title="One", content="#1")
    numbers = " ".join(f"#{number} alice/shop#{number}" for number in range(1, 31))
    create(owner, project, "page", title="Many", content=numbers)
    create(owner, project, "page", title="None", content="plain")

    def cost(number: int) -> int:
        opened(client, rita, f"{ITEM}{number}/")
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{ITEM}{number}/")
        return len(queries)

    assert cost(31) == cost(32) == cost(33) + 2
