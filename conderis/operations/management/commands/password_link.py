"""Make a link by which a person sets a new password, for servers without mail."""

from argparse import ArgumentParser

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.db import transaction

from conderis.accounts import audit
from conderis.accounts.actors import Operator
from conderis.accounts.people import find_person
from conderis.common.errors import Invalid
from conderis.common.json import JsonObject
from conderis.operations.addresses import absolute, base_address
from conderis.operations.commanding import OperatorCommand


class Command(OperatorCommand):
    help = "Print a link by which a person sets a new password, once, within three days."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("handle", metavar="HANDLE", type=str.lower)

    def answer(self, options: JsonObject) -> JsonObject:
        person = find_person(options["handle"])
        if not person.is_active:
            raise Invalid(f"{person.handle} is deactivated and cannot sign in.", field="handle")
        with transaction.atomic():
            audit.record(Operator(), action="password_link.created", subject=person.ref)
            token = default_token_generator.make_token(person)
        route = "account_reset_password_from_key"
        link = absolute(base_address(), route, user_pk_to_url_str(person), token)
        return {"handle": person.handle, "link": link}
