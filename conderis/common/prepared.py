"""Querysets that are compiled once: a run fills in the values and executes.

To build and compile a queryset costs 20 to 100 times what the database needs to answer
it. Those of every call are therefore kept as their statement, with the places of the
values in it. The rows are the same (models with their relations and annotations, or
tuples of `values_list`), and converted by the same code of Django.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from operator import itemgetter
from typing import Any, ClassVar, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.query import ModelIterable, get_related_populators
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")

# Stand for the values while the statement is made: nothing else in one looks like them.
_FIRST_NUMBER = 2_000_000_001
_FIRST_SIGN = 0xE000  # of the private use area
_FIRST_YEAR = 9001
_PLACE = re.compile(r"%[%s]")  # of a value, or a percent sign
_KEPT_AFTER = 3  # times that a connection of PostgreSQL has sent a statement
_FEW = 16  # numbers of a list that a statement has places for, or twice as many, or …
_MANY = 1024  # numbers up to which the statements are kept

Value = int | str | datetime | Sequence[int]
Values = Mapping[str, Value]


class Prepared(Generic[Row]):
    """The queryset that `build` makes of values, compiled at its first use.

    `parameters` are the types of the values by name: int, str, datetime or list (numbers,
    at least one, for `__in`). What `build` makes must depend on nothing else, and must
    use each of them as it is; an int may be where a slice ends.
    """

    _by_key: ClassVar = False

    def __init__(self, build: Callable[..., QuerySet[Any, Row]], **parameters: type) -> None:
        self._build = build
        self._parameters = parameters
        self._lists = [name for name, kind in parameters.items() if kind is list]
        self._compiled: dict[tuple[int, ...], _Compiled] = {}

    def rows(self, **values: Value) -> list[Row]:
        """The rows for these values.

        Raises:
            TypeError: a value is missing, too much, or of another type.
        """
        compiled, known = self._ready(values)
        connection = compiled.connection()
        found = _answer(connection, compiled.sql, compiled.parameters(known), by_key=self._by_key)
        converters, make = compiled.converters, compiled.make
        return [make(_converted(row, converters, connection)) for row in found]

    def count(self, **values: Value) -> int:
        """How many rows there are for these values.

        Raises:
            TypeError: a value is missing, too much, or of another type.
        """
        compiled, known = self._ready(values)
        sql = f"SELECT COUNT(*) FROM ({compiled.sql}) AS counted"  # noqa: S608 - no values in it
        ((found,),) = _answer(compiled.connection(), sql, compiled.parameters(known))
        return int(found)

    def statement(self, **values: Value) -> tuple[str, Sequence[Any]]:
        """The statement and its parameters for these values, to stand in another one.

        Raises:
            TypeError: a value is missing, too much, or of another type.
        """
        compiled, known = self._ready(values)
        return compiled.sql, compiled.parameters(known)

    def _ready(self, values: Values) -> tuple["_Compiled", Values]:
        """The statement for lists as long as these, and the values with its lists filled."""
        if values.keys() != self._parameters.keys() or not all(
            isinstance(values[name], kind) for name, kind in self._parameters.items()
        ):
            raise TypeError(f"Takes {self._parameters}.")
        sizes: tuple[int, ...] = ()
        if self._lists:
            lists: dict[str, list[int]] = {
                name: _filled(value) for name, value in values.items() if isinstance(value, list)
            }
            sizes = tuple(len(lists[name]) for name in self._lists)
            values = {**values, **lists}
        compiled = self._compiled.get(sizes)
        if compiled is None:
            sized = dict(zip(self._lists, sizes, strict=True))
            compiled = _compile(self._build, self._parameters, sized)
            if max(sizes, default=0) <= _MANY:
                self._compiled[sizes] = compiled
        return compiled, values


class PreparedByKey(Prepared[Row]):
    """What finds few rows by an index, whatever the values.

    PostgreSQL then keeps its plan, too: it takes longer to make than such rows to find. Where
    the best plan hangs on the values, a kept one costs more than it saves.
    """

    _by_key: ClassVar = True


def _filled(numbers: list[int]) -> list[int]:
    """The numbers, the last one repeated until there are 16, 32, 64, …: it says the same."""
    if not numbers:
        raise TypeError("Takes no empty list.")
    if len(numbers) > _MANY:
        return numbers
    size = _FEW
    while size < len(numbers):
        size *= 2
    return numbers + numbers[-1:] * (size - len(numbers))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands in a statement: its name and, in a list, its index."""

    name: str
    index: int | None = None


@dataclass(frozen=True, slots=True)
class _Always:
    """Parameters that are the same, whatever the values."""

    parameters: list[Any]

    def given(self, _values: Values) -> Iterable[Any]:
        return self.parameters


@dataclass(frozen=True, slots=True)
class _One:
    """The parameter that is the value of this name."""

    name: str
    adapt: Callable[[Any], Any]

    def given(self, values: Values) -> Iterable[Any]:
        return (self.adapt(values[self.name]),)


@dataclass(slots=True)
class _Run:
    """The parameters that are those of the list of this name, from one index to another."""

    name: str
    adapt: Callable[[Any], Any]
    start: int
    stop: int

    def given(self, values: Values) -> Iterable[Any]:
        numbers: Any = values[self.name]
        return map(self.adapt, numbers[self.start : self.stop])


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A statement, what it is sent with, and how its rows become what is asked for.

    `sent` gives its parameters in their order.
    """

    db: str
    sql: str
    sent: Sequence[_Always | _One | _Run]
    locks: bool
    converters: Sequence[Any]
    make: Callable[[Sequence[Any]], Any]

    def connection(self) -> Any:
        """The connection of this thread."""
        found = connections[self.db]
        # As Django's compiler asks at every run: a lock outside of a transaction is none.
        if self.locks and found.features.has_select_for_update and found.get_autocommit():
            raise TransactionManagementError("select_for_update outside of a transaction")
        return found

    def parameters(self, values: Values) -> list[Any]:
        """What the statement is sent with."""
        return [parameter for part in self.sent for parameter in part.given(values)]


def _answer(
    connection: Any, sql: str, parameters: Sequence[Any], *, by_key: bool = False
) -> list[Sequence[Any]]:
    with connection.cursor() as cursor:
        if by_key and connection.vendor == "postgresql":
            with _keeping_plans(connection.connection):
                cursor.execute(sql, parameters)
        else:
            cursor.execute(sql, parameters)
        found: list[Sequence[Any]] = cursor.fetchall()
        return found


@contextmanager
def _keeping_plans(connection: Any) -> Iterator[None]:
    """Have a connection of psycopg keep the plans of statements that have come some times."""
    before = connection.prepare_threshold
    connection.prepare_threshold = _KEPT_AFTER
    try:
        yield
    finally:
        connection.prepare_threshold = before


def _compile(
    build: Callable[..., QuerySet[Any, Row]],
    parameters: Mapping[str, type],
    sizes: Mapping[str, int],
) -> _Compiled:
    numbers = count(_FIRST_NUMBER)
    marks = {
        name: _mark(kind, place, numbers, sizes.get(name, 0))
        for place, (name, kind) in enumerate(parameters.items())
    }
    # Never the replica's, wherever it is first compiled: it stays for the process's life.
    rows = build(**marks).using(DEFAULT_DB_ALIAS)
    connection = connections[rows.db]
    compiler = rows.query.get_compiler(rows.db)
    adapt = connection.ops.adapt_datetimefield_value
    places: dict[Any, _Place] = {}
    for name, mark in marks.items():
        if isinstance(mark, list):
            places |= {each: _Place(name, index) for index, each in enumerate(mark)}
        else:
            places[adapt(mark) if isinstance(mark, datetime) else mark] = _Place(name)
    sql, sent = compiler.as_sql()
    sql, sent = _with_limits(sql, list(sent), [each for each in places if isinstance(each, int)])
    parts: list[_Always | _One | _Run] = []
    used: set[_Place] = set()
    for each in sent:
        place = places.get(each) if isinstance(each, int | str | datetime) else None
        if place is None:
            _add_always(parts, each)
            continue
        used.add(place)
        # PostgreSQL's numbers have types of their size.
        _add(parts, place, adapt if parameters[place.name] is datetime else type(each))
    if used != set(places.values()):
        raise TypeError(f"The statement does not hold each of {list(parameters)} as it is.")
    return _Compiled(
        db=rows.db,
        sql=sql,
        sent=parts,
        locks=rows.query.select_for_update,
        converters=list(
            compiler.get_converters([column for column, *_ in compiler.select]).items()
        ),
        make=_model_maker(compiler, rows.db) if _gives_models(rows) else tuple,
    )


def _add_always(parts: list[_Always | _One | _Run], parameter: Any) -> None:
    if parts and isinstance(parts[-1], _Always):
        parts[-1].parameters.append(parameter)
    else:
        parts.append(_Always([parameter]))


def _add(parts: list[_Always | _One | _Run], place: _Place, adapt: Callable[[Any], Any]) -> None:
    last = parts[-1] if parts else None
    if place.index is None:
        parts.append(_One(place.name, adapt))
    elif isinstance(last, _Run) and (last.name, last.adapt, last.stop) == (
        place.name,
        adapt,
        place.index,
    ):
        last.stop += 1
    else:
        parts.append(_Run(place.name, adapt, place.index, place.index + 1))


def _mark(kind: type, place: int, numbers: Iterator[int], size: int) -> Any:
    if kind is list:
        return [next(numbers) for _ in range(size)]
    if kind is datetime:
        return datetime(_FIRST_YEAR + place, 1, 1, tzinfo=UTC)
    return next(numbers) if kind is int else chr(_FIRST_SIGN + place)


def _with_limits(sql: str, sent: list[Any], numbers: Sequence[int]) -> tuple[str, list[Any]]:
    """The statement with its limits sent beside it: Django writes them into the text."""
    for number in numbers:
        while (at := sql.find(f"LIMIT {number}")) >= 0:
            sent.insert(_PLACE.findall(sql[:at]).count("%s"), number)
            sql = sql.replace(f"LIMIT {number}", "LIMIT %s", 1)
    return sql, sent


def _gives_models(rows: QuerySet[Any, Any]) -> bool:
    return rows._iterable_class is ModelIterable  # noqa: SLF001 - no other way to know


def _converted(row: Sequence[Any], converters: Sequence[Any], connection: Any) -> list[Any]:
    """As `SQLCompiler.apply_converters`; the converters ask only for the time zone."""
    values = list(row)
    for place, (each, expression) in converters:
        if values[place] is not None:  # which all of Django's hand on
            for convert in each:
                values[place] = convert(values[place], expression, connection)
    return values


def _model_maker(compiler: Any, db: str) -> Callable[[Sequence[Any]], Any]:
    """As `ModelIterable`: an instance, with its related ones and annotations."""
    info = compiler.klass_info
    start, end = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [field.target.attname for field, *_ in compiler.select[start:end]]
    related = get_related_populators(info, compiler.select, db)  # type: ignore[call-arg]  # stubs of 6.x
    populators = [_populator(each, db, len(compiler.select)) for each in related]
    annotations = list(compiler.annotation_col_map.items())

    def make(row: Sequence[Any]) -> Any:
        made = _instance(info["model"], db, names, row[start:end])
        for populate in populators:
            populate(row, made)
        for name, place in annotations:
            setattr(made, name, row[place])
        return made

    return make


def _instance(model: type[Model], db: str, names: Sequence[str], values: Sequence[Any]) -> Model:
    """As `Model.from_db`, all columns set at once; nothing of ours listens to its signals.

    Most of what Django takes for a row is setting each column by itself.
    """
    made = model.__new__(model)
    made.__dict__.update(zip(names, values, strict=True))
    made._state = ModelState()  # noqa: SLF001 - as `from_db` does
    made._state.adding = False  # noqa: SLF001 - the same
    made._state.db = db  # noqa: SLF001 - the same
    return made


def _populator(populator: Any, db: str, width: int) -> Callable[[Sequence[Any], Any], None]:
    """As `RelatedPopulator.populate`, for rows of this width."""
    chosen = populator.reorder_for_init
    if chosen is None:
        chosen = itemgetter(slice(populator.cols_start, populator.cols_end))
    key = chosen(range(width))[populator.pk_idx]
    inner = [_populator(each, db, width) for each in populator.related_populators]
    model, names = populator.model_cls, populator.init_list
    local_setter, remote_setter = populator.local_setter, populator.remote_setter

    def populate(row: Sequence[Any], made: Any) -> None:
        if row[key] is None:
            local_setter(made, None)
            return
        related = _instance(model, db, names, chosen(row))
        for each in inner:
            each(row, related)
        local_setter(made, related)
        remote_setter(related, made)

    return populate
