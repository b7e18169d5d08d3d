"""Answer questions into a reply, keep the conversation, and take votes on what was answered."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime

import structlog

from bot.commands import agreement
from bot.domain.answers import Answer, Answered, AnswerEvent, Question, StepStarted, TextSoFar, Trace, Vote
from bot.domain.errors import BadInput, NotAllowed, PalaceError
from bot.domain.memories import Filters, Passage
from bot.domain.messages import Action, Message, Turn
from bot.domain.replies import Notice
from bot.domain.rooms import Person, Room, Scope, personal_scope, readable, scope_of
from bot.keeper import Keeper
from bot.ports import Clock, Embedder, Feedback, MemoryStore, Reply, RoomSettings, Storage, TraceLog, Transcript
from bot.rag.language import detect_language
from bot.rag.pipeline import Answering
from bot.rag.rewrite import offered
from bot.rag.small_talk import is_small_talk
from bot.wording import story
from bot.words.choosing import words_of
from bot.words.frame import Words

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
        words = words_of(message.language)
        if not text.strip():
            raise BadInput(words.ask_what)
        scopes = scopes_of(message)
        if not self._embedder.ready:
            await reply.status(words.waking)
        if message.room.kind == "direct" and not is_small_talk(text):
            await self._keeper.wait_for_reading(scopes, reply, words, within_s=READING_WAIT_S)
        question = await self._question(message, text, scopes)
        if answers_nothing(question):
            await reply.say(Notice(text=words.nothing_asked))
            return
        answer = await self._stream(self._answering.answer(question), reply, words)
        if answer is None:
            return
        await reply.finish(answer)
        await self._remember(message, question, answer)

    async def _stream(self, events: AsyncIterator[AnswerEvent], reply: Reply, words: Words) -> Answer | None:
        """Show the events as they come; a stopped answer is what was there by then."""
        so_far = ""
        async with aclosing(events) as stream:  # type: ignore[type-var]
            async for event in stream:
                if reply.stopped:
                    break
                match event:
                    case StepStarted():
                        await reply.status(words.steps[event.step])
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
        turns = turns_of(question, answer, self._clock.now())
        try:
            await remember(self._transcript, self._embedder, message.room, turns, scope)
        except PalaceError as error:
            log.warning("turns_not_kept", error=str(error))

    async def explain(
        self, room: Room, person: Person, words: Words, trace_id: str = "", *, private_reply: bool
    ) -> Notice:
        """Tell how an answer came about. NotAllowed for an answer of another room, or a private one told to all."""
        trace = await self._trace(room, person, words, trace_id)
        if not private_reply and not for_everybody(trace, room, person):
            raise NotAllowed(words.not_shared)
        return Notice(text=story(trace), kind="trace")

    async def vote(self, action: Action, value: int, words: Words) -> Notice:
        """Keep a thumb under an answer, with its reason; it counts for questions that mean the same here."""
        trace = await self._trace(action.room, action.person, words, action.target)
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
            scope=scope_of_vote(trace, action),
            passages=cited(trace),
        )
        said = words.voted_up if value > 0 else words.voted_down
        return Notice(text=f"{said} {words.vote_undo.format(number=vote.vote_id)}")

    async def share(self, action: Action, reply: Reply, words: Words) -> None:
        """Post a private answer to the room, if everything it rests on may be read there. NotAllowed otherwise.

        A count rests on all that was counted, also where none of it is shown.
        """
        trace = await self._trace(action.room, action.person, words, action.target)
        scopes = readable(action.room, action.person)
        if trace.answer.total is not None and not for_everybody(trace, action.room, action.person):
            raise NotAllowed(words.not_shared)
        passages, citations = trace.passages, trace.answer.citations
        for memory_id in {*(one.memory_id for one in passages), *(one.memory_id for one in citations)}:
            if await self._memories.get(memory_id, scopes) is None:
                raise NotAllowed(words.not_shared)
        await reply.finish(trace.answer)

    async def votes(self, room: Room, person: Person, words: Words) -> str:
        """List the votes on answers here."""
        listed = await self._feedback.list((scope_of(room, person),))
        lines = [
            f"- {vote.vote_id}: {'👍' if vote.value > 0 else '👎'} “{question}” {vote.reason}".rstrip()
            for vote, question in listed
        ]
        return "\n".join(lines) or words.no_votes

    async def undo_vote(self, person: Person, argument: str, words: Words) -> str:
        """Take a vote back by its number."""
        number = argument.removeprefix("undo").strip()
        if not number.isdigit():
            raise BadInput(words.which_vote)
        undone = await self._feedback.undo(int(number), person_key=person.key)
        return (words.vote_undone if undone else words.no_vote).format(number=number)

    async def _trace(self, room: Room, person: Person, words: Words, trace_id: str = "") -> Trace:
        trace = await (self._traces.get(trace_id) if trace_id else self._traces.last(room, person_key=person.key))
        if trace is None:
            raise BadInput(words.no_answer)
        if trace.room_key != room.key and trace.person_key != person.key:
            raise NotAllowed(words.other_room)
        return trace


def turns_of(question: Question, answer: Answer, now: datetime) -> tuple[Turn, ...]:
    """Return a question and its answer as they are kept: both go when a memory is forgotten that they tell of."""
    asked = Turn(
        speaker="person",
        name=question.person.name,
        text=question.text,
        at=question.asked_at,
        standalone=answer.standalone,
        memory_ids=answer.memory_ids,
    )
    said = Turn(speaker="bot", text=answer.text, at=now, memory_ids=answer.memory_ids)
    return tuple(turn for turn in (asked, said) if turn.text.strip())


async def remember(transcript: Transcript, embedder: Embedder, room: Room, turns: Sequence[Turn], scope: Scope) -> None:
    """Add turns to a room's conversation; while the model is not loaded they are recalled by their words alone."""
    texts = [turn.text for turn in turns]
    vectors = await embedder.embed(texts) if embedder.ready else [None] * len(texts)
    for turn, vector in zip(turns, vectors, strict=True):
        await transcript.add(room, turn, scope, vector=vector)


def cited(trace: Trace) -> tuple[Passage, ...]:
    """Return the passages of the sources that an answer cites: what a vote on it is about."""
    sources = {citation.memory_id for citation in trace.answer.citations}
    return tuple(passage for passage in trace.passages if passage.memory_id in sources)


def for_everybody(trace: Trace, room: Room, person: Person) -> bool:
    """Whether an answer drew on nothing but what everybody in a room may read."""
    return room.kind == "direct" or set(trace.scope_keys) <= {scope.key for scope in readable(room, person)}


def scope_of_vote(trace: Trace, action: Action) -> Scope:
    """Return where a vote counts and is listed: for a private answer in its person's own chats alone."""
    own = personal_scope(action.person)
    return own if own.key in trace.scope_keys else scope_of(action.room, action.person)


def answers_nothing(question: Question) -> bool:
    """Whether somebody says yes or no where nothing was offered."""
    offer = bool(question.history) and bool(offered(question.history))
    return agreement(question.text) is not None and not is_small_talk(question.text) and not offer


def scopes_of(message: Message) -> tuple[Scope, ...]:
    """Return what an answer to this message may use."""
    return readable(message.room, message.author, message.memberships, private_reply=message.private_reply)


def stopped_answer(text: str) -> Answer:
    """Return the answer that a person stopped: what was there by then."""
    return replace(
        Answer(text=text, intent="simple_lookup", confidence=0.0, standalone="", language=detect_language(text)),
        stopped=True,
    )
