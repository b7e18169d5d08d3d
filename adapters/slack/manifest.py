"""The app's manifest: what a workspace has to grant and switch on, in one file, printed by `palace slack manifest`."""

import json
from importlib.resources import files
from typing import Any


def manifest_text() -> str:
    """Return the manifest as JSON, ready for "Create an app from a manifest"."""
    return files("adapters.slack").joinpath("manifest.json").read_text(encoding="utf-8")


def wanted_scopes() -> tuple[str, ...]:
    """Return the bot scopes that the manifest asks for."""
    manifest: dict[str, Any] = json.loads(manifest_text())
    return tuple(manifest["oauth_config"]["scopes"]["bot"])


def scope_sentence(scope: str) -> str:
    """Say what is missing without a scope, in one sentence."""
    return f"The Slack app lacks the scope {scope}: without it I cannot {SCOPE_USES.get(scope, 'do all I should')}."


SCOPE_USES = {
    "app_mentions:read": "see when somebody mentions me",
    "assistant:write": "show what I am doing, suggest questions or be stopped in the agent view",
    "channels:history": "see links shared in public channels",
    "channels:read": "tell public channels from private ones or show their names",
    "chat:write": "answer",
    "commands": "hear /palace",
    "files:read": "read files that people share",
    "groups:history": "see links shared in private channels",
    "groups:read": "show the names of private channels or check who is in them",
    "im:history": "read direct messages to me",
    "im:read": "recognise direct chats",
    "im:write": "write to people directly",
    "mpim:history": "see links shared in group chats",
    "mpim:read": "recognise group chats",
    "reactions:read": "save what people mark with a reaction",
    "reactions:write": "show with a reaction that I saved something",
    "users:read": "show people's names or their time zone",
}
