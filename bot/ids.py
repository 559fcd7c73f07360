"""Identifiers: what tables, nights and leagues are called, a type each, and where a key is read as one of them.

They share one namespace in the store and on buttons: a table's id has no dash, a night's has one, behind its
league's id (`abcde-202603052000`), and a league is kept under `league-abcde`. Only `read_key` and
`league_key` know that; everybody else has the type.
"""

from typing import Final, Literal, NewType

TableId = NewType("TableId", str)
NightId = NewType("NightId", str)
LeagueId = NewType("LeagueId", str)
"""Five characters, without the prefix of its key."""

Key = tuple[Literal["table"], TableId] | tuple[Literal["night"], NightId] | tuple[Literal["league"], LeagueId]
"""What a key means: `match read_key(key): case "night", night: …`, and `night` is a NightId."""

_DASH: Final = "-"
_LEAGUE: Final = "league-"


def read_key(key: str) -> Key:
    """Read a key as it comes out of the store, or a button's target. Any text is some key."""
    if key.startswith(_LEAGUE):
        return "league", LeagueId(key.removeprefix(_LEAGUE))
    return ("night", NightId(key)) if _DASH in key else ("table", TableId(key))


def league_key(league: LeagueId) -> str:
    """The key under which a league is stored; tables and nights are stored under their ids."""
    return _LEAGUE + league
