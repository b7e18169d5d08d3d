"""The bot: what it knows, decides and says. It does no input or output of its own."""
