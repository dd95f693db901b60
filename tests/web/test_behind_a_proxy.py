"""TLS ends at a proxy, under a path of another site: everything carries that address."""

import http.client
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from tests.running import Running, running

pytestmark = pytest.mark.slow

PUBLIC = "https://memory.example.com/team/memory"


@dataclass
class Proxy:
    """Hands requests on as proxies do: plain http, the public host, how it was asked.

    `cuts` says whether it takes the path of the site off before. Keeps cookies.
    """

    port: int
    cuts: bool
    cookies: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def ask(
        self, method: str, path: str, body: str = "", **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and text for a path as the browser has it."""
        below = path.removeprefix("/team/memory") if self.cuts else path
        sent = {
            "Host": "memory.example.com",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "203.0.113.9",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, below or "/", body.encode(), sent)
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                self.said.append(value)
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        headers_heard = {name.title(): value for name, value in response.getheaders()}
        return response.status, headers_heard, text


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(CONDERIS_URL=PUBLIC, CONDERIS_TRUST_PROXY="on") as started:
        yield started


@pytest.fixture(params=[True, False], ids=["path cut off", "path kept"])
def proxy(request: pytest.FixtureRequest, server: Running) -> Proxy:
    return Proxy(server.port, cuts=request.param)


def test_signing_in_works_and_every_address_carries_scheme_host_and_path(
    server: Running, proxy: Proxy
) -> None:
    link = server.command("quickstart")["sign_in"]
    assert link.startswith(f"{PUBLIC}/sign-in/")
    path = link.removeprefix("https://memory.example.com")

    status, headers, shown = proxy.ask("GET", path)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', shown)
    assert token is not None
    entered, after, _ = proxy.ask(
        "POST",
        path,
        f"csrfmiddlewaretoken={token[1]}",
        Origin="https://memory.example.com",
        Referer=link,
        Content_Type="application/x-www-form-urlencoded",
    )
    start, _, projects = proxy.ask("GET", "/team/memory/")

    assert status == 200
    assert "max-age" in headers["Strict-Transport-Security"]
    assert (entered, after["Location"]) == (302, "/team/memory/")
    assert start == 200
    assert "owner/home" in projects
    local = set(re.findall(r'(?:href|src|action)="(/[^"]*)"', projects))
    assert [address for address in local if not address.startswith("/team/memory/")] == []
    assert all("Secure" in said and "Path=/" in said for said in proxy.said)
    assert all(said.startswith("__Host-") for said in proxy.said)


def test_static_files_work_below_the_path(proxy: Proxy) -> None:
    status, headers, text = proxy.ask("GET", "/team/memory/static/tokens.css")

    assert status == 200
    assert headers["Content-Type"].startswith("text/css")
    assert "light-dark" in text


def test_redirects_stay_below_the_path(proxy: Proxy) -> None:
    status, headers, _ = proxy.ask("GET", "/team/memory/settings/")

    assert status == 302
    assert headers["Location"] == "/team/memory/sign-in/?next=/team/memory/settings/"


def test_agents_connect_below_the_path(server: Running, proxy: Proxy) -> None:
    made = server.command("quickstart")
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}

    refused, _, _ = proxy.ask("POST", "/team/memory/mcp", json.dumps(call))
    status, _, text = proxy.ask(
        "POST",
        "/team/memory/mcp",
        json.dumps(call),
        Authorization=f"Bearer {made['key']}",
        Content_Type="application/json",
        Accept="application/json, text/event-stream",
        MCP_Protocol_Version="2025-11-25",
    )

    assert made["mcp"] == f"{PUBLIC}/mcp"
    assert refused == 401
    assert status == 200
    assert len(json.loads(text)["result"]["tools"]) == 8


def test_plain_http_is_sent_to_https_but_for_the_health_check(proxy: Proxy) -> None:
    status, headers, _ = proxy.ask("GET", "/team/memory/guide/", X_Forwarded_Proto="http")
    healthy, _, _ = proxy.ask("GET", "/team/memory/healthz", X_Forwarded_Proto="http")

    assert status == 301
    assert headers["Location"] == f"{PUBLIC}/guide/"
    assert healthy == 200


def test_another_host_is_refused_by_pages_and_by_the_endpoint_alike(proxy: Proxy) -> None:
    page, _, _ = proxy.ask("GET", "/team/memory/", Host="evil.example.net")
    endpoint, _, _ = proxy.ask("POST", "/team/memory/mcp", "{}", Host="evil.example.net")

    assert (page, endpoint) == (400, 421)


def test_the_deployment_check_finds_nothing(server: Running) -> None:
    answer = server.run("check", "--deploy", "--fail-level", "WARNING")

    assert answer.returncode == 0, answer.stderr
