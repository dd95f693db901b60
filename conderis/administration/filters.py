"""Filters of lists that ask the database for nothing: their words are fixed."""

from collections.abc import Sequence
from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

YES, NO = "yes", "no"


def words_filter(
    column: str, words: Sequence[str], *, title: str | Promise, lookup: str = "exact", end: str = ""
) -> type[SimpleListFilter]:
    """A filter by one of these words, compared with the column by the lookup.

    `end` is added to the word before it is compared.
    """

    class Words(_Filter):
        parameter_name = column

        def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
            return [(word, word) for word in words]

        def queryset(self, _request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
            word = self.value()
            return rows if word is None else rows.filter(**{f"{column}__{lookup}": f"{word}{end}"})

    Words.title = title  # type: ignore[assignment]  # lazy text, as Django takes it
    return Words


def set_filter(column: str, *, title: str | Promise) -> type[SimpleListFilter]:
    """A filter by whether a column that may be null has a value."""

    class IsSet(_Filter):
        parameter_name = column

        def lookups(self, _request: HttpRequest, _admin: Any) -> list[Any]:
            return [(YES, _("Yes")), (NO, _("No"))]

        def queryset(self, _request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
            word = self.value()
            return rows if word is None else rows.filter(**{f"{column}__isnull": word == NO})

    IsSet.title = title  # type: ignore[assignment]  # lazy text, as Django takes it
    return IsSet


class _Filter(SimpleListFilter):
    """A filter that takes none but its own words."""

    title = ""

    def value(self) -> str | None:
        """The word chosen, if it is one of the filter's."""
        word = super().value()
        return word if word in {str(value) for value, _label in self.lookup_choices} else None
