"""What people set for a room or for themselves."""

from storage.sqlite.database import Connection, Database


class SqliteRoomSettings:
    """Settings by room's or person's key in one SQLite file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, key: str, name: str) -> str | None:
        return await self._database.read(lambda db: _get(db, key, name))

    async def set(self, key: str, name: str, value: str | None) -> None:
        await self._database.write(lambda db: _set(db, key, name, value))


def _get(connection: Connection, key: str, name: str) -> str | None:
    row = connection.execute("SELECT value FROM room_settings WHERE key = ? AND name = ?", (key, name)).fetchone()
    return row[0] if row else None


def _set(connection: Connection, key: str, name: str, value: str | None) -> None:
    connection.execute("DELETE FROM room_settings WHERE key = ? AND name = ?", (key, name))
    if value is not None:
        connection.execute("INSERT INTO room_settings VALUES (?, ?, ?)", (key, name, value))
