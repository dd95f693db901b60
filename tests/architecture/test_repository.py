"""What no file of the repository may hold."""

import re

import pytest

from conderis.common.secrets import find_secret
from tests.architecture.sources import files, text

pytestmark = pytest.mark.no_database

MACHINE_PATH = re.compile(r"(?<![\w.<}-])/(?:work|farm|root|home|Users)/")
REGISTRY = re.compile(
    r"index-url|trusted-host|find-links|(?:pypi|npmjs|pythonhosted|yarnpkg|debian)\.(?:org|com)"
)
# A path that Debian's own packages fix is no path of one machine.
BINARY = (".woff2", ".png", ".ico", ".gz")


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name}:{number}"
        for name in files()
        if not name.endswith(BINARY) and name != "tests/architecture/test_repository.py"
        for number, line in enumerate(text(name).splitlines(), start=1)
        if pattern.search(line)
    ]


def test_no_file_names_a_folder_of_one_machine() -> None:
    assert lines_with(MACHINE_PATH) == []


def test_no_file_names_a_package_registry() -> None:
    assert lines_with(REGISTRY) == []


def test_every_requirement_in_a_lock_file_has_its_hash() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        requirements = text(name).replace("\\\n", " ").splitlines()
        bare = [
            line
            for line in requirements
            if line.strip() and not line.startswith("#") and "--hash=sha256:" not in line
        ]

        assert bare == [], name


def test_no_file_of_the_product_looks_as_if_it_held_a_secret() -> None:
    checked = [
        name for name in files() if not name.startswith("tests/") and not name.endswith(BINARY)
    ]

    found = {name: secret for name in checked if (secret := find_secret(text(name)))}

    assert found == {}
