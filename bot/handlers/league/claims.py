"""Claims: how people find their lines again in a league that came from another host, each with a code."""

from collections.abc import Mapping
from typing import Final

from bot.errors import Refused
from bot.handlers.arguments import CODE
from bot.handlers.context import RequestContext
from bot.handlers.league.targets import declare_word
from bot.handlers.who import ANYBODY
from bot.ids import LeagueId
from bot.league.members import change_member
from bot.league.model import League
from bot.markup import Name
from bot.people.codes import fresh_code, read_code, spell
from bot.people.tokens import HashedTokens
from bot.ports import Answer
from bot.tables.names import NOBODY

CLAIM_LENGTH: Final = 8
CLAIM_SECONDS: Final = 30 * 24 * 3600.0
"""Seconds for which a code that leads to a member's line is valid."""


async def put_claims(tokens: HashedTokens, league: League) -> Mapping[str, str]:
    """Make a code for each member who is known by their name alone; returns the codes by the members' ids."""
    claims = {}
    for member in league.members.values():
        if not (member.accounts or member.into) and member.name != NOBODY:
            code = fresh_code(CLAIM_LENGTH)
            await tokens.put("claim", code, f"{league.id} {member.id}".encode(), CLAIM_SECONDS)
            claims[member.id] = spell(code)
    return claims


async def _claim(context: RequestContext) -> Answer:
    """Make a member's line that of the person who has its code. Refused: `wrong_code`, `too_many_tries`,
    `member_already`."""
    services, by = context.services, context.by
    await services.tokens.charge_try(by.key)
    code = read_code(context.text)
    found = None if code is None else await services.tokens.look_at("claim", code)
    if found is None:
        raise Refused("wrong_code")
    league, id = found.decode().split()
    other = await services.store.people.find_linked(by.key)
    accounts = tuple(filter(None, (by.key, other)))

    def act(held: League) -> League:
        own = next(filter(None, map(held.member_of, accounts)), None)
        member = held.members.get(id)
        if own is not None and own.id != id:
            raise Refused("member_already", name=held.name, who=own.name)
        if own is None and (member is None or member.accounts):
            raise Refused("wrong_code")  # somebody else was quicker
        if own is not None:
            return held
        return change_member(held, id, accounts=accounts, language=by.language[:16])

    held = await services.leagues.change(LeagueId(league), context.action, act)
    await services.tokens.drop("claim", code or "")
    names = {"name": Name(held.name), "who": Name(held.members[id].name)}
    return Answer(notice=context.words.say("notice.league_claimed", **names))


declare_word("claim", _claim, who=ANYBODY, group="league", arguments=(CODE,))
