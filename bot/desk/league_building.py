"""The desk of leagues, put together."""

from bot.codes import Codes
from bot.desk.defaults import Defaults
from bot.desk.inviting import Inviting
from bot.desk.league import LeagueDesk
from bot.desk.league_founding import Founding
from bot.desk.league_managing import Managing
from bot.desk.league_members import Members
from bot.desk.league_organising import NightOrganising
from bot.desk.league_places import LeaguePlaces
from bot.desk.league_reading import LeagueReading
from bot.desk.league_signing import Signing
from bot.league.boards import Boards
from bot.league.leagues import Leagues
from bot.store import Store


def league_desk(
    store: Store,
    leagues: Leagues,
    boards: Boards,
    defaults: Defaults,
    codes: Codes,
    inviting: Inviting,
    web_url: str,
) -> LeagueDesk:
    """Everything that people and organisers do with the leagues of one store."""
    organisers = inviting.setting.organisers
    reading = LeagueReading(leagues, organisers, boards, web_url)
    return LeagueDesk(
        leagues=leagues,
        founding=Founding(store, leagues, organisers, defaults),
        reading=reading,
        signing=Signing(leagues, boards.people, boards, inviting.admission),
        organising=NightOrganising(leagues, organisers, reading),
        managing=Managing(leagues, organisers, reading),
        places=LeaguePlaces(leagues, organisers, codes, inviting),
        members=Members(leagues, organisers),
    )
