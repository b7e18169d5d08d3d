"""Save what somebody points at: a message's menu, a reaction; and take back what was deleted or un-reacted."""

from dataclasses import replace

from adapters.discord.files import fetched
from adapters.discord.inbound import Around, Json, message_from, permalink, person_of
from adapters.discord.keeping import Kept
from adapters.discord.outbound import react, unreact
from adapters.discord.parts import Parts
from adapters.outlet import Trouble
from bot.domain.answers import Answer
from bot.domain.messages import Message, Origin, Surface
from bot.domain.replies import Notice, Sign
from bot.domain.rooms import Scope

SAVE_REACTION = "🧠"


class Saving:
    """Everything that saves or forgets without words to the bot."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def reacted(self, kept: Kept) -> None:
        """Save the message that got the reaction; the bot's own reaction beside it says that it is kept."""
        channel, message_id = kept.around.place.channel, kept.message_id
        try:
            record: Json = await self._parts.calls(
                "GET", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message_id
            )
        except Trouble:
            return
        message = await self.pointed_at(record, kept.around, kept.person, surface="reaction", mark=SAVE_REACTION)
        await self._parts.core.receive(message, SignReply(self._parts, channel, message_id))

    async def unreacted(self, kept: Kept) -> None:
        """Take back what this person's reaction saved; what others saved stays."""
        channel, message_id = kept.around.place.channel, kept.message_id
        room = kept.around.place.room
        await self._parts.core.deleted(room, _source(message_id, SAVE_REACTION, str(kept.person["id"])))
        await unreact(self._parts.calls, channel, message_id, SAVE_REACTION)

    async def deleted(self, kept: Kept) -> None:
        """Forget what a deleted message alone shared."""
        await self._parts.core.deleted(kept.around.place.room, kept.message_id)

    async def with_files(self, message: Message, record: Json) -> Message:
        """Return the message with local copies of its files; of a watched one with its documents alone."""
        if not message.attachments:
            return message
        files = await fetched(self._parts.downloads, record, documents=not message.addressed)
        return replace(message, attachments=files)

    async def pointed_at(
        self,
        record: Json,
        around: Around,
        user: Json,
        *,
        surface: Surface,
        mark: str,
        memberships: tuple[Scope, ...] = (),
    ) -> Message:
        """Return somebody's message as saved by another: who acts is the author, who wrote it the origin."""
        message = message_from(record, around, surface=surface, memberships=memberships)
        saver = person_of(user)
        saved = replace(
            message,
            message_id=_source(message.message_id, mark, saver.person_id),
            author=saver,
            origin=message.origin or _origin(message, around, saver.person_id),
            addressed=True,
            private_reply=True,
            mentioned=(),
            mentioned_rooms=(),
        )
        return await self.with_files(saved, record)


class SignReply:
    """A `bot.ports.Reply` that says nothing in words: a sign on the message is the whole receipt."""

    stopped = False

    def __init__(self, parts: Parts, channel: str, message: str) -> None:
        self._parts = parts
        self._channel = channel
        self._message = message

    async def status(self, text: str) -> None:
        """Nothing: a sign is put when it is done."""

    async def show(self, text_so_far: str) -> None:
        """Nothing: the same."""

    async def mark(self, sign: Sign) -> None:
        """Nothing: `say` and `fail` put the sign."""

    async def finish(self, _answer: Answer) -> None:
        await self._put(SAVE_REACTION)

    async def say(self, _notice: Notice) -> None:
        await self._put(SAVE_REACTION)

    async def fail(self, _reason: str) -> None:
        await self._put("⚠️")

    async def _put(self, emoji: str) -> None:
        try:
            await react(self._parts.calls, self._channel, self._message, emoji)
        except Trouble:
            return


def _source(message_id: str, mark: str, user: str) -> str:
    """Return the id of a save by somebody else than the writer: its own act of sharing, undone alone."""
    return f"{message_id}:{mark}:{user}"


def _origin(message: Message, around: Around, saver: str) -> Origin | None:
    if message.author.person_id == saver:
        return None
    url = permalink(around.place, message.message_id)
    return Origin(kind="person", name=message.author.name, url=url, written_at=message.sent_at)
