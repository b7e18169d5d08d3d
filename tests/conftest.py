"""Fixtures that every test may use."""

import pytest

from adapters.models.embedding import SentenceTransformerEmbedder


@pytest.fixture(scope="session")
def embedder() -> SentenceTransformerEmbedder:
    """The real packaged model, loaded once by whoever first needs it."""
    return SentenceTransformerEmbedder()
