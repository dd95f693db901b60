"""What is drawn alike in many rows is drawn once for each value, and for no other page."""

from typing import Any

from django.template import Context, Template

ROWS = Template(
    "{% for row in rows %}{% same_for row.kind row.by %}{{ row.kind }}-{{ row.by }}-{{ row.n }} "
    "{% end_same_for %}{% endfor %}"
)
INNER = Template("{% same_for row.kind %}[{{ row.n }}]{% end_same_for %}")
OUTER = Template("{% for row in rows %}{% include inner %}{% endfor %}")


def row(kind: str, n: int, by: str | None = "bob") -> dict[str, Any]:
    return {"kind": kind, "n": n, "by": by}


def test_rows_with_the_same_values_have_the_text_of_the_first() -> None:
    rows = [row("task", 1), row("page", 2), row("task", 3), row("task", 4, by="eve")]

    assert ROWS.render(Context({"rows": rows})) == "task-bob-1 page-bob-2 task-bob-1 task-eve-4 "


def test_another_page_begins_anew() -> None:
    first = ROWS.render(Context({"rows": [row("task", 1)]}))
    second = ROWS.render(Context({"rows": [row("task", 2)]}))

    assert (first, second) == ("task-bob-1 ", "task-bob-2 ")


def test_what_is_included_for_each_row_is_drawn_once_too() -> None:
    rows = [row("task", 1), row("task", 2), row("page", 3)]

    assert OUTER.render(Context({"rows": rows, "inner": INNER})) == "[1][1][3]"


def test_a_value_that_is_not_there_is_one_like_others() -> None:
    rows = [{"kind": "task", "n": 1}, {"kind": "task", "n": 2}]

    assert ROWS.render(Context({"rows": rows})) == "task--1 task--1 "


def test_text_of_people_stays_escaped() -> None:
    assert "&lt;b&gt;" in ROWS.render(Context({"rows": [row("<b>", 1)]}))
