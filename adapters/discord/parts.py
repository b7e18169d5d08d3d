"""What every piece of Discord work needs, opened once and handed to all of them."""

from collections.abc import Callable
from dataclasses import dataclass, field

import discord

from adapters.discord.calls import Calls
from adapters.discord.channels import ChannelBudgets, Own
from adapters.discord.memberships import Memberships
from adapters.discord.thinking import Thinking
from adapters.downloads import Downloads
from adapters.parts import CommonParts


@dataclass(slots=True, kw_only=True)
class Parts(CommonParts):
    """The adapter's parts; `sees_content` changes when Discord does not grant it."""

    client: Callable[[], discord.Client]
    calls: Calls
    budgets: ChannelBudgets
    thinking: Thinking
    memberships: Memberships
    downloads: Downloads
    sees_content: bool = True
    """Whether messages in channels come with their words: the Message Content intent."""
    own: Own = field(default_factory=Own)

    @property
    def bot_id(self) -> int:
        """Our own user id; 0 before the first login."""
        user = self.client().user
        return user.id if user else 0
