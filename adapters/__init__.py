"""The front door to everything outside: models, the web, the platforms that are switched on."""

import importlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from adapters.console.adapter import ConsoleAdapter
from adapters.imports.reading import open_export
from adapters.models.embedding import open_embedder
from bot.domain.rooms import Person, Room
from bot.ports import Clock, Embedder, Inbox, LanguageModel, PageReader, Platform, RoomSettings
from bot.settings import Settings

__all__ = [
    "ConsoleAdapter",
    "Outside",
    "SystemClock",
    "make_console",
    "open_adapters",
    "open_export",
    "open_model",
    "platforms",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What the bot needs from outside, open for as long as it runs."""

    reader: PageReader
    embedder: Embedder
    model: LanguageModel | None
    clock: Clock


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@asynccontextmanager
async def open_adapters(settings: Settings) -> AsyncIterator[Outside]:
    """Open the page reader and the models; nothing is fetched or loaded before it is first needed."""
    from adapters.web.reader import open_reader  # noqa: PLC0415 - slow import: aiohttp

    async with AsyncExitStack() as stack:
        reader = await stack.enter_async_context(open_reader(trusted_hosts=settings.palace_trusted_hosts))
        yield Outside(
            reader=reader,
            embedder=await stack.enter_async_context(open_embedder(settings.palace_embedding_model)),
            model=await stack.enter_async_context(open_model(settings)),
            clock=SystemClock(),
        )


@asynccontextmanager
async def open_model(settings: Settings) -> AsyncIterator[LanguageModel | None]:
    """Open the language model when there is a key; without one every step goes its local way."""
    if not settings.anthropic_api_key.get_secret_value():
        yield None
        return
    from adapters.models.language import open_anthropic  # noqa: PLC0415 - slow import, only with a key

    async with open_anthropic(
        api_key=settings.anthropic_api_key.get_secret_value(),
        base_url=settings.anthropic_base_url,
        planning_model=settings.palace_planning_model,
        answering_model=settings.palace_answering_model,
        window_tokens=settings.palace_window_tokens,
    ) as model:
        yield model


def platforms(settings: Settings, *, inbox: Inbox, rooms: RoomSettings, clock: Clock) -> tuple[Platform, ...]:
    """Make an adapter for every platform whose token is set (Slack: or whose app can be installed)."""
    tokens = {
        "slack": settings.slack_bot_token.get_secret_value() or settings.slack_client_id,
        "discord": settings.discord_bot_token.get_secret_value(),
        "telegram": settings.telegram_bot_token.get_secret_value(),
    }
    switched_on = [name for name, token in tokens.items() if token]
    return tuple(
        importlib.import_module(f"adapters.{name}.adapter").open_adapter(
            settings, inbox=inbox, rooms=rooms, clock=clock
        )
        for name in switched_on
    )


def make_console(
    settings: Settings,
    *,
    room: Room,
    person: Person,
    clock: Clock,
    waiting: Callable[[], Awaitable[int]],
    plain: bool,
) -> ConsoleAdapter:
    """Make the terminal a room. `waiting`: how many memories are not read yet; `plain`: as with piped input."""
    return ConsoleAdapter(
        room=room, person=person, clock=clock, waiting=waiting, plain=plain, home=settings.palace_home
    )
