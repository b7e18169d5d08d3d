"""The palace's memory in one SQLite file, with sqlite-vec and FTS5."""
