"""Telegram: a bot to forward things to, in private chats, groups and their topics, and inline."""
