"""Choose how to search for an intent: how many passages, meaning against words, how many other wordings."""

from collections.abc import Mapping

from bot.domain.answers import Intent, RetrievalParameters

NO_OVERRIDES: Mapping[str, tuple[int, float, float, int]] = {}

TABLE: Mapping[Intent, tuple[int, float, float, int]] = {
    "no_retrieval": (0, 0.0, 0.0, 0),
    "simple_lookup": (5, 0.7, 0.3, 2),
    "comparison": (20, 0.5, 0.5, 5),
    "summarization": (20, 0.8, 0.2, 2),
    "analytical": (15, 0.6, 0.4, 4),
    "follow_up": (8, 0.7, 0.3, 2),
    "count_or_list": (0, 0.0, 0.0, 0),
}
"""Intent: passages, weight of meaning, weight of words, extra wordings. A list is counted by SQL, not searched."""


def parameters_for(
    intent: Intent, overrides: Mapping[str, tuple[int, float, float, int]] = NO_OVERRIDES
) -> RetrievalParameters:
    """Return the table's row for this intent, or the one that the settings put in its place."""
    passages, by_meaning, by_words, wordings = overrides.get(intent, TABLE[intent])
    return RetrievalParameters(passages=passages, by_meaning=by_meaning, by_words=by_words, wordings=wordings)
