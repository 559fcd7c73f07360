"""Leagues for handlers: found by place and person, with the member or organiser who acts."""

from bot.errors import Refused
from bot.ids import LeagueId, NightId
from bot.league.members import with_member
from bot.league.model import League, Member
from bot.league.night import Night
from bot.people.accounts import Accounts
from bot.ports import Person, channel_of
from bot.repository.leagues import LeagueRepository
from bot.store import Store


class Leagues:
    """The leagues of one store. Every method may raise StoreUnavailable and UnknownSchema."""

    def __init__(self, store: Store, accounts: Accounts, league_repository: LeagueRepository) -> None:
        self._store = store
        self._accounts = accounts
        self._league_repository = league_repository

    async def load(self, league: LeagueId) -> League:
        """A league. Raises Refused `unknown_league`."""
        held = await self._league_repository.league(league)
        if held is None:
            raise Refused("unknown_league")
        return held.value

    async def night(self, night: NightId) -> Night:
        """A night. Raises Refused `unknown_night`."""
        held = await self._league_repository.night(night)
        if held is None:
            raise Refused("unknown_night")
        return held.value

    async def at_place(self, place: str, community: str = "") -> list[League]:
        """The leagues that meet at a place, else those of its channel or group, else those founded in its
        community; ended ones last."""
        channel = channel_of(place)
        ids = {league for key in (place, channel, community) for league in await self._store.leagues_at(key)}
        held = [await self._league_repository.league(each) for each in sorted(ids)]
        leagues = [each.value for each in held if each is not None]
        here = [each for each in leagues if place in each.places]
        around = [each for each in leagues if channel in map(channel_of, each.places)]
        of_it = [each for each in leagues if each.community == community]
        return sorted(here or around or of_it, key=lambda league: (league.ended, league.name, league.id))

    async def of_person(self, person: str) -> list[League]:
        """The leagues of which a person is a member; ended ones last."""
        held = [await self._league_repository.league(each) for each in await self._store.leagues_at(person)]
        own = [each.value for each in held if each is not None and each.value.member_of(person) is not None]
        return sorted(own, key=lambda league: (league.ended, league.name, league.id))

    async def nights(self, league: LeagueId, season: int | None = None) -> list[Night]:
        """A league's nights, of one season or all, in the order of their starts."""
        return await self._league_repository.nights(await self.load(league), season)

    async def member(self, league: LeagueId, by: Person) -> Member:
        """The acting person as a member of a league. Raises Refused `unknown_league`, `members_only`."""
        return await self._known(league, by, anyway=False)

    async def organiser(self, league: LeagueId, by: Person) -> Member:
        """The same for an organiser, who needs no place on the list."""
        return await self._known(league, by, anyway=True)

    async def _known(self, league: LeagueId, by: Person, *, anyway: bool) -> Member:
        other = await self._accounts.other(by.key)
        changed = await self._league_repository.change(
            league, None, lambda now: with_member(now, by, other, anyway=anyway)
        )
        member = changed.member_of(by.key)
        assert member is not None
        return member
