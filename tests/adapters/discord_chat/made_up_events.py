"""An event of every kind that concerns the bot, as Discord sends it when nothing is broken."""

import itertools
import random
from typing import Any, Final

Json = dict[str, Any]
Event = tuple[str, Json]

EPHEMERAL: Final = 1 << 6

_THEN: Final = "2026-01-01T00:00:00+00:00"
_MEMBER: Final[Json] = {
    "roles": [],
    "joined_at": None,
    "flags": 0,
    "deaf": False,
    "mute": False,
    "nick": None,
}

_ids = itertools.count(300_000_000_000_000_000)
PEOPLE = ("401", "402", "403")
COMMANDS: Final[tuple[tuple[str, tuple[str, ...], list[Json]], ...]] = (
    ("okey", (), [{"name": "players", "type": 4, "value": 3}, {"name": "clock", "type": 3, "value": "5m"}]),
    ("okey", (), [{"name": "unknown", "type": 4, "value": 7}]),
    ("table", ("join",), [{"name": "code", "type": 3, "value": "x" * 200, "focused": True}]),
    ("table", ("word",), [{"name": "word", "type": 3, "value": "heard"}]),
    ("table", ("history",), [{"name": "me", "type": 5, "value": True}]),
    ("table", (), []),
    ("organise", ("block",), [{"name": "person", "type": 6, "value": "402"}]),
    ("organise", ("night", "void"), [{"name": "result", "type": 3, "value": "1.3"}]),
    ("other", ("below",), [{"name": "text", "type": 3, "value": "x"}]),
)
"""Names, the names below them, and options."""
PRESSES = ("rack.t1.0", "join.t1.0", "draw.t1.5", "replay_step.t1.0.1", "prefer.-.0", "x" * 100, ".", "0/1")


def made_up(dice: random.Random, guild: int, channel: int) -> Event:
    """One of them, interactions most often."""
    if dice.random() < 0.8:
        return "INTERACTION_CREATE", interaction(dice, guild, channel)
    return _other(dice, guild, channel)


def interaction(dice: random.Random, guild: int, channel: int) -> Json:
    """A command, a press, a choice, words being completed, a form; in a server, a thread, a direct message,
    among strangers, or with the application installed by the person alone."""
    kind = dice.choice((1, 2, 2, 2, 3, 3, 3, 4, 5, 9))
    person = dice.choice(PEOPLE)
    where = dice.choice(("channel", "channel", "thread", "direct", "group", "unknown"))
    told: Json = {
        "id": str(next(_ids)),
        "application_id": "77",
        "type": kind,
        "token": f"token-{next(_ids)}",
        "version": 1,
        "locale": "en-US",
        "entitlements": [],
        "attachment_size_limit": 1,
        "app_permissions": "2147483647",
        "authorizing_integration_owners": dice.choice(({"0": str(guild)}, {"1": person})),
        "data": _data(dice, kind),
        **_place(where, guild, channel, person),
    }
    told["channel_id"] = told["channel"]["id"]
    if "guild_id" in told:
        told["member"] = {"user": _user(person), "permissions": "0", **_MEMBER}
    else:
        told["user"] = _user(person)
    if kind in (3, 5):
        told["message"] = _message(dice, told["channel_id"])
    return told


def _data(dice: random.Random, kind: int) -> Json:
    if kind in (2, 4):
        name, below, options = dice.choice(COMMANDS)
        return command(name, below, dice.sample(options, dice.randrange(len(options) + 1)))
    if kind == 3:
        chosen: Json = {"values": [dice.choice(PRESSES)]} if dice.random() < 0.3 else {}
        return {"custom_id": dice.choice(PRESSES), "component_type": 3 if chosen else 2, **chosen}
    return {"custom_id": "form", "components": []}


def command(name: str, below: tuple[str, ...], options: list[Json]) -> Json:
    """What a command says: its name, the names below it, and options, which may mention 402."""
    for depth, each in enumerate(reversed(below)):
        options = [{"name": each, "type": 1 + depth, "options": options}]
    people = {"users": {"402": _user("402")}, "members": {"402": {"roles": [], "flags": 0, **_MEMBER}}}
    return {"id": "9", "name": name, "type": 1, "options": options, "resolved": people}


def _place(where: str, guild: int, channel: int, person: str = PEOPLE[0]) -> Json:
    inside = {"guild_id": str(guild), "guild": {"id": str(guild), "locale": "en-US", "features": []}}
    name = {"name": "okey", "flags": 0, "permissions": "0", "guild_id": str(guild)}
    match where:
        case "thread":
            thread = {"parent_id": str(channel), "owner_id": "401", "message_count": 0, "member_count": 1}
            state = {
                "archived": False,
                "auto_archive_duration": 60,
                "archive_timestamp": _THEN,
            }
            return inside | {"channel": {"id": "555", "type": 11, **name, **thread, "thread_metadata": state}}
        case "direct":
            return {"channel": {"id": f"556{person}", "type": 1, "recipients": [_user(person)]}}
        case "group":
            others = [_user(each) for each in PEOPLE]
            return {"channel": {"id": f"557{person}", "type": 3, "recipients": others}}
        case "unknown":
            return inside | {"channel": {"id": "558", "type": 99, **name}}
    return inside | {"channel": {"id": str(channel), "type": 0, "position": 0, **name}}


def _user(person: str) -> Json:
    return {
        "id": person,
        "username": f"user{person}",
        "global_name": "Ada",
        "discriminator": "0",
        "avatar": None,
        "public_flags": 0,
    }


def _message(dice: random.Random, channel: str) -> Json:
    return {
        "id": str(next(_ids)),
        "channel_id": channel,
        "type": 0,
        "author": _user("77") | {"bot": True},
        "content": "The table",
        "timestamp": _THEN,
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "components": [],
        "pinned": False,
        "flags": dice.choice((0, EPHEMERAL, 1 << 15)),
    }


def _other(dice: random.Random, guild: int, channel: int) -> Event:
    here = {"guild_id": str(guild), "channel_id": str(channel)}
    place: Json = {"id": "559", "type": 0, "name": "yeni", "position": 1, "guild_id": str(guild)}
    thread = _place("thread", guild, channel)["channel"]
    return dice.choice(
        (
            ("CHANNEL_CREATE", place | {"permission_overwrites": []}),
            ("CHANNEL_UPDATE", place | {"permission_overwrites": []}),
            ("CHANNEL_DELETE", place),
            ("THREAD_CREATE", thread),
            ("THREAD_UPDATE", thread),
            ("THREAD_DELETE", {"id": "555", "type": 11, "parent_id": str(channel), **here}),
            (
                "GUILD_ROLE_CREATE",
                {"guild_id": str(guild), "role": {"id": "5", "name": "r"}},
            ),
            ("GUILD_UPDATE", {"id": str(guild), "name": "Yeni", "features": []}),
            ("MESSAGE_CREATE", _message(dice, str(channel)) | here),
            ("MESSAGE_DELETE", {"id": "1", **here}),
            ("MESSAGE_REACTION_ADD", {"user_id": "401", "message_id": "1", "emoji": {"name": "x"}, **here}),
            ("GUILD_MEMBER_ADD", {"guild_id": str(guild), "user": _user("401"), "roles": []}),
            ("TYPING_START", {"user_id": "401", "timestamp": 1, **here}),
            ("PRESENCE_UPDATE", {"user": {"id": "401"}, "status": "online", **here}),
            ("SOMETHING_NEW", {"text": "okey"}),
        )
    )
