"""Where a league is played: other places invited by a code, and withdrawn."""

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from bot.errors import Refused
from bot.handlers.inviting import Inviting
from bot.handlers.league.reading import check_one_of, check_organiser
from bot.handlers.request import RequestContext
from bot.i18n import Words
from bot.ids import LeagueId
from bot.league.model import League
from bot.markup import Name, Page, Text
from bot.people.codes import Codes, fresh_code, read_code, spelled
from bot.people.leagues import Leagues
from bot.people.permissions import Organisers
from bot.ports import Answer, TypedCommand, channel_of
from bot.screens.league.organising import ShownPlace, places_page
from bot.tables.membership import tag

PLACING: Final = frozenset({"league_invite", "league_places", "league_withdraw"})
"""The buttons of these pages."""

CODE_LENGTH: Final = 6
CODE_SECONDS: Final = 7 * 24 * 3600.0
"""A code that brings a league to one other place is good for so long."""

PLACES_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class LeaguePlaces:
    """The handlers of these buttons and lines. Who may is asked at each of them; refusals are Refused.

    A code is a hint: the league itself knows which one is good, and forgets it when a place comes with it.
    """

    leagues: Leagues
    organisers: Organisers
    codes: Codes
    inviting: Inviting

    async def press(self, context: RequestContext) -> Answer:
        """Carry out one of the buttons of `PLACING`. Refused: `organisers_only`, `cannot_ask`, …"""
        league = await self.leagues.load(context.league)
        await check_organiser(self.organisers, league, context.by.key)
        match context.request.verb:
            case "league_invite":
                return await self._invited(league, context.words)
            case "league_withdraw":
                told = context.argument()
                left = next((each for each in league.places if tag(each) == told), None)
                if left is None:
                    raise Refused("old_button")
                answer = await self._withdrawn(league, left, context.by.key, context.words)
                league = await self.leagues.load(league.id)
                return replace(answer, page=await self._page(league, context.by.key, context.words))
        return Answer(page=await self._page(league, context.by.key, context.words))

    async def typed(self, verb: str, league: League, typed: TypedCommand, words: Words) -> Answer:
        """`invite`, or `withdraw`: where a league is a guest it goes from there; at home it is asked which
        place is meant. In a topic the channel or group is, unless the league meets right there.

        Refused as the buttons, and `no_league`, `last_place`.
        """
        by, place = typed.by.key, typed.place
        if verb == "withdraw" and place is not None:
            await self.organisers.check(by, place)
            left = next((each for each in (place, channel_of(place)) if each in league.places), None)
            if left is None:
                raise Refused("no_league")
            if len(league.places) == 1 or left not in await self._home(league):
                return await self._withdrawn(league, left, by, words)
        await check_organiser(self.organisers, league, by)
        if verb == "invite":
            return await self._invited(league, words)
        return Answer(page=await self._page(league, by, words))

    async def join(self, typed: TypedCommand, text: str, words: Words) -> Answer:
        """The place of an organiser takes part in the league of a code. Refused: `here_only`, `wrong_code`,
        `too_many_tries`, `no_sharing`, `too_many_places`."""
        place = typed.place
        if place is None:
            raise Refused("here_only")
        await self.organisers.check(typed.by.key, place)
        await self.codes.charge(typed.by.key)
        code = read_code(text)
        found = None if code is None else await self.codes.look("league", code)
        if code is None or found is None:
            raise Refused("wrong_code")
        await self.inviting.allow((place,))

        def act(league: League) -> League:
            if place in league.places:
                return league
            if league.invitation != _digest(code):
                raise Refused("wrong_code")
            if len(league.places) >= PLACES_MOST:
                raise Refused("too_many_places", n=PLACES_MOST)
            languages = {**league.languages, place: words.language}
            return replace(league, places=(*league.places, place), languages=languages, invitation="")

        league = await self.leagues.change(LeagueId(found.decode()), f"{typed.by.key} {typed.id}", act)
        return Answer(notice=words.say("notice.league_joined", name=Name(league.name)))

    async def _invited(self, league: League, words: Words) -> Answer:
        """A new code; the one before it is good no more."""
        code = fresh_code(CODE_LENGTH)
        await self.codes.put("league", code, league.id.encode(), CODE_SECONDS)
        await self.leagues.change(league.id, None, lambda now: replace(now, invitation=_digest(code)))
        return Answer(notice=words.say("notice.league_code", name=Name(league.name), code=spelled(code)))

    async def _withdrawn(self, league: League, left: str, by: str, words: Words) -> Answer:
        """The league goes from a place; a code that is out is good no more."""
        await check_one_of(self.organisers, (left, *await self._home(league)), by)

        def act(now: League) -> League:
            places = tuple(each for each in now.places if each != left)
            if not places:
                raise Refused("last_place")
            return replace(now, places=places, invitation="")

        await self.leagues.change(league.id, None, act)
        return Answer(
            notice=words.say("notice.league_withdrawn", name=Name(league.name), where=self._way(left))
        )

    async def _page(self, league: League, by: str, words: Words) -> Page:
        home = await self._home(league)
        shown = []
        for place in league.places:
            try:
                await check_one_of(self.organisers, (place, *home), by)
                may = len(league.places) > 1
            except Refused:
                may = False
            shown.append(ShownPlace(self._way(place), tag(place) if may else ""))
        return places_page(league, shown, words)

    def _way(self, place: str) -> Text:
        return self.inviting.admission.ways_to((place,))

    async def _home(self, league: League) -> tuple[str, ...]:
        """The places of the community that founded a league: its organisers may withdraw any."""
        whole = self.inviting.setting.communities.whole
        return tuple([each for each in league.places if await whole(each) == league.community])


def _digest(code: str) -> str:
    return blake2b(f"league {code}".encode(), digest_size=16).hexdigest()
