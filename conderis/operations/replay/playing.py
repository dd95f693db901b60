"""Sessions played over the real endpoint of a temporary server, and what came of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from conderis.common.json import JsonObject, without_nulls
from conderis.operations.replay.mending import Call, Knowledge, mend
from conderis.operations.replay.scene import add_colleague, propose, set_scene
from conderis.operations.replay.things import AGENTS, THINGS, TOLD, Slip, Thing
from conderis.operations.trial.servers import trial
from conderis.operations.trial.wire import Era, Wire

RECALL = "recall the project"
MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class Said:
    """A call and what it was refused with, if it was."""

    call: Call
    refusal: JsonObject | None

    def as_answer(self) -> JsonObject:
        """The call as JSON."""
        return without_nulls(
            {"tool": self.call.tool, "arguments": self.call.arguments, "refusal": self.refusal}
        )


@dataclass(frozen=True, slots=True)
class Done:
    """One thing of a session: its calls, and whether the last answer shows it done."""

    thing: str
    said: Sequence[Said]
    done: bool

    def as_answer(self) -> JsonObject:
        """The thing as JSON."""
        return {
            "thing": self.thing,
            "done": self.done,
            "calls": [each.as_answer() for each in self.said],
        }


@dataclass(slots=True)
class Session:
    """A whole session of one agent."""

    agent: str
    things: list[Done] = field(default_factory=list)

    @property
    def said(self) -> list[Said]:
        """All its calls in their order."""
        return [each for thing in self.things for each in thing.said]

    @property
    def refused(self) -> int:
        """How many of its calls were refused."""
        return sum(each.refusal is not None for each in self.said)

    @property
    def unmended(self) -> int:
        """How many refusals the very next call did not mend."""
        return sum(
            each.refusal is not None and (place + 1 == len(thing.said)
                                          or thing.said[place + 1].refusal is not None)
            for thing in self.things
            for place, each in enumerate(thing.said)
        )  # fmt: skip

    def as_answer(self) -> JsonObject:
        """The session as JSON."""
        return {
            "agent": self.agent,
            "calls": len(self.said),
            "refused": self.refused,
            "unmended": self.unmended,
            "done": all(thing.done for thing in self.things),
            "things": [thing.as_answer() for thing in self.things],
        }


def replay() -> JsonObject:
    """Play the session once for each way to go about it; the most calls of any of them.

    Raises:
        Fault: the server does not start, or breaks off.
    """
    with trial() as place, place.serving() as serving:
        key = str(serving.welcome["key"])
        colleague = add_colleague(place)
        sessions = []
        for agent, slips in AGENTS.items():
            with Wire(serving.port, key, Era.MODERN) as wire:
                project = set_scene(wire, f"replay-{agent}")
                propose(place, serving.port, colleague, project)
                sessions.append(play(wire, agent, slips, project=project))
    return {
        "calls": max(len(session.said) for session in sessions),
        "refused": max(session.refused for session in sessions),
        "unmended": sum(session.unmended for session in sessions),
        "sessions": [session.as_answer() for session in sessions],
    }


def play(wire: Wire, agent: str, slips: Sequence[Slip], *, project: str) -> Session:
    """One agent's session in a project of its own: recall first, then the things."""
    knowledge = Knowledge.of(wire.ask("tools/list")["tools"], {"projectId": project, **TOLD})
    session = Session(agent)
    start = Call("recall", {"projectId": project})
    recalled = wire.call(start.tool, start.arguments)
    refusal = recalled.json if recalled.is_error else None
    session.things.append(Done(RECALL, [Said(start, refusal)], done=refusal is None))
    for thing in THINGS:
        call = thing.call(project, recalled.text)
        for slip in slips:
            if slip.thing == thing.name:
                call = slip.spoiled(call)
        session.things.append(_do(wire, thing, call, knowledge))
    return session


def _do(wire: Wire, thing: Thing, call: Call, knowledge: Knowledge) -> Done:
    said: list[Said] = []
    following: Call | None = call
    while following is not None and len(said) < MOST_TRIES:
        answer = wire.call(following.tool, following.arguments)
        if not answer.is_error:
            said.append(Said(following, None))
            return Done(thing.name, said, done=thing.done(answer.json))
        said.append(Said(following, answer.json))
        following = mend(following, answer.json, knowledge)
    return Done(thing.name, said, done=False)


def words(answer: JsonObject) -> Iterator[str]:
    """The lines of a replay's JSON for people."""
    for session in answer["sessions"]:
        yield f"{session['agent']}: {session['calls']} calls, {session['refused']} refused"
        for thing in session["things"]:
            yield f"  {thing['thing']}{'' if thing['done'] else ': NOT DONE'}"
            for call in thing["calls"]:
                refusal = call.get("refusal")
                told = f"refused, {refusal['error']}: {refusal['message']}" if refusal else "done"
                yield f"    {call['tool']}: {told}"
    yield (
        f"At most {answer['calls']} calls and {answer['refused']} refusals in a session; "
        f"{answer['unmended']} not mended by the next call."
    )
