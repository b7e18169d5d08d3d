"""Find chunks by BM25 for any text, or by counting distinct terms where BM25 tells too little."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bot.domain.memories import Filters
from bot.domain.rooms import Scope
from bot.ports import Hit
from storage.sqlite import words
from storage.sqlite.database import TOKENIZER_PURPOSE, Connection
from storage.sqlite.filtering import in_scopes, rows_matching

COMMON = 2
"""Words that are searched together where even the rarest stands in more chunks than can be ranked in time."""
REMEMBERED = 1_000
"""Counting takes 30 ns a chunk: from so many on, a number is worth remembering."""
GROWTH = 1.1
MOST_BEGINNINGS = 6
HEAD_WEIGHT = 1.5
"""A word in title, note or tags counts for one and a half of the text's (SciFact: .673 against .670 alike)."""
BODY_WEIGHT = 1.0
WEAK = 1e-3
"""BM25 of words that stand in half of all chunks or more: FTS5 gives them next to nothing, in a small palace all."""
COUNTED = 200
"""Chunks whose distinct terms are counted, where that decides."""
SHORTEST_BEGINNING = 4
"""Words of at least so many letters may also be the beginning of a longer one, when nothing else is found."""


def matching(search: "WordSearch", text: str, *, limit: int) -> tuple[Hit, ...]:
    """Return chunks with words of `text`, best first; a memory without chunks is found as chunk `-row`."""
    terms = words.terms(text)
    return _merged(_found(search, terms, limit), search.unread(terms), limit=limit) if terms else ()


def _found(search: "WordSearch", terms: Sequence[str], limit: int) -> tuple[Hit, ...]:
    frequency = search.frequency(terms)
    chosen = words.chosen(terms, frequency)
    if chosen and frequency[chosen[0]] > words.MOST_ROWS:
        return search.newest(words.all_of(chosen[:COMMON]), limit=limit)
    hits = search.chunks(words.any_of(chosen), limit=limit)
    return hits if hits and hits[0].score >= WEAK else search.counted(terms, limit=limit)


class Frequencies:
    """In how many chunks words occur; what took long to count is remembered until the index has grown by a tenth."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, int]] = {}

    def of(self, connection: Connection, terms: Sequence[str]) -> Mapping[str, int]:
        """Return each term's number; for a phrase an upper bound, its rarest word's."""
        size = int(connection.execute("SELECT coalesce(max(chunk_id), 0) FROM chunks").fetchone()[0])
        tokenize = connection.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
        found: dict[str, int] = {}
        for term in terms:
            tokens = tokenize(
                words.indexed(term).encode(), TOKENIZER_PURPOSE, None, include_offsets=False, include_colocated=False
            )
            found[term] = min((self._one(connection, token, size) for token in tokens), default=0)
        return found

    def _one(self, connection: Connection, token: str, size: int) -> int:
        number, counted_at = self._known.get(token, (0, 0))
        if number and size < counted_at * GROWTH:
            return number
        row = connection.execute("SELECT doc FROM chunk_terms WHERE term = ?", (token,)).fetchone()
        number = int(row[0]) if row else 0
        if number >= REMEMBERED:
            self._known[token] = (number, size)
        return number


class WordSearch:
    """The queries of one search, with its scopes and filters inside."""

    def __init__(
        self, connection: Connection, frequencies: Frequencies, scopes: Sequence[Scope], filters: Filters
    ) -> None:
        self._connection = connection
        self._frequencies = frequencies
        scoped, numbers = in_scopes(connection, scopes, "c.scope_id")
        filtered, values = rows_matching(filters, "c.memory_row")
        self._where = f"{scoped} AND {filtered}"
        self._values = [*numbers, *values]

    def frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return in how many chunks of the whole index each term occurs."""
        return self._frequencies.of(self._connection, terms)

    def chunks(self, expression: str, *, limit: int) -> tuple[Hit, ...]:
        """Return the best chunks by BM25."""
        if not expression:
            return ()
        rows = self._connection.execute(
            "SELECT c.chunk_id, m.memory_id, -w.rank FROM chunk_words w "
            "CROSS JOIN chunks c ON c.chunk_id = w.rowid JOIN memories m ON m.memory_row = c.memory_row "
            f"WHERE chunk_words MATCH ? AND rank MATCH 'bm25({HEAD_WEIGHT}, {BODY_WEIGHT})' AND {self._where} "
            "ORDER BY w.rank LIMIT ?",
            (expression, *self._values, limit),
        )
        return tuple(Hit(chunk_id=chunk_id, memory_id=memory_id, score=score) for chunk_id, memory_id, score in rows)

    def counted(self, terms: Sequence[str], *, limit: int) -> tuple[Hit, ...]:
        """Return the chunks with the most distinct words of these terms, whole words or, failing that, beginnings."""
        singles = words.parts(terms)
        whole = words.chosen(singles, self.frequency(singles))
        beginnings = [word for word in singles if len(word) >= SHORTEST_BEGINNING][:MOST_BEGINNINGS]
        return self._counted([words.quoted(word) for word in whole], limit=limit) or self._counted(
            [words.quoted(word) + "*" for word in beginnings], limit=limit
        )

    def newest(self, expression: str, *, limit: int) -> tuple[Hit, ...]:
        """Return the newest chunks that match, without ranking: for words too common to rank by."""
        rows = self._connection.execute(
            "SELECT c.chunk_id, m.memory_id FROM chunk_words w "
            "CROSS JOIN chunks c ON c.chunk_id = w.rowid JOIN memories m ON m.memory_row = c.memory_row "
            f"WHERE chunk_words MATCH ? AND {self._where} ORDER BY w.rowid DESC LIMIT ?",
            (expression, *self._values, limit),
        )
        return tuple(Hit(chunk_id=chunk_id, memory_id=memory_id, score=0.0) for chunk_id, memory_id in rows)

    def unread(self, terms: Sequence[str]) -> tuple[tuple[Hit, int], ...]:
        """Return memories that have no chunks yet and the number of distinct terms that each holds."""
        counts: Counter[tuple[int, str]] = Counter()
        for term in terms:
            rows = self._connection.execute(
                "SELECT c.memory_row, c.memory_id FROM memory_words w JOIN memories c ON c.memory_row = w.rowid "
                f"WHERE memory_words MATCH ? AND {self._where} LIMIT ?",
                (words.quoted(term), *self._values, COUNTED),
            )
            counts.update(rows)
        return tuple(
            (Hit(chunk_id=-memory_row, memory_id=memory_id, score=float(number)), number)
            for (memory_row, memory_id), number in counts.most_common()
        )

    def _counted(self, expressions: Sequence[str], *, limit: int) -> tuple[Hit, ...]:
        counts: Counter[Hit] = Counter()
        for expression in expressions:
            for hit in self.chunks(expression, limit=max(limit, COUNTED)):
                counts[Hit(chunk_id=hit.chunk_id, memory_id=hit.memory_id, score=0.0)] += 1
        return tuple(
            Hit(chunk_id=hit.chunk_id, memory_id=hit.memory_id, score=number / len(expressions))
            for hit, number in counts.most_common(limit)
        )


def _merged(hits: Sequence[Hit], unread: Sequence[tuple[Hit, int]], *, limit: int) -> tuple[Hit, ...]:
    """Put memories not yet read beside the chunks: one that holds every term stands beside the best chunk."""
    if not unread:
        return tuple(hits)
    best = hits[0].score if hits else 1.0
    most = max(number for _, number in unread)
    placed = [Hit(chunk_id=hit.chunk_id, memory_id=hit.memory_id, score=best * number / most) for hit, number in unread]
    return tuple(sorted((*hits, *placed), key=lambda hit: -hit.score)[:limit])
