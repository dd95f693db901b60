"""The screens that pages are looked at on."""

from dataclasses import dataclass
from typing import Literal

Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Screen:
    """A size, with or without touch, of a system that prefers light or dark."""

    size: str
    width: int
    height: int
    touch: bool
    scheme: Scheme

    @property
    def name(self) -> str:
        """Such as `phone-dark`."""
        return f"{self.size}-{self.scheme}"


PHONE = Screen("phone", 390, 844, touch=True, scheme="light")
PHONE_DARK = Screen("phone", 390, 844, touch=True, scheme="dark")
DESKTOP = Screen("desktop", 1440, 900, touch=False, scheme="light")
DESKTOP_DARK = Screen("desktop", 1440, 900, touch=False, scheme="dark")
SCREENS = (PHONE, PHONE_DARK, DESKTOP, DESKTOP_DARK)
# One of each size, and each scheme once.
SIZES = (DESKTOP, PHONE_DARK)
