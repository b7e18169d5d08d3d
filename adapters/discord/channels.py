"""Know where a reply goes, at which pace its channel takes words and signs, and which messages there are our own."""

from collections import OrderedDict
from dataclasses import dataclass

from adapters.pacing import Budget, Call, Pace, Timing

EVERY_S = 1.2
"""Posts and edits in one channel share a bucket, widely seen as 5 in 5 s."""
NO_SIGNS_S = 600.0
SIGN_EVERY_S = 0.3
"""Reactions have a bucket of one in 0.25 s a channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """Where a reply goes, and the message and person it is for."""

    channel: str
    """Empty for a direct message to the person, whose channel is not known yet."""
    question: str = ""
    """The message replied to."""
    person: str = ""
    fallbacks: tuple[str, ...] = ()
    """Channels whose readers may read the answer too: a public thread's parent."""
    thread_name: str = ""
    """Set where the answer gets a thread of its own."""


class Own:
    """The bot's own messages as the gateway tells of them: by nonce, so that a lost reply finds its message."""

    def __init__(self, most: int = 2000) -> None:
        self.bot_id = ""
        """Our own user id, once known."""
        self._seen: OrderedDict[str, str] = OrderedDict()
        self._most = most

    def add(self, nonce: str, reference: str) -> None:
        """Note a message of ours."""
        self._seen[nonce] = reference
        if len(self._seen) > self._most:
            self._seen.popitem(last=False)

    def get(self, nonce: str) -> str | None:
        """Return the message posted with this nonce, if it was seen."""
        return self._seen.get(nonce)


class ChannelBudgets:
    """What all replies in one channel share."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing
        self._texts: dict[str, Budget] = {}
        self._signs: dict[str, Budget] = {}
        self._no_signs: dict[str, float] = {}

    def texts(self, channel: str) -> Budget:
        """Return the budget of posts and edits in a channel; final texts may use every turn."""
        made = Budget(per_minute=50, kept=14, burst=4, gap_s=EVERY_S, timing=self.timing)
        return self._texts.setdefault(channel, made)

    def close_signs(self, channel: str) -> None:
        """Put no more signs in a channel for a while: refusals count towards a ban (10,000 in 10 minutes)."""
        self._no_signs[channel] = self.timing.now() + NO_SIGNS_S

    def takes_signs(self, channel: str) -> bool:
        """Whether signs may be put in a channel, as far as is known."""
        return self._no_signs.get(channel, 0.0) <= self.timing.now()

    def signs(self, channel: str) -> Budget:
        """Return the budget of reactions in a channel."""
        made = Budget(per_minute=150, kept=10, burst=10, gap_s=SIGN_EVERY_S, timing=self.timing)
        return self._signs.setdefault(channel, made)


class ChannelPace(Pace):
    """The pace of one reply; typing is no call that anything has to wait for."""

    def delay(self, call: Call, *, final: bool) -> float:
        return 0.0 if call == "status" else super().delay(call, final=final)

    def count(self, call: Call, *, final: bool) -> None:
        if call != "status":
            super().count(call, final=final)
