"""People, their handles and their email addresses."""

from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conderis.accounts.admins import give_admin, take_admin
from conderis.accounts.deactivation import activate_person, deactivate_person
from conderis.accounts.models import Agent, Handle, Person
from conderis.accounts.people import create_person
from conderis.accounts.profile import give_display_name
from conderis.accounts.sign_in import create_sign_in_link
from conderis.administration.acting import acting
from conderis.administration.deeds import Deed, DoingAdmin, Outcome
from conderis.administration.reading import ReadOnlyAdmin, people_named
from conderis.administration.site import site
from conderis.common.caller import Caller
from conderis.web.forms import Form

Typed = dict[str, Any]


class NewPersonForm(Form):
    """Who is to have an account."""

    refused_fields: ClassVar = {"name": "display_name"}

    handle = forms.CharField(
        label=gettext_lazy("Handle"),
        max_length=39,
        help_text=gettext_lazy("2 to 39 lower-case letters, digits and hyphens."),
    )
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        help_text=gettext_lazy("Shown to its owner and to admins alone."),
    )
    display_name = forms.CharField(
        label=gettext_lazy("Display name"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Empty: the part of the email address before the @."),
    )


class NameForm(Form):
    """Another display name."""

    refused_fields: ClassVar = {"displayName": "display_name"}

    display_name = forms.CharField(label=gettext_lazy("Display name"), max_length=80)


def _new_person(caller: Caller, _row: None, typed: Typed) -> Outcome:
    with acting(caller) as operator:
        person = create_person(operator, **typed)
        link = create_sign_in_link(operator, person=person)
    said = _("%(handle)s has an account. The link signs in once, within 15 minutes.")
    return Outcome(said % {"handle": person.handle}, "sign-in", link)


def _sign_in_link(caller: Caller, person: Person, _typed: Typed) -> Outcome:
    with acting(caller) as operator:
        link = create_sign_in_link(operator, person=person)
    said = _("The link signs %(handle)s in once, within 15 minutes.")
    return Outcome(said % {"handle": person.handle}, "sign-in", link)


def _deactivate(caller: Caller, person: Person, _typed: Typed) -> Outcome:
    deactivate_person(caller, handle=person.handle)
    said = _("%(handle)s is deactivated. Sessions, links and keys are refused from now on.")
    return Outcome(said % {"handle": person.handle})


def _activate(caller: Caller, person: Person, _typed: Typed) -> Outcome:
    activate_person(caller, handle=person.handle)
    return Outcome(_("%(handle)s can sign in again.") % {"handle": person.handle})


def _make_admin(caller: Caller, person: Person, _typed: Typed) -> Outcome:
    give_admin(caller, handle=person.handle)
    return Outcome(_("%(handle)s is an admin of this server.") % {"handle": person.handle})


def _unmake_admin(caller: Caller, person: Person, _typed: Typed) -> Outcome:
    take_admin(caller, handle=person.handle)
    return Outcome(_("%(handle)s is no admin any more.") % {"handle": person.handle})


def _change_name(caller: Caller, person: Person, typed: Typed) -> Outcome:
    with acting(caller) as operator:
        give_display_name(operator, handle=person.handle, display_name=typed["display_name"])
    return Outcome(_("Display name of %(handle)s changed.") % {"handle": person.handle})


NEW_PERSON = Deed(
    "new",
    gettext_lazy("Add a person"),
    gettext_lazy("Makes an account and a link that signs in once. The link is shown this once."),
    _new_person,
    NewPersonForm,
)
PERSON_DEEDS = (
    Deed(
        "sign-in-link",
        gettext_lazy("Make a sign-in link"),
        gettext_lazy(
            "Whoever has the link signs in as this person, once, within 15 minutes. It is shown "
            "this once; that it was made stands in the audit log."
        ),
        _sign_in_link,
        offered=lambda person: person.is_active,
    ),
    Deed(
        "name",
        gettext_lazy("Change the display name"),
        gettext_lazy("The name that others are shown. The person can change it back."),
        _change_name,
        NameForm,
        offered=lambda person: person.left_at is None,
    ),
    Deed(
        "make-admin",
        gettext_lazy("Make an admin"),
        gettext_lazy("Gives every right in this administration."),
        _make_admin,
        offered=lambda person: person.is_active and not person.is_superuser,
    ),
    Deed(
        "unmake-admin",
        gettext_lazy("Take back the admin"),
        gettext_lazy("Takes every right in this administration. The account stays as it is."),
        _unmake_admin,
        offered=lambda person: person.is_staff or person.is_superuser,
        stops=True,
    ),
    Deed(
        "activate",
        gettext_lazy("Activate the account"),
        gettext_lazy("The person can sign in again; keys that have not ended work again."),
        _activate,
        offered=lambda person: not person.is_active and person.left_at is None,
    ),
    Deed(
        "deactivate",
        gettext_lazy("Deactivate the account"),
        gettext_lazy(
            "Sessions, sign-in links and agent keys are refused from the next call on. What the "
            "person wrote stays."
        ),
        _deactivate,
        offered=lambda person: person.is_active,
        stops=True,
    ),
)


@admin.register(Person, site=site)
class PersonAdmin(DoingAdmin):
    """Accounts. The one place where others see an email address."""

    list_display = ("handle", "display_name", "email", "is_active", "is_superuser", "created")
    list_filter = ("is_active", "is_superuser", "created")
    fields = (
        "public_id", "handle", "display_name", "email", "time_zone", "language", "is_active",
        "is_staff", "is_superuser", "created", "last_login", "left_at",
    )  # fmt: skip
    search_fields = ("handle",)
    search_help_text = gettext_lazy("Handle from its beginning, or the whole email address or id.")
    deeds = PERSON_DEEDS
    list_deeds = (NEW_PERSON,)

    def found(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By handle, id, or email address: the column's index is on its lower case."""
        if "@" in term:
            addressed: QuerySet[Any] = rows.alias(lower=Lower("email"))
            return addressed.filter(lower=term.lower())
        return rows.filter(pk__in=people_named(term))


@admin.register(Handle, site=site)
class HandleAdmin(ReadOnlyAdmin):
    """Names, former ones too, and who holds them."""

    list_display = fields = ("name", "holder")
    ordering = ("name",)
    search_fields = ("name__startswith", "holder")
    search_help_text = gettext_lazy("Handle from its beginning, or a whole reference.")


@admin.register(Agent, site=site)
class AgentAdmin(ReadOnlyAdmin):
    """Installations of AI clients."""

    list_display = fields = ("public_id", "name", "person", "created")
    list_filter = ("created",)
    list_select_related = ("person",)
    search_fields = ("public_id",)
    search_people = ("person",)


@admin.register(EmailAddress, site=site)
class EmailAddressAdmin(ReadOnlyAdmin):
    """Email addresses that allauth keeps: whether they are confirmed."""

    list_display = fields = ("email", "user", "verified", "primary")
    list_filter = ("verified", "primary")
    list_select_related = ("user",)
    search_people = ("user",)
