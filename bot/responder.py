"""Answer questions into a reply, keep the conversation, and take votes on what was answered."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace

import structlog

from bot.domain.answers import Answer, Answered, AnswerEvent, Question, StepStarted, TextSoFar, Trace, Vote
from bot.domain.errors import BadInput, NotAllowed, PalaceError
from bot.domain.memories import Filters, Passage
from bot.domain.messages import Action, Message, Turn
from bot.domain.replies import Notice
from bot.domain.rooms import Person, Room, Scope, readable, scope_of
from bot.keeper import Keeper
from bot.ports import Clock, Embedder, Feedback, MemoryStore, Reply, RoomSettings, Storage, TraceLog, Transcript
from bot.rag.pipeline import Answering
from bot.wording import STATUS, story

READING_WAIT_S = 60.0
HISTORY_TURNS = 12

log = structlog.get_logger(__name__)


class Responder:
    """Answers for one palace."""

    def __init__(
        self,
        *,
        storage: Storage,
        answering: Answering,
        embedder: Embedder,
        keeper: Keeper,
        clock: Clock,
        timezone: str,
    ) -> None:
        self._memories: MemoryStore = storage.memories
        self._rooms: RoomSettings = storage.rooms
        self._transcript: Transcript = storage.transcript
        self._traces: TraceLog = storage.traces
        self._feedback: Feedback = storage.feedback
        self._answering = answering
        self._embedder = embedder
        self._keeper = keeper
        self._clock = clock
        self._timezone = timezone

    async def answer(self, message: Message, text: str, reply: Reply) -> None:
        """Answer `text` from what this person in this room may read, streamed into `reply`."""
        if not text.strip():
            raise BadInput("What would you like to know? Ask me about anything that was saved here, or type /help.")
        scopes = scopes_of(message)
        if not self._embedder.ready:
            await reply.status("Waking up")
        if message.room.kind == "direct":
            await self._keeper.wait_for_reading(scopes, reply, within_s=READING_WAIT_S)
        question = await self._question(message, text, scopes)
        answer = await self._stream(self._answering.answer(question), reply)
        if answer is None:
            return
        await reply.finish(answer)
        await self._remember(message, question, answer)

    async def _stream(self, events: AsyncIterator[AnswerEvent], reply: Reply) -> Answer | None:
        """Show the events as they come; a stopped answer is what was there by then."""
        so_far = ""
        async with aclosing(events) as stream:  # type: ignore[type-var]
            async for event in stream:
                if reply.stopped:
                    break
                match event:
                    case StepStarted():
                        await reply.status(STATUS[event.step])
                    case TextSoFar():
                        so_far = event.text
                        await reply.show(so_far)
                    case Answered():
                        return event.answer
                    case _:
                        pass
        await reply.finish(stopped_answer(so_far))
        return None

    async def _question(self, message: Message, text: str, scopes: tuple[Scope, ...]) -> Question:
        room = message.room
        return Question(
            text=text.strip(),
            room=room,
            person=message.author,
            scopes=scopes,
            asked_at=message.sent_at,
            timezone=message.timezone or self._timezone,
            history=await self._transcript.last(room, limit=HISTORY_TURNS),
            filters=Filters(
                person_ids=tuple(person.key for person in message.mentioned),
                room_keys=tuple(mentioned.key for mentioned in message.mentioned_rooms),
                pocket=await self._rooms.get(room.key, "pocket") or "",
            ),
            recall=await self._rooms.get(room.key, "recall") != "off",
        )

    async def _remember(self, message: Message, question: Question, answer: Answer) -> None:
        """Add both turns to the room's transcript; an empty or stopped answer leaves none behind."""
        if not answer.text.strip() or message.private_reply:
            return
        scope = scope_of(message.room, message.author)
        titles = tuple(citation.title for citation in answer.citations)
        asked = Turn(
            speaker="person",
            name=message.author.name,
            text=question.text,
            at=message.sent_at,
            standalone=answer.standalone,
        )
        said = Turn(speaker="bot", text=answer.text, at=self._clock.now(), titles=titles)
        try:
            vectors = await self._embedder.embed([asked.text, said.text])
            for turn, vector in zip((asked, said), vectors, strict=True):
                await self._transcript.add(message.room, turn, scope, vector=vector)
        except PalaceError as error:
            log.warning("turns_not_kept", error=str(error))

    async def explain(self, room: Room, person: Person, trace_id: str = "") -> Notice:
        """Tell how an answer came about. NotAllowed for an answer of another room."""
        trace = await self._trace(room, person, trace_id)
        return Notice(text=story(trace), kind="trace")

    async def vote(self, action: Action, value: int) -> Notice:
        """Keep a thumb under an answer, with its reason; it counts for questions that mean the same here."""
        trace = await self._trace(action.room, action.person, action.target)
        vectors = await self._embedder.embed_queries([trace.answer.standalone or trace.question])
        vote = await self._feedback.vote(
            Vote(
                trace_id=trace.trace_id,
                person_key=action.person.key,
                value=1 if value > 0 else -1,
                reason=action.value,
                at=action.at,
            ),
            question_vector=vectors[0],
            scope=scope_of(action.room, action.person),
            passages=cited(trace),
        )
        said = "Thank you: I will prefer these sources" if value > 0 else "Noted: I will put these sources further back"
        return Notice(text=f"{said} for questions like this one. (`/feedback undo {vote.vote_id}` takes it back.)")

    async def share(self, action: Action, reply: Reply) -> None:
        """Post a private answer to the room, if everything it rests on may be read there. NotAllowed otherwise."""
        trace = await self._trace(action.room, action.person, action.target)
        scopes = readable(action.room, action.person)
        for passage in trace.passages:
            if await self._memories.get(passage.memory_id, scopes) is None:
                raise NotAllowed(
                    "This answer rests on something that not everybody here may read, so it stays private."
                )
        await reply.finish(trace.answer)

    async def votes(self, room: Room, person: Person) -> str:
        """List the votes on answers here."""
        listed = await self._feedback.list((scope_of(room, person),))
        lines = [
            f"- {vote.vote_id}: {'👍' if vote.value > 0 else '👎'} “{question}” {vote.reason}".rstrip()
            for vote, question in listed
        ]
        return "\n".join(lines) or "Nobody has voted on an answer here yet."

    async def undo_vote(self, person: Person, argument: str) -> str:
        """Take a vote back by its number."""
        number = argument.removeprefix("undo").strip()
        if not number.isdigit():
            raise BadInput("Which vote? Give its number: /feedback undo 3")
        undone = await self._feedback.undo(int(number), person_key=person.key)
        return f"Vote {number} is taken back." if undone else f"There is no vote {number} of yours."

    async def _trace(self, room: Room, person: Person, trace_id: str) -> Trace:
        trace = await (self._traces.get(trace_id) if trace_id else self._traces.last(room, person_key=person.key))
        if trace is None:
            raise BadInput("There is no answer here yet that I could explain.")
        if trace.room_key != room.key and trace.person_key != person.key:
            raise NotAllowed("That answer belongs to another room.")
        return trace


def cited(trace: Trace) -> tuple[Passage, ...]:
    """Return the passages of the sources that an answer cites: what a vote on it is about."""
    sources = {citation.memory_id for citation in trace.answer.citations}
    return tuple(passage for passage in trace.passages if passage.memory_id in sources)


def scopes_of(message: Message) -> tuple[Scope, ...]:
    """Return what an answer to this message may use."""
    return readable(message.room, message.author, message.memberships, private_reply=message.private_reply)


def stopped_answer(text: str) -> Answer:
    """Return the answer that a person stopped: what was there by then."""
    return replace(
        Answer(text=text, intent="simple_lookup", confidence=0.0, standalone=""),
        stopped=True,
    )
