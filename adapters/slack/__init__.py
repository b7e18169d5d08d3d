"""Slack: mentions, threads, the slash command, shortcuts, reactions and streamed answers."""
