"""Say what kind of place a channel of discord.py is: open to everyone, closed, a thread of either, a direct chat."""

import discord

from adapters.discord.inbound import Place

THREADED = (discord.ChannelType.public_thread, discord.ChannelType.news_thread)


def place_of(guild: discord.Guild | None, channel_id: int, *, bot_id: int = 0, direct: bool = False) -> Place:
    """Return the place of a channel id. One of which nobody tells what it is counts as private: narrow is safe."""
    if guild is None:
        return Place(channel=str(channel_id), home=str(channel_id), kind="direct" if direct else "private")
    found = guild.get_channel_or_thread(channel_id)
    if isinstance(found, discord.Thread):
        return _thread(guild, found, bot_id)
    open_to_all = found is not None and is_public(found)
    return Place(
        guild=str(guild.id),
        channel=str(channel_id),
        home=str(channel_id),
        kind="public" if open_to_all else "private",
        name=found.name if found else "",
    )


def is_public(channel: discord.abc.GuildChannel) -> bool:
    """Whether everybody in the guild may read a channel; one that hides its past from them is not open."""
    everyone: discord.Role | None = channel.guild.default_role
    if everyone is None:
        return False
    hidden = channel.overwrites_for(everyone).read_message_history is False
    return channel.permissions_for(everyone).view_channel and not hidden


def _thread(guild: discord.Guild, thread: discord.Thread, bot_id: int) -> Place:
    """Return a thread as part of its parent's room; one for invited people only is a room of its own."""
    parent = thread.parent
    if parent is None or thread.type not in THREADED:
        return Place(
            guild=str(guild.id),
            channel=str(thread.id),
            home=str(thread.id),
            kind="private",
            name=thread.name,
            own_thread=thread.owner_id == bot_id,
        )
    is_post = isinstance(parent, discord.ForumChannel)
    return Place(
        guild=str(guild.id),
        channel=str(thread.id),
        home=str(parent.id),
        kind="public" if is_public(parent) else "private",
        thread=str(thread.id),
        name=thread.name if is_post else parent.name,
        title=thread.name if is_post else "",
        own_thread=thread.owner_id == bot_id,
    )
