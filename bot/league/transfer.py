"""Transfer: a whole league as a file that another host can take over, without anybody's account.

The file has what the store keeps of the league, and the events of its nights, from which everything else
follows. What leads to a person or a place stays behind: members are known by their ids and names, and claim
their lines with codes. Taken over and written again, it is the same file, byte for byte.
"""

import base64
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from bot.errors import Refused
from bot.ids import NightId
from bot.league.apply import rebuilt
from bot.league.events import Recorded
from bot.league.model import League
from bot.ports import platform_of

FORMAT: Final = "okey-league-export/1"

KEY_BYTES: Final = 32

_STAYS: Final = ("community", "places", "languages", "invitation", "page_key")
"""The fields of a league that mean something to its own host alone."""
_PERSONAL: Final = ("accounts", "language")
"""Those of a member that lead to their person."""
_OF_ACTS: Final = ("page_key", "key_before", "place")
"""Those of an act that mean something to its own host alone."""
_PLACES: Final = ("place", "old")


@dataclass(frozen=True, slots=True)
class NightLog:
    """A night and all of its events."""

    id: NightId
    log: Sequence[Recorded]


@dataclass(frozen=True, slots=True)
class TransferredLeague:
    """The contents of such a file."""

    league: League
    nights: Sequence[NightLog]


def write_transfer(league: League, nights: Sequence[NightLog]) -> bytes:
    """Return the file of a league, as JSON in UTF-8."""
    held = {name: value for name, value in _builtins(league).items() if name not in _STAYS}
    for act in held["acts"]:
        for name in _OF_ACTS:
            act["event"].pop(name, None)
    written = [
        {"id": night.id, "events": [_write_event(each, league) for each in night.log]} for night in nights
    ]
    whole = {"format": FORMAT, "league": _without_persons(held), "nights": written}
    return msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"


def read_transfer(content: bytes, page_key: str) -> TransferredLeague:
    """Read such a file. The league is at no place yet; `page_key` is that of its new pages.

    Raises Refused `bad_league_file` for anything else, `league_in_play` while a night is being played.
    """
    try:
        whole = msgspec.json.decode(content)
        if whole["format"] != FORMAT:
            raise Refused("bad_league_file")
        held = {**whole["league"], "community": "", "places": (), "page_key": page_key}
        league = msgspec.convert(held, League, str_keys=True)
        nights = [
            NightLog(NightId(each["id"]), [_read_event(event) for event in each["events"]])
            for each in whole["nights"]
        ]
        made = [rebuilt(night.log) for night in nights]
    except (msgspec.DecodeError, msgspec.ValidationError, KeyError, TypeError, ValueError, AssertionError):
        raise Refused("bad_league_file") from None
    if [night.id for night in made] != [night.id for night in nights]:
        raise Refused("bad_league_file")
    if any(night.rounds and night.stage not in ("over", "cancelled") for night in made):
        raise Refused("league_in_play")
    return TransferredLeague(league, nights)


def _builtins(value: object) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(value, str_keys=True)
    return built


def _without_persons(value: Any) -> Any:
    """Return a value without what leads to a person, wherever a member stands in it."""
    if isinstance(value, list | tuple):
        return [_without_persons(each) for each in value]
    if not isinstance(value, dict):
        return value
    hidden = _PERSONAL if "accounts" in value else ()
    return {name: _without_persons(each) for name, each in value.items() if name not in hidden}


def _write_event(recorded: Recorded, league: League) -> dict[str, Any]:
    """Return an event as JSON. Its author is told if they are a member, its place by its chat alone, and
    without the key with which anybody could compute the ids of the night's tables."""
    written = _builtins(recorded)
    written["event"].pop("key", None)
    for name in _PLACES:
        if name in written["event"]:
            written["event"][name] = platform_of(written["event"][name])
    return written | {"by": recorded.by if recorded.by in league.members else ""}


def _read_event(written: dict[str, Any]) -> Recorded:
    event = written["event"]
    if event["event"] == "announced":
        key = base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()
        written = {**written, "event": {**event, "key": key}}
    return msgspec.convert(written, Recorded, str_keys=True)
