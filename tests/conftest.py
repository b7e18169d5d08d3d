"""Fixtures that every test may use."""

import logging
from collections.abc import Iterator

import pytest
import structlog

from adapters.models.embedding import SentenceTransformerEmbedder


@pytest.fixture(scope="session")
def embedder() -> SentenceTransformerEmbedder:
    """The real packaged model, loaded once by whoever first needs it."""
    return SentenceTransformerEmbedder()


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Take back what a test of the command line set for the whole process: its stream is closed afterwards."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)
