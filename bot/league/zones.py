"""Time zones by their IANA names, also as people write them."""

from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Final
from zoneinfo import available_timezones

from bot.tables.changes import Refused
from bot.words import folded

_EXAMPLE: Final = "Europe/Istanbul"
_LIKENESS: Final = 0.7


def read_zone(text: str) -> str:
    """The zone that somebody named, `Europe/Istanbul` or just `istanbul`.

    Raises Refused `unknown_zone` with the name that is most like it.
    """
    name = _bare(text)
    known = _known()
    if name in known:
        return known[name]
    like = get_close_matches(name[:64], known, n=1, cutoff=_LIKENESS)
    raise Refused("unknown_zone", zone=text[:64], like=known[like[0]] if like else _EXAMPLE)


@cache
def _known() -> dict[str, str]:
    """Every zone by its bare name, and those in use today by their city, too."""
    table = (files("tzdata") / "zoneinfo" / "zone1970.tab").read_text("utf-8").splitlines()
    in_use = [line.split("\t")[2] for line in table if not line.startswith("#")]
    by_city = {_bare(zone.rsplit("/", 1)[-1]): zone for zone in in_use}
    return by_city | {_bare(zone): zone for zone in sorted(available_timezones())}


def _bare(text: str) -> str:
    return "_".join(folded(text).split())
