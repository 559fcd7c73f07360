"""The parts of the application, put together on one store."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.delivery.boards import Boards
from bot.delivery.delivery import Delivery
from bot.delivery.views import Viewing
from bot.handlers.commands import Commands
from bot.handlers.community import Organising
from bot.handlers.community_tables import OrganisingNights, OrganisingTables
from bot.handlers.defaults import Defaults, Setting
from bot.handlers.guide import Guiding
from bot.handlers.help import Helping
from bot.handlers.inviting import Inviting
from bot.handlers.league.league import league_desk
from bot.handlers.lookup import Finder
from bot.handlers.personal import Forgetting, Personal
from bot.handlers.practice import Practising
from bot.handlers.preferences import Preferring
from bot.handlers.published import Published
from bot.handlers.reading import Reading
from bot.handlers.router import Router, fresh_secret
from bot.handlers.statistics import LookingBack
from bot.handlers.watching import Watching
from bot.history.archive import Archive
from bot.history.matches import MatchHistory
from bot.history.records import Records
from bot.people.accounts import Accounts
from bot.people.codes import Codes, Invitations
from bot.people.communities import Communities
from bot.people.leagues import Leagues
from bot.people.permissions import Admission, Organisers
from bot.people.profiles import Profiles
from bot.ports import Chat
from bot.repository.leagues import Clock, LeagueRepository
from bot.repository.tables import TableRepository
from bot.store import Store
from bot.tables.play import Delays
from bot.worker.league_nights import LeagueNights
from bot.worker.worker import Worker


@dataclass(frozen=True, slots=True)
class Application:
    """What chats are connected to. A chat that is added to `chats` is served from then on."""

    router: Router
    delivery: Delivery
    worker: Worker
    repository: TableRepository
    leagues: Leagues
    published: Published
    healthy: Callable[[], Awaitable[None]]
    """Raises StoreUnavailable while no game can be played."""
    chats: dict[str, Chat] = field(default_factory=dict)


def application(
    store: Store, *, delays: Delays, turn_seconds: int, web_url: str = "", clock: Clock = time.time
) -> Application:
    """The application on an open store, with no chat yet. Call within a running event loop.

    `web_url` is where people reach the program's web server; empty: they are told no address.
    `clock` is the leagues': seconds since the epoch.
    """
    chats: dict[str, Chat] = {}
    people = Profiles(store, chats)
    viewing = Viewing(store, people)
    communities = Communities(store, people)
    archive = Archive(store)
    history = MatchHistory(store, archive, communities)
    league_repository = LeagueRepository(store, clock)
    boards = Boards(store, league_repository, people, communities)
    delivery = Delivery(
        store=store,
        people=people,
        viewing=viewing,
        boards=boards,
        communities=communities,
        history=history,
        leagues=league_repository,
    )
    repository = TableRepository(store, delivery.committed)
    codes = Codes(store)
    accounts = Accounts(store, repository, codes, people)
    leagues = Leagues(store, accounts, league_repository)
    setting = Setting(communities, Organisers(people, accounts))
    admission = Admission(store, repository, people, accounts, communities)
    finder, defaults = Finder(store, repository), Defaults(setting, turn_seconds)
    records = Records(store, archive)
    looking_back = LookingBack(history, accounts)
    inviting = Inviting(repository, people, finder, Invitations(repository, codes), setting, admission)
    reading = Reading(
        repository,
        people,
        finder,
        records,
        defaults,
        archive,
        looking_back,
        Watching(repository, inviting),
    )
    forgetting = Forgetting(store, repository, accounts, communities, history, league_repository, delays)
    personal = Personal(accounts, forgetting, league_repository)
    nights = OrganisingNights(leagues, communities)
    organising = Organising(
        setting, defaults, OrganisingTables(setting, admission, repository, nights, delays)
    )
    preferring = Preferring(store, repository, people, setting)
    published = Published(leagues, repository, archive, records)
    league = league_desk(store, leagues, boards, defaults, codes, inviting, web_url)
    helping, guiding = Helping(finder, reading), Guiding(people)
    practising = Practising(
        repository=repository,
        people=people,
        finder=finder,
        viewing=viewing,
        delivery=delivery,
        delays=delays,
        entropy=fresh_secret,
    )
    commands = Commands(
        repository=repository,
        people=people,
        viewing=viewing,
        finder=finder,
        reading=reading,
        defaults=defaults,
        inviting=inviting,
        personal=personal,
        preferring=preferring,
        league=league,
        helping=helping,
        guiding=guiding,
        practising=practising,
        organising=organising,
        admission=admission,
        entropy=fresh_secret,
    )
    router = Router(
        repository=repository,
        people=people,
        accounts=accounts,
        viewing=viewing,
        delivery=delivery,
        commands=commands,
        reading=reading,
        preferring=preferring,
        league=league,
        helping=helping,
        guiding=guiding,
        practising=practising,
        organising=organising,
        admission=admission,
        delays=delays,
    )
    league_nights = LeagueNights(
        league_repository=league_repository,
        repository=repository,
        communities=communities,
        admission=admission,
        delays=delays,
        entropy=fresh_secret,
    )
    worker = Worker(
        store=store,
        repository=repository,
        delivery=delivery,
        history=history,
        leagues=league_nights,
        delays=delays,
        entropy=fresh_secret,
    )
    return Application(router, delivery, worker, repository, leagues, published, store.ping, chats)
