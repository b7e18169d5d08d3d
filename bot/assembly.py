"""Put the conversation core together from the storage, the pipeline and the models."""

from collections.abc import Callable

from bot.command_runner import CommandRunner
from bot.conversation import Bot
from bot.finding import Finder
from bot.forgetting import Forgetting
from bot.keeper import RECEIPT_WAIT_S, Keeper
from bot.list_command import ListCommand
from bot.memory_commands import MemoryCommands
from bot.pocket_command import PocketCommand
from bot.ports import Clock, Embedder, Storage
from bot.rag.pipeline import Answering
from bot.rag.retrieve import Retriever
from bot.responder import Responder


def assemble(
    storage: Storage,
    answering: Answering,
    *,
    embedder: Embedder,
    clock: Clock,
    nudge: Callable[[], None],
    timezone: str,
    receipt_wait_s: float = RECEIPT_WAIT_S,
) -> Bot:
    """Return the bot. `nudge` wakes the reading worker; a receipt waits for a page for `receipt_wait_s`."""
    memories, rooms, transcript = storage.memories, storage.rooms, storage.transcript
    keeper = Keeper(
        memories=memories, rooms=rooms, clock=clock, nudge=nudge, timezone=timezone, receipt_wait_s=receipt_wait_s
    )
    responder = Responder(
        storage=storage, answering=answering, embedder=embedder, keeper=keeper, clock=clock, timezone=timezone
    )
    forgetting = Forgetting(memories=memories, rooms=rooms, transcript=transcript, clock=clock, timezone=timezone)
    retriever = Retriever(storage.search, embedder, storage.feedback)
    runner = CommandRunner(
        memories=memories,
        rooms=rooms,
        memory_commands=MemoryCommands(
            memories=memories, rooms=rooms, retriever=retriever, keeper=keeper, timezone=timezone
        ),
        list_command=ListCommand(memories=memories, rooms=rooms, transcript=transcript, clock=clock, timezone=timezone),
        pocket_command=PocketCommand(memories=memories, rooms=rooms),
        keeper=keeper,
        forgetting=forgetting,
        responder=responder,
    )
    finder = Finder(memories=memories, search=storage.search, embedder=embedder)
    return Bot(
        keeper=keeper,
        forgetting=forgetting,
        responder=responder,
        runner=runner,
        memories=memories,
        rooms=rooms,
        finder=finder,
    )
