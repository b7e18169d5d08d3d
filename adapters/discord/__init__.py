"""Discord: rooms, threads and direct chats of a guild."""
