"""The samples are put together at run time, so that no file holds what looks like one."""

import random
import time
from pathlib import Path
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

import pytest

from conderis.common.errors import Invalid
from conderis.common.secrets import find_secret, refuse_secrets

pytestmark = pytest.mark.no_database

ROOT = Path(__file__).parents[2]
ALNUM = ascii_letters + digits
HEX = digits + "abcdef"
UPPER = ascii_uppercase + "234567"
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
DASHES = "-" * 5

# Prefix, length and characters of each token; several samples are made of each.
TOKENS = {
    "Conderis agent key": [("cndr" + "_", 44, ALNUM)],
    "AWS access key id": [("AK" + "IA", 16, UPPER), ("AS" + "IA", 16, UPPER)],
    "GitHub token": [
        *((f"gh{kind}_", 36, ALNUM) for kind in "pousr"),
        ("github_" + "pat_", 82, ALNUM),
    ],
    "GitLab token": [("gl" + "pat-", 20, URLSAFE), ("gl" + "rt-", 20, URLSAFE)],
    "Slack token": [(f"xox{kind}-", 40, digits + "-" + ascii_letters) for kind in "baprs"],
    "Slack webhook": [("https://hooks.slack" + ".com/services/T", 43, ALNUM)],
    "Stripe key": [("sk_" + "live_", 24, ALNUM), ("rk_" + "live_", 99, ALNUM)],
    "Google API key": [("AI" + "za", 35, URLSAFE)],
    "Google OAuth secret": [("GOC" + "SPX-", 28, URLSAFE)],
    "Anthropic key": [("sk-" + "ant-api03-", 93, URLSAFE)],
    "OpenAI key": [("sk-" + "proj-", 120, URLSAFE), ("sk-", 48, ALNUM)],
    "OpenRouter key": [("sk-" + "or-v1-", 64, HEX)],
    "Groq key": [("gs" + "k_", 52, ALNUM)],
    "xAI key": [("xa" + "i-", 80, ALNUM)],
    "Hugging Face token": [("h" + "f_", 34, ascii_letters)],
    "npm token": [("np" + "m_", 36, ALNUM)],
    "PyPI token": [("pypi-" + "AgEIcHlwaS5vcmc", 120, URLSAFE)],
    "Docker token": [("dckr_" + "pat_", 27, URLSAFE)],
    "Twilio key": [("S" + "K", 32, HEX)],
    "Mailgun key": [("ke" + "y-", 32, HEX)],
    "Azure key": [("Account" + "Key=", 86, BASE64)],
    "DigitalOcean token": [("dop_" + "v1_", 64, HEX)],
    "Databricks token": [("da" + "pi", 32, HEX)],
    "Shopify token": [("shp" + "at_", 32, HEX)],
    "Vault token": [("hv" + "s.", 90, URLSAFE)],
    "Supabase key": [("sb" + "p_", 40, HEX)],
    "Grafana token": [("gl" + "sa_", 32, ALNUM)],
    "Sentry token": [("sntr" + "yu_", 64, HEX)],
    "Notion token": [("nt" + "n_", 46, ALNUM)],
    "Linear key": [("lin_" + "api_", 40, ALNUM)],
    "Figma token": [("fig" + "d_", 40, URLSAFE)],
    "Atlassian token": [("ATA" + "TT3", 180, URLSAFE)],
}


def some(source: random.Random, characters: str, length: int) -> str:
    return "".join(source.choices(characters, k=length))


def key_block(source: random.Random, words: str, *, inside: str = "\n") -> str:
    lines = inside.join(some(source, BASE64, 64) for _ in range(5))
    return f"{DASHES}BEGIN {words}{DASHES}{inside}{lines}{inside}{DASHES}END {words}{DASHES}"


def others(source: random.Random) -> list[tuple[str, str]]:
    """Samples that are more than a prefix and random characters."""
    password = some(source, ALNUM + "!%^*", 14)
    mixed = some(source, ALNUM, 28) + "7Gq4"
    jwt = ".".join(["ey" + "J" + some(source, URLSAFE, 30)] * 2 + [some(source, URLSAFE, 43)])
    snowflake = "M" + some(source, ALNUM, 23)
    return [
        *(
            ("private key", key_block(source, words))
            for words in (
                "PRIVATE KEY",
                "RSA PRIVATE KEY",
                "EC PRIVATE KEY",
                "ENCRYPTED PRIVATE KEY",
                "OPENSSH PRIVATE KEY",
                "PGP PRIVATE KEY BLOCK",
            )
        ),
        ("private key", key_block(source, "PRIVATE KEY", inside=" ")),
        ("private key", f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n{some(source, BASE64, 64)}\ncut off"),
        (
            "Google service account key",
            f'"private_key": "{key_block(source, "PRIVATE KEY", inside=chr(92) + "n")}"',
        ),
        ("AWS secret access key", f"aws_secret_access_key = {some(source, BASE64, 40)}"),
        ("AWS secret access key", f'"SecretAccessKey": "{some(source, BASE64, 40)}"'),
        ("SendGrid key", f"S{'G'}.{some(source, URLSAFE, 22)}.{some(source, URLSAFE, 43)}"),
        ("Mailchimp key", f"{some(source, HEX, 32)}-us12"),
        ("Azure client secret", f"{some(source, ALNUM, 3)}8Q~{some(source, URLSAFE, 34)}"),
        (
            "Discord bot token",
            f"{snowflake}.{some(source, URLSAFE, 6)}.{some(source, URLSAFE, 38)}",
        ),
        ("Telegram bot token", f"{some(source, digits[1:], 10)}:AA{some(source, URLSAFE, 33)}"),
        ("signed token (JWT)", jwt),
        ("authorization header", f"Authorization: Bearer {mixed}"),
        ("authorization header", f"curl -H 'authorization: basic {mixed}=='"),
        ("password in a URL", f"postgres://app:{password}@db.internal:5432/shop"),
        ("password in a URL", f"redis://:{password}@10.0.0.3/0"),
        ("password in a URL", f"git clone https://deploy:{password}@git.example.com/a/b"),
        ("assigned secret", f'API_KEY = "{mixed}"'),
        ("assigned secret", f"db_password: {mixed}"),
        ("assigned secret", f'{{"client_secret":"{mixed}"}}'),
        ("assigned secret", f"SECRET_KEY={some(source, HEX, 64)}"),
    ]


def corpus() -> list[tuple[str, str]]:
    """(kind, text) of more than 200 samples, the same ones in every run."""
    source = random.Random(20261130)
    samples = [
        (kind, prefix + some(source, characters, length))
        for _ in range(3)
        for kind, forms in TOKENS.items()
        for prefix, length, characters in forms
    ]
    return samples + [sample for _ in range(4) for sample in others(source)]


def cpu_milliseconds(text: str) -> float:
    """What a search takes of this process's own time."""
    before = time.process_time()
    find_secret(text)
    return (time.process_time() - before) * 1000


def test_at_least_98_of_100_samples_are_caught_under_their_own_name() -> None:
    samples = corpus()

    missed = [
        kind
        for kind, text in samples
        if (found := find_secret(f"Notes: use {text} for now.")) is None or found.kind != kind
    ]

    assert len(samples) >= 200
    assert len(missed) <= len(samples) * 0.02, missed


@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "export TOKEN={}",
        '{{"token": "{}"}}',
        "`{}`",
        "钥匙是{}。",
        r"log\n{}\n",
        "<td>{}</td>",
    ],
)
def test_a_token_is_found_in_every_surrounding(frame: str) -> None:
    token = "gh" + "p_" + some(random.Random(1), ALNUM, 36)

    found = find_secret(frame.format(token))

    assert found is not None
    assert (found.kind, found.start) == ("GitHub token", frame.format(token).index(token))


def test_the_place_is_counted_in_code_points_and_lines() -> None:
    token = "gl" + "pat-" + some(random.Random(2), ALNUM, 20)
    text = f"schön 🔑🔑\n日本語 \ud800 {token}"

    found = find_secret(text)

    assert found is not None
    assert (found.start, found.line) == (text.index(token), 2)


def test_a_refusal_names_field_kind_and_place_and_never_the_secret() -> None:
    token = "np" + "m_" + some(random.Random(3), ALNUM, 36)

    with pytest.raises(Invalid) as refusal:
        refuse_secrets(f"First line\nnpm: {token}", field="content")

    answer = refusal.value.as_answer()
    assert (answer["error"], answer["field"]) == ("invalid", "content")
    assert all(word in answer["message"] for word in ("npm token", "character 16", "line 2"))
    assert token[8:16] not in str(answer)


def test_a_secret_after_a_placeholder_is_found() -> None:
    shape = "gh" + "p_"

    found = find_secret(f"{shape}{'x' * 36} or {shape}{some(random.Random(4), ALNUM, 36)}")

    assert found is not None
    assert found.start == 44


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Set GITHUB_TOKEN to a token with the scope repo.",
        "gh" + "p_" + "x" * 36,
        "sk-" + "ant-your-key-goes-here-please",
        "gl" + "pat-<your token>",
        "postgresql://user:password@host/name",
        "postgresql://app:${DB_PASSWORD}@db/shop",
        "postgres://app:<password>@db/shop",
        "postgres://postgres:postgres@localhost/shop",
        "https://bob:****@example.com/",
        "https://bob:xxxxxxxx@example.com/",
        "amqp://{user}:{password}@{host}",
        "docker://alpine:3.18.4@sha256:" + "0123456789abcdef" * 4,
        "http://localhost:8000/@bob",
        f"The file begins with `{DASHES}BEGIN PRIVATE KEY{DASHES}`, then base64.",
        f"{DASHES}BEGIN PRIVATE KEY{DASHES}\n...\n{DASHES}END PRIVATE KEY{DASHES}",
        f"{DASHES}BEGIN PUBLIC KEY{DASHES}\n{some(random.Random(5), BASE64, 64)}",
        "commit 4bf92f3577b34da6a3ce929d0e0e47364bf92f35 by robo",
        "token: 123e4567-e89b-12d3-a456-426614174000",
        'nextToken: "' + some(random.Random(6), BASE64, 60) + '"',
        "password = settings.DATABASE_PASSWORD_FROM_VAULT",
        "secret = derive_secret_from_environment2(name)",
        "Authorization: Bearer <token>",
        "A bearer internationalization-and-localization token",
        "sk-learn-compatible-estimators-and-more-of-them",
        "risk-" + some(random.Random(7), ALNUM, 40),
        "cache-key-" + some(random.Random(8), HEX, 32),
        "--hash=sha256:" + some(random.Random(9), HEX, 64),
    ],
)
def test_what_only_speaks_of_secrets_is_let_through(text: str) -> None:
    assert find_secret(text) is None


def test_the_projects_own_texts_are_clean_line_by_line() -> None:
    files = [
        path
        for pattern in ("*.md", "*.toml", "*.lock", "docs/**/*.md", "*/models.py", "*/*/models.py")
        for path in ROOT.glob(pattern)
    ]
    lines = [line for path in files for line in path.read_text().splitlines() if line.strip()]

    hits = [line for line in lines if find_secret(line)]

    assert len(lines) > 2000
    assert hits == []


SIZE = 500_000
HOSTILE = [
    "ey" + "J",
    "ey" + "Jabcdefghijk.",
    f"{DASHES}BEGIN PRIVATE KEY{DASHES}",
    "1Q~",
    "AI" + "za",
    "xox" + "b-",
    "AK" + "IA" + "A" * 16 + " ",
    "S" + "K" + "0" * 32 + " ",
    "a://u:password@h",
    "a://:xxxx@a",
    "a://" + "u" * 64 + ":",
    "token=",
    "pwd:ab1cdefghijklmnop ",
    "bearer ",
    "secret_access_key=",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_of_full_size_costs_little(piece: str) -> None:
    text = (piece * SIZE)[:SIZE]

    # At most 150 ms measured; a busy machine has room, a slower way than linear has none.
    assert cpu_milliseconds(text) < 1000


def test_plain_text_of_full_size_costs_next_to_nothing() -> None:
    source = random.Random(10)
    words = [some(source, ascii_lowercase, source.randint(1, 12)) for _ in range(1000)]
    text = " ".join(source.choices(words, k=SIZE // 7))[:SIZE]

    assert cpu_milliseconds(text) < 50  # 3 ms measured


def test_random_mixtures_of_beginnings_never_fail() -> None:
    source = random.Random(11)
    beginnings = [prefix for forms in TOKENS.values() for prefix, _, _ in forms] + HOSTILE

    for _ in range(300):
        text = "".join(
            source.choice(beginnings) + some(source, URLSAFE + "=:./ \n@", source.randint(0, 50))
            for _ in range(40)
        )
        found = find_secret(text)
        assert found is None or text[found.start :].strip()
