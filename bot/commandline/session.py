"""Open the palace for one command: settings, log, the reading in the background, failures as sentences."""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import structlog
import typer
from pydantic import SecretStr, ValidationError

from bot.app import Palace, open_palace, prepare_embeddings, read_queue
from bot.commandline.output import tell
from bot.domain.errors import BadInput, PalaceError
from bot.settings import Settings

DONE, COULD_NOT, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
HIDDEN = "•••"


class WrongUsage(BadInput):
    """A command was typed in a way that cannot be carried out."""


Job = Callable[[Palace], Awaitable[int]]


def in_palace(job: Job) -> NoReturn:
    """Run a job in the palace of the settings and leave with its exit status."""
    settings = read_settings()
    set_up_log(settings)
    raise typer.Exit(asyncio.run(opened(settings, job)))


async def opened(settings: Settings, job: Job) -> int:
    """Open the palace, run the job, close the palace."""
    async with open_palace(settings) as palace:
        return await job(palace)


def read_settings() -> Settings:
    """Read the settings. BadInput names what is wrong with which."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = "; ".join(
            f"{str(one['loc'][0]).upper()}: {one['msg'].removeprefix('Value error, ')}"
            for one in error.errors()
            if one["loc"]
        )
        raise BadInput(f"A setting is wrong: {wrong or 'see .env.example'}.") from None


def set_up_log(settings: Settings) -> None:
    """Log to standard error at PALACE_LOG_LEVEL, one line an event, secrets blanked."""
    level = logging.getLevelName(settings.palace_log_level.upper())
    if not isinstance(level, int):
        raise BadInput(f"PALACE_LOG_LEVEL is {settings.palace_log_level!r}; use DEBUG, INFO, WARNING or ERROR.")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # the model's own bar would stand in the results
    secrets = secrets_of(settings)
    logging.basicConfig(level=level, stream=sys.stderr, format="%(levelname)s %(name)s %(message)s", force=True)
    for handler in logging.getLogger().handlers:
        handler.addFilter(lambda record: blank_record(record, secrets))
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info if level <= logging.DEBUG else short_failure,
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
            lambda _logger, _method, line: blanked(str(line), secrets),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def short_failure(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Write a failure as its kind and its words; where it happened is told at DEBUG only."""
    given = event.pop("exc_info", None)
    error = given if isinstance(given, BaseException) else sys.exc_info()[1] if given else None
    if error is not None:
        event["failure"] = f"{type(error).__name__}: {error}"
    return event


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """Return every secret that is set."""
    values = (getattr(settings, name) for name in type(settings).model_fields)
    return tuple(value.get_secret_value() for value in values if isinstance(value, SecretStr) and value)


def blanked(text: str, secrets: tuple[str, ...]) -> str:
    """Return a text without secrets."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return text


def blank_record(record: logging.LogRecord, secrets: tuple[str, ...]) -> bool:
    """Blank the secrets of a library's log record, of its traceback too; keep the record."""
    if secrets:
        record.msg, record.args = blanked(record.getMessage(), secrets), ()
        if record.exc_info:
            record.exc_text = blanked(logging.Formatter().formatException(record.exc_info), secrets)
    return True


@asynccontextmanager
async def reading(palace: Palace) -> AsyncIterator["asyncio.Task[None]"]:
    """Load the model and read what is queued beside a job; yields the reader, so that its failure can be noticed."""
    reader = asyncio.create_task(read_queue(palace, embedded_again))
    try:
        yield reader
    finally:
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)


async def with_model(palace: Palace) -> None:
    """Wait until the model is loaded and every vector is of it; a person at a terminal is told why it takes a while."""
    if sys.stderr.isatty() and not palace.embedder.ready:
        tell("Loading the embedding model …")
    await prepare_embeddings(palace, embedded_again)


def embedded_again(done: int) -> None:
    """Say how far the making of missing vectors is, after an import or a change of the embedding model."""
    tell(f"Embedding what has no vectors of this model: {done} chunks done")


def guarded(work: Callable[[], int]) -> int:
    """Run a command and turn whatever fails into one sentence on standard error and an exit status."""
    try:
        return work()
    except BaseExceptionGroup as group:
        return said(first_of(group))
    except (Exception, KeyboardInterrupt, asyncio.CancelledError) as error:  # noqa: BLE001 - the last line of defence
        return said(error)


def said(error: BaseException) -> int:
    """Say a failure in one sentence; details of unexpected ones go to the log."""
    match error:
        case KeyboardInterrupt() | asyncio.CancelledError():
            tell("Stopped. What was kept stays kept; what was not read yet is read next time.")
            return INTERRUPTED
        case BrokenPipeError():
            sys.stdout = open_nowhere()
            return COULD_NOT
        case WrongUsage():
            tell(str(error))
            return WRONG_USAGE
        case PalaceError():
            tell(str(error))
        case OSError():
            name = f" {error.filename}" if error.filename else ""
            tell(f"The system refused:{name} {(error.strerror or str(error)).lower()}.")
        case _:
            structlog.get_logger(__name__).debug("unexpected", exc_info=error)
            tell(f"Something went wrong: {type(error).__name__}: {error} (PALACE_LOG_LEVEL=DEBUG tells more).")
    return COULD_NOT


def first_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first single failure of a group."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def open_nowhere() -> Any:
    """Return a sink for what nobody reads any more, so that closing standard output says nothing."""
    with contextlib.suppress(OSError):
        sys.stdout.close()
    return open("/dev/null", "w", encoding="utf-8")  # noqa: PTH123 - stands in for standard output until the end
