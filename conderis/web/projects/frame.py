"""The frame of every page of a project: the door, who asks, and the name it goes by."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control

from conderis.common.caller import Caller
from conderis.common.errors import Denied, Invalid, NotFound, TooLarge
from conderis.web.callers import person_of, reader_of, to_sign_in
from conderis.web.projects.addresses import address
from items.kinds.base import Kind
from projects.access import ProjectAccess, access_project
from projects.capabilities import Role, Use
from proposals.publication import waits_for_review

View = Callable[..., HttpResponseBase]


@dataclass(frozen=True, slots=True)
class ProjectFrame:
    """A project that the caller may read, as its pages show it."""

    access: ProjectAccess

    @property
    def caller(self) -> Caller:
        """Who looks."""
        return self.access.caller

    @property
    def project_id(self) -> str:
        """The id, which stays when the name changes."""
        return self.access.project.public_id

    @property
    def full_name(self) -> str:
        """`owner/name`."""
        return self.access.project.full_name

    @property
    def owner(self) -> str:
        """The handle of the person or organization that it belongs to."""
        return self.access.project.owner_handle

    @property
    def name(self) -> str:
        """The name without its owner."""
        return self.access.project.name

    @property
    def description(self) -> str:
        """What it says of itself; may be empty."""
        return self.access.project.description

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.access.project.is_public

    @property
    def of_organization(self) -> bool:
        """Whether it belongs to an organization."""
        return self.access.project.owner_organization_id is not None

    @property
    def in_own_organization(self) -> bool:
        """Whether it belongs to an organization that the caller is in."""
        return vars(self.access.project).get("organization_role") is not None

    @property
    def role(self) -> Role | None:
        """The caller's role; None where it is public and they have none."""
        return self.access.role

    @property
    def may_manage(self) -> bool:
        """Whether the controls of owners are shown."""
        return self.access.may(Use.MANAGE)

    @property
    def may_import(self) -> bool:
        """Whether the ways to importing are shown: an import publishes at once."""
        return self.access.may(Use.PUBLISH)

    @property
    def may_publish_instructions(self) -> bool:
        """Whether a change of the instructions counts at once."""
        return self.access.may(Use.PUBLISH_INSTRUCTIONS)

    @property
    def may_propose_instructions(self) -> bool:
        """Whether a form for the instructions is shown: what it sends may wait for an owner."""
        return self.access.may(Use.PROPOSE_INSTRUCTIONS)

    @property
    def erasable_instructions(self) -> str:
        """How the form that asks for an erasure names the instructions; "" where it is no use."""
        may = self.access.may(Use.REQUEST_DELETION)
        return f"{self.full_name}#instructions" if may else ""

    def reviews(self, kind: Kind, visibility: str) -> bool:
        """Whether a change of such an item by the caller would wait for somebody's review."""
        return waits_for_review(self.access, kind, visibility=visibility)

    def path(self, route: str = "project", **more: str | int) -> str:
        """The address of one of its pages."""
        return address(route, owner=self.owner, name=self.name, **more)

    def item_path(self, route: str = "item") -> Callable[[int], str]:
        """A function from numbers to the addresses of the items, for hundreds of them.

        They differ in the number alone: one address is looked up, not each. So it is with
        other routes to an item that hold no other digit behind its number.
        """
        before, _one, after = self.path(route, number=1).rpartition("1")
        return lambda number: f"{before}{number}{after}"


def open_project(caller: Caller, owner: str, name: str, *, use: Use = Use.READ) -> ProjectFrame:
    """The project at these words of an address, also former ones, if it may be used so.

    Raises:
        NotFound: there is none that the caller may read, or the words can be no project's.
        Denied: the caller may read it, but not use it so.
    """
    try:
        return ProjectFrame(access_project(caller, f"{owner}/{name}", use=use))
    except (Invalid, TooLarge) as refusal:
        raise NotFound("There is no such project.") from refusal


def project_page(*, use: Use = Use.READ) -> Callable[[View], View]:
    """The view of a project that whoever asks may use so, called with its frame.

    A page that is asked for under a former name is redirected to the present one; a form
    that was sent to the former one is answered all the same.

    Who has not signed in reads the pages of public projects. Whatever else they ask for
    leads to the sign-in page, in the same way whether it is there or not. A page that is of
    use to people alone has `signed_in` around this.
    """

    def decorate(view: View) -> View:
        def opened(
            request: HttpRequest, /, *, owner: str, name: str, **more: str | int
        ) -> HttpResponseBase:
            frame = open_project(reader_of(request), owner, name, use=use)
            if _is_read(request) and (owner, name) != (frame.owner, frame.name):
                return _to_present_name(request, frame, more)
            return view(request, frame, **more)

        @wraps(view)
        def guarded(
            request: HttpRequest, /, *, owner: str, name: str, **more: str | int
        ) -> HttpResponseBase:
            if person_of(request) is not None:
                return opened(request, owner=owner, name=name, **more)
            if use is not Use.READ or not _is_read(request):
                return to_sign_in(request)
            try:
                response = opened(request, owner=owner, name=name, **more)
            except (NotFound, Denied):
                return to_sign_in(request)
            # A public project may be private a moment later.
            patch_cache_control(response, no_cache=True)
            return response

        return guarded

    return decorate


def _is_read(request: HttpRequest) -> bool:
    return request.method in ("GET", "HEAD")


def _to_present_name(
    request: HttpRequest, frame: ProjectFrame, more: dict[str, str | int]
) -> HttpResponse:
    match = request.resolver_match
    path = frame.path(match.view_name if match is not None else "project", **more)
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{path}?{query}" if query else path)
