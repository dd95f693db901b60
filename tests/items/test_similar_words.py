"""What says nearly the same and what only looks so, as far as words tell."""

import pytest

from items.similar import LEAST, likeness, similarity

pytestmark = pytest.mark.no_database

Said = tuple[str, ...]


def pairs(lines: str) -> list[tuple[Said, Said]]:
    """Two lines each, `title | summary`."""
    said = [tuple(line.split(" | ")) for line in lines.strip().splitlines()]
    return list(zip(said[::2], said[1::2], strict=True))


EDITS = pairs("""
Deploys run on Tuesdays | Releases go out on Tuesdays at 10:00 UTC from the main branch.
Deploys run on Tuesdays | Releases go out every Tuesday at 10:00 UTC from the main branch.
Money is kept in cents | All amounts are integers in cents; never use floats for money.
Money kept in cents | All amounts are integers in cents. Never use floats for money!
Staging database | The staging database is reset every night from a dump of production.
The staging database | The staging database gets reset every night from a dump of production.
Use ruff for linting | Ruff replaces flake8 and isort; the configuration is in pyproject.toml.
Use ruff for linting | Ruff has replaced flake8 and isort; its configuration is in pyproject.toml.
Webhook retries | Webhooks are retried five times with exponential backoff, then dropped.
Retries of webhooks | Webhooks are retried five times with exponential backoff and then dropped.
Sessions expire after 30 days | A session that is not used for 30 days is ended by the nightly job.
Session expire after 30 days | A session which is not used for 30 days is ended by a nightly job.
Images are built by Kaniko | The CI builds images with Kaniko, since runners have no Docker.
Images are built with kaniko | CI builds the images with Kaniko since the runners have no Docker.
Search needs a reindex | After changing the tokenizer run manage.py reindex on every node.
Search needs a reindex | After a change of the tokenizer, run manage.py reindex on every node.
Feature flags live in Unleash | New flags are created in Unleash and removed after two releases.
Feature flags live in Unleash | New flags are created in Unleash, then removed after two releases.
Die Rechnungen erzeugt ein Dienst | Rechnungen werden nachts vom Dienst billing als PDF erzeugt.
Rechnungen erzeugt ein Dienst | Die Rechnungen werden nachts vom Dienst billing als PDF erzeugt.
Worker count | Production runs eight workers, one for each core of the machine.
Number of workers | Production runs eight workers: one for each core of the machine.
""")
# Half a sentence more says the same, and more.
LONGER = pairs("""
Cache keys carry the tenant | Every cache key begins with the tenant's id.
Cache keys carry the tenant | Every cache key begins with the id of the tenant, so nothing leaks.
""")
PARAPHRASES = pairs("""
Deploys run on Tuesdays | Releases go out on Tuesdays at 10:00 UTC.
Release day | We ship once a week, on the second working day in the morning.
Money is kept in cents | All amounts are integers in cents; never use floats.
Currency representation | Store prices as whole minor units, no floating point.
Staging database | It is reset every night from production.
Test data freshness | Each night the preview environment is overwritten with a copy of live data.
Webhook retries | Retried five times with exponential backoff.
Failed callbacks | We attempt delivery again up to five times, waiting longer each time.
Sessions expire | Unused for a month, a session is ended.
Login lifetime | People are signed out when they have been away for thirty days.
""")
DIFFERENT = pairs("""
Billing listens on 8001 | The billing service listens on port 8001 behind the gateway.
Shipping listens on 8002 | The shipping service listens on port 8002 behind the gateway.
Port of the gateway | The service gateway listens on port 8080 in every environment.
Port of the gateway | The service gateway listens on port 9443 in every environment.
Redis in staging | Redis in staging runs on host cache-1 with 2 GB of memory.
Redis in production | Redis in production runs on host cache-7 with 16 GB of memory.
Timeout of uploads | Uploads are cut off after 30 seconds by the proxy.
Timeout of exports | Exports are cut off after 300 seconds by the proxy.
Owner of billing | The billing service is owned by the payments team.
Owner of search | The search service is owned by the discovery team.
Python 3.11 is the floor | The library supports Python 3.11 and newer.
Node 20 is the floor | The client supports Node 20 and newer.
Deploys run on Tuesdays | Releases go out on Tuesdays from the main branch.
Deploys of docs | The documentation is published from the main branch on every push.
Use ruff for linting | Ruff replaces flake8 and isort.
Use mypy for types | Mypy runs in strict mode, with the Django plugin.
Backups are kept for 14 days | The database backups are kept for 14 days in the bucket.
Logs are kept for 90 days | The access logs are kept for 90 days in the bucket.
Rate limit of the API | Each key may make 60 requests in a minute.
Rate limit of sign-in | Each address may ask for 5 links in an hour.
Search is case-insensitive | Queries and terms are lowered first.
Images are built by Kaniko | Runners have no Docker.
The queue is drained by workers | Every worker takes ten jobs at once.
The queue is filled by cron | A job is added every ten minutes.
Migration 0042 | Migration 0042 must be run by hand, since it locks the orders table.
Migration 0057 | Migration 0057 must be run by hand, since it locks the invoices table.
Billing retries | The billing worker retries failed jobs after an hour.
Shipping retries | The shipping worker retries failed jobs after an hour.
Tuesday is release day | Releases go out on Tuesdays from the main branch.
Thursday is release day | Releases go out on Thursdays from the main branch.
""")


def text(said: Said) -> str:
    return "\n".join(said)


@pytest.mark.parametrize("pair", [*EDITS, *LONGER])
def test_a_near_edit_says_nearly_the_same(pair: tuple[Said, Said]) -> None:
    assert similarity(*map(text, pair)) >= LEAST
    assert similarity(*map(text, pair)) == similarity(*map(text, reversed(pair)))


@pytest.mark.parametrize("pair", DIFFERENT)
def test_another_fact_in_a_like_sentence_is_not_the_same(pair: tuple[Said, Said]) -> None:
    assert similarity(*map(text, pair)) < LEAST
    assert similarity(*map(text, pair)) == similarity(*map(text, reversed(pair)))


@pytest.mark.parametrize("pair", PARAPHRASES)
def test_the_same_in_other_words_is_beyond_words(pair: tuple[Said, Said]) -> None:
    assert similarity(*map(text, pair)) < LEAST / 2


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("word", "two words", 1 / 2),
        ("Word!", "  WORD", 1),
        ("", "", 0),
        ("…", "word", 0),
        ("the", "The!", 1),
        ("port 8001", "port 8002", 0),
        ("import orders", "importer orders", 1),
        ("postgres dump", "postgresql dump", 1 / 3),
        ("数据库每晚重置", "数据库每晚重置", 1),
        ("数据库每晚重置", "服务器每晚重置", 0),
    ],
)
def test_words_count_as_stems_and_two_that_differ_part_the_facts(
    one: str, other: str, share: float
) -> None:
    assert similarity(one, other) == pytest.approx(share)


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("word", "two words", 4 / 11),  # the example of pg_trgm's manual
        ("Word!", "  WORD", 1),
        ("", "", 0),
        ("…", "word", 0),
        ("数据库每晚重置", "数据库每晚重置", 1),
    ],
)
def test_trigrams_are_those_of_padded_words(one: str, other: str, share: float) -> None:
    assert likeness(one, other) == pytest.approx(share)
