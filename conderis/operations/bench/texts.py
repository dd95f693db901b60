"""Made-up text of a software project: the same for the same seed, word frequencies as in life."""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from random import Random

COMPONENTS = (
    "webhook worker", "billing service", "search index", "importer", "login page", "job queue",
    "API gateway", "notification mailer", "upload handler", "audit log", "session store",
    "PDF renderer", "rate limiter", "feature flags", "data export", "mobile client",
    "metrics collector", "backup script", "image resizer", "permission check", "calendar sync",
    "payment provider", "translation loader", "report builder", "admin console", "cache layer",
    "event stream", "schema migration", "invoice_totals()", "HttpRetryClient", "sso_callback",
    "docs site",
)  # fmt: skip
ACTIONS = (
    "retry", "validate", "rename", "cache", "document", "rewrite", "test", "split", "log",
    "speed up", "deprecate", "paginate", "encrypt", "monitor", "simplify", "localize", "batch",
    "roll back", "harden", "profile",
)  # fmt: skip
TROUBLES = (
    "a timeout", "duplicate rows", "a full queue", "stale data", "a missing index", "slow queries",
    "an expired token", "lost updates", "broken links", "high memory use", "a race on startup",
    "wrong totals", "an empty response", "a flaky test", "unreadable errors", "time zone drift",
    "a deadlock", "malformed CSV", "a certificate that ended", "rounding of cents",
)  # fmt: skip
PLACES = (
    "production", "staging", "the nightly run", "the EU region", "large accounts", "old browsers",
    "the first login", "retries", "the free plan", "imports over 10 MB", "month end", "PostgreSQL",
    "SQLite", "the test suite", "the release branch", "customers behind a proxy",
)  # fmt: skip
TAGS = (
    "backend", "frontend", "api", "database", "security", "performance", "ops", "docs", "billing",
    "search", "import", "auth", "mobile", "ci", "ux", "email", "release", "cleanup", "legacy",
    "incident", "metrics", "queue", "cache", "i18n",
)  # fmt: skip
SENTENCES = (
    "The {component} must {action} whatever comes from {place}, otherwise we get {trouble}.",
    "We saw {trouble} in {place} and traced it to the {component}.",
    "{Component} and {other} share one connection pool of {count}, so {trouble} in one hits both.",
    "Decided to {action} the {component} first, since {place} depends on it.",
    "Do not {action} the {component} while {place} is running; it leads to {trouble}.",
    "After the change, {place} takes {count} ms instead of {more}.",
    "Support asked why {place} shows {trouble}; the answer is in the {component}.",
    "To reproduce: stop the {component}, wait {count} seconds, and start {place} again.",
    "The fix is to {action} the {component} before the {other} reads from it.",
    "Until then, {place} needs a manual step: {action} the {component} and check the {other}.",
    "Measured on {place}: {count} of {more} requests ended in {trouble}.",
    "The {other} expects the {component} to answer within {count} seconds.",
    "Nobody should {action} the {component} by hand any more; `make {tag}` does it.",
    "See `src/{tag}/{count}.py` for how the {component} handles {trouble}.",
)
# What most sentences of a large project are about: things that few others mention.
NOUNS = (
    "adapter", "archive", "bridge", "broker", "bundle", "catalog", "channel", "checker", "client",
    "collector", "console", "counter", "crawler", "daemon", "dashboard", "digest", "dispatcher",
    "endpoint", "feed", "filter", "form", "gateway", "handler", "hook", "ledger", "listener",
    "loader", "mapper", "module", "monitor", "page", "parser", "pipeline", "planner", "plugin",
    "policy", "pool", "portal", "printer", "probe", "proxy", "query", "reader", "recorder",
    "registry", "report", "resolver", "router", "sampler", "scanner", "script", "sender", "shell",
    "sink", "snapshot", "store", "stream", "table", "template", "tracker", "view", "watcher",
    "widget", "writer",
)  # fmt: skip
VERBS = (
    "align", "annotate", "approve", "archive", "audit", "balance", "bind", "bump", "chunk",
    "clean", "clone", "collapse", "compare", "compress", "copy", "count", "cut", "debounce",
    "decode", "detach", "drain", "drop", "enable", "export", "extend", "fence", "flatten",
    "format", "freeze", "guard", "hide", "inline", "inspect", "isolate", "label", "link", "mask",
    "measure", "merge", "migrate", "mirror", "move", "name", "patch", "pin", "prune", "publish",
    "quote", "reindex", "reload", "replace", "replay", "reset", "resume", "rotate", "sample",
    "scope", "seed", "shard", "sign", "sort", "stub", "throttle", "tighten", "trace", "trim",
    "unify", "verify", "warm up", "wrap",
)  # fmt: skip
COMMON = 0.12  # how often a sentence is about what many are about
NAMES = 3_000  # of services, customers, files: made up, by Zipf's law
HEADINGS = (
    "Overview", "Setup", "Configuration", "How it works", "Limits", "Errors and what they mean",
    "Deployment", "Rolling back", "Monitoring", "Open questions", "History", "Examples",
)  # fmt: skip
_KINDS = (
    "an empty", "a broken", "a missing", "a late", "a wrong", "a doubled", "an old", "a huge",
    "a locked", "a noisy", "a lost", "an unknown", "a half", "a slow",
)  # fmt: skip


@cache
def _names() -> list[str]:
    syllables = [first + second for first in "bdfgklmnprstvz" for second in "aeiou"]
    made = Random(7)  # noqa: S311 - the same names for every seed
    return ["".join(made.choices(syllables, k=made.randint(2, 4))) for _ in range(NAMES)]


@cache
def _name_weights() -> list[float]:
    return list(accumulate(1 / rank for rank in range(10, NAMES + 10)))


class Writer:
    """Writes titles, sentences and pages; two of the same seed write the same."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 - text to measure with, no secret

    def name(self) -> str:
        """A made-up name; the first ones are mentioned far more often than the last."""
        return self.random.choices(_names(), cum_weights=_name_weights())[0]

    def component(self) -> str:
        """A part of the software: one that many texts are about, else one with its own name."""
        if self.chance(COMMON):
            return self.often(COMPONENTS)
        return f"{self.name()} {self.random.choice(NOUNS)}"

    def action(self) -> str:
        """What is done to it."""
        return self.often(ACTIONS) if self.chance(COMMON) else self.random.choice(VERBS)

    def trouble(self) -> str:
        """What is wrong."""
        if self.chance(COMMON):
            return self.often(TROUBLES)
        return f"{self.random.choice(_KINDS)} {self.name()} {self.random.choice(NOUNS)}"

    def place(self) -> str:
        """Where it is so."""
        return self.often(PLACES) if self.chance(COMMON) else f"{self.name()} {self.name()}"

    def often(self, words: Sequence[str]) -> str:
        """One of the words; as in real text, the first ones far more often than the last."""
        weights = [1 / (place + 2) for place in range(len(words))]
        return self.random.choices(words, weights)[0]

    def chance(self, share: float) -> bool:
        """True in this share of the cases."""
        return self.random.random() < share

    def task_title(self) -> str:
        """What is to be done."""
        action = self.action().capitalize()
        return f"{action} the {self.component()} against {self.trouble()}"

    def fact_title(self) -> str:
        """What is known, in at most 80 characters."""
        return f"{self.trouble()} in {self.place()}".capitalize()[:80]

    def page_title(self) -> str:
        """What is described."""
        return f"{self.component()}: {self.often(HEADINGS).lower()}".capitalize()

    def sentence(self) -> str:
        """One sentence."""
        component, other = self.component(), self.component()
        count = self.random.randint(2, 900)
        return self.random.choice(SENTENCES).format(
            component=component,
            Component=component[:1].upper() + component[1:],
            other=other,
            action=self.action(),
            trouble=self.trouble(),
            place=self.place(),
            tag=self.often(TAGS),
            count=count,
            more=count + self.random.randint(1, 5000),
        )

    def text(self, length: int) -> str:
        """Paragraphs of at least `length` characters, by less than a sentence more."""
        parts: list[str] = []
        size = 0
        while size < length:
            parts.append(self.sentence())
            size += len(parts[-1]) + 1
        paragraphs = [" ".join(parts[at : at + 4]) for at in range(0, len(parts), 4)]
        return "\n\n".join(paragraphs)

    def page(self, length: int) -> str:
        """Markdown with headings, exactly `length` characters long."""
        parts: list[str] = []
        size = 0
        while size < length:
            parts.append(f"## {self.often(HEADINGS)}\n\n{self.text(500)}\n")
            size += len(parts[-1]) + 1
        return "\n".join(parts)[: length - 1] + "."

    def tags(self) -> list[str]:
        """None to three tags."""
        return list(dict.fromkeys(self.often(TAGS) for _ in range(self.random.randint(0, 3))))
