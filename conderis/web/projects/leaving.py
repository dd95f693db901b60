"""The page that transfers and deletes, which both forms lead back to."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse

from conderis.web.projects.forms import TransferForm, TypedNameForm
from conderis.web.projects.frame import ProjectFrame
from conderis.web.projects.showing import show_settings
from projects.ending import GRACE
from projects.transfer import may_transfer, transfer_targets


def show_ending(
    request: HttpRequest,
    frame: ProjectFrame,
    *,
    transfer: TransferForm | None = None,
    delete: TypedNameForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Both forms; who may not transfer reads who may."""
    allowed = may_transfer(frame.caller, frame.project_id)
    form = transfer or (transfer_form(frame) if allowed else None)
    context = {
        "transfer": form,
        "has_targets": form is not None and bool(form.fields["owner"].choices),  # type: ignore[attr-defined]
        "delete": delete or TypedNameForm(full_name=frame.full_name, prefix="delete"),
        "days": GRACE.days,
    }
    return show_settings(
        request,
        frame,
        "web/projects/ending.html",
        context,
        section="project-ending",
        status=status,
    )


def transfer_form(frame: ProjectFrame, sent: Mapping[str, str] | None = None) -> TransferForm:
    """The form, with everybody who could get the project.

    Raises:
        Denied: the caller may not transfer it.
    """
    owners = [
        (target.handle, f"{target.name} ({target.handle})")
        for target in transfer_targets(frame.caller, frame.project_id)
    ]
    return TransferForm(sent, owners=owners, full_name=frame.full_name, prefix="transfer")
