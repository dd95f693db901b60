"""How much one agent or person may do, and how much a project holds: the settings of it.

Generous: no honest use meets them. They end a loop before it has filled the disk.
"""

from dataclasses import dataclass

from conderis.common.environment import as_switch, as_whole_number, declare

_MOST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that hold; 0 stands for none.

    `calls_a_minute` is of an agent or a person in each worker process, the next three are of
    an agent in all of them together. `day` is one of UTC, a megabyte 1,000,000 bytes.
    """

    calls_a_minute: int = 0
    writes_a_minute: int = 0
    items_a_day: int = 0
    megabytes_a_day: int = 0
    items_in_project: int = 0

    @property
    def counts_writes(self) -> bool:
        """Whether what agents write has to be counted."""
        return bool(self.writes_a_minute or self.items_a_day or self.megabytes_a_day)


def limits_set() -> Limits:
    """The limits that the environment sets; none at all where they are switched off.

    Raises:
        BadSetting: one is no whole number.
    """
    are_on = as_switch(
        "CONDERIS_LIMITS",
        declare(
            "CONDERIS_LIMITS",
            default="on",
            purpose="Limits of how much agents and people may do. Off: none of the following.",
        ),
    )
    limits = Limits(
        calls_a_minute=_number(
            "CONDERIS_CALLS_A_MINUTE",
            "60000",
            "Calls and pages a minute of one agent or person, in each worker. 0: no limit.",
        ),
        writes_a_minute=_number(
            "CONDERIS_WRITES_A_MINUTE",
            "12000",
            "Changes a minute of one agent. 0: no limit.",
        ),
        items_a_day=_number(
            "CONDERIS_ITEMS_A_DAY",
            "25000",
            "New items of one agent in a day (UTC). 0: no limit.",
        ),
        megabytes_a_day=_number(
            "CONDERIS_MEGABYTES_A_DAY",
            "1000",
            "Megabytes of text that one agent stores in a day (UTC). 0: no limit.",
        ),
        items_in_project=_number(
            "CONDERIS_ITEMS_IN_PROJECT",
            "100000",
            "Items that a project holds, archived ones included. 0: no limit.",
        ),
    )
    return limits if are_on else Limits()


def _number(name: str, default: str, purpose: str) -> int:
    text = declare(name, default=default, purpose=purpose)
    return as_whole_number(name, text, least=0, most=_MOST)
