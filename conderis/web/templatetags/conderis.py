"""Tags for every template: icons, times, states. They are built in: no load is needed."""

from collections.abc import MutableMapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import TIME_STRINGS, timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from conderis.common.errors import DomainError
from conderis.common.times import iso
from conderis.web import describing, refusals
from conderis.web.preferences import local
from conderis.web.projects.addresses import address_of

register = template.Library()

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR
# German says "vor 3 Tagen" where a length of time would be "3 Tage".
_SPANS: Final[dict[str, Any]] = {
    **TIME_STRINGS,
    "day": ngettext_lazy("%(num)d day", "%(num)d days", "num"),
}


@register.simple_tag
def icon(name: str, classes: str = "") -> SafeString:
    """The icon of this name from the sprite; a word must stand beside it."""
    return _icon(name, classes)


@lru_cache(maxsize=500)
def _icon(name: str, classes: str) -> SafeString:
    return format_html(
        '<svg class="i{}{}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" '
        'focusable="false"><use href="{}#{}"/></svg>',
        " " if classes else "",
        classes,
        static("icons.svg"),
        name,
    )


@register.filter
def in_words(refusal: DomainError | str) -> str:
    """What a refusal, or a text of the services, says for people."""
    return refusals.in_words(refusal)


@register.filter
def needed_words(refusal: DomainError) -> str:
    """Who could do what was refused, where a role decides that; else nothing."""
    return refusals.needed_words(refusal)


@register.filter
def when(moment: datetime | None) -> SafeString | str:
    """The time as people say it: how long ago or ahead up to seven days, then the date.

    What is ahead is rounded to the nearest unit: seven days say so, a second later too.
    Exact, in UTC, in `datetime`; shown in the time zone of the page, exact on hover.
    """
    if moment is None:
        return ""
    seconds, exact = (timezone.now() - moment).total_seconds(), local(moment)
    if 0 <= seconds < 60:
        said = _("just now")
    elif 60 <= seconds < 7 * _DAY:
        said = _("%(time)s ago") % {"time": timesince(moment, depth=1, time_strings=_SPANS)}
    elif -7 * _DAY < seconds < 0:
        said = _("in %(time)s") % {"time": _span(-seconds)}
    else:
        said = exact.date().isoformat()
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        iso(moment),
        f"{exact.date()} {exact:%H:%M:%S} {exact.tzname() or ''}".rstrip(),
        said,
    )


def _span(seconds: float) -> str:
    """A length of time in its largest unit, rounded; at least a minute."""
    for unit, length, most in (("minute", _MINUTE, 60), ("hour", _HOUR, 24)):
        count = max(1, round(seconds / length))
        if count < most:
            return str(_SPANS[unit] % {"num": count})
    return str(_SPANS["day"] % {"num": max(1, round(seconds / _DAY))})


@register.simple_tag
def project_path(full_name: str, route: str = "project", *more: str) -> str:
    """The address of a project's page: `{% project_path "alice/shop" "project-members" %}`."""
    return address_of(route, *full_name.split("/", 1), *more)


@register.simple_tag(takes_context=True)
def described_page(context: template.Context) -> describing.Described | None:
    """What a link to the page says elsewhere; None where it says nothing."""
    return describing.described(context.flatten())


@register.tag
def same_for(parser: Parser, token: Token) -> "_SameFor":
    """What is drawn alike in many rows, rendered once on a page for each value that it hangs on.

    `{% same_for row.status %}…{% end_same_for %}`: nothing within may depend on anything that
    is another thing in another row but what the values say. Several values are parted by blanks.
    """
    values = [parser.compile_filter(each) for each in token.split_contents()[1:]]
    nodes = parser.parse(("end_same_for",))
    parser.delete_first_token()
    return _SameFor(values, nodes)


class _SameFor(template.Node):
    def __init__(self, values: Sequence[FilterExpression], nodes: NodeList) -> None:
        self.values = values
        self.nodelist = nodes

    def render(self, context: template.Context) -> SafeString:
        """The text, from the first row that had these values."""
        # What the whole page shares, included templates too; gone with the page.
        kept: MutableMapping[Any, Any] = context.render_context.dicts[0]
        key = (self, *(each.resolve(context, ignore_failures=True) for each in self.values))
        found: SafeString | None = kept.get(key)
        if found is None:
            found = kept[key] = self.nodelist.render(context)
        return found
