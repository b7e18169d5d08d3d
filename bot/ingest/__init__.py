"""From something shared to a memory."""
