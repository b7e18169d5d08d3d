"""Keep the platforms listening: one that fails is told of and started again, and the others go on."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog

from bot.domain.errors import BadInput
from bot.ports import Adapter, Core

FIRST_PAUSE_S: Final = 5.0
LONGEST_PAUSE_S: Final = 300.0
WELL_AFTER_S: Final = 600.0
"""Who has listened for so long was well: what ends it then is its first failure."""

Sleep = Callable[[float], Awaitable[None]]

log = structlog.get_logger(__name__)


async def listen(adapters: Sequence[Adapter], core: Core, *, sleep: Sleep = asyncio.sleep) -> None:
    """Listen on every platform until cancelled. Raises BadInput where the only one cannot work with its settings."""
    async with asyncio.TaskGroup() as group:
        for adapter in adapters:
            keeping = keep_listening(adapter, core, alone=len(adapters) == 1, sleep=sleep)
            group.create_task(keeping, name=adapter.name)


async def keep_listening(adapter: Adapter, core: Core, *, alone: bool, sleep: Sleep) -> None:
    """Run an adapter again whenever it fails, after longer and longer pauses.

    What only a person can mend, a refused token say, ends the program where nothing else is on: its sentence is then
    the last thing said, and not one line among many.
    """
    pause, clock = FIRST_PAUSE_S, asyncio.get_running_loop().time
    while True:
        began = clock()
        try:
            return await adapter.run(core)
        except Exception as error:  # whatever ends one platform must not end the others
            if alone and isinstance(error, BadInput):
                raise
            pause = FIRST_PAUSE_S if clock() - began > WELL_AFTER_S else pause
            tell(adapter.name, error, pause)
        await sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)


def tell(name: str, error: Exception, pause: float) -> None:
    """Log what ended a platform: in its own sentence where it has one."""
    told = {"platform": name, "why": str(error) or type(error).__name__, "again_in_s": pause}
    if isinstance(error, BadInput):
        log.error("platform off", **told)
    else:
        log.error("platform failed", **told, exc_info=error)
