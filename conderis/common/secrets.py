"""Text that looks like a secret: private keys, provider tokens, passwords in URLs.

A guard against storing a secret by accident, not against somebody who hides one. The
forms are those that the providers publish. Obvious placeholders (`<token>`, `xxxx`,
`user:password@`) are let through, so that guides can be stored.

All forms are searched for in two passes of RE2, in time linear in the text. It works on
bytes, since every form is ASCII; offsets become code points at the end.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import re2

from conderis.common.errors import Invalid

# How far after the first line of a private key its text is looked for, in bytes.
REACH = 400
# Fewer different characters than this among the last sixteen stand for a token.
VARIETY = 5
MIN_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a text looks like a secret, and like which kind; never the secret itself.

    `start` is the offset in code points from 0, `line` counts from 1.
    """

    kind: str
    start: int
    line: int


def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1  # bytes as they are
    options.max_mem = 64 << 20  # so that hostile text does not force the slow way
    options.log_errors = False
    return re2.compile(pattern.encode("ascii"), options)


_PLACEHOLDER = _compiled(r"(?i)your|x{4}|placeholder|redacted|[_-]example|example[_-]|\.{3}|\*{3}")


def _is_token(found: bytes, _after: bytes = b"") -> bool:
    return len(set(found[-16:])) >= VARIETY and not _PLACEHOLDER.search(found)


_KEY_TEXT = _compiled(r"[0-9A-Za-z+/]{16}|^[0-9A-Za-z+/=\s\\]{4,}-----")


def _is_key(_found: bytes, after: bytes) -> bool:
    # Guides name the first line alone, or with an ellipsis before the last one.
    inside, last_line, _ = after.partition(b"-----")
    text = _KEY_TEXT.search(inside + last_line)
    return text is not None and _is_token(text.group())


_VARIABLE = _compiled(r"^(?:\$\w+|\$?\{.*\}+|\$\(.*\)|%\(?\w+\)?s?|%\w+%|\[.*\]|:\w+)$")
_PASSWORD_WORDS = frozenset(
    b"password passwd passphrase pass pwd passw0rd pw secret token key apikey api_key "
    b"changeme change-me change_me example mypassword my-password yourpassword hidden".split()
)


def _is_password(found: bytes, _after: bytes) -> bool:
    user, _, rest = found.partition(b"://")[2].partition(b":")
    password = rest.rpartition(b"@")[0]
    return not (
        password.lower() in _PASSWORD_WORDS
        or password == user
        or len(set(password)) == 1
        or _VARIABLE.search(password)
        or _PLACEHOLDER.search(password)
    )


def _is_random(value: bytes) -> bool:
    # Random characters change often between digits, capitals, small letters and others,
    # of which there are few; words and joined names do not.
    classes = value.translate(_CLASSES)
    if classes.count(b"0") < MIN_DIGITS or classes.count(b"-") * 10 > len(value):
        return False
    turns = sum(one != following for one, following in pairwise(classes))
    return turns * 3 >= len(value) and _is_token(value)


_CLASSES = bytes(
    ord("0" if c.isdigit() else "A" if c.isupper() else "a" if c.islower() else "-")
    for c in map(chr, range(256))
)


def _is_header(found: bytes, _after: bytes) -> bool:
    return _is_random(found.split()[-1])


def _is_assigned(found: bytes, _after: bytes) -> bool:
    if found[:4].lower() in {b"next", b"page", b"sync"}:  # `nextToken`: where a list goes on
        return False
    value = found.replace(b":", b"=").partition(b"=")[2]
    return _is_random(value.lstrip(b"=> \t\n\"'`"))


@dataclass(frozen=True, slots=True)
class _Form:
    """What one kind of secret looks like: just enough of it, so that finds stay short.

    A form that stands `alone` is none where it is the end of a longer word. `test` gets
    what was found and what follows, and says whether it is more than a placeholder.
    """

    kind: str
    pattern: str
    test: Callable[[bytes, bytes], bool] = _is_token
    alone: bool = False


# Known by their own form. Those before win where several fit at one place.
_TOKENS = (
    _Form(
        "Google service account key",
        r"private_key[\\\"']{1,4}\s{0,3}:\s{0,3}[\\\"']{1,4}-----BEGIN PRIVATE KEY-----",
        _is_key,
    ),
    _Form(
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,20}PRIVATE KEY(?: BLOCK)?-----",
        _is_key,
    ),
    _Form("PuTTY private key", r"PuTTY-User-Key-File-[0-9]:", _is_key),
    _Form("age private key", r"AGE-SECRET-KEY-1[0-9A-Z]{50}"),
    _Form("Conderis agent key", r"cndr_[0-9A-Za-z]{44}"),
    _Form("AWS access key id", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b", alone=True),
    _Form(
        "AWS secret access key",
        r"(?i)secret_?access_?key[\\\"']{0,2}\s{0,3}[=:]\s{0,3}[\\\"']{0,2}[A-Za-z0-9/+]{40}",
    ),
    _Form("GitHub token", r"(?:gh[opsur]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{50})"),
    _Form("GitLab token", r"gl(?:pat|dt|rt|ptt|cbt|soat|agent|ft|imt|oas|ffct)-[0-9A-Za-z_-]{20}"),
    _Form("Slack token", r"(?:xox[abeoprs]|xapp)-[0-9A-Za-z-]{20}", alone=True),
    _Form("Slack webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[0-9A-Za-z/]{36}"),
    _Form("Stripe key", r"(?:[sr]k_(?:live|test)_[0-9A-Za-z]{16}|whsec_[0-9A-Za-z]{24})"),
    _Form("Google API key", r"AIza[0-9A-Za-z_-]{35}"),
    _Form("Google OAuth secret", r"(?:GOCSPX-[0-9A-Za-z_-]{28}|ya29\.[0-9A-Za-z_-]{30})"),
    _Form("Anthropic key", r"sk-ant-[0-9A-Za-z_-]{24}", alone=True),
    _Form("OpenAI key", r"sk-(?:proj|svcacct|admin|None)-[0-9A-Za-z_-]{20}", alone=True),
    _Form("OpenRouter key", r"sk-or-v1-[0-9a-f]{40}", alone=True),
    _Form("OpenAI key", r"sk-[0-9A-Za-z]{32}", alone=True),
    _Form("Groq key", r"gsk_[0-9A-Za-z]{48}", alone=True),
    _Form("xAI key", r"xai-[0-9A-Za-z]{48}", alone=True),
    _Form("Perplexity key", r"pplx-[0-9A-Za-z]{40}", alone=True),
    _Form("Replicate token", r"r8_[0-9A-Za-z]{36}", alone=True),
    _Form("Hugging Face token", r"(?:hf|api_org)_[0-9A-Za-z]{34}", alone=True),
    _Form("npm token", r"npm_[0-9A-Za-z]{36}", alone=True),
    _Form("PyPI token", r"pypi-AgE[0-9A-Za-z_-]{50}"),
    _Form("RubyGems key", r"rubygems_[0-9a-f]{48}"),
    _Form("Docker token", r"dckr_(?:pat|oat)_[0-9A-Za-z_-]{27}"),
    _Form("Twilio key", r"SK[0-9a-f]{32}\b", alone=True),
    _Form("SendGrid key", r"SG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{30}", alone=True),
    _Form("Mailgun key", r"key-[0-9a-f]{32}\b", alone=True),
    _Form("Mailchimp key", r"\b[0-9a-f]{32}-us[0-9]{1,2}\b"),
    _Form("Azure key", r"(?:Account|SharedAccess)Key=[0-9A-Za-z+/]{40}"),
    _Form("Azure client secret", r"[0-9]Q~[0-9A-Za-z_~.-]{31}"),
    _Form("DigitalOcean token", r"do[opr]_v1_[0-9a-f]{40}"),
    _Form("Databricks token", r"dapi[0-9a-f]{32}", alone=True),
    _Form("Shopify token", r"shp(?:at|ca|pa|ss|tka)_[0-9A-Fa-f]{32}"),
    _Form("Square token", r"sq0(?:atp|csp)-[0-9A-Za-z_-]{22}"),
    _Form("Heroku key", r"HRKU-AA[0-9A-Za-z_-]{40}"),
    _Form("Vault token", r"hv[bs]\.[0-9A-Za-z_-]{24}", alone=True),
    _Form("Terraform token", r"\b[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_-]{50}"),
    _Form("Supabase key", r"(?:sbp_[0-9a-f]{40}|sb_secret_[0-9A-Za-z_-]{20})"),
    _Form("Grafana token", r"gls?[ac]_[0-9A-Za-z]{32}", alone=True),
    _Form("Sentry token", r"sntry[su]_[0-9A-Za-z+/=_-]{40}"),
    _Form("New Relic key", r"NRAK-[0-9A-Z]{27}"),
    _Form("Notion token", r"(?:ntn_[0-9A-Za-z]{40}|secret_[0-9A-Za-z]{43})", alone=True),
    _Form("Linear key", r"lin_(?:api|oauth)_[0-9A-Za-z]{40}"),
    _Form("Figma token", r"figd_[0-9A-Za-z_-]{40}", alone=True),
    _Form("Postman key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _Form("Atlassian token", r"ATATT3[0-9A-Za-z_=-]{80}"),
    _Form("Airtable token", r"\bpat[0-9A-Za-z]{14}\.[0-9a-f]{64}"),
    _Form("Discord bot token", r"\b[MNO][0-9A-Za-z]{23,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27}"),
    _Form("Discord webhook", r"discord(?:app)?\.com/api/webhooks/[0-9]{16,20}/[0-9A-Za-z_-]{40}"),
    _Form("Telegram bot token", r"[0-9]{8,10}:A[0-9A-Za-z_-]{34}", alone=True),
    _Form(
        "signed token (JWT)",
        r"(?:\b|\\[nrt])eyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10}",
    ),
)
# Secrets of any form, known by what stands round them.
_CONTEXTS = (
    _Form(
        "password in a URL",
        # A container image with its digest (`docker://name:tag@sha256:…`) is none.
        r"""[0-9A-Za-z]://[^\s/@:"'<>]{0,64}:[^\s/@"'<>]{4,128}@(?:[^s]|s[^h]|sh[^a]|sha[^0-9])""",
        _is_password,
    ),
    _Form(
        "authorization header",
        r"(?i)(?:bearer\s{1,4}|authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:basic|token)\s{1,4})"
        r"[0-9A-Za-z._~+/=-]{20,100}",
        _is_header,
    ),
    _Form(
        "assigned secret",
        r"(?i)(?:(?:next|page|sync)_?)?"
        r"(?:passw(?:or)?d|passphrase|pwd|secret|token|(?:api|access|secret)[_-]?key)"
        r"[\"']?\s{0,3}(?:=|:|:=|=>)\s{0,3}[\"'`]?[0-9A-Za-z_~+/.!#%^*=-]{16,100}",
        _is_assigned,
    ),
)


def _is_joined(data: bytes, start: int) -> bool:
    before = data[max(start - 2, 0) : start]
    escaped_break = before in {rb"\n", rb"\r", rb"\t"}
    return not escaped_break and _WORD_END.search(before) is not None


_WORD_END = _compiled(r"[0-9A-Za-z_-]$")


class _Finder:
    """Looks for several forms at once."""

    def __init__(self, forms: tuple[_Form, ...]) -> None:
        self._forms = forms
        self._any = _compiled("|".join(f"(?:{form.pattern})" for form in forms))
        self._which = re2.Set.FullMatchSet(self._any.options)
        for form in forms:
            self._which.Add(form.pattern.encode("ascii"))
        self._which.Compile()

    def find(self, data: bytes) -> tuple[str, int] | None:
        """The kind and the first byte of the first secret."""
        for match in self._any.finditer(data):
            start, end = match.span()
            found = data[start:end]
            form = self._forms[self._which.Match(found)[0]]
            if form.alone and _is_joined(data, start):
                continue
            if form.test(found, data[end : end + REACH]):
                return form.kind, start
        return None


_TOKEN_FINDER, _CONTEXT_FINDER = _Finder(_TOKENS), _Finder(_CONTEXTS)


def find_secret(text: str) -> Secret | None:
    """A place where the text looks like a secret, if there is one."""
    data = text.encode("utf-8", "surrogatepass")
    found = _TOKEN_FINDER.find(data) or _CONTEXT_FINDER.find(data)
    if found is None:
        return None
    kind, start = found
    before = data[:start].decode("utf-8", "surrogatepass")
    return Secret(kind=kind, start=len(before), line=before.count("\n") + 1)


def refuse_secrets(text: str, *, field: str) -> None:
    """Refuse a text that looks like a secret, naming the kind and the place of it alone.

    Raises:
        Invalid: it does.
    """
    secret = find_secret(text)
    if secret is None:
        return
    raise Invalid(
        f"{field} holds what looks like a secret ({secret.kind}) at character {secret.start}, "
        f"in line {secret.line}. Nothing was stored. Write where the secret is kept, not its "
        "value; a placeholder such as <token> is fine.",
        field=field,
    )
