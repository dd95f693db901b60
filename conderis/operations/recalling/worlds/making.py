"""The items of a made-up project that nobody wrote by hand: the same ones every time."""

import random
from collections.abc import Iterator, Sequence

from conderis.operations.recalling.worlds.world import Known, World

ITEMS = 200  # of a project, those written by hand among them
# Of the made items: how many in a hundred are of each kind.
_KINDS = (("memory", 60), ("task", 30), ("page", 10))
_TYPES = (
    ("fact", 34), ("decision", 14), ("convention", 8), ("gotcha", 14), ("preference", 6),
    ("reference", 12), ("session", 12),
)  # fmt: skip
_STATUSES = (("done", 62), ("open", 28), ("blocked", 2), ("canceled", 8))
_PRIORITIES = (("urgent", 0), ("high", 12), ("normal", 63), ("low", 25))

_TITLES = (
    "{Part}: {trouble}", "{Tool} and the {part}", "{Part} in {place}", "How {part} is {work} goes",
    "{person} on the {part}", "{Trouble} with {tool}", "{Part} limits", "{Tool} settings",
)  # fmt: skip
_SENTENCES = (
    "The {part} had {trouble} in {place} until {tool} was upgraded to {version}.",
    "{person} asked to {work} the {part}; it was tried and gave {count} ms instead of {more}.",
    "{Tool} in {place} is configured by {file}, line {count}.",
    "The {part} writes to {file} and is read by the {other} every {count} s.",
    "We {work} the {part} by hand in {place} when {trouble} comes back.",
    "{Tool} {version} changed how the {part} handles {trouble}.",
    "The {other} calls the {part} at most {count} times a minute.",
    "In {place} the {part} runs with {count} MB and the {other} with {more} MB.",
    "{person} knows the history of the {part}; the {other} came {count} months later.",
    "Reports about {trouble} in the {part} are collected in {file}.",
    "The {part} keeps {count} days of data, the {other} {more}.",
    "Tests of the {part} need {tool} and take {count} s.",
)
_SESSIONS = (
    "Looked into {trouble} of the {part}: not {tool}. Next: the {other} in {place}.",
    "Half of the {part} is {work} goes; {file} still has the old way. Tests pass but {count}.",
    "Tried {tool} {version} in {place} for the {part}, went back after {trouble}.",
)
_TASKS = (
    "{Work} the {part}", "{Work} the {part} against {trouble}", "{Trouble} in the {part}",
    "{Work} {tool} in {place}", "Tell {person} about the {part}",
)  # fmt: skip
_PAGES = ("{Part}: overview", "{Part}: {trouble}", "{Tool} in {place}", "Notes on the {part}")


def made_items(world: World) -> Iterator[Known]:
    """Items that one need not know, so many that there are ITEMS with those by hand."""
    maker = _Maker(world)
    for place in range(ITEMS - len(world.known)):
        yield maker.item(place)


class _Maker:
    """Draws items; the same world gives the same ones."""

    def __init__(self, world: World) -> None:
        self.world, self.words = world, world.words
        self.random = random.Random(f"{world.name} 1")  # noqa: S311 - nothing secret
        self.bags: list[str] = []
        self.tasks: list[Known] = []

    def item(self, place: int) -> Known:
        """The next one."""
        key, kind = f"made-{place}", self.draw(_KINDS)
        makers = {"memory": self._memory, "task": self._task, "page": self._page}
        return makers[kind](key)

    def _page(self, key: str) -> Known:
        return Known(key, "page", self.fill(_PAGES)[:190], self.text(6), self.days())

    def _memory(self, key: str) -> Known:
        category = self.draw(_TYPES)
        title = self.fill(_TITLES)[:80]
        tags = tuple(dict.fromkeys(self.pick(self.words.tags) for _ in range(self.upto(2))))
        if category == "session":
            return Known(key, "memory", title, self.fill(_SESSIONS), self.random.randint(0, 45),
                         category=category, tags=tags)  # fmt: skip
        bag = self.pick(self.bags) if self.bags and self.chance(0.22) else ""
        if not bag and len(self.bags) < 4 and self.chance(0.2):
            self.bags.append(key)
        weight = "low" if not bag and key not in self.bags and self.chance(0.1) else "normal"
        about: tuple[str, ...] = ()
        if self.tasks and self.chance(0.12):  # mostly of tasks that are done
            about = (self.pick([each.key for each in self.tasks]),)
        return Known(key, "memory", title, self.text(1 + self.upto(2))[:290], self.days(),
                     category=category, weight=weight, tags=tags, bag=bag, about=about)  # fmt: skip

    def _task(self, key: str) -> Known:
        above = [each.key for each in self.tasks if each.status == "open"]
        made = Known(
            key, "task", self.fill(_TASKS), self.text(2), self.days(), status=self.draw(_STATUSES),
            priority=self.draw(_PRIORITIES), bag=self.pick(above) if above and self.chance(0.2)
            else "",
        )  # fmt: skip
        self.tasks.append(made)
        return made

    def days(self) -> int:
        """How long ago: some this week, most in the last half year."""
        return int(400 * self.random.random() ** 2.2)

    def text(self, sentences: int) -> str:
        """So many sentences."""
        return " ".join(self.fill(_SENTENCES) for _ in range(sentences))

    def fill(self, patterns: tuple[str, ...]) -> str:
        """One of the patterns with words in it."""
        words = {
            "part": self.pick(self.words.parts), "other": self.pick(self.words.parts),
            "tool": self.pick(self.words.tools), "place": self.pick(self.words.places),
            "trouble": self.pick(self.words.troubles), "work": self.pick(self.words.works),
            "person": self.pick(self.words.people),
            "file": f"conf/{self.pick(self.words.tags)}.{self.pick(('toml', 'yaml', 'json'))}",
            "version": f"{self.random.randint(1, 9)}.{self.random.randint(0, 30)}",
            "count": self.random.randint(2, 90), "more": self.random.randint(91, 900),
        }  # fmt: skip
        heads = {
            name.title(): str(words[name])[:1].upper() + str(words[name])[1:]
            for name in ("part", "tool", "trouble", "work")
        }
        filled = self.pick(patterns).format(**words, **heads)
        return filled[:1].upper() + filled[1:]

    def draw(self, shares: tuple[tuple[str, int], ...]) -> str:
        """One of the words, by its share."""
        words = [word for word, _ in shares]
        return self.random.choices(words, [weight for _, weight in shares])[0]

    def pick(self, words: Sequence[str]) -> str:
        """One of the words."""
        return self.random.choice(words)

    def chance(self, share: float) -> bool:
        """True so often."""
        return self.random.random() < share

    def upto(self, most: int) -> int:
        """A number from 0."""
        return self.random.randint(0, most)
