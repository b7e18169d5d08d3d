"""Find one's own memories from any chat: `@bot words`."""

import hashlib
import logging

from aiogram.methods import AnswerInlineQuery
from aiogram.types import (
    InlineQuery,
    InlineQueryResultArticle,
    InlineQueryResultUnion,
    InputTextMessageContent,
    LinkPreviewOptions,
)

from adapters.outlet import Trouble
from adapters.telegram.inbound import person_of
from adapters.telegram.parts import Parts
from bot.domain.memories import Memory
from bot.domain.rooms import personal_scope

_LOG = logging.getLogger(__name__)

FRESH_S = 5
"""How long Telegram may keep a person's results: something may have been saved meanwhile."""
MOST_RESULTS = 20
LONGEST_TITLE = 120
LONGEST_TEXT = 1000


class Inline:
    """Answers inline queries."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def find(self, query: InlineQuery) -> None:
        """Offer what this person may read: their own memories and those of groups they are in just now.

        `is_personal`: without it Telegram serves one person's results to everybody who types the same.
        """
        person = person_of(query.from_user)
        memberships = await self._parts.groups.memberships(query.from_user.id)
        found = await self._parts.core.search(query.query, (personal_scope(person), *memberships))
        results: list[InlineQueryResultUnion] = [_result(memory) for memory in found[:MOST_RESULTS]]
        try:
            await self._parts.calls(
                AnswerInlineQuery(inline_query_id=query.id, results=results, cache_time=FRESH_S, is_personal=True)
            )
        except Trouble as error:
            _LOG.info("An inline query could not be answered: %s", error)


def _result(memory: Memory) -> InlineQueryResultArticle:
    title = (memory.title or memory.url or "note")[:LONGEST_TITLE]
    told = memory.url or memory.note or memory.title
    sent = f"{title}\n{memory.url}" if memory.url and memory.url != title else told or title
    return InlineQueryResultArticle(
        id=hashlib.sha256(f"{memory.scope.key}/{memory.memory_id}".encode()).hexdigest()[:32],
        title=title,
        description=(memory.note or memory.description or memory.url)[:LONGEST_TITLE] or None,
        input_message_content=InputTextMessageContent(
            message_text=sent[:LONGEST_TEXT], link_preview_options=LinkPreviewOptions(is_disabled=True)
        ),
    )
