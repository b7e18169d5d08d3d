"""An embedder without a model: texts that share words get near vectors, at once."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import BertPreTokenizer

from bot.ports import Vectors


class HashEmbedder:
    """Each word is a fixed random direction; a text is the normalised sum of its words."""

    model_name = "hash"
    ready = True
    max_tokens = 256

    def __init__(self, dimensions: int = 64) -> None:
        self.dimensions = dimensions
        self.embedded: list[str] = []
        self.tokenizer = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
        self.tokenizer.pre_tokenizer = BertPreTokenizer()

    async def load(self) -> None:
        """Nothing to load."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded.extend(texts)
        return np.stack([self.vector(text) for text in texts]) if texts else np.zeros((0, self.dimensions), np.float32)

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.vector(text) for text in texts]) if texts else np.zeros((0, self.dimensions), np.float32)

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        return tuple(
            np.stack([self.vector(text[start:end]) for start, end in self.tokenizer.encode(text).offsets])
            if text.strip()
            else np.zeros((0, self.dimensions), np.float32)
            for text in texts
        )

    def vector(self, text: str) -> Vectors:
        total = np.full(self.dimensions, 1e-6, dtype=np.float32)
        for word in re.findall(r"\w+", text.lower()):
            seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
            total += np.random.default_rng(seed).standard_normal(self.dimensions).astype(np.float32)
        return np.asarray(total / np.linalg.norm(total), dtype=np.float32)
