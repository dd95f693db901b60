"""Settings, from the environment only. The README lists them all.

A wrong value raises `BadSetting`; `serve` and the other commands print its one line.
"""

from pathlib import Path

from conderis.common.data_folder import MIN_SECRET, generated_secret
from conderis.common.databases import REPLICA, databases, statement_seconds
from conderis.common.environment import (
    BadSetting,
    as_address,
    as_choice,
    as_hosts,
    as_list,
    as_origin,
    as_switch,
    as_whole_number,
    declare,
    host_of,
)
from conderis.common.limiting import limits_set
from conderis.common.outside import mail_server, sign_in_provider
from conderis.web import security_headers
from conderis.web.signing_in.options import sign_in_settings

BASE_DIR = Path(__file__).resolve().parent.parent

# --- What the environment says --------------------------------------------------------

DATA_FOLDER = BASE_DIR.joinpath(
    Path(
        declare(
            "CONDERIS_DATA",
            default="data/",
            purpose="Folder of the SQLite database and the generated secret key.",
        )
    ).expanduser()
)
HOST = declare("CONDERIS_HOST", default="127.0.0.1", purpose="Address that `serve` listens on.")
PORT = as_whole_number(
    "CONDERIS_PORT",
    declare("CONDERIS_PORT", default="8000", purpose="Port that `serve` listens on."),
    least=1,
    most=65535,
)
WORKERS = as_whole_number(
    "CONDERIS_WORKERS",
    declare("CONDERIS_WORKERS", default="1", purpose="Worker processes of `serve`."),
    least=1,
    most=64,
)
POOL_THREADS = as_whole_number(
    "CONDERIS_THREADS",
    declare(
        "CONDERIS_THREADS",
        default="4",
        purpose="Threads in each worker that run tool calls, each with a database connection.",
    ),
    least=1,
    most=64,
)
_url = declare(
    "CONDERIS_URL",
    default="",
    purpose="Address that people and agents use, as https://memory.example.com or, under a "
    "path of another site, https://example.com/memory. Unset: http://localhost with the port.",
)
PUBLIC_ORIGIN, URL_PREFIX = as_address("CONDERIS_URL", _url) if _url else ("", "")
PUBLIC_URL = PUBLIC_ORIGIN + URL_PREFIX
_hosts = as_hosts(
    "CONDERIS_ALLOWED_HOSTS",
    declare(
        "CONDERIS_ALLOWED_HOSTS",
        default="localhost,127.0.0.1,[::1]",
        purpose="Host names that the server answers to, web and MCP alike, parted by "
        "commas. The host of CONDERIS_URL is always one of them.",
    ),
)
MCP_ALLOWED_ORIGINS = [
    as_origin("CONDERIS_ALLOWED_ORIGINS", origin)
    for origin in as_list(
        declare(
            "CONDERIS_ALLOWED_ORIGINS",
            default="",
            purpose="Origins of other web pages that may call /mcp, as "
            "https://app.example.com, parted by commas.",
        )
    )
]
MCP_CORS = as_switch(
    "CONDERIS_CORS",
    declare(
        "CONDERIS_CORS",
        default="off",
        purpose="Answer browsers' CORS preflights on /mcp for the allowed origins.",
    ),
)
TRUST_PROXY = as_switch(
    "CONDERIS_TRUST_PROXY",
    declare(
        "CONDERIS_TRUST_PROXY",
        default="off",
        purpose="Believe X-Forwarded-Proto. Only where every request comes through a proxy "
        "that sets it.",
    ),
)
STDIO_KEY = declare(
    "CONDERIS_KEY",
    default="",
    purpose="Agent key that `mcp_stdio` acts as. Unset, with SQLite: as the account of "
    "`quickstart`.",
)
SIGN_UP = as_choice(
    "CONDERIS_SIGN_UP",
    declare(
        "CONDERIS_SIGN_UP",
        default="invited",
        purpose="Who may make an account: open (everybody), invited (who has an invitation) or "
        "closed (nobody; commands make them).",
    ),
    allowed=["open", "invited", "closed"],
)
MAIL_URL = declare(
    "CONDERIS_MAIL",
    default="",
    purpose="Server that sends mail, as smtp://user:password@host:587 (STARTTLS) or "
    "smtps://user:password@host. Unset: no mail is sent; links are made by commands.",
)
MAIL_FROM = declare(
    "CONDERIS_MAIL_FROM", default="", purpose="Sender of mail, as Conderis <memory@example.com>."
)
OIDC = sign_in_provider(
    url=declare(
        "CONDERIS_OIDC_URL",
        default="",
        purpose="OpenID Connect provider that people may sign in with, as "
        "https://sso.example.com/realms/team (Keycloak, Authentik, Authelia and others).",
    ),
    client_id=declare("CONDERIS_OIDC_CLIENT_ID", default="", purpose="Client id there."),
    secret=declare("CONDERIS_OIDC_SECRET", default="", purpose="Client secret there."),
    name=declare(
        "CONDERIS_OIDC_NAME", default="single sign-on", purpose="Its name on the sign-in page."
    ),
)
IMPORT_MAX_BYTES = (
    1024
    * 1024
    * as_whole_number(
        "CONDERIS_IMPORT_MAX_MB",
        declare(
            "CONDERIS_IMPORT_MAX_MB",
            default="50",
            purpose="Largest file, in MB, that may be uploaded to be imported.",
        ),
        least=1,
        most=500,
    )
)
LOG_LEVEL = as_choice(
    "CONDERIS_LOG_LEVEL",
    declare(
        "CONDERIS_LOG_LEVEL",
        default="warning",
        purpose="Least severe messages that go to stderr: debug, info, warning or error.",
    ),
    allowed=["debug", "info", "warning", "error"],
).upper()
DEBUG = as_switch(
    "CONDERIS_DEBUG",
    declare("CONDERIS_DEBUG", default="off", purpose="Django's debug pages. Never in public."),
)
DATABASES = databases(folder=DATA_FOLDER, threads=POOL_THREADS)
DATABASE_ROUTERS = ["conderis.common.replicas.ReplicaRouter"] if REPLICA in DATABASES else []
STATEMENT_SECONDS = statement_seconds()
LIMITS = limits_set()
SECRET_KEY = declare(
    "CONDERIS_SECRET_KEY",
    default="",
    purpose="Secret of this server, 32 characters or more. Unset: generated and kept "
    "in the data folder. Agent keys end when it changes.",
)
if not SECRET_KEY:
    SECRET_KEY = generated_secret(DATA_FOLDER)
if len(SECRET_KEY) < MIN_SECRET:
    raise BadSetting(f"CONDERIS_SECRET_KEY must have at least {MIN_SECRET} characters.")

# --- Who is let in, and how -----------------------------------------------------------

ALLOWED_HOSTS = [*_hosts, *([host_of(PUBLIC_ORIGIN)] if PUBLIC_ORIGIN else [])]
# A proxy that ends TLS hands on http, so that a form's own origin looks foreign.
CSRF_TRUSTED_ORIGINS = [PUBLIC_ORIGIN] if PUBLIC_ORIGIN else []
FORCE_SCRIPT_NAME = URL_PREFIX or None
_https = PUBLIC_URL.startswith("https://")
# The prefix makes browsers refuse such a cookie from another host or without TLS.
_guard = "__Host-" if _https else ""
SESSION_COOKIE_NAME = f"{_guard}conderis_session"
SESSION_COOKIE_SECURE = _https
SESSION_COOKIE_AGE = 30 * 24 * 3600  # seconds
CSRF_COOKIE_NAME = f"{_guard}conderis_csrf"
CSRF_COOKIE_SECURE = _https
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "conderis.web.faults.csrf_failure"
LANGUAGE_COOKIE_NAME = f"{_guard}conderis_language"
LANGUAGE_COOKIE_SECURE = _https
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUST_PROXY else None
# Only where the proxy says how it was asked: else every request would look like http.
SECURE_SSL_REDIRECT = _https and TRUST_PROXY
SECURE_REDIRECT_EXEMPT = [r"(^|/)(healthz|readyz)$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if _https else 0
# Whether the host's other names are on TLS as well is its owner's to know.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = security_headers.CONTENT_SECURITY_POLICY
PERMISSIONS_POLICY = security_headers.PERMISSIONS_POLICY

AUTH_USER_MODEL = "accounts.Person"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("handle", "display_name", "email")},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "start"
vars().update(
    sign_in_settings(mail=bool(MAIL_URL), https=_https, proxy=TRUST_PROXY, providers=OIDC)
)

if MAIL_URL:
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    vars().update(mail_server("CONDERIS_MAIL", MAIL_URL))
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
DEFAULT_FROM_EMAIL = MAIL_FROM or "Conderis <conderis@localhost>"

DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024  # as much as /mcp takes
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 5
# Tool calls run in a thread pool of their own, not one after the other.
MCP_THREAD_SENSITIVE = False
# Off in tests, whose database goes before the thread that would write to it.
LAST_USE_IN_BACKGROUND = True
# Files are cleared of what was erased in a thread of its own; tests do it at once.
CLEAR_IN_BACKGROUND = True
# Imports are worked on in a thread of each process; tests do it at once.
IMPORT_IN_BACKGROUND = True

# --- The parts ------------------------------------------------------------------------

ROOT_URLCONF = "conderis.urls"
ASGI_APPLICATION = "conderis.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "conderis.accounts",
    "projects",
    "items",
    "proposals",
    "exchange",
    "privacy",
    "mcp_surface",
    "conderis.operations",
    "conderis.administration",
    "conderis.api",
    "conderis.web",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "conderis.api.middleware.ApiMiddleware",
    "conderis.operations.static_files.StaticFilesMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "conderis.web.odd_bytes.OddBytesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "conderis.web.fragments.FragmentsMiddleware",
    "conderis.web.preferences.PreferencesMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "conderis.web.robots.RobotsMiddleware",
    "conderis.web.caching.CachingMiddleware",
    "conderis.web.bodies.LargeBodiesMiddleware",
    "conderis.web.faults.FaultsMiddleware",
    "conderis.web.pacing.PacingMiddleware",
    "conderis.web.lagging.ReplicaMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "conderis.web.frame.frame",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "conderis.web.templatetags.conderis",
            ],
        },
    }
]
FORM_RENDERER = "conderis.web.forms.Renderer"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
CACHES = {
    "default": {
        # Shared by all processes, so that limits on sign-ins hold however many there are.
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = f"{URL_PREFIX}/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Served from where they are, so that nothing must be collected before a start.
WHITENOISE_USE_FINDERS = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "redacted": {
            "()": "conderis.accounts.redaction.RedactingFormatter",
            "fmt": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "redacted"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        # Django's own handlers would write beside this one, unredacted.
        "django": {"handlers": [], "level": "NOTSET"},
        "django.server": {"handlers": [], "level": "NOTSET", "propagate": True},
        # What anybody on the internet can bring about at will: their page says it.
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "django.security.csrf": {"level": "ERROR"},
    },
}
