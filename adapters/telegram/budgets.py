"""Share what Telegram lets the bot send: in a chat, and in all."""

from adapters.pacing import Budget, Timing


class ChatBudget(Budget):
    """One chat's messages and edits together, inside what the bot may send in all."""

    def __init__(self, overall: Budget, *, per_minute: int, kept: int, gap_s: float, timing: Timing) -> None:
        super().__init__(per_minute=per_minute, kept=kept, burst=3, gap_s=gap_s, timing=timing)
        self._overall = overall

    def delay(self, *, final: bool) -> float:
        return max(super().delay(final=final), self._overall.delay(final=True))

    def count(self, *, final: bool) -> None:
        super().count(final=final)
        self._overall.count(final=True)


class Budgets:
    """What all replies of the bot share."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing
        self.drafts_work = True
        self._overall = Budget(per_minute=1440, kept=100, burst=24, gap_s=1 / 24, timing=timing)
        """Telegram takes about 30 a second; calls that leave evenly may arrive together."""
        self._chats: dict[int, ChatBudget] = {}

    def chat(self, chat_id: int) -> ChatBudget:
        """Return the budget of one chat: group ids are negative."""
        if chat_id not in self._chats:
            per_minute, kept = (18, 5) if chat_id < 0 else (58, 18)
            self._chats[chat_id] = ChatBudget(
                self._overall, per_minute=per_minute, kept=kept, gap_s=1.0, timing=self.timing
            )
        return self._chats[chat_id]
