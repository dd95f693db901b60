import re
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from conderis.common.errors import Invalid
from projects.remotes import MAX_REMOTE, canonical_remote

pytestmark = pytest.mark.no_database


def canonical(text: str) -> str | None:
    return canonical_remote(text, field="remote")


@pytest.mark.parametrize(
    "text",
    [
        "https://github.com/acme/shop",
        "https://github.com/acme/shop.git",
        "https://github.com/acme/shop/",
        "https://github.com/acme/shop.git/",
        "https://github.com:443/acme/shop",
        "https://github.com:/acme/shop",
        "https://GitHub.COM/acme/shop",
        "https://github.com./acme/shop",
        "https://github.com//acme//shop//",
        "HTTPS://github.com/acme/shop.GIT",
        "http://github.com/acme/shop",
        "http://github.com:80/acme/shop.git",
        "git+https://github.com/acme/shop.git",
        "git://github.com/acme/shop.git",
        "git://github.com:9418/acme/shop.git",
        "ssh://git@github.com/acme/shop.git",
        "ssh://git@github.com:22/acme/shop.git",
        "ssh://github.com/acme/shop",
        "git+ssh://git@github.com/acme/shop.git",
        "git@github.com:acme/shop.git",
        "git@github.com:acme/shop",
        "git@github.com:/acme/shop.git",
        "org-1234@github.com:acme/shop.git",
        "github.com:acme/shop.git",
        "github.com/acme/shop",
        "github.com/acme/shop.git/",
        "github.com:443/acme/shop",
        "  https://github.com/acme/shop\n",
        "https://github.com/%61cme/shop",
    ],
)
def test_every_spelling_of_a_remote_is_read_as_one_text(text: str) -> None:
    assert canonical(text) == "github.com/acme/shop"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://gitlab.com/a/b/c/d.git", "gitlab.com/a/b/c/d"),
        ("git@gitlab.com:a/b/c/d.git", "gitlab.com/a/b/c/d"),
        ("ssh://git@host.example:2222/o/n.git", "host.example:2222/o/n"),
        ("host.example:2222/o/n", "host.example:2222/o/n"),
        ("git@host.example:2222/o/n", "host.example/2222/o/n"),
        ("http://localhost:3000/o/n", "localhost:3000/o/n"),
        ("localhost/n", "localhost/n"),
        ("ssh://git@[::1]:2222/o/n", "[::1]:2222/o/n"),
        ("https://[2001:DB8::1]/o/n.git", "[2001:db8::1]/o/n"),
        ("[::1]/o/n", "[::1]/o/n"),
        ("git@[::1]:o/n.git", "[::1]/o/n"),
        ("git@server:shop.git", "server/shop"),
        ("git@server:/srv/git/shop.git", "server/srv/git/shop"),
        ("ssh://server/shop", "server/shop"),
        ("server/group/shop", "server/group/shop"),
        ("https://git.sr.ht/~alice/shop", "git.sr.ht/~alice/shop"),
        ("git@git.sr.ht:~alice/shop", "git.sr.ht/~alice/shop"),
        ("https://gist.github.com/0123abcd.git", "gist.github.com/0123abcd"),
        ("git@ssh.dev.azure.com:v3/acme/My%20Shop/it", "ssh.dev.azure.com/v3/acme/My%20Shop/it"),
        ("https://host.example/o/n%c3%a4", "host.example/o/n%C3%A4"),
        ("https://host.example/o/größe", "host.example/o/größe"),
        ("https://host.example/o/gro\u0308ße", "host.example/o/größe"),
        ("https://host.example/o/n.git.git", "host.example/o/n"),
        ("https://host.example/o/.github", "host.example/o/.github"),
        ("https://host.example/o/a.b", "host.example/o/a.b"),
        ("https://host.example/Acme/Shop", "host.example/Acme/Shop"),
        ("git@192.168.0.7:o/n.git", "192.168.0.7/o/n"),
    ],
)
def test_less_usual_spellings_are_read(text: str, expected: str) -> None:
    assert canonical(text) == expected
    assert canonical(f"https://{expected}") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "/",
        ":",
        "shop",
        "acme/shop",
        "acme/shop/",
        "acme:shop",
        "/srv/git/shop",
        "./shop",
        "../shop",
        "C:/code/shop",
        "C:\\work\\shop",
        "https://",
        "https://github.com",
        "https://github.com/",
        "https:///acme/shop",
        "https://github.com/..",
        "https://github.com/acme/../shop",
        "https://github.com/acme/./shop",
        "https://github.com/acme/%2e%2e/shop",
        "https://github.com/acme%2Fshop",
        "https://github.com/acme/shop%00",
        "https://github.com/acme/100%",
        "https://github.com/.git",
        "https://github.com/acme/.git",
        "https://github.com/acme/shop?ref=main",
        "https://github.com/acme/shop#readme",
        "https://github.com/acme/the shop",
        "https://github.com/acme/shop\nx",
        "https://github.com/acme/shop\x00",
        "https://github.com/acme\\shop",
        "https://github.com:0x16/acme/shop",
        "https://github.com:99999/acme/shop",
        "https://github.com:123456/acme/shop",
        "https://git hub.com/acme/shop",
        "https://github..com/acme/shop",
        "https://.github.com/acme/shop",
        "https://-oProxyCommand=x/acme/shop",
        "ssh://-oProxyCommand=x/acme/shop",
        "git@-oProxyCommand:acme/shop",
        "https://[::1/acme/shop",
        "https://[github.com]/acme/shop",
        "https://gíthub.com/acme/shop",
        "ftp://github.com/acme/shop",
        "file:///srv/git/shop",
        "javascript://github.com/acme/shop",
        "ext::sh -c x",
        "github.com",
        "memory:0123456789ab",
        "https://github.com/" + "a" * MAX_REMOTE,
    ],
)
def test_what_is_no_remote_is_none(text: str) -> None:
    assert canonical(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "https://hunter2@github.com/acme/shop",
        "https://alice:hunter2@github.com/acme/shop",
        "HTTP://alice:hunter2@github.com/acme/shop",
        "https://:hunter2@github.com/acme/shop",
        "https://alice:hun/ter2@github.com/acme/shop",
        "https://alice:hunter2\\@github.com/acme/shop",
        "git+https://hunter2@github.com/acme/shop",
        "ssh://alice:hunter2@github.com/acme/shop",
        "ssh://git@alice:hunter2@github.com/acme/shop",
        "git://alice:hunter2@github.com/acme/shop",
        "ftp://alice:hunter2@github.com/acme/shop",
        "alice:hunter2@github.com:acme/shop",
        "alice:hunter2@github.com/acme/shop",
        "x https://alice:hunter2@github.com/acme/shop",
    ],
)
def test_a_user_name_or_password_is_refused_and_never_repeated(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        canonical(text)

    answer = str(refused.value.as_answer())
    assert "hunter2" not in answer
    assert "ter2" not in answer
    assert "alice" not in answer
    assert refused.value.details["field"] == "remote"
    assert refused.value.__cause__ is None


label = st.from_regex(r"[a-z0-9][a-z0-9-]{0,8}[a-z0-9]", fullmatch=True)
hosts = st.lists(label, min_size=2, max_size=4).map(".".join)
names = st.from_regex(r"[A-Za-z0-9_~][A-Za-z0-9._~-]{0,10}", fullmatch=True).filter(
    lambda name: not name.lower().endswith(".git")
)
paths = st.lists(names, min_size=2, max_size=5).map("/".join)
ends = st.sampled_from(["", "/", ".git", ".git/", ".GIT", "//"])
users = st.sampled_from(["", "git@", "alice.b@", "org-7@"])
cases = st.sampled_from([str.lower, str.upper, str.title])


@given(host=hosts, path=paths, end=ends, user=users, case=cases)
def test_all_spellings_of_any_remote_meet(
    host: str, path: str, end: str, user: str, case: Callable[[str], str]
) -> None:
    written = case(host)
    spellings = [
        f"https://{written}/{path}{end}",
        f"http://{written}:80/{path}{end}",
        f"git://{written}/{path}{end}",
        f"ssh://{user}{written}:22/{path}{end}",
        f"ssh://{user}{written}/{path}{end}",
        f"git@{written}:{path}{end}",
        f"{written}/{path}{end}",
    ]

    assert {canonical(spelling) for spelling in spellings} == {f"{host}/{path}"}


@given(host=hosts, path=paths, port=st.integers(1, 65535), end=ends)
def test_another_port_is_another_remote_unless_it_is_a_usual_one(
    host: str, path: str, port: int, end: str
) -> None:
    usual = port in {22, 80, 443, 9418}
    expected = f"{host}/{path}" if usual else f"{host}:{port}/{path}"

    assert canonical(f"ssh://git@{host}:{port}/{path}{end}") == expected
    assert canonical(f"{host}:{port}/{path}{end}") == expected


PIECES = (
    "https:// ssh:// git@ a.b host localhost [::1] : 22 / // o n.git .git .. . %2e % ~ ä ? # @ \\"
)
pieces = st.sampled_from([*PIECES.split(), " ", "\n"])


@given(text=st.one_of(st.lists(pieces, max_size=9).map("".join), st.text(max_size=40)))
def test_a_text_once_read_reads_as_itself(text: str) -> None:
    try:
        once = canonical(text)
    except Invalid:
        return
    if once is None:
        return
    host, *path = once.split("/")
    assert not re.search(r"[\s?#@\\\x00-\x1f]", once)
    assert not {"", ".", ".."} & {host, *path}
    assume("." in host or ":" in host or host == "localhost" or (len(path) > 1 and len(host) > 1))

    assert canonical(once) == once
    assert canonical(f"https://{once}.git/") == once
