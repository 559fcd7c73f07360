"""The world in Discord's JSON."""

from datetime import UTC, datetime
from functools import reduce
from typing import Final

from tests.servers.discord_api.world import (
    ALL_PERMISSIONS,
    COMPONENTS_V2,
    DIRECT,
    EPHEMERAL,
    MANAGE_GUILD,
    THREADS,
    VOICE,
    Attachment,
    Channel,
    Guild,
    Interaction,
    Json,
    Message,
    ScheduledEvent,
    User,
    World,
)

ENTRY_POINT: Final = 4
JOINED: Final = "2024-01-01T00:00:00+00:00"


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def created_at(id: int) -> float:
    """The time in a snowflake: seconds since the epoch."""
    return ((id >> 22) + 1_420_070_400_000) / 1000


def created(id: int) -> str:
    return moment(created_at(id))


def user_json(user: User) -> Json:
    return {
        "id": str(user.id),
        "username": f"user{user.id}",
        "global_name": user.name,
        "discriminator": "0",
        "avatar": None,
        "bot": user.bot,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def member_json(user: User, guild: Guild | None = None, *, permissions: int | None = None) -> Json:
    managing = guild is not None and user.id in guild.managers
    member: Json = {
        "user": user_json(user),
        "roles": [*([str(guild.managing)] if managing else []), *map(str, guild.worn.get(user.id, ()))]
        if guild
        else [],
        "joined_at": JOINED,
        "premium_since": None,
        "communication_disabled_until": None,
        "nick": None,
        "avatar": None,
        "banner": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }
    return member if permissions is None else member | {"permissions": str(permissions)}


def channel_json(world: World, channel: Channel) -> Json:
    last = max((m.id for m in channel.messages.values() if m.only_for is None), default=None)
    common = {"id": str(channel.id), "type": channel.type, "flags": 0}
    common["last_message_id"] = None if last is None else str(last)
    if channel.type == DIRECT:
        assert channel.recipient is not None
        return common | {"recipients": [user_json(world.users[channel.recipient])]}
    common |= {"guild_id": str(channel.guild), "name": channel.name, "rate_limit_per_user": 0}
    if channel.type in THREADS:
        return common | _thread_parts(world, channel)
    if channel.type == VOICE:
        common |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    return common | {
        "position": 0,
        "permission_overwrites": _denied(channel),
        "parent_id": None,
        "nsfw": False,
        "topic": None,
    }


def _denied(channel: Channel) -> list[Json]:
    """A channel's overwrites: permissions denied to the bot are denied to everybody."""
    denied = ALL_PERMISSIONS & ~channel.permissions
    return [{"id": str(channel.guild), "type": 0, "allow": "0", "deny": str(denied)}] if denied else []


def _thread_parts(world: World, thread: Channel) -> Json:
    return {
        "parent_id": str(thread.parent),
        "owner_id": str(world.bot.id),
        "message_count": len(thread.messages),
        "member_count": 1,
        "total_message_sent": len(thread.messages),
        "thread_metadata": {
            "archived": thread.archived,
            "archive_timestamp": JOINED,
            "auto_archive_duration": 1440,
            "locked": thread.locked,
            "create_timestamp": JOINED,
        },
    }


def guild_json(world: World, guild: Guild) -> Json:
    """The data of GUILD_CREATE."""
    channels = [world.channels[id] for id in sorted(guild.channels)]
    roles = [
        role_json(guild.id, "@everyone"),
        role_json(guild.managing, "managers", ALL_PERMISSIONS | MANAGE_GUILD),
        *roles_json(guild),
    ]
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.id),
        "unavailable": False,
        "member_count": len(guild.members) + 1,
        "members": [member_json(world.bot)],
        "roles": roles,
        "emojis": [],
        "stickers": [],
        "features": [],
        "preferred_locale": guild.locale,
        "joined_at": JOINED,
        "large": False,
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "channels": [channel_json(world, c) for c in channels if c.type not in THREADS],
        "threads": [channel_json(world, c) for c in channels if c.type in THREADS],
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "afk_timeout": 300,
        "system_channel_flags": 0,
    }


def event_json(world: World, guild: Guild, event: ScheduledEvent) -> Json:
    """An event outside voice channels."""
    return {
        "id": str(event.id),
        "guild_id": str(guild.id),
        "name": event.name,
        "description": event.description,
        "channel_id": None,
        "creator_id": str(world.bot.id),
        "image": None,
        "scheduled_start_time": moment(event.start),
        "scheduled_end_time": moment(event.end),
        "status": event.status,
        "entity_type": 3,
        "entity_id": None,
        "entity_metadata": {"location": event.location},
        "privacy_level": 2,
        "recurrence_rule": None,
        "guild_scheduled_event_exceptions": [],
    }


def roles_json(guild: Guild) -> list[Json]:
    """The roles that were made by hand or by the bot."""
    return [
        role_json(id, name) | {"mentionable": id in guild.mentionable} for id, name in guild.roles.items()
    ]


def role_json(id: int, name: str, permissions: int = ALL_PERMISSIONS) -> Json:
    return {
        "id": str(id),
        "name": name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": 0,
        "permissions": str(permissions),
        "managed": False,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def own_guild_json(guild: Guild) -> Json:
    """A guild in the list of the bot's guilds."""
    return {
        "id": str(guild.id),
        "name": guild.name,
        "icon": None,
        "banner": None,
        "owner": False,
        "permissions": str(ALL_PERMISSIONS),
        "features": [],
    }


def attachment_json(attachment: Attachment, base: str) -> Json:
    url = f"{base}/attachments/{attachment.id}/{attachment.filename}"
    described = {} if attachment.description is None else {"description": attachment.description}
    return described | {
        "id": str(attachment.id),
        "filename": attachment.filename,
        "size": len(attachment.content),
        "url": url,
        "proxy_url": url,
        "content_type": "image/png" if attachment.filename.endswith(".png") else "application/octet-stream",
    }


def _listed(message: Message, base: str) -> list[Json]:
    """The attachments that a message lists: those shown by its components are named there alone."""
    if message.flags & COMPONENTS_V2:
        return []
    return [attachment_json(each, base) for each in message.attachments]


def message_json(world: World, message: Message, base: str) -> Json:
    optional: Json = {} if message.nonce is None else {"nonce": message.nonce}
    if message.interaction is not None:
        optional |= {"webhook_id": str(world.application), "application_id": str(world.application)}
    return optional | {
        "id": str(message.id),
        "channel_id": str(message.channel),
        "type": 0,
        "author": user_json(world.users[message.author]),
        "content": message.content,
        "timestamp": created(message.id),
        "edited_timestamp": None if message.edited is None else moment(message.edited),
        "tts": False,
        "mention_everyone": False,
        "mentions": [user_json(world.users[user]) for user in message.mentions],
        "mention_roles": [],
        "attachments": _listed(message, base),
        "embeds": message.embeds,
        "components": _resolved(message.components, message, base),
        "pinned": False,
        "flags": message.flags | (EPHEMERAL if message.only_for is not None else 0),
    }


def _resolved(components: list[Json], message: Message, base: str) -> list[Json]:
    """The components with their own numbers, and with addresses in place of attachments' names."""
    numbers = iter(range(1, 1000))

    def resolve(value: object) -> object:
        if isinstance(value, list):
            return [resolve(item) for item in value]
        if not isinstance(value, dict):
            return value
        if str(value.get("url", "")).startswith("attachment://"):
            return _media(value["url"].removeprefix("attachment://"), message, base)
        done = {key: resolve(item) for key, item in value.items() if item is not None}
        if "media" in done:
            done = {"description": None, "spoiler": False} | done
        return done | {"id": next(numbers)} if isinstance(done.get("type"), int) else done

    resolved = resolve(components)
    assert isinstance(resolved, list)
    return resolved


def _media(filename: str, message: Message, base: str) -> Json:
    attachment = next(a for a in message.attachments if a.filename == filename)
    shape = attachment_json(attachment, base)
    return {
        "id": shape["id"],
        "url": shape["url"],
        "proxy_url": shape["proxy_url"],
        "content_type": shape["content_type"],
        "attachment_id": shape["id"],
    }


def interaction_json(world: World, interaction: Interaction, base: str) -> Json:
    """The data of INTERACTION_CREATE."""
    channel = world.channels[interaction.channel]
    user = world.users[interaction.user]
    guild = None if channel.guild is None else world.guilds[channel.guild]
    shape: Json = {
        "id": str(interaction.id),
        "application_id": str(world.application),
        "type": interaction.type,
        "data": interaction.data,
        "token": interaction.token,
        "version": 1,
        "channel_id": str(channel.id),
        "channel": channel_json(world, channel) | {"permissions": str(ALL_PERMISSIONS)},
        "locale": user.locale,
        "entitlements": [],
        "attachment_size_limit": 10_485_760,
        "app_permissions": str(channel.permissions),
        "authorizing_integration_owners": _owners(interaction, guild),
        "context": 1 if guild is None else 0,
    }
    if guild is None:
        shape["user"] = user_json(user)
    else:
        managing = MANAGE_GUILD if user.id in guild.managers else 0
        shape |= {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": "en-US", "features": []},
            "guild_locale": "en-US",
            "member": member_json(user, guild, permissions=ALL_PERMISSIONS | managing),
        }
    if interaction.message is not None:
        shape["message"] = message_json(world, channel.messages[interaction.message], base)
    for left_out in world.left_out:
        *inside, name = left_out.split(".")
        reduce(dict.__getitem__, inside, shape).pop(name, None)
    return shape


def _owners(interaction: Interaction, guild: Guild | None) -> dict[str, str]:
    if interaction.user_install:
        return {"1": str(interaction.user)}
    return {"0": str(guild.id if guild else 0)}


def command_json(world: World, command: Json) -> Json:
    """A registered command as Discord returns it, with the fields that it adds."""
    version = str(world.snowflake())
    permissions = command.get("default_member_permissions")
    return {
        "type": 1,
        "dm_permission": True,
        "contexts": None,
        "nsfw": False,
        **command,
        "integration_types": command.get("integration_types") or [0, 1],
        "default_member_permissions": None if permissions is None else str(permissions),
        "id": command.get("id", version),
        "application_id": str(world.application),
        "version": version,
    }


def application_json(world: World, public_key: str) -> Json:
    return {
        "id": str(world.application),
        "name": "Okey",
        "icon": None,
        "description": world.description,
        "summary": "",
        "type": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "bot": user_json(world.bot),
        "owner": user_json(world.bot),
        "verify_key": public_key,
        "flags": 0,
        "team": None,
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "integration_types_config": {"0": {}, "1": {}},
    }
