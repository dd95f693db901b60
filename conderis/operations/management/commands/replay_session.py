"""Play an agent's session and count its calls and refusals."""

from conderis.common.json import JsonObject
from conderis.operations.commanding import OperatorCommand
from conderis.operations.replay.playing import replay, words


class Command(OperatorCommand):
    help = (
        "Play the session of an agent that has read nothing but the list of tools, on a server, "
        "data folder and database of its own, and count calls and refusals. Each refused call is "
        "made right from the refusal's text alone."
    )

    def handle(self, *_args: object, **options: object) -> None:
        self.show(self.answer(options), as_json=bool(options["json"]))

    def answer(self, _options: JsonObject) -> JsonObject:
        return replay()

    def words(self, answer: JsonObject) -> str:
        return "\n".join(words(answer))
