"""A made-up store and what is looked for in it: names and words as developers write them.

Each line of `MEMORIES` is a key, a title and a content; each of `QUERIES` what is
searched for and the key of the memory that must come first. Many memories are there only
to be mistaken for another one.
"""

from dataclasses import dataclass

MEMORIES = """
user-by-id | Loading one account | getUserById reads the cache, then the replica.
users-by-team | Loading a team | getUsersByTeam pages by 200 and skips suspended accounts.
set-user | Saving an account | setUserName trims the text and writes the audit row.
http-client | Where calls go out | All calls live in src/api/http_client.py; no others.
http-server | Where calls come in | Routes are declared in src/api/http_server.py, a function each.
client-tests | Tests of the calls | tests/api/test_client.py replays recorded answers.
max-retry | How often it tries again | MAX_RETRY_COUNT is 5, then the job is parked.
max-body | Largest upload | MAX_BODY_BYTES is 10 MB in front of the proxy.
econnrefused | Broker not up yet | The worker logs ECONNREFUSED after a deploy; that is harmless.
econnreset | Broken uploads | Mobile networks drop uploads with ECONNRESET; the client resumes them.
enospc | Full disk | ENOSPC on the build machine means that old layers were never pruned.
e1101 | Linter is wrong here | pylint E1101 on the generated protobuf classes is a false alarm.
ora | Locked accounts at night | ORA-28000 in the import log: the vendor locks our account.
http-429 | Too many calls | The payment provider answers 429 above 40 requests a second.
http-502 | Bad gateway at start | nginx gives 502 while gunicorn boots; the probe waits.
sqlstate | Two writers | SQLSTATE 40001 is retried by the decorator, nothing else is.
python-311 | Interpreter | Production runs Python 3.11; do not use the syntax of later ones.
python-312 | Next interpreter | Python 3.12 is tried on the nightly build alone.
node-20 | Build of the pages | The front end is built with node v20.11.1.
node-18 | Old build | Before spring it was node v18.19.0.
django-52 | Framework | django 5.2.3 fixed the memory leak of the file uploads.
django-42 | Framework before | django 4.2.16 stays on the support branch.
semver | Version of the wire format | Clients send X-Wire-Version: 2.14.0; older ones get a warning.
cpp | Image resizer | The resizer is written in C++ and linked statically.
csharp | Desktop client | The desktop client is written in C# and updates itself.
c-lang | Compression | The compressor is plain C, built without the standard library.
fsharp | Pricing rules | The rules for discounts are in F# scripts.
dotnet | Office add-in | The add-in needs .NET 8 on the user's machine.
nodejs | Render service | The render service runs on Node.js behind a queue.
asp | Old portal | The old portal is ASP.NET and is switched off in June.
no-verify | Skipping the hooks | Nobody commits with --no-verify; the hook finds leaked keys.
verify-signatures | Signed tags | Releases are checked with --verify-signatures before packing.
force-lease | Rewriting a branch | Push with --force-with-lease, never with --force alone.
dry-run | Trying an import | The importer has --dry-run, which prints what it would write.
database-url | Where the database is | DATABASE_URL wins over the settings file.
redis-url | Where the cache is | REDIS_URL is empty on laptops, then the cache is in memory.
debug-sql | Seeing statements | Set APP_DEBUG_SQL=1 to print every statement.
port-5433 | Second database | The reporting copy listens on port 5433.
port-8080 | Local proxy | The proxy of the laptop setup listens on localhost:8080.
port-6379 | Cache server | Redis stands on its usual port 6379 behind the firewall.
status-page | Status page | It is https://status.example.com/history and updated by hand.
docs-page | Manual | The manual is at https://docs.example.com/manual/v2 after each release.
webhook-path | Address for webhooks | Providers call /hooks/v1/payments, never /payments/callback.
settings-dotted | Turning off signals | Set billing.invoice.send_mail to false in the staging file.
settings-tax | Tax on invoices | billing.invoice.tax_rate is read once at start.
module-path | Broken import | conftest must not import app.core.events before app.core.models.
table-name | Where payments are | Payments are rows of ledger_entries; payment_log is for support.
column-name | Moment of shipping | shipped_at is set by the warehouse, never by us.
css-class | Sticky header | The class .site-header--sticky must stay above the cookie bar.
branch-name | Branch of the rewrite | The rewrite happens on feature/checkout-v3.
ticket | Reason for the timeout | See SHOP-4821: the timeout was raised for one large customer.
ticket-other | Reason for the limit | See SHOP-4812: the limit came from an audit.
commit | Change that broke search | Bisecting ended at commit 9f3c2ab.
cafe | Pilot customer | The café in Lyon tests the new till first.
naive | Dates without zone | A naïve datetime is refused by the serializer.
resume | Uploads of applicants | Résumé uploads are kept for 90 days.
muenchen | Second office | The servers in München are behind another firewall.
strasse | Addresses | The field for the street is called Straße in the export.
angstrom | Lab devices | Sensors send their readings in Ångström units.
zh-list | 设备清单 | 机房里的设备清单每月更新一次。
zh-migrate | 数据库迁移 | 迁移之前必须先备份数据库。
ja-sandbox | サンドボックス修正テスト | 修正は本番の前にサンドボックスで試す。
ja-deploy | デプロイ手順 | デプロイは金曜日には行わない。
ko-game | 오늘 회의 기록 | 결제 오류는 서버 시간이 달라서 생겼다.
zh-mixed | 步2 重跑gen-itgc后50条 | 重跑之前清空缓存。
ru | Резервные копии | Копии базы хранятся тридцать дней.
el | Ειδοποιήσεις | Οι ειδοποιήσεις στέλνονται μία φορά την ημέρα.
migrations | Changing the schema | After every migration the old code still runs on the new schema.
deploying | Order of a release | We deploy the workers before the web processes.
replies | Answers of the bot | Replies of the bot are cached for an hour.
indexes | Slow report | The report was slow because two indices were missing.
german | Datenschutz | Die Datenschutzfolgenabschätzung liegt beim Betriebsrat.
feature-flag | Switching things on | New features hide behind feature flags, set per customer.
rate-limit | Protecting the login | The rate limiter counts failed sign-ins per address.
time-zone | Reports at night | Nightly reports use the time zone of the customer, not of the server.
dead-lock | Locks in order | Lock accounts in ascending order, else there is a deadlock.
tls | Certificates | TLS certificates are renewed by the proxy three weeks early.
utf8 | Encoding of exports | Exports are UTF-8 with a byte order mark, since a spreadsheet needs it.
s3 | Backups | Backups go to s3://shop-backups/daily and are tried out monthly.
k8s | Cluster | The k8s cluster has three nodes; one may fail.
cron | Nightly work | The cron expression 15 3 * * 1-5 starts the export.
regex | Order numbers | Order numbers look like AB-2024-000123.
ipv4 | Office address | The office has the address 203.0.113.17 for the allow list.
mail-host | Outgoing mail | Mail goes out through smtp.example.net with STARTTLS.
"""

QUERIES = """
getUserById | user-by-id
get_user_by_id | user-by-id
user by id | user-by-id
getUsersByTeam | users-by-team
setUserName | set-user
src/api/http_client.py | http-client
http_client | http-client
HttpClient | http-client
http_server.py | http-server
test_client | client-tests
tests/api | client-tests
MAX_RETRY_COUNT | max-retry
max retry | max-retry
MAX_BODY_BYTES | max-body
ECONNREFUSED | econnrefused
econnreset | econnreset
ENOSPC build | enospc
E1101 | e1101
ORA-28000 | ora
error 429 | http-429
502 bad gateway | http-502
SQLSTATE 40001 | sqlstate
Python 3.11 | python-311
python 3.12 nightly | python-312
node v20.11.1 | node-20
v18.19.0 | node-18
django 5.2.3 | django-52
Django 4.2.16 | django-42
2.14.0 | semver
X-Wire-Version | semver
C++ | cpp
what is written in C# | csharp
F# | fsharp
.NET 8 | dotnet
dotnet | dotnet
node.js | nodejs
ASP.NET portal | asp
--no-verify | no-verify
git commit --no-verify | no-verify
--verify-signatures | verify-signatures
--force-with-lease | force-lease
--dry-run | dry-run
DATABASE_URL | database-url
where is REDIS_URL set | redis-url
APP_DEBUG_SQL=1 | debug-sql
port 5433 | port-5433
localhost:8080 | port-8080
:6379 | port-6379
https://status.example.com/history | status-page
docs.example.com | docs-page
/hooks/v1/payments | webhook-path
billing.invoice.send_mail | settings-dotted
tax_rate | settings-tax
app.core.events | module-path
ledger_entries | table-name
ledgerEntries | table-name
shipped_at | column-name
.site-header--sticky | css-class
feature/checkout-v3 | branch-name
SHOP-4821 | ticket
SHOP-4812 | ticket-other
9f3c2ab | commit
cafe | cafe
CAFÉ Lyon | cafe
naive datetime | naive
resume upload | resume
re\u0301sume\u0301 | resume
Munchen | muenchen
strasse | strasse
angstrom | angstrom
设备 | zh-list
迁移 | zh-migrate
备份数据库 | zh-migrate
サンドボックス | ja-sandbox
デプロイ | ja-deploy
결제 오류 | ko-game
itgc | zh-mixed
копии базы | ru
ειδοποιησεις | el
migrating the schema | migrations
deployed workers | deploying
reply cache | replies
index missing | indexes
Datenschutzfolgenabschätzung | german
feature flag | feature-flag
rate limiting of logins | rate-limit
timezone | time-zone
time-zone of reports | time-zone
deadlocks | dead-lock
TLS certificate | tls
utf8 export | utf8
s3://shop-backups | s3
k8s | k8s
15 3 * * 1-5 | cron
AB-2024-000123 | regex
203.0.113.17 | ipv4
smtp.example.net | mail-host
"""


@dataclass(frozen=True, slots=True)
class Named:
    """A memory of the made-up store."""

    key: str
    title: str
    content: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """A query, and the key of the memory that must come first."""

    query: str
    key: str


def named_memories() -> list[Named]:
    """The memories of the made-up store."""
    return [Named(*_parts(line)) for line in MEMORIES.strip().splitlines()]


def wanted() -> list[Wanted]:
    """What is looked for in it."""
    return [Wanted(*_parts(line)) for line in QUERIES.strip().splitlines()]


def _parts(line: str) -> list[str]:
    return [part.strip() for part in line.split(" | ")]
