"""All browser tests in one worker: one Chromium, one server, however many workers there are.

The tests are dealt out module by module (`--dist loadscope`); here this folder is one module.
What takes longest is dealt out first, so that no worker is left with it at the end.
"""

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]
from xdist.workermanage import WorkerController  # type: ignore[import-untyped]

FOLDER = "tests/e2e/"
LONGEST_FIRST = (
    FOLDER,
    "tests/surfaces/test_web_permission_table.py",
    "tests/operations/",
    "tests/clients/",
    "tests/mcp_surface/transport/",
    "tests/concurrency/",
    "tests/surfaces/",
    "tests/web/test_signing_in",
    "tests/web/test_behind_a_proxy.py",
)


class OneBrowser(LoadScopeScheduling):  # type: ignore[misc]
    """Deals out modules, and the browser tests as if they were one."""

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(FOLDER):
            return FOLDER
        scope: str = super()._split_scope(nodeid)
        return scope

    def _assign_work_unit(self, node: WorkerController) -> None:
        self.workqueue.move_to_end(min(self.workqueue, key=_place), last=False)
        super()._assign_work_unit(node)


def _place(scope: str) -> int:
    """The place in the list above; those in none keep their order, most tests first."""
    return next(
        (place for place, start in enumerate(LONGEST_FIRST) if scope.startswith(start)),
        len(LONGEST_FIRST),
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneBrowser | None:
    """The scheduler above, where `--dist loadscope` was asked for."""
    if config.getoption("dist", None) != "loadscope":
        return None
    return OneBrowser(config, log)
