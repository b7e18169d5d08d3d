"""`palace run` and `palace chat`: listen on the platforms that are on, or talk in this terminal."""

import asyncio
import signal
from contextlib import suppress
from typing import Annotated

import typer

from bot.app import Palace, open_console, serve, slack_manifest
from bot.commandline.output import show, tell
from bot.commandline.session import COULD_NOT, DONE, in_palace
from bot.listening import listen

NONE_ON = (
    "No platform is on (set SLACK_BOT_TOKEN, DISCORD_BOT_TOKEN or TELEGRAM_BOT_TOKEN), "
    "so this is the chat in your terminal."
)


def run() -> None:
    """Start the platforms that are on, else the chat here.

    A platform is on when its token is set.

    \b
    SLACK_BOT_TOKEN=… SLACK_APP_TOKEN=… palace run
    """
    in_palace(run_platforms)


def chat(
    *,
    plain: Annotated[bool, typer.Option("--plain", help="No colours and no redrawing, as with piped input.")] = False,
) -> None:
    """Talk in this terminal.

    Drop links, files and thoughts, and ask about them. Piped input is one message a line.

    \b
    palace chat
    printf '%s\\n' https://example.org/article 'What does it say about caching?' | palace chat
    """
    in_palace(lambda palace: talk(palace, plain=plain))


def manifest() -> None:
    """Print the manifest from which a Slack app for this bot is made.

    \b
    palace slack manifest > manifest.json
    """
    show(slack_manifest().rstrip())


async def run_platforms(palace: Palace) -> int:
    """Listen until stopped."""
    if not palace.adapters:
        tell(NONE_ON)
        return await talk(palace, plain=False)
    names = ", ".join(adapter.name for adapter in palace.adapters)
    serving = asyncio.ensure_future(serve(palace, listen(palace.adapters, palace.bot)))
    # What a container's stop sends: answers under way get their grace, as with Ctrl-C.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, serving.cancel)
    tell(f"Listening on {names}. Ctrl-C stops.")
    with suppress(asyncio.CancelledError):
        await serving
    return DONE


async def talk(palace: Palace, *, plain: bool) -> int:
    """Talk until the person leaves or the input ends; 1 if something piped in could not be done."""
    console = open_console(palace, plain=plain)
    await serve(palace, console.run(palace.bot))
    return COULD_NOT if console.failures else DONE
