"""From a night as it stands to its board in a place, in the place's language and display."""

from dataclasses import dataclass

from bot.i18n import Words, words_for
from bot.ids import table_id
from bot.league.model import League
from bot.league.night import Night
from bot.league.results import result_of
from bot.league.standings import SeasonStanding, night_table, season_table
from bot.markup import PublicScreen
from bot.people.communities import Communities
from bot.people.leagues import Leagues
from bot.people.profiles import Profiles
from bot.screens.display import displayed
from bot.screens.league.board import BoardFacts, night_board
from bot.store import Store


@dataclass(frozen=True, slots=True)
class Boards:
    """Makes boards."""

    store: Store
    leagues: Leagues
    people: Profiles
    communities: Communities

    async def board(self, night: Night, place: str) -> PublicScreen:
        """A night's board as one of its league's places sees it. Raises Refused `unknown_league`."""
        league = await self.leagues.load(night.league)
        words = words_at(league, place)
        facts = BoardFacts(
            league=league,
            night=night,
            standings=night_table(result_of(night), night.format.ties),
            season=await self.season(league, night.season) if night.stage == "over" else (),
            links=await self._links(night, place),
        )
        return displayed(night_board(facts, words), await self.communities.display(place), words)

    async def season(self, league: League, season: int) -> tuple[SeasonStanding, ...]:
        """A season's table as it stands."""
        nights = await self.leagues.nights(league.id, season)
        return season_table([result_of(night) for night in nights], league.format, season)

    async def _links(self, night: Night, place: str) -> dict[int, str]:
        """Where the tables that are played now are shown, as far as who reads in this place can go there."""
        chat = self.people.chat_of(place)
        if night.stage != "playing" or chat is None:
            return {}
        links = {}
        for table in night.rounds[-1].tables:
            shown = await self.store.shown(
                table_id(night.id, night.rounds[-1].number, table.number, table.attempt)
            )
            for where, message in shown.items():
                # Beside a table's places stand the people who were shown their racks.
                if self.people.chat_of(where) is chat and (url := chat.link(where, message.message)):
                    links[table.number] = url
        return links


def words_at(league: League, place: str) -> Words:
    """The words of one of a league's places."""
    return words_for(league.languages.get(place, league.language))
