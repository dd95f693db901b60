"""What a refusal may repeat of what was sent: little, and always encodable."""

import re

from conderis.common.errors import Invalid
from conderis.common.json import Json

MAX_ECHO = 40
_SURROGATE = re.compile("[\ud800-\udfff]")


def echo(text: str) -> str:
    """The beginning of a text as one printable line."""
    line = "".join(each if each.isprintable() else "\ufffd" for each in text[:MAX_ECHO])
    return f"{line}…" if len(text) > MAX_ECHO else line


def encodable(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which has no UTF-8 form."""
    return _SURROGATE.sub("\ufffd", text)


def refuse_surrogates(value: Json, name: str) -> None:
    """Refuse lone surrogates anywhere inside, naming the place as `fields.tags[2]`.

    Raises:
        Invalid: a name or a text holds one.
    """
    waiting: list[tuple[str, Json]] = [(name, value)]
    while waiting:
        path, here = waiting.pop()
        if isinstance(here, str):
            _refuse(here, path, path)
        elif isinstance(here, dict):
            for key in here:
                _refuse(key, path, f"A name in {path}")
            waiting.extend((f"{path}.{echo(key)}", member) for key, member in here.items())
        elif isinstance(here, list):
            waiting.extend((f"{path}[{place}]", member) for place, member in enumerate(here))


def _refuse(text: str, path: str, subject: str) -> None:
    found = _SURROGATE.search(text)
    if found is not None:
        raise Invalid(
            f"{subject} holds the lone surrogate U+{ord(found.group()):04X} at character "
            f"{found.start()}, which is no character. Send it without that.",
            field=path,
        )
