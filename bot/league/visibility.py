"""Visibility: who sees a league's pages on the web, and the part of their addresses that names the league.

A public league stands under its id, which anybody can try. The others have 16 random characters behind it,
and an address with wrong ones is as unknown as one of no league.
"""

from hmac import compare_digest
from typing import Final

from bot.ids import LeagueId
from bot.league.model import League, Visibility, VisibilityChanged

PAGE_KEY_LENGTH: Final = 16

_BETWEEN: Final = "-"


def path_of(league: League) -> str:
    """Return the part of an address that names a league: `abcde`, or `abcde-` and its page key; empty: it has
    no pages."""
    if league.visibility == "public":
        return league.id
    return f"{league.id}{_BETWEEN}{league.page_key}" if league.page_key else ""


def league_named(path: str) -> tuple[LeagueId, str]:
    """Return the league that such a part of an address names, and the page key given with it."""
    id, _, key = path.partition(_BETWEEN)
    return LeagueId(id), key


def is_opened_by(league: League, page_key: str) -> bool:
    """Return whether an address with this page key (empty: with none) leads to a league's pages."""
    if not page_key:
        return league.visibility == "public"
    return compare_digest(league.page_key.encode(), page_key.encode())


def change_visibility(league: League, visibility: Visibility, fresh_page_key: str) -> VisibilityChanged:
    """Return the act by which the league is seen so from now on. Addresses that people have go on while it is
    public; else it gets a new one, and they end."""
    page_key = league.page_key if visibility == "public" else fresh_page_key
    return VisibilityChanged(league.visibility, visibility, page_key, league.page_key)
