"""Small facts that the storage keeps of itself: the embedding model, when it was last maintained."""

from storage.sqlite.database import Connection


def get(connection: Connection, name: str) -> str | None:
    """Return a fact, or None."""
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None


def put(connection: Connection, name: str, value: str) -> None:
    """Write a fact."""
    connection.execute(
        "INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (name, value)
    )


def remove(connection: Connection, name: str) -> None:
    """Remove a fact."""
    connection.execute("DELETE FROM facts WHERE name = ?", (name,))
