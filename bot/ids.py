"""Identifiers of tables, nights, leagues and daily boards, one type each; and keys, read as one of them.

They share one namespace in the store and on buttons: a table's id has no dash; a night's has one, after its
league's id (`abcde-202603052000`); a league is stored under `league-abcde`, a community's daily board under
`daily-tg:-1001`. No other module needs to know.

Ids of tables and leagues are made from digests that nobody outside can compute (`StoreSecret.digest`, or by
a night's `key`). An id is a name and no right, but nobody learns one by guessing.
"""

from datetime import datetime
from typing import Final, Literal, NewType

TableId = NewType("TableId", str)
"""10 characters: 50 bits, the most that fits a button beside a server and a thread. People call a table by a
number of its place and never type it."""
NightId = NewType("NightId", str)
LeagueId = NewType("LeagueId", str)
"""8 characters, 40 bits, without the prefix of its key: part of its nights' ids, which must fit on buttons,
and of its pages' address, which has more characters where they are unlisted (`bot.league.visibility`)."""
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
"""32 characters, 5 bits each, without those that look alike."""
_TABLE_LENGTH: Final = 10
_LEAGUE_LENGTH: Final = 8


def read_key(key: str) -> TypedKey:
    """Read a key from the store or a button's target. Any text is some key."""
    if key.startswith(_LEAGUE):
        return "league", LeagueId(key.removeprefix(_LEAGUE))
    if key.startswith(_DAILY):
        return "daily", DailyId(key)
    return ("night", NightId(key)) if _DASH in key else ("table", TableId(key))


def league_key(league: LeagueId) -> str:
    """Return the key under which a league is stored; tables and nights are stored under their ids."""
    return _LEAGUE + league


def daily_id(community: str) -> DailyId:
    """Return the id of a community's daily board."""
    return DailyId(_DAILY + community)


def night_id(league: LeagueId, start: str) -> NightId:
    """Return the id of a league's night, by its local start in the schedule's rule: `2026-03-05T20:00`."""
    return NightId(f"{league}{_DASH}{datetime.fromisoformat(start).strftime(_MINUTE)}")


def start_of(night: NightId) -> str:
    """Return the local start in a night's id, even if the night is held at another time."""
    return read_start_digits(night.partition(_DASH)[2])


def read_start_digits(digits: str) -> str:
    """Return the local start that the digits of a night's id name. Raises ValueError for any other text."""
    return datetime.strptime(digits, _MINUTE).isoformat(timespec="minutes")


def table_id(digest: bytes) -> TableId:
    """Return the id of a table, made from a digest of what opens it."""
    return TableId(_read_letters(digest, _TABLE_LENGTH))


def league_id(digest: bytes) -> LeagueId:
    """Return the id of a league, made from a digest of the request that founds it."""
    return LeagueId(_read_letters(digest, _LEAGUE_LENGTH))


def _read_letters(digest: bytes, length: int) -> str:
    """Write the first bytes of a digest as letters and digits, 5 bits of each."""
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in digest[:length])
