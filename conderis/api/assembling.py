"""The API put together: its operations, who may call, and how each refusal is answered."""

from typing import Any, Final

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.operation import Operation

from conderis.accounts.authentication import NotAuthenticated
from conderis.api import converters, problems
from conderis.api.authenticating import AgentKey, BrowserSession
from conderis.api.documenting import documented
from conderis.api.gate import BODY_LIMIT
from conderis.api.queries import only_known
from conderis.api.reading import JsonParser, in_words
from conderis.api.routers import batches, exchange, items, projects, proposals, recalling
from conderis.api.wording import in_words_of_rest
from conderis.common.errors import DomainError, Invalid
from conderis.common.faulting import unavailable

VERSION: Final = "1"
NAMESPACE: Final = "api-v1"
ABOUT: Final = (
    "The same objects as the MCP tools, for scripts and programs. Send an agent key as "
    "`Authorization: Bearer <key>`; the session of a browser works, too, with the CSRF token as "
    "X-CSRFToken where something changes. A refusal is `application/problem+json` with the "
    "code `error`, a `message` that says what would be right, and what helps. What you may not "
    "read does not exist for you: 404, as for what never was. `{project}` in an address is "
    "its id, or owner/name with the slash as it is or as %2F. A change names the `version` that "
    "you read; a stale one is 409 with what changed since."
)


class Api(NinjaAPI):
    """Ninja with our document."""

    def get_openapi_schema(self, **about: Any) -> Any:
        """The document as it is published, for the kinds that there are now."""
        return documented(super().get_openapi_schema(**about))

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The name of the function, which is one of a kind."""
        return str(operation.view_func.__name__)


def assembled() -> Api:
    """The API with all its operations."""
    made = Api(
        title="Conderis",
        version=VERSION,
        description=ABOUT,
        docs_url=None,
        docs_decorator=_document,
        urls_namespace=NAMESPACE,
        auth=[AgentKey(), BrowserSession()],
        parser=JsonParser(),
    )
    for handle in HANDLERS.items():
        made.add_exception_handler(*handle)
    # What is named after a project comes first: `{project}` may be two parts of a path.
    for module in (items, proposals, recalling, batches, exchange, projects):
        module.router.add_decorator(only_known, mode="operation")
        made.add_router("", module.router)
    return made


def _document(view: Any) -> Any:
    """The view of the document, with GET alone as the operations have it."""
    return csrf_exempt(require_GET(view))


def _refused(_request: HttpRequest, error: Any) -> HttpResponse:
    refusal: DomainError = error
    return problems.refusal(in_words_of_rest(refusal))


def _unreadable(_request: HttpRequest, error: Any) -> HttpResponse:
    """The parser's refusal, which ninja wraps."""
    cause = error.__cause__
    if isinstance(cause, RequestDataTooBig):
        return problems.refusal(problems.too_large(BODY_LIMIT))
    if isinstance(cause, DomainError):
        return problems.refusal(cause)
    return problems.refusal(Invalid("The body cannot be read.", field="body"))


def _no_form(_request: HttpRequest, _error: Any) -> HttpResponse:
    return problems.refusal(Invalid("The body is no form that can be read.", field="body"))


def _misshapen(_request: HttpRequest, error: Any) -> HttpResponse:
    return problems.refusal(in_words(error.errors))


def _unknown_caller(_request: HttpRequest, error: Any) -> HttpResponse:
    if isinstance(error, NotAuthenticated):
        return problems.unauthenticated(error.reason, challenge=problems.REFUSED_KEY)
    return problems.unauthenticated()


def _missing(_request: HttpRequest, _error: Any) -> HttpResponse:
    return problems.refusal(problems.MISSING)


def _too_large(_request: HttpRequest, _error: Any) -> HttpResponse:
    return problems.refusal(problems.too_large(BODY_LIMIT))


def _broken(_request: HttpRequest, error: Any) -> HttpResponse:
    return problems.refusal(unavailable(error, during="an API request"))


HANDLERS: Final[dict[type[Exception], Any]] = {
    DomainError: _refused,
    AuthenticationError: _unknown_caller,
    NotAuthenticated: _unknown_caller,
    HttpError: _unreadable,
    ValidationError: _misshapen,
    RequestDataTooBig: _too_large,
    MultiPartParserError: _no_form,
    SuspiciousOperation: _no_form,
    Http404: _missing,
    Exception: _broken,
}

converters.register()
api: Final = assembled()
