"""Django's SQLite, whose writers take turns (`turns`) before they ask SQLite for its lock.

A transaction takes one before its `BEGIN`, and gives it back when it is over; a statement that
writes alone takes one for itself. Readers take none.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import Any, Final

from django.db.backends.sqlite3 import base

from conderis.common.sqlite.turns import Line, Turn, line_of

# By what statements begin that write, in autocommit.
_WRITES: Final = ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER", "VACUUM",
                  "REINDEX")  # fmt: skip


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to SQLite that stands in line before it writes."""

    _line: Line | None = None  # none in memory
    _turn: Turn | None = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the file. The line is that of the file."""
        name = str(conn_params["database"])
        in_memory = self.is_in_memory_db() or name.startswith("file:")
        self._line = None if in_memory else line_of(name)
        return super().get_new_connection(conn_params)

    def create_cursor(self, _name: str | None = None) -> Any:
        """A cursor whose statements take turns."""
        cursor = self.connection.cursor(factory=_Cursor)
        cursor.owner = self
        return cursor

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn to write, given back with the block, or with the transaction open at its end.

        It waits for it as long as the connection would for SQLite's lock (`busy_timeout`), and
        then in the block for SQLite's for what is left. Without it SQLite decides alone.
        """
        self.ensure_connection()
        if self._line is None or self._turn is not None or self.connection.in_transaction:
            yield
            return
        self._turn, left = self._line.take(self._patience)
        try:
            if left is None:
                yield
            else:
                with self._waiting_for(left):
                    yield
        finally:
            self._give_back()

    def _patience(self) -> float:
        """The seconds that this connection waits for SQLite's lock."""
        (milliseconds,) = self.connection.execute("PRAGMA busy_timeout").fetchone()
        return float(milliseconds) / 1000

    @contextmanager
    def _waiting_for(self, seconds: float) -> Iterator[None]:
        usual = round(self._patience() * 1000)
        self.connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")
        try:
            yield
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {usual}")

    def _give_back(self) -> None:
        """Give the turn back, unless a transaction goes on."""
        turn, is_open = self._turn, self.connection is not None and self.connection.in_transaction
        if self._line is not None and turn is not None and not is_open:
            self._turn = None
            self._line.leave(turn)

    def _start_transaction_under_autocommit(self) -> None:
        with self.turn():
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # not in the stubs

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]  # not in the stubs
        finally:
            self._give_back()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # not in the stubs
        finally:
            self._give_back()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # not in the stubs
        finally:
            if self._line is not None and self._turn is not None:
                turn, self._turn = self._turn, None
                self._line.leave(turn)


def turn_on(connection: object) -> AbstractContextManager[None]:
    """A turn as `DatabaseWrapper.turn` gives it; nothing where the connection knows none."""
    turn: Callable[[], AbstractContextManager[None]] = getattr(connection, "turn", nullcontext)
    return turn()


class _Cursor(base.SQLiteCursorWrapper):
    owner: DatabaseWrapper

    def convert_query(self, query: str, *, param_names: Any = None) -> str:
        """As Django's, worked out once for the statements that come again and again."""
        if param_names is None:
            return _with_question_marks(query)
        converted: str = super().convert_query(query, param_names=param_names)
        return converted

    def execute(self, query: str, params: Any = None) -> Any:
        if self.connection.in_transaction or not _writes(query):
            return super().execute(query, params)
        with self.owner.turn():
            return super().execute(query, params)

    def executemany(self, query: str, param_list: Iterable[Any]) -> Any:
        if self.connection.in_transaction or not _writes(query):
            return super().executemany(query, param_list)
        with self.owner.turn():
            return super().executemany(query, param_list)


@lru_cache(maxsize=500)
def _with_question_marks(query: str) -> str:
    return str(base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%"))


def _writes(query: str) -> bool:
    return query.lstrip().startswith(_WRITES)
