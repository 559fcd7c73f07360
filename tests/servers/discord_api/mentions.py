"""Whom a new message notifies: the person whose direct message it is, and whom its text mentions."""

import re

from tests.servers.discord_api.world import EPHEMERAL, Channel, Json

_NAMED = {"users": re.compile(r"<@!?(\d+)>"), "roles": re.compile(r"<@(&\d+)>")}
_CROWD = re.compile(r"@everyone|@here")


def notified(message: Json, words: str, channel: Channel | None) -> list[str]:
    """Return the numbers of people, of roles after an `&`, and crowds as they are mentioned. `words` is all
    of the message's text."""
    if channel is not None and channel.recipient is not None:
        return [str(channel.recipient)]
    if (message.get("flags") or 0) & EPHEMERAL:
        return []
    allowed = message.get("allowed_mentions")
    found = [
        each
        for kind, named in _NAMED.items()
        for each in named.findall(words)
        if _allows(allowed, kind) or each.removeprefix("&") in map(str, (allowed or {}).get(kind) or ())
    ]
    return list(dict.fromkeys(found + (_CROWD.findall(words) if _allows(allowed, "everyone") else [])))


def _allows(allowed: Json | None, kind: str) -> bool:
    return allowed is None or kind in (allowed.get("parse") or ())
