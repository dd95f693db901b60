"""The guide and the tool reference: public, and the same as agents get."""

import html
import json
import re

import pytest
from django.test import Client
from pytest_django import Settings

from conderis.accounts.agent_keys import KeyWish
from conderis.accounts.models import Person
from conderis.common.json import compact
from conderis.common.tokens import count_tokens
from conderis.web.markdown import render_outlined
from items.guide import GUIDE, GUIDE_VERSION
from mcp_surface.tools import all_tools, listed_tools
from projects.capabilities import Role
from projects.keys import create_agent_key
from tests.factories import person_caller
from tests.mcp_surface.transport.wire import ask, headers_for, rpc
from tests.web.settings_pages import shown


@pytest.fixture
def key(alice: Person, settings: Settings) -> str:
    """An agent key of alice's; calls see the test's transaction."""
    settings.MCP_THREAD_SENSITIVE = True
    settings.ALLOWED_HOSTS = ["localhost", "testserver"]
    wish = KeyWish(name="robo")
    return create_agent_key(person_caller(alice), person=alice, wish=wish).text


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return shown(answer.content)


def test_the_guide_is_the_system_guide_with_its_version(client: Client, db: None) -> None:
    answer = client.get("/guide/")

    assert answer.status_code == 200
    assert render_outlined(GUIDE).html in answer.content.decode()
    assert f"version {GUIDE_VERSION}" in shown(answer.content)


def test_the_guide_has_one_heading_on_top_and_a_table_of_what_follows(
    client: Client, db: None
) -> None:
    text = page(client, "/guide/")

    targets = set(re.findall(r'<a href="#([^"]+)">', text))
    ids = re.findall(r' id="([^"]+)"', text)
    assert text.count("<h1") == 1
    assert targets - {"main"} <= set(ids)
    assert len(ids) == len(set(ids))
    assert len([each for each in targets if each.startswith("h-")]) == GUIDE.count("\n## ")


def test_the_guide_tells_people_of_every_role(client: Client, db: None) -> None:
    text = page(client, "/guide/")

    for role in Role:
        assert f">{role.capitalize()}</th>" in text


@pytest.mark.parametrize("path", ["/guide/", "/tools/", "/tools/schema.json", "/tools/recall.json"])
def test_guide_and_tools_are_read_only_and_need_no_session(
    client: Client, db: None, path: str
) -> None:
    answer = client.get(path)

    assert answer.status_code == 200
    assert "conderis_session" not in answer.cookies
    assert client.post(path).status_code == 405


def test_the_reference_shows_every_tool_as_it_is_registered(client: Client, db: None) -> None:
    text = page(client, "/tools/")

    assert len(all_tools()) == 8
    for tool in listed_tools():
        part = re.search(rf'id="{tool["name"]}".*?</section>', text, re.DOTALL)
        assert part is not None
        for line in tool["description"].split("\n"):
            assert line in part[0]
        rows = re.findall(r'<th scope="row".*?</tr>', part[0], re.DOTALL)
        schema = tool["inputSchema"]
        assert len(rows) == len(schema["properties"])
        for row, (name, each) in zip(rows, schema["properties"].items(), strict=True):
            assert f">{name}<" in row
            assert f">{each['type']}<" in row
            assert each.get("description", "") in row
            assert (">Yes<" in row) == (name in schema.get("required", []))


def test_the_reference_says_what_each_tool_and_the_list_cost(client: Client, db: None) -> None:
    text = page(client, "/tools/")

    whole = compact(listed_tools())
    assert f"{len(whole)} characters, {count_tokens(whole)} tokens" in text
    for tool in listed_tools():
        one = compact(tool)
        assert f"<span>{len(one)} characters</span><span>{count_tokens(one)} tokens</span>" in text


def test_the_schemas_are_those_that_the_mcp_endpoint_lists(client: Client, key: str) -> None:
    listed = ask(rpc("tools/list"), headers=headers_for(key)).result["tools"]

    whole = client.get("/tools/schema.json")
    single = [client.get(f"/tools/{tool['name']}.json").json() for tool in listed]

    assert whole.json() == {"tools": listed}
    assert single == listed
    assert 'filename="conderis-tools.json"' in whole["Content-Disposition"]
    assert "\\u" not in whole.content.decode()
    assert json.loads(whole.content) == whole.json()


def test_a_tool_that_is_not_there_is_not_found(client: Client, db: None) -> None:
    assert client.get("/tools/item_erase.json").status_code == 404


def test_nothing_of_the_pages_is_styled_or_scripted_inline(client: Client, db: None) -> None:
    for path in ("/guide/", "/tools/"):
        text = html.unescape(client.get(path).content.decode())

        assert not re.search(r'\sstyle="|\son\w+="|<script>', text)
