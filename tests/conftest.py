"""Fixtures that every test may use."""

import logging
from collections.abc import Iterator

import pytest
import structlog

from adapters.models.embedding import SentenceTransformerEmbedder
from tests.evals.vectors import CachedEmbedder


@pytest.fixture(scope="session")
def model() -> SentenceTransformerEmbedder:
    """The real packaged model, loaded once by whoever first needs it."""
    return SentenceTransformerEmbedder()


@pytest.fixture(scope="session")
def embedder(model: SentenceTransformerEmbedder) -> CachedEmbedder:
    """The same, for everything that stands on it: what one test had embedded, the next one need not."""
    return CachedEmbedder(model, None)


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Take back what a test of the command line set for the whole process: its stream is closed afterwards."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)
