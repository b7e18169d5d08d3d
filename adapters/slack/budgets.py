"""Count what Slack counts: calls by method, workspace and app, over all replies there."""

from adapters.pacing import Budget, Timing
from adapters.seats import ANSWERS_AT_ONCE


class TeamBudgets:
    """What all replies in one workspace share: Slack counts by method, workspace and app."""

    def __init__(self, timing: Timing, *, after_crash: bool = False) -> None:
        self.timing = timing
        self.updates = Budget(per_minute=50, kept=12, timing=timing)
        self.appends = Budget(per_minute=95, kept=15, burst=10, timing=timing)
        # Starting and stopping are Tier 2 each: those open at once may all stop in the minute of the next ones.
        self.streams = Budget(per_minute=20 - ANSWERS_AT_ONCE, kept=2, burst=8, timing=timing)
        self.signs = Budget(per_minute=48, kept=8, burst=20, timing=timing)
        self.signs_away = Budget(per_minute=18, kept=2, burst=8, timing=timing)
        if after_crash:
            for budget in (self.updates, self.streams, self.signs, self.signs_away):
                budget.fill()
        self.status_works = True
        self.streams_work = True
        self._posts: dict[str, Budget] = {}

    def posts(self, channel: str) -> Budget:
        """Return the budget of one channel: one message a second."""
        return self._posts.setdefault(channel, Budget(per_minute=58, kept=8, burst=4, gap_s=1.0, timing=self.timing))
