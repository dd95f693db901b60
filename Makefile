# Two commands: `make run` and `make test`. Everything else is in `make help`.

SHELL := /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
NODE_CLIENTS := tests/clients/node
BROWSER_NODE := tests/e2e/node
PIP := -m pip --disable-pip-version-check --no-input install --quiet --require-hashes
# More for pytest (make test ARGS="tests/items -k number") and uv.
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help run messages test test-shuffled test-postgres test-api api-snapshot clients node-clients e2e screenshots lighthouse browser-node bench bench-check soak bench-retrieval bench-search-scale bench-recall bench-hygiene bench-erasing bench-import lint types imports lock venv installed installed-dev

help: ## Show this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 25

run: installed ## Serve web and MCP on http://localhost:8000
	@exec $(PY) manage.py serve

test: installed-dev ## Run the test suite, on SQLite unless DATABASE_URL says otherwise
	@exec $(PY) -m pytest $(ARGS)

test-shuffled: installed-dev ## Run the test suite in another order, which it prints, and on new examples
	@seed=$$($(PY) -c "import random; print(random.randrange(2**32))"); \
	echo "In this order again: make test ARGS='--randomly-seed=$$seed'"; \
	exec $(PY) -m pytest --randomly-seed=$$seed --hypothesis-profile=searching $(ARGS)

test-postgres: installed-dev ## Run what touches the database on the PostgreSQL of DATABASE_URL
	@case "$$DATABASE_URL" in postgres*) ;; *) \
		echo "Set DATABASE_URL to a PostgreSQL database, as postgresql://user:password@host/name." >&2; exit 1;; esac
	@$(PY) -m pytest -m "not no_database and not alone" $(ARGS)
	@exec $(PY) -m pytest tests/privacy tests/operations tests/concurrency -m "not no_database and alone" -n 0

test-api: installed-dev ## Ask the REST API much that its document allows and forbids (more: API_EXAMPLES=500)
	@API_EXAMPLES=$${API_EXAMPLES:-100} exec $(PY) -m pytest tests/api/test_any_request.py --timeout 3600 $(ARGS)

api-snapshot: installed-dev ## Store the OpenAPI document anew, after a change on purpose
	@exec $(PY) -m tests.api.snapshot

clients: installed-dev node-clients ## Try the clients that others wrote (needs npm)
	@REQUIRE_NODE_CLIENTS=1 exec $(PY) -m pytest tests/clients $(ARGS)

e2e: installed-dev browser-node ## Look at the pages in a browser (needs chromium and npm)
	@REQUIRE_BROWSER=1 exec $(PY) -m pytest tests/e2e -n 0 $(ARGS)

screenshots: installed-dev browser-node ## Judge every page on every screen, and keep pictures in screenshots/
	@REQUIRE_BROWSER=1 SCREENSHOTS=screenshots SCREENSHOTS_OF=all exec $(PY) -m pytest tests/e2e/test_pages.py -n 0 $(ARGS)

lighthouse: installed-dev browser-node ## Let Lighthouse judge every page
	@REQUIRE_BROWSER=1 LIGHTHOUSE=all exec $(PY) -m pytest tests/e2e/test_lighthouse.py -n 0 $(ARGS)

bench: installed ## Measure tools and pages on a server of its own (more: ARGS="--calls 500 --json")
	@exec $(PY) manage.py bench $(ARGS)

bench-check: installed ## The same, and fail where a ratio to ping is a third worse than the kept one
	@exec $(PY) manage.py bench --check $(ARGS)

soak: installed-dev ## Many at once, for long, and 200 kills (less: ARGS="--kills 20 --seconds 60 -k killed")
	@exec $(PY) -m pytest tests/concurrency tests/web/test_pages_at_full_size.py -m soak --soak -n 0 -s $(ARGS)

bench-retrieval: installed ## Measure what search finds, on questions with known answers
	@exec $(PY) manage.py bench_retrieval $(ARGS)

bench-search-scale: installed ## Measure what a search takes among 10,000 and 110,000 memories
	@exec $(PY) manage.py bench_retrieval --scale $(ARGS)

bench-recall: installed ## Measure what recall shows (its times: ARGS="--scale")
	@exec $(PY) manage.py bench_recall $(ARGS)

bench-hygiene: installed ## Measure what judging a project's hygiene takes
	@exec $(PY) manage.py bench_hygiene $(ARGS)

bench-erasing: installed ## Measure what erasing takes among 100,000 items
	@exec $(PY) manage.py bench_erasing $(ARGS)

bench-import: installed ## Measure what importing 10,000 items takes
	@exec $(PY) manage.py bench_import $(ARGS)

messages: installed-dev ## Bring the texts in locale/ up to the code, and compile them
	@exec $(PY) -m tests.web.catalog

lint: installed-dev ## Check style and format
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

types: installed-dev ## Check types
	@exec $(PY) -m mypy .

imports: installed-dev ## Check which part may import which
	@exec $(VENV)/bin/lint-imports

lock: ## Bring the lock files up to pyproject.toml (needs uv; newest: ARGS=--upgrade)
	@command -v uv >/dev/null || { echo "make lock needs uv: https://docs.astral.sh/uv/" >&2; exit 1; }
	uv pip compile --universal --generate-hashes --no-annotate --no-header $(ARGS) pyproject.toml -o requirements.lock
	uv pip compile --universal --generate-hashes --no-annotate --no-header $(ARGS) --group dev pyproject.toml -c requirements.lock -o requirements-dev.lock

# Clients on Node, for the tests alone, and a Node that is new enough for them.
node-clients:
	@cmp -s $(NODE_CLIENTS)/package-lock.json $(NODE_CLIENTS)/node_modules/installed.json || { \
	  echo "Installing the clients that run on Node"; \
	  (cd $(NODE_CLIENTS) && npm ci --loglevel=error && cp package-lock.json node_modules/installed.json); }

# What judges pages in the browser tests, installed in the same way.
browser-node:
	@cmp -s $(BROWSER_NODE)/package-lock.json $(BROWSER_NODE)/node_modules/installed.json || { \
	  echo "Installing what judges the pages"; \
	  (cd $(BROWSER_NODE) && npm ci --loglevel=error && cp package-lock.json node_modules/installed.json); }

# The environment is made anew when its Python is gone or broken. Where Python came
# without ensurepip (Debian), the system's pip puts one in.
venv:
	@$(PY) -m pip --version >/dev/null 2>&1 || { \
	  for found in python3.11 python3.12 python3.13 python3.14 python3 none; do \
	    [ $$found = none ] && { echo "Conderis needs Python 3.11 or newer, and finds none." >&2; exit 1; }; \
	    $$found -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	  done; \
	  echo "Making $(VENV) with $$($$found --version)"; \
	  $$found -m venv --clear $(VENV) >/dev/null 2>&1 || { \
	    $$found -m venv --clear --without-pip $(VENV) && \
	    $$found -m pip --python $(PY) --disable-pip-version-check --no-input install --quiet pip; }; }

# What was installed last is kept beside it, so that only a changed lock installs again.
installed: venv
	@cmp -s requirements.lock $(VENV)/requirements.lock || { \
	  echo "Installing what Conderis needs, which takes about a minute"; \
	  $(PY) $(PIP) -r requirements.lock && cp requirements.lock $(VENV)/; }

installed-dev: installed
	@cmp -s requirements-dev.lock $(VENV)/requirements-dev.lock || { \
	  echo "Installing what the tests need"; \
	  $(PY) $(PIP) -r requirements-dev.lock && cp requirements-dev.lock $(VENV)/; }
