"""The figures of a bench of recall as lines for people."""

from collections.abc import Iterator

from conderis.common.json import JsonObject
from conderis.operations.recalling.covering import LENGTHS
from conderis.operations.recalling.focusing import LEAST, name
from conderis.operations.recalling.scaling import MOST_MS, MOST_QUERIES


def table(answer: JsonObject) -> Iterator[str]:
    """What is shown, for each database, and whether that is as much as it must be."""
    for database, report in answer["databases"].items():
        if report["focus"] is not None:
            yield from _focus(database, report["focus"])
            yield ""
        yield from _coverage(database, report["coverage"])
        yield ""
    similar = next(iter(answer["databases"].values()))["similar"]
    yield (
        f"similar: {similar['pairs']} pairs, precision {similar['precision']:.2f}, "
        f"recall {similar['recall']:.2f}"
    )
    for kind, hinted in similar["hinted"].items():
        yield f"  {kind}: {hinted['hinted']} of {hinted['pairs']} hinted"
    for database, report in answer["databases"].items():
        for length, least in LEAST.items() if report["focus"] is not None else ():
            share, reached = report["focus"]["all"], report["focus"]["reached"]
            word = "reaches" if reached[name(length)] else "MISSES"
            yield f"{database}: within {length:,} {share[name(length)]:.3f} {word} {least:.2f}"


def scale_table(answer: JsonObject) -> Iterator[str]:
    """What each call takes, for each database, and whether that is little enough."""
    yield f"{answer['memories']:,} memories, load {answer['load']}"
    for database, report in answer["databases"].items():
        yield ""
        yield f"{database:<28}{'p50 ms':>9}{'least ms':>10}{'CPU ms':>9}{'queries':>9}"
        for row in report["rows"]:
            yield (
                f"{row['call']:<28}{row['p50Ms']:>9.1f}{row['leastMs']:>10.1f}"
                f"{row['cpuMs']:>9.1f}{row['queries']:>9}"
            )
    yield ""
    for database, report in answer["databases"].items():
        word = "keeps within" if report["reached"] else "EXCEEDS"
        yield f"{database}: recall {word} {MOST_MS} ms and {MOST_QUERIES} queries"


def _focus(database: str, report: JsonObject) -> Iterator[str]:
    head = "".join(f"{length:>8,}" for length in LEAST)
    yield f"{database + ', with a focus':<28}{head}"
    for category, means in report["categories"].items():
        yield _row(f"category {category}", [means[name(length)] for length in LEAST])
    yield _row(f"all {report['questions']:,}", [report["all"][name(length)] for length in LEAST])


def _coverage(database: str, report: JsonObject) -> Iterator[str]:
    head = "".join(f"{length:>8,}" for length in LENGTHS)
    yield f"{database + ', without':<28}{head}"
    for project, each in report["projects"].items():
        shares = [each["coverage"][name(length)] for length in LENGTHS]
        yield _row(f"{project} ({each['must']} to know)", shares)
    yield _row(f"all {report['must']}", [report["coverage"][name(length)] for length in LENGTHS])


def _row(label: str, shares: list[float]) -> str:
    return f"{label:<28}" + "".join(f"{share:>8.3f}" for share in shares)
