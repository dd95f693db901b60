"""The environment that tests run in; loaded as a plugin before Django's settings.

A run can be repeated: the order of tests is shuffled, but the same in every run, and so are
the examples of Hypothesis. `--randomly-seed=N` gives another order, and
`--hypothesis-profile=searching` new examples. None of them is measured by the clock: what is
slow on a busy machine is no fault.
"""

import atexit
import os
import shutil
import tempfile

import pytest
from hypothesis import HealthCheck, settings

SEED = 20261130

if "CONDERIS_DATA" not in os.environ:
    # The processes that run the tests inherit it; the one that made it removes it.
    _folder = tempfile.mkdtemp(prefix="conderis-tests-")
    os.environ["CONDERIS_DATA"] = _folder
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ.setdefault("CONDERIS_SECRET_KEY", "only-for-tests-" + "0123456789" * 4)

for _name, _is_repeatable in (("repeatable", True), ("searching", False)):
    settings.register_profile(
        _name,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=_is_repeatable,
        database=None,
        print_blob=True,
    )
settings.load_profile("repeatable")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give the order its seed, where none was asked for."""
    if config.getoption("randomly_seed", None) == "default":
        config.option.randomly_seed = SEED
