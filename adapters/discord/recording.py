"""Write a message of discord.py down as Discord's API has it: what the inbox keeps, and what `inbound` reads."""

from typing import Any

import discord

from adapters.discord.inbound import Around, Place
from adapters.discord.rooms import place_of

JsonObject = dict[str, Any]


def record_of(message: discord.Message, *, with_replied: bool = True) -> JsonObject:
    """Return what of a message is needed to work it, also after a restart."""
    reference, resolved = message.reference, message.reference.resolved if message.reference else None
    replied = record_of(resolved, with_replied=False) if isinstance(resolved, discord.Message) else None
    return {
        "id": str(message.id),
        "type": message.type.value,
        "content": message.content,
        "timestamp": message.created_at.isoformat(),
        "edited_timestamp": message.edited_at.isoformat() if message.edited_at else None,
        "author": user_record(message.author),
        "mentions": [user_record(person) for person in message.mentions],
        "attachments": [_attachment(file) for file in message.attachments],
        "embeds": [dict(card.to_dict()) for card in message.embeds],
        "message_reference": dict(reference.to_dict()) if reference else None,
        "message_snapshots": [{"message": _snapshot(one)} for one in message.message_snapshots],
        "referenced_message": replied if with_replied else None,
    }


def around(message: discord.Message, bot_id: int) -> Around:
    """Return what is known around a message that has just come."""
    author = message.author
    return Around(
        place=place_of_message(message, bot_id),
        bot_id=str(bot_id),
        rooms={str(channel.id): place_of(channel.guild, channel.id) for channel in message.channel_mentions},
        administrator=isinstance(author, discord.Member) and runs_room(author.guild_permissions),
    )


def place_of_message(message: discord.Message, bot_id: int) -> Place:
    """Return where a message was written."""
    return place_of(message.guild, message.channel.id, bot_id=bot_id, direct=message.guild is None)


def runs_room(permissions: discord.Permissions) -> bool:
    """Whether somebody runs the guild."""
    return permissions.manage_guild or permissions.administrator


def user_record(user: discord.abc.User) -> JsonObject:
    """Return a person as the API writes one, with the name used in this guild."""
    return {
        "id": str(user.id),
        "username": user.name,
        "global_name": user.global_name,
        "bot": user.bot,
        "member": {"nick": getattr(user, "nick", None)},
    }


def _attachment(file: discord.Attachment) -> JsonObject:
    return {
        "id": str(file.id),
        "filename": file.filename,
        "content_type": file.content_type,
        "size": file.size,
        "url": file.url,
        "description": file.description,
    }


def _snapshot(snapshot: discord.MessageSnapshot) -> JsonObject:
    return {
        "content": snapshot.content,
        "timestamp": snapshot.created_at.isoformat(),
        "attachments": [_attachment(file) for file in snapshot.attachments],
        "embeds": [dict(card.to_dict()) for card in snapshot.embeds],
    }
