"""Ask a conversation's last question as the product does: route, rewrite, expand, and the queries that follow."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from bot.domain.answers import Intent
from bot.domain.memories import Filters
from bot.domain.messages import Turn
from bot.rag.expand import Expander
from bot.rag.params import parameters_for
from bot.rag.plan import asking
from bot.rag.rewrite import Rewriter
from bot.rag.route import Router
from tests.evals.palace import SCOPE, Palace

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def history_of(messages: Sequence[dict[str, Any]]) -> tuple[Turn, ...]:
    """The turns before the question, oldest first."""
    return tuple(
        Turn(speaker="person" if said["role"] == "user" else "bot", text=said["text"], at=NOON) for said in messages
    )


async def plan(palace: Palace, text: str, history: Sequence[Turn]) -> tuple[tuple[str, ...], int, Intent]:
    """The wordings that are searched, how many of them count alike, and the intent; a question is always searched."""
    routed = (await Router(palace.embedder).route(text, history)).intent
    intent: Intent = routed if parameters_for(routed).passages else "simple_lookup"
    rewrite = await Rewriter(palace.embedder).rewrite(text, history)
    more = await Expander(palace.embedder, palace.storage.search).expand(
        rewrite.standalone, count=parameters_for(intent).wordings, scopes=(SCOPE,), filters=Filters()
    )
    same = asking(rewrite.standalone, rewrite.hints)
    return tuple(dict.fromkeys((*same, *more))), len(same), intent
