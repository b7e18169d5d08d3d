"""The table of commands that `palace` knows, and how one of them is run."""

import typer
from typer.exceptions import TyperException

from bot.commandline import asking, exchange, health, keeping, saving, talking
from bot.commandline.output import tell
from bot.commandline.session import WRONG_USAGE

EXAMPLES = """Save a page, a file, a thought; ask about them; get an answer with its sources.

\b
palace save https://example.org/article --tag caching
palace ask "What did we save about caching?"
palace run

Every command has --help with examples, and --json for programs where it prints results. Settings are in the
environment or in .env (see .env.example). Exit status: 0 done, 1 something could not be done, 2 wrong usage.
"""

app = typer.Typer(
    name="palace",
    help=EXAMPLES,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command, name in (
    (talking.run, "run"),
    (talking.chat, "chat"),
    (saving.save, "save"),
    (asking.ask, "ask"),
    (asking.search, "search"),
    (keeping.list_memories, "list"),
    (keeping.show_memory, "show"),
    (keeping.edit, "edit"),
    (saving.retry, "retry"),
    (keeping.forget, "forget"),
    (keeping.tags, "tags"),
    (keeping.pockets, "pockets"),
    (exchange.export, "export"),
    (exchange.import_files, "import"),
    (health.doctor, "doctor"),
    (health.stats, "stats"),
):
    app.command(name)(command)

slack = typer.Typer(help="Set up the Slack app.", no_args_is_help=True, rich_markup_mode=None)
slack.command("manifest")(talking.manifest)
app.add_typer(slack, name="slack")


@slack.callback()
def slack_group() -> None:
    """Set up the Slack app."""


def dispatch() -> int:
    """Run the command that was typed; wrong usage is said in a sentence."""
    try:
        status = app(standalone_mode=False)
    except TyperException as error:
        said = error.format_message()
        whole_help = said.startswith("Usage:")
        tell(said if whole_help else f"{said.rstrip('.')}. `palace --help` shows what there is.".replace("?.", "?"))
        return WRONG_USAGE
    return status if isinstance(status, int) else 0
