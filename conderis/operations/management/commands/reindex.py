"""Make the search index anew."""

from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from items.search import rebuild


class Command(OperatorCommand):
    help = (
        "Rebuild the search index from the items. A running server may go on: searches find by "
        "the old index until the new one is there, and changes wait for it."
    )

    def answer(self, _options: JsonObject) -> JsonObject:
        return {"indexed": rebuild(self._say)}

    def _say(self, count: int) -> None:
        self.stderr.write(f"{count:,} items …", style_func=str)

    def words(self, answer: JsonObject) -> str:
        return f"The search index was rebuilt: {answer['indexed']:,} items."
