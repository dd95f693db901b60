"""The importers, in the order in which a source is tried where none is named."""

from typing import Final

from conderis.common.errors import Invalid
from exchange.importers.agents_md import AGENTS_MD
from exchange.importers.backlog_md import BACKLOG_MD
from exchange.importers.base import Importer
from exchange.importers.basic_memory import BASIC_MEMORY
from exchange.importers.beads import BEADS
from exchange.importers.conderis import CONDERIS, CONDERIS_MARKDOWN
from exchange.importers.github import GITHUB
from exchange.importers.jira import JIRA
from exchange.importers.memory_server import MEMORY_SERVER
from exchange.importers.task_master import TASK_MASTER
from exchange.importers.trello import TRELLO
from exchange.importers.vault import VAULT
from exchange.sources import Source

# The vault comes last: it takes any Markdown.
IMPORTERS: Final[tuple[Importer, ...]] = (
    CONDERIS,
    CONDERIS_MARKDOWN,
    TRELLO,
    GITHUB,
    JIRA,
    TASK_MASTER,
    MEMORY_SERVER,
    BEADS,
    BACKLOG_MD,
    AGENTS_MD,
    BASIC_MEMORY,
    VAULT,
)


def importer_named(name: str) -> Importer:
    """The importer of this name.

    Raises:
        Invalid: there is none; the refusal names them all.
    """
    for importer in IMPORTERS:
        if importer.name == name:
            return importer
    names = [each.name for each in IMPORTERS]
    raise Invalid(f"There is no importer of this name. Known are {', '.join(names)}.",
                  field="importer", allowed=names)  # fmt: skip


def importer_for(source: Source) -> Importer | None:
    """The first importer that the source looks like; None where none knows it."""
    return next((each for each in IMPORTERS if each.looks_like(source)), None)
