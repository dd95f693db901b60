"""Every text is in the catalogs, and the catalogs are as they are compiled."""

import re

import pytest
from babel.messages.catalog import Message

from tests.web.catalog import LANGUAGES, collected, compiled, po_file, read

pytestmark = pytest.mark.no_database

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
# What is wholly translated, as the proof that it works; the rest falls back to English.
WHOLE = ("templates/account/", "templates/mfa/", "templates/usersessions/",
         "templates/web/settings/", "templates/components/", "conderis/web/settings/",
         "conderis/web/signing_in/", "templates/base.html", "templates/door.html")  # fmt: skip


def texts(value: object) -> list[str]:
    return [value] if isinstance(value, str) else [str(each) for each in value or ()]  # type: ignore[attr-defined]


def key(message: Message) -> tuple[str, ...]:
    return (message.context or "", *texts(message.id))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalog_holds_the_texts_of_the_code_and_no_others(language: str) -> None:
    in_code = {key(message) for message in collected() if message.id}
    kept = {key(message) for message in read(language) if message.id}

    assert in_code - kept == set(), "run make messages"
    assert kept - in_code == set(), "run make messages"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalog_is_made_of_the_one_that_people_edit(language: str) -> None:
    assert po_file(language).with_suffix(".mo").read_bytes() == compiled(read(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_every_placeholder(language: str) -> None:
    wrong = [
        (message.id, message.string)
        for message in read(language)
        if message.id and any(texts(message.string))
        for translated in texts(message.string)
        if set(PLACEHOLDER.findall(translated)) != set(PLACEHOLDER.findall(texts(message.id)[-1]))
    ]

    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_sign_in_settings_and_navigation_are_translated_whole(language: str) -> None:
    missing = [
        message.id
        for message in read(language)
        if message.id
        and any(place.startswith(WHOLE) for place, _ in message.locations)
        and not all(texts(message.string))
    ]

    assert missing == []
