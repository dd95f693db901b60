"""Connecting an agent: a key, what to paste, the lines for the repository, the live sign."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from conderis.accounts.agent_keys import MadeKey, key_connected
from conderis.common.errors import DomainError
from conderis.common.statuses import status_of
from conderis.web.callers import caller_of, person_of, signed_in
from conderis.web.connecting.choosing import Choice, Way, choose_project, find_key, read_way
from conderis.web.connecting.clients import BY_SLUG, CLIENTS, Client
from conderis.web.connecting.forms import DAYS, ConnectForm
from conderis.web.connecting.lines import agent_lines
from conderis.web.connecting.snippets import PLACEHOLDER, target_of
from conderis.web.settings.recent import recent_sign_in
from projects.keys import KeyRow, create_agent_key, reviewed_by_default


@dataclass(frozen=True, slots=True)
class _Setup:
    """What was chosen on the page."""

    client: Client
    way: Way
    choice: Choice

    def address(self, *, slug: str = "", way: Way | None = None) -> str:
        """The page with another client or way, for the same project."""
        words = {"way": way or self.way, "project": self.choice.project}
        query = urlencode({name: word for name, word in words.items() if word})
        return f"{reverse('connect-client', args=[slug or self.client.slug])}?{query}"


@require_safe
@never_cache
@signed_in
def connect(request: HttpRequest) -> HttpResponse:
    """The first client's page."""
    return _page(request, _setup_of(request, CLIENTS[0].slug))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@signed_in
@recent_sign_in
def connect_client(request: HttpRequest, slug: str) -> HttpResponse:
    """How to connect this client; a POST creates its key and shows it this once."""
    setup = _setup_of(request, slug)
    if request.method != "POST":
        return _page(request, setup)
    person = person_of(request)
    form = ConnectForm(request.POST, project=setup.choice.project)
    if person is None or not form.is_valid():
        return _page(request, setup, form=form, status=400)
    try:
        caller = caller_of(request)
        wish = form.wish(zone=caller.zone)
        made = create_agent_key(caller, person=person, wish=wish, projects=form.projects)
    except DomainError as refusal:
        form.refuse(refusal)
        return _page(request, setup, form=form, status=status_of(refusal))
    messages.success(
        request,
        _("Key for %(agent)s created. It stands in what you copy below, this once.")
        % {"agent": made.key.agent.name},
    )
    return _page(request, setup, made=made)


@require_safe
@never_cache
@signed_in
def connect_state(request: HttpRequest, key_id: str) -> HttpResponse:
    """Whether the key was used: for htmx the sign, or 204 while nothing has arrived."""
    caller = caller_of(request)
    fragment = bool(request.headers.get("HX-Request"))
    if fragment and key_connected(caller, key_id=key_id) is None:
        return HttpResponse(status=204)
    context = {
        "waited": find_key(caller, key_id=key_id),
        "project": choose_project(caller, wanted=request.GET.get("project", "")).project,
        "place": "connect",
    }
    template = "web/connecting/sign.html" if fragment else "web/connecting/state.html"
    return render(request, template, context)


def _setup_of(request: HttpRequest, slug: str) -> _Setup:
    client = BY_SLUG.get(slug)
    if client is None:
        raise Http404
    # The form has both inside: a form that is sent again after a new sign-in loses its query.
    sent = {**request.GET.dict(), **request.POST.dict()}
    wanted = sent.get("project", "")
    return _Setup(
        client=client,
        way=read_way(sent.get("way", "")),
        choice=choose_project(caller_of(request), wanted=wanted),
    )


def _page(
    request: HttpRequest,
    setup: _Setup,
    *,
    form: ConnectForm | None = None,
    made: MadeKey | None = None,
    status: int = 200,
) -> HttpResponse:
    target = target_of(request, key=made.text if made is not None else PLACEHOLDER)
    by_process = setup.way is Way.STDIO
    shown = not by_process or target.is_local
    made_of = setup.client.by_process if by_process else setup.client.by_key
    snippets = made_of(target) if shown else ()
    context = {
        "place": "connect",
        "client": setup.client,
        "clients": [(each, setup.address(slug=each.slug)) for each in CLIENTS],
        "ways": [(way, setup.address(way=way), way is setup.way) for way in Way],
        "project": setup.choice.project,
        "projects": setup.choice.projects,
        "way": setup.way,
        "target": target,
        "by_process": by_process,
        "placeholder": PLACEHOLDER,
        "snippets": [each for each in snippets if not each.other],
        "others": [each for each in snippets if each.other],
        "lines": agent_lines(setup.choice.project),
        "form": form or _fresh_form(request, setup),
        "made": made,
        "days": DAYS,
        "waited": _waited(request, made),
    }
    return render(request, "web/connecting/client.html", context, status=status)


def _fresh_form(request: HttpRequest, setup: _Setup) -> ConnectForm:
    agent = _("%(client)s on laptop") % {"client": setup.client.agent}
    reviewed = reviewed_by_default(caller_of(request))
    return ConnectForm(project=setup.choice.project, agent=agent, reviewed=reviewed)


def _waited(request: HttpRequest, made: MadeKey | None) -> KeyRow | None:
    """The key that the page waits for: the one just made, or the one of `?key=`."""
    key_id = made.key.public_id if made is not None else request.GET.get("key", "")
    return find_key(caller_of(request), key_id=key_id) if key_id else None
