"""Identifiers of tables, nights, leagues and daily boards, one type each; and keys, read as one of them.

They share one namespace in the store and on buttons: a table's id has no dash; a night's has one, after its
league's id (`abcde-202603052000`); a league is stored under `league-abcde`, a community's daily board under
`daily-tg:-1001`. No other module needs to know.
"""

from datetime import datetime
from hashlib import blake2b
from typing import Final, Literal, NewType

TableId = NewType("TableId", str)
NightId = NewType("NightId", str)
LeagueId = NewType("LeagueId", str)
"""Five characters, without the prefix of its key; part of the address of its page and of its nights' ids."""
DailyId = NewType("DailyId", str)
"""The daily board of a community, made from the community's key."""

TypedKey = (
    tuple[Literal["table"], TableId]
    | tuple[Literal["night"], NightId]
    | tuple[Literal["league"], LeagueId]
    | tuple[Literal["daily"], DailyId]
)
"""The meaning of a key: `match read_key(key): case "night", night: …`, where `night` is a NightId."""

_DASH: Final = "-"
_LEAGUE: Final = "league-"
_DAILY: Final = "daily-"
_MINUTE: Final = "%Y%m%d%H%M"
_ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"


def read_key(key: str) -> TypedKey:
    """Read a key from the store or a button's target. Any text is some key."""
    if key.startswith(_LEAGUE):
        return "league", LeagueId(key.removeprefix(_LEAGUE))
    if key.startswith(_DAILY):
        return "daily", DailyId(key)
    return ("night", NightId(key)) if _DASH in key else ("table", TableId(key))


def league_key(league: LeagueId) -> str:
    """The key under which a league is stored; tables and nights are stored under their ids."""
    return _LEAGUE + league


def daily_id(community: str) -> DailyId:
    """The id of a community's daily board."""
    return DailyId(_DAILY + community)


def night_id(league: LeagueId, start: str) -> NightId:
    """The id of a league's night, by its local start in the schedule's rule: `2026-03-05T20:00`."""
    return NightId(f"{league}{_DASH}{datetime.fromisoformat(start).strftime(_MINUTE)}")


def start_of(night: NightId) -> str:
    """The local start in a night's id, even if the night is held at another time."""
    return read_start_digits(night.partition(_DASH)[2])


def read_start_digits(digits: str) -> str:
    """The local start that the digits of a night's id name. Raises ValueError for any other text."""
    return datetime.strptime(digits, _MINUTE).isoformat(timespec="minutes")


def table_id(night: NightId, round: int, number: int, attempt: int) -> TableId:
    """The id of a night's table: always the same for the same arguments."""
    digest = blake2b(f"{night} {round} {number} {attempt}".encode(), digest_size=8).digest()
    return TableId("".join(_ALPHABET[byte % len(_ALPHABET)] for byte in digest))
