"""A whole retrieval bench: on SQLite, and on PostgreSQL where that is in use; its table."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from django.conf import settings

from conderis.common.json import JsonObject
from conderis.operations.faults import Fault
from conderis.operations.retrieval.dataset import read_conversations
from conderis.operations.retrieval.limits import MOST_MILLISECONDS, MOST_RATIO, Sizes
from conderis.operations.retrieval.scoring import LEAST_FIRST, LEAST_RANK, LEAST_RECALL_AT_10
from conderis.operations.trial.servers import Trial, trial

# Beside the checkout, since its licence keeps it out of the repository.
USUAL_FILE: Path = settings.BASE_DIR.parent / "shared" / "bench" / "locomo-dev.json"


def bench_retrieval(file: str | None, *, say: Callable[[str], None]) -> JsonObject:
    """Ask the questions of a file on temporary databases. `say` is told what is being done.

    Raises:
        Fault: the file is not there or of another form, or a database cannot be made.
    """
    path = Path(file).resolve() if file else USUAL_FILE
    if not file and not path.is_file():
        raise Fault(f"There is no {path}. Name a file of conversations, as docs/measuring.md says.")
    conversations = read_conversations(path)
    measured: JsonObject = {}
    with trial() as place:
        for name, one in _places(place).items():
            say(f"Asking on {name}")
            measured[name] = one.run("conderis.operations.retrieval.inside", str(path))
    return {
        "file": path.name,
        "conversations": len(conversations),
        "turns": sum(len(each.turns) for each in conversations),
        "questions": sum(len(each.questions) for each in conversations),
        "databases": measured,
    }


def bench_scale(sizes: Sizes, *, say: Callable[[str], None]) -> JsonObject:
    """What a search takes among many memories, on temporary databases.

    Raises:
        Fault: a database cannot be made.
    """
    measured: JsonObject = {}
    with trial() as place:
        for name, one in _places(place).items():
            say(f"Making {sizes.total:,} memories and searching them on {name}")
            given = (str(sizes.items), str(sizes.others), str(sizes.others_items))
            measured[name] = one.run("conderis.operations.retrieval.inside", "--scale", *given)
    return {"databases": measured}


def scale_table(answer: JsonObject) -> Iterator[str]:
    """The lines of what `bench_scale` answers, for people."""
    for name, report in answer["databases"].items():
        alone, beside, kept = report["alone"], report["beside"], report["kept"]
        yield (
            f"{name}: a search in {report['items']:,} memories takes {alone['median']} ms "
            f"(95 of 100 at most {alone['p95']}), of the server's processor "
            f"{alone['processor']}, {_kept(kept['milliseconds'])} "
            f"{MOST_MILLISECONDS:g} ms"
        )
        yield (
            f"{name}: with {report['others']:,} more projects of {report['othersItems']:,} "
            f"{beside['median']} ms (95 of 100 at most {beside['p95']}), {report['ratio']} times "
            f"as long, {_kept(kept['ratio'])} {MOST_RATIO:g}"
        )


def _kept(kept: bool) -> str:  # noqa: FBT001 - a word for it
    return "within the limit of" if kept else "MORE than the limit of"


def _places(place: Trial) -> dict[str, Trial]:
    """Where to measure: on SQLite always, on PostgreSQL where that is in use."""
    places = {"sqlite": replace(place, database="")}
    return places | ({"postgresql": place} if place.database else {})


def table(answer: JsonObject) -> Iterator[str]:
    """The lines of a report's JSON for people."""
    yield (
        f"{answer['file']}: {answer['conversations']:,} conversations, {answer['turns']:,} turns, "
        f"{answer['questions']:,} questions"
    )
    for name, report in answer["databases"].items():
        yield ""
        yield f"{name:<12}{'questions':>11}{'r@5':>7}{'r@10':>7}{'MRR':>7}"
        for category, means in report["categories"].items():
            yield _row(f"category {category}", means)
        yield _row("all", report["all"])
    yield ""
    for name, report in answer["databases"].items():
        yield from _verdicts(name, report)


def _row(name: str, means: JsonObject) -> str:
    return (
        f"{name:<12}{means['questions']:>11,}{means['recallAt5']:>7.3f}"
        f"{means['recallAt10']:>7.3f}{means['mrr']:>7.3f}"
    )


def _verdicts(name: str, report: JsonObject) -> Iterator[str]:
    """Whether the search on this database finds as much as it must."""
    for figure, said, least in (
        ("recallAt10", "r@10", LEAST_RECALL_AT_10),
        ("mrr", "MRR", LEAST_RANK),
    ):
        word = "reaches" if report["reached"][figure] else "MISSES"
        yield f"{name}: {said} {report['all'][figure]:.3f} {word} {least:.2f}"
    names = report["names"]
    word = "reaches" if names["reached"] else "MISSES"
    missed = f", not {', '.join(names['missed'])}" if names["missed"] else ""
    yield (
        f"{name}: of {names['queries']} names {names['first']:.3f} found first {word} "
        f"{LEAST_FIRST:.2f}{missed}"
    )
