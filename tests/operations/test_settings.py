"""Settings: each declared, documented and read loudly."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from conderis.common.environment import DECLARED
from tests.operations.processes import ROOT, environment

pytestmark = pytest.mark.no_database

NAME = re.compile(r"\b(CONDERIS_[A-Z_]+|DATABASE_(?:REPLICA_)?URL)\b")
ROW = re.compile(r"^\| `([A-Z_]+)` \| (.+?) \| (.+?) \|$", re.MULTILINE)
SHOWN = """
import json, conderis.settings as s
print(json.dumps([s.ALLOWED_HOSTS, s.CSRF_TRUSTED_ORIGINS, s.SESSION_COOKIE_SECURE,
    s.CSRF_COOKIE_SECURE, s.SECURE_PROXY_SSL_HEADER, str(s.DATA_FOLDER)]))
"""


def shown(tmp_path: Path, **values: str) -> list[object]:
    """The settings that a process gets from this environment."""
    ended = subprocess.run(
        [sys.executable, "-c", SHOWN],
        env=environment(tmp_path, **values),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[object] = json.loads(ended.stdout)
    return found


def test_the_readme_lists_every_setting_with_default_and_purpose_and_no_other() -> None:
    rows = ROW.findall((ROOT / "README.md").read_text())

    assert sorted(rows) == sorted(
        (one.name, f"`{one.default}`" if one.default else "unset", one.purpose)
        for one in DECLARED.values()
    )


def test_nothing_but_declared_settings_is_read_from_the_environment() -> None:
    # What clients are told to set for themselves is no setting of the server.
    theirs = ROOT / "conderis/web/connecting/clients.py"
    sources = [*(set(ROOT.glob("conderis/**/*.py")) - {theirs}), ROOT / "Makefile"]
    named = {name for source in sources for name in NAME.findall(source.read_text())}

    assert named == set(DECLARED)


def test_the_defaults_let_in_this_machine_alone(tmp_path: Path) -> None:
    assert shown(tmp_path) == [
        ["localhost", "127.0.0.1", "[::1]"],
        [],
        False,
        False,
        None,
        str(tmp_path),
    ]


def test_a_public_address_lets_its_host_and_forms_in_and_makes_cookies_secure(
    tmp_path: Path,
) -> None:
    hosts, origins, *secure, _, _ = shown(tmp_path, CONDERIS_URL="https://memory.example.com/")

    assert hosts == ["localhost", "127.0.0.1", "[::1]", "memory.example.com"]
    assert origins == ["https://memory.example.com"]
    assert secure == [True, True]


def test_a_public_address_without_tls_leaves_cookies_usable(tmp_path: Path) -> None:
    _, origins, *secure, _, _ = shown(tmp_path, CONDERIS_URL="http://192.0.2.7:8000")

    assert origins == ["http://192.0.2.7:8000"]
    assert secure == [False, False]


def test_forwarded_headers_are_believed_only_when_it_is_set(tmp_path: Path) -> None:
    assert shown(tmp_path, CONDERIS_TRUST_PROXY="on")[4] == ["HTTP_X_FORWARDED_PROTO", "https"]


def test_the_suite_and_a_fresh_checkout_keep_their_data_apart() -> None:
    assert settings.DATA_FOLDER != ROOT / "data"
    assert DECLARED["CONDERIS_DATA"].default == "data/"


def test_both_lock_files_pin_the_same_versions() -> None:
    def pins(name: str) -> set[str]:
        return set(
            re.findall(r"^([\w.-]+(?:\[.+\])?==\S+)", (ROOT / name).read_text(), re.MULTILINE)
        )

    assert pins("requirements.lock") <= pins("requirements-dev.lock")
