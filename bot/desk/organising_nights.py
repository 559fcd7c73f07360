"""The organisers' hand on league nights: whom a community keeps out leaves all nights of its leagues."""

from dataclasses import dataclass
from functools import partial

from bot.chats import Person
from bot.communities import Communities
from bot.league.clockwork import signed_off
from bot.league.leagues import Leagues
from bot.league.model import League
from bot.words import words_for


@dataclass(frozen=True, slots=True)
class OrganisingNights:
    """What organisers of a community do to the nights of the leagues that meet there."""

    leagues: Leagues
    communities: Communities

    async def send_away(self, by: Person, place: str, person: str) -> None:
        """A person goes from every night of the community's leagues that is not over, and comes to none."""
        whole = await self.communities.whole(place)
        for league in await self.leagues.of_person(person):
            if whole in [await self.communities.whole(each) for each in league.places]:
                await self._out_of(league, person, by)

    async def _out_of(self, league: League, person: str, by: Person) -> None:
        member = league.member_of(person)
        assert member is not None
        organiser = await self.leagues.organiser(league.id, by)
        away = partial(signed_off, nobody={member.id})
        why = words_for(league.language).plain("league.reason.blocked")
        for night in await self.leagues.nights(league.id):
            await self.leagues.act(night.id, None, away, by=organiser.id, why=why)
