"""Forms for instructions, of projects and of organizations."""

from collections.abc import Mapping

from django.http import HttpRequest

from conderis.common.errors import NotFound
from conderis.web.projects.forms import InstructionsForm
from conderis.web.projects.instructions import Text


def form_for(text: Text, *, with_reason: bool = True) -> InstructionsForm:
    """The form over a text as it stands; organizations ask for no reason."""
    initial = {"content": text.content, "version": text.current}
    return InstructionsForm(initial=initial, with_reason=with_reason)


def form_over(
    sent: Mapping[str, str], stands: Text, *, with_reason: bool = True
) -> InstructionsForm:
    """The form with what was typed, now based on what stands meanwhile."""
    typed = {**dict(sent.items()), "version": str(stands.current)}
    return InstructionsForm(typed, with_reason=with_reason)


def version_asked(request: HttpRequest) -> int | None:
    """The version in the address (`?version=3`), if there is one.

    Raises:
        NotFound: it is no number.
    """
    word = request.GET.get("version")
    if word is None:
        return None
    if not word.isascii() or not word.isdigit() or len(word) > 9:
        raise NotFound("There is no such version.")
    return int(word)
