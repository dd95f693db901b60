"""What probes ask: whether the process lives, and whether it can do its work."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from conderis.common.readiness import why_not_ready

ROUTES = {"health", "ready"}
NO_STORE = {"Cache-Control": "no-store"}


@require_safe
def health(_request: HttpRequest) -> HttpResponse:
    """`{"status": "ok"}` while the process answers; touches no session and no database."""
    return JsonResponse({"status": "ok"}, headers=NO_STORE)


@require_safe
def ready(_request: HttpRequest) -> HttpResponse:
    """`{"status": "ok"}`, or 503 with `reason` where nothing should be sent here now."""
    reason = why_not_ready()
    if reason is None:
        return JsonResponse({"status": "ok"}, headers=NO_STORE)
    answer = {"status": "unavailable", "reason": reason}
    return JsonResponse(answer, status=503, headers={**NO_STORE, "Retry-After": "5"})
