"""Keep vectors between two runs of an evaluation: only where PALACE_EVAL_CACHE names a folder."""

import hashlib
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from adapters.models.embedding import SentenceTransformerEmbedder
from bot.ports import Vectors


def eval_embedder() -> "CachedEmbedder":
    """The product's own embedder, with a memory on disk where the environment names one."""
    folder = os.environ.get("PALACE_EVAL_CACHE", "")
    return CachedEmbedder(SentenceTransformerEmbedder(threads=os.cpu_count()), Path(folder) if folder else None)


class CachedEmbedder:
    """An embedder that looks a text up before it asks the model. Without a folder it remembers only this run's."""

    def __init__(self, embedder: SentenceTransformerEmbedder, folder: Path | None) -> None:
        self._embedder = embedder
        self._known: dict[bytes, Vectors] = {}
        self._file: sqlite3.Connection | None = None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(folder / "vectors.db", timeout=60)
            self._file.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)")

    model_name = property(lambda self: self._embedder.model_name)
    dimensions = property(lambda self: self._embedder.dimensions)
    max_tokens = property(lambda self: self._embedder.max_tokens)
    ready = property(lambda self: self._embedder.ready)

    @property
    def tokenizer(self) -> Tokenizer:
        return self._embedder.tokenizer

    async def load(self) -> None:
        await self._embedder.load()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        await self.load()
        keys = [hashlib.blake2b(f"{self.model_name}\0{text}".encode(), digest_size=16).digest() for text in texts]
        found = {key: vector for key in dict.fromkeys(keys) if (vector := self._look_up(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            new = dict(zip(missing, await self._embedder.embed(list(missing.values())), strict=True))
            self._keep(new)
            found |= new
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([found[key] for key in keys])

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await self.embed(texts)

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        return await self._embedder.embed_tokens(texts)

    def _look_up(self, key: bytes) -> Vectors | None:
        if key in self._known or self._file is None:
            return self._known.get(key)
        row = self._file.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return np.frombuffer(row[0], dtype=np.float32) if row else None

    def _keep(self, new: dict[bytes, Vectors]) -> None:
        self._known |= new
        if self._file is None:
            return
        with self._file:
            self._file.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                [(key, np.asarray(vector, dtype=np.float32).tobytes()) for key, vector in new.items()],
            )
