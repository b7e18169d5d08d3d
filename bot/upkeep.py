"""Keep the house beside all other work: vectors of the model in use, an inbox that does not grow, space given back."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import structlog

from bot.domain.errors import StorageTrouble
from bot.ports import Clock, Embedder, Storage

MAINTAIN_EVERY_S = 3600.0
INBOX_KEPT = timedelta(days=14)
"""Far beyond the longest redelivery of any platform."""
REEMBED_BATCH = 64

log = structlog.get_logger(__name__)


async def record_model(storage: Storage, embedder: Embedder) -> None:
    """Load the embedding model and record it; vectors of another one are dropped. Raises BadInput, StorageTrouble."""
    await embedder.load()
    await storage.prepare_embeddings(model_name=embedder.model_name, dimensions=embedder.dimensions)


async def embed_again(storage: Storage, embedder: Embedder, progress: Callable[[int], None] | None = None) -> None:
    """Make the vectors that are missing; `progress` is told how many are made."""
    done = 0
    while stale := await storage.stale_chunks(limit=REEMBED_BATCH):
        vectors = await embedder.embed([text for _, text in stale])
        await storage.write_vectors([chunk_id for chunk_id, _ in stale], vectors)
        done += len(stale)
        if progress:
            progress(done)
    if done:
        log.info("embedded_again", chunks=done, model=embedder.model_name)


async def keep_house(storage: Storage, clock: Clock) -> None:
    """Drop what the inbox no longer needs, and give space back when much was deleted, now and then."""
    while True:
        await asyncio.sleep(MAINTAIN_EVERY_S)
        try:
            await storage.inbox.prune(before=clock.now() - INBOX_KEPT)
            if await storage.maintenance_due():
                log.info("maintained", **await storage.maintain())
        except StorageTrouble as error:
            log.warning("not maintained, tried again later", why=str(error))
