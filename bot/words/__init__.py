"""The bot's own sentences, one file a language: receipts, lists, commands, what is going on."""
