"""What an admin can do: each deed has a page that says what happens, and calls one service."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise

from conderis.accounts.authentication import caller_of_person
from conderis.accounts.models import Person
from conderis.administration.reading import ReadOnlyAdmin
from conderis.common.caller import Caller, Surface
from conderis.common.errors import DomainError
from conderis.common.statuses import status_of
from conderis.web.forms import Form
from conderis.web.settings.recent import recent_sign_in


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, in a sentence, and the secret of a link that is shown this once."""

    said: str
    route: str = ""
    secret: str = field(default="", repr=False)


def always(_row: Any) -> bool:
    """Whatever the row."""
    return True


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that an admin does to a row, or (in `list_deeds`) to the server.

    `run` takes the admin as caller, the row (None for the server) and what was typed, and
    calls one service. `stops` marks what takes something away.
    """

    name: str  # in the address
    label: Promise  # on the button
    says: Promise  # what happens
    run: Callable[[Caller, Any, dict[str, Any]], Outcome]
    form: type[Form] = Form
    offered: Callable[[Any], bool] = always
    stops: bool = False


class DoingAdmin(ReadOnlyAdmin):
    """A read-only list whose rows, or which itself, have deeds. Admins alone see them."""

    deeds: ClassVar[tuple[Deed, ...]] = ()
    list_deeds: ClassVar[tuple[Deed, ...]] = ()

    def get_urls(self) -> list[URLPattern]:
        """The list's addresses and those of its deeds."""
        row, server = self._guarded(self.row_deed), self._guarded(self.server_deed)
        own = [
            path("deeds/<slug:name>/", server, name=self.route("server_deed")),
            path("<path:object_id>/deeds/<slug:name>/", row, name=self.route("deed")),
        ]
        return [*own, *super().get_urls()]

    def route(self, page: str) -> str:
        """The name of an address of this list."""
        return f"{self.opts.app_label}_{self.opts.model_name}_{page}"

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The row's page, with what can be done."""
        row = self.get_object(request, object_id)
        links = [
            (deed, reverse(f"admin:{self.route('deed')}", args=[object_id, deed.name]))
            for deed in self.deeds
            if row is not None and is_admin(request) and deed.offered(row)
        ]
        return super().change_view(
            request, object_id, form_url, {"deeds": links, **(extra_context or {})}
        )

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list, with what can be done to the server."""
        links = [
            (deed, reverse(f"admin:{self.route('server_deed')}", args=[deed.name]))
            for deed in self.list_deeds
            if is_admin(request)
        ]
        return super().changelist_view(request, {"deeds": links, **(extra_context or {})})

    def row_deed(self, request: HttpRequest, object_id: str, name: str) -> HttpResponse:
        """The page of a deed on a row."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        back = reverse(f"admin:{self.route('change')}", args=[object_id])
        return self._page(request, _named(self.deeds, name), row, back)

    def server_deed(self, request: HttpRequest, name: str) -> HttpResponse:
        """The page of a deed on the server."""
        back = reverse(f"admin:{self.route('changelist')}")
        return self._page(request, _named(self.list_deeds, name), None, back)

    def _guarded(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        """The view for admins, whose POSTs need a recent sign-in."""
        recent = recent_sign_in(view)

        def guarded(request: HttpRequest, **address: str) -> HttpResponse:
            if not is_admin(request):
                raise PermissionDenied
            return recent(request, **address)

        return self.admin_site.admin_view(guarded)

    def _page(self, request: HttpRequest, deed: Deed, row: Any, back: str) -> HttpResponse:
        form = deed.form(request.POST if request.method == "POST" else None)
        status = 200
        if request.method == "POST":
            status = 400
            if form.is_valid():
                try:
                    outcome = deed.run(admin_caller(request), row, form.cleaned_data)
                except DomainError as refusal:
                    form.refuse(refusal)
                    status = status_of(refusal)
                else:
                    return self._done(request, deed, outcome, back)
        return self._render(
            request, "admin/deed.html", deed, back, status=status, form=form, row=row
        )

    def _done(self, request: HttpRequest, deed: Deed, outcome: Outcome, back: str) -> HttpResponse:
        if not outcome.secret:
            messages.success(request, outcome.said)
            return HttpResponseRedirect(back)
        # On the page alone: a message would be kept with the session.
        link = request.build_absolute_uri(reverse(outcome.route, args=[outcome.secret]))
        return self._render(
            request, "admin/shown_once.html", deed, back, said=outcome.said, link=link
        )

    def _render(
        self,
        request: HttpRequest,
        template: str,
        deed: Deed,
        back: str,
        *,
        status: int = 200,
        **more: Any,
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": deed.label,
            "deed": deed,
            "back": back,
            "opts": self.opts,
            **more,
        }
        return TemplateResponse(request, template, context, status=status)


def admin_caller(request: HttpRequest) -> Caller:
    """The admin, as a caller of services."""
    if not isinstance(request.user, Person):
        raise PermissionDenied
    return caller_of_person(request.user, Surface.ADMIN)


def is_admin(request: HttpRequest) -> bool:
    """Whether an admin asks, not only staff."""
    return isinstance(request.user, Person) and request.user.is_superuser


def _named(deeds: tuple[Deed, ...], name: str) -> Deed:
    for deed in deeds:
        if deed.name == name:
            return deed
    raise Http404
