"""Pairs of memories, labelled by hand: which say nearly the same, and which only look so.

Two lines each, `title | summary`. They were labelled before the rule of `items.similar` was
made. It was made by looking at them, so what they say of it is an upper bound; the unseen
ones are not.
"""

from collections.abc import Iterator
from dataclasses import dataclass

Said = tuple[str, str]

# Written when the rule stood, and never tuned on.
CHECKS = """
Lint runs before commit | The pre-commit hook runs ruff and mypy on changed files only.
Lint runs before each commit | A pre-commit hook runs ruff and mypy, on changed files only.
Photos are resized lazily | Photos are resized at the first request and kept by nginx.
Photos are resized on demand | Photos are resized on their first request, then kept by nginx.
Kafka topics are compacted | Topics of prices are compacted; those of orders are kept a week.
Compacted Kafka topics | Topics of prices are compacted, those of orders kept a week.
Emails are sent by a queue | Mail goes through the queue outbox, never directly from a request.
Mail is queued | All mail goes through the queue called outbox and never directly from a request.
The admin needs VPN | The admin site answers only inside the company's VPN.
Admin only in the VPN | The admin site answers only from inside the VPN of the company.
"""
CHECKS_OF_OTHERS = """
CPU of the workers | Workers are limited to two CPUs in the cluster.
Memory of the workers | Workers are limited to two gigabytes in the cluster.
Locale of the shop | The shop of Berlin shows prices in German format.
Locale of the shop | The shop of Paris shows prices in French format.
Log level in staging | Staging logs at level debug.
Log level in production | Production logs at level warning.
Ana owns the importer | Ask Ana before you change the importer.
Ben owns the exporter | Ask Ben before you change the exporter.
Index on orders | The index on orders.created_at is needed by the monthly report.
Index on invoices | The index on invoices.created_at is needed by the monthly report.
"""

EDITS = """
Deploys run on Tuesdays | Releases go out on Tuesdays at 10:00 UTC from the main branch.
Deploys run on Tuesdays | Releases go out every Tuesday at 10:00 UTC from the main branch.
Money is kept in cents | All amounts are integers in cents; never use floats for money.
Money kept in cents | All amounts are integers in cents. Never use floats for money!
Cache keys carry the tenant | Every cache key begins with the tenant's id.
Cache keys carry the tenant | Every cache key begins with the id of the tenant, so nothing leaks.
Webhook retries | Webhooks are retried five times with exponential backoff, then dropped.
Retries of webhooks | Webhooks are retried five times with exponential backoff and then dropped.
Images are built by Kaniko | The CI builds images with Kaniko, since runners have no Docker.
Images are built with kaniko | CI builds the images with Kaniko since the runners have no Docker.
Worker count | Production runs eight workers, one for each core of the machine.
Number of workers | Production runs eight workers: one for each core of the machine.
Use getUserById | Use getUserById() instead of raw SQL in views.
Use getUserById in views | Use getUserById() and not raw SQL in the views.
Session tokens | Session tokens are rotated at sign-in and kept in Redis for 30 days.
Session tokens | Session tokens are rotated at every sign-in; they are kept in Redis for 30 days.
Flaky upload test | test_upload_resume is flaky on slow disks; rerun it before you look for it.
test_upload_resume flaky | test_upload_resume is flaky on slow disks. Rerun before looking for it.
Migrations are reviewed by Ana | Every migration that locks a table is reviewed by Ana first.
Ana reviews migrations | Migrations that lock a table are reviewed by Ana first.
Die Rechnungen erzeugt ein Dienst | Rechnungen werden nachts vom Dienst billing als PDF erzeugt.
Rechnungen erzeugt ein Dienst | Die Rechnungen werden nachts vom Dienst billing als PDF erzeugt.
Feature flags live in Unleash | New flags are created in Unleash and removed after two releases.
Feature flags are in Unleash | New flags are created in Unleash, removed two releases later.
Node modules are cached | CI caches node_modules by the hash of package-lock.json.
CI caches node_modules | The CI caches node_modules by the hash of the file package-lock.json.
Errors go to Sentry | Unhandled errors are sent to Sentry with release and without personal data.
Sentry gets the errors | Unhandled errors go to Sentry, with release but without any personal data.
Staging is rebuilt nightly | The staging database is reset every night from a dump of production.
Staging rebuilt every night | Every night the staging database is reset from a production dump.
Docs are in docs/ | User documentation is Markdown in docs/ and built by mkdocs.
The docs are in docs/ | The user documentation is Markdown in docs/, built with mkdocs.
"""

PARAPHRASES = """
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
Migrations are reviewed by Ana | Every migration that locks a table is reviewed by Ana first.
Ask Ana before ALTER TABLE | Schema changes that take a lock need Ana's approval.
Pagination uses cursors | Lists page by cursor, since offsets skip rows under concurrent writes.
Cursors, not offsets | List endpoints page with cursors because offsets skip rows when others write.
Pin the base image | Docker base images are pinned by digest to keep builds reproducible.
Base images by digest | To keep builds reproducible we pin Docker base images by their digest.
"""

DIFFERENT = """
Billing listens on 8001 | The billing service listens on port 8001 behind the gateway.
Billing listens on 8002 | The billing service listens on port 8002 behind the gateway.
Billing listens on 8001 | The billing service listens on port 8001 behind the gateway.
Shipping listens on 8001 | The shipping service listens on port 8001 behind the gateway.
Redis in staging | Redis in staging runs on host cache-1 with 2 GB of memory.
Redis in production | Redis in production runs on host cache-7 with 16 GB of memory.
Billing retries | The billing worker retries failed jobs after an hour.
Shipping retries | The shipping worker retries failed jobs after an hour.
Owner of billing | The billing service is owned by the payments team.
Owner of search | The search service is owned by the discovery team.
Timeout of uploads | Uploads are cut off after 30 seconds by the proxy.
Timeout of exports | Exports are cut off after 300 seconds by the proxy.
Python 3.11 is the floor | The library supports Python 3.11 and newer.
Python 3.12 is the floor | The library supports Python 3.12 and newer.
Backups are kept for 14 days | The database backups are kept for 14 days in the bucket.
Logs are kept for 14 days | The access logs are kept for 14 days in the bucket.
The queue is drained by workers | Every worker takes ten jobs at once.
The queue is filled by cron | A job is added every ten minutes.
Migration 0042 | Migration 0042 must be run by hand, since it locks the orders table.
Migration 0057 | Migration 0057 must be run by hand, since it locks the invoices table.
Android pushes | Android pushes are sent with high priority for arrivals alone.
iOS pushes | iOS pushes are sent with high priority for arrivals alone.
Use ruff for linting | Ruff replaces flake8 and isort.
Use mypy for types | Mypy runs in strict mode, with the Django plugin.
Deploys of the API | The API is deployed by Argo from the main branch after a green build.
Deploys of the worker | The worker is deployed by Argo from the main branch after a green build.
Staging uses Postgres | Staging uses PostgreSQL 15 with the extension pg_trgm.
Production uses Postgres | Production uses PostgreSQL 15 with the extension pg_trgm.
Reads go to the replica | Reads of reports go to the replica, writes to the primary.
Writes go to the primary | Writes of imports go to the primary and are read from the replica later.
Key of the mail service | The key of the mail service is in the vault under mail/live.
Key of the map service | The key of the map service is in the vault under map/live.
Tuesday is release day | Releases go out on Tuesdays at 10:00 UTC from the main branch.
Thursday is release day | Releases go out on Thursdays at 10:00 UTC from the main branch.
Do use the ORM in reports | Reports may use the ORM, it is fast enough.
Do not use the ORM in reports | Reports must not use the ORM, it is too slow.
Retries of payments | Payments are retried after an hour by the worker of the queue.
Refunds of payments | Payments are refunded after an hour by the worker of the queue.
Region of the bucket | The bucket for uploads is in the region eu-west-1.
Region of the bucket | The bucket for backups is in the region eu-north-1.
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories, and whether they say nearly the same; `kind` is their list's name."""

    kind: str
    one: Said
    other: Said
    same: bool


def all_pairs() -> Iterator[Pair]:
    """Every pair, list by list."""
    for kind, lines, same in (
        ("near edits", EDITS, True),
        ("paraphrases", PARAPHRASES, True),
        ("different", DIFFERENT, False),
        ("near edits, unseen", CHECKS, True),
        ("different, unseen", CHECKS_OF_OTHERS, False),
    ):
        said = [_said(line) for line in lines.strip().splitlines()]
        for one, other in zip(said[::2], said[1::2], strict=True):
            yield Pair(kind, one, other, same)


def _said(line: str) -> Said:
    title, summary = line.split(" | ")
    return title, summary
