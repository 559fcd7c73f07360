"""What leagues, nights and tables are called. Whatever is called by what it is cannot be made twice."""

from datetime import datetime
from hashlib import blake2b
from typing import Final

_LEAGUE: Final = "league-"
_MINUTE: Final = "%Y%m%d%H%M"
_ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"


def league_key(league: str) -> str:
    """The name under which a league is stored."""
    return _LEAGUE + league


def league_of_key(key: str) -> str | None:
    """The league that is stored under a name; None when it is a night's."""
    return key.removeprefix(_LEAGUE) if key.startswith(_LEAGUE) else None


def night_id(league: str, start: str) -> str:
    """A league's night, by its start in local time as the schedule's rule gives it: `2026-03-05T20:00`."""
    return f"{league}-{datetime.fromisoformat(start).strftime(_MINUTE)}"


def start_of(night: str) -> str:
    """The local start by which a night is called, whenever it is held."""
    return datetime.strptime(night.partition("-")[2], _MINUTE).isoformat(timespec="minutes")


def is_night(key: str) -> bool:
    """Whether a name is a night's, and no table's or league's."""
    return "-" in key and not key.startswith(_LEAGUE)


def table_id(night: str, round: int, number: int, attempt: int) -> str:
    """A table of a night: the same whenever it is asked for."""
    digest = blake2b(f"{night} {round} {number} {attempt}".encode(), digest_size=8).digest()
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in digest)
