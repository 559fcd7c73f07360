"""The application, assembled on one store: services, router, delivery, worker."""

import math
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from bot import metrics
from bot.delivery.boards import Boards
from bot.delivery.delivery import Delivery
from bot.delivery.repositories import Repositories
from bot.delivery.views import Viewing
from bot.handlers.apps import Apps
from bot.handlers.fair import FairDeals
from bot.handlers.fair_share import FairShare
from bot.handlers.personal_data import PersonalData
from bot.handlers.published import Published
from bot.handlers.router import Router
from bot.handlers.services import Dealing, Installation, Permissions, PlayedMatches, Services
from bot.history.archive import Archive
from bot.history.judgements import Judgements
from bot.history.matches import MatchHistory
from bot.history.records import Records
from bot.i18n import Words
from bot.markup import Document
from bot.people.accounts import Accounts
from bot.people.codes import Invitations
from bot.people.communities import Communities
from bot.people.numbers import TableNumbers
from bot.people.permissions import Admission, Organisers, Readers
from bot.people.profiles import Profiles
from bot.people.rewriting import FileRewriting
from bot.people.sessions import AppSessions
from bot.people.subscriptions import Subscriptions
from bot.people.tokens import HashedTokens
from bot.ports import Chat
from bot.repository.daily import DailyBoards
from bot.repository.leagues import LeagueRepository, TimeSource
from bot.repository.tables import TableRepository
from bot.screens.policies import Operator, PolicyName, policy_document
from bot.settings import Settings
from bot.startup import Startup
from bot.store import Store, StoreUnavailable
from bot.tables.play import Delays
from bot.worker.beacon import BeaconClient
from bot.worker.league_nights import LeagueNights
from bot.worker.shares import CLOCK, Shares
from bot.worker.worker import Worker
from engine.shuffle import SECRET_BYTES


@dataclass(frozen=True, slots=True)
class Application:
    """The parts to which chats are connected. A chat that is added to `chats` is served from then on."""

    router: Router
    delivery: Delivery
    worker: Worker
    tables: TableRepository
    leagues: LeagueRepository
    published: Published
    fair: FairDeals
    apps: Apps
    personal_data: PersonalData
    policy: Callable[[PolicyName, Words], Document]
    """A policy as a web page, by its name."""
    ping: Callable[[], Awaitable[None]]
    """Raises StoreUnavailable while the store does not answer."""
    measure: Callable[[], Awaitable[None]]
    """Sets the metrics to the present state. Raises StoreUnavailable."""
    clock: TimeSource
    """The store's clock: seconds since the epoch."""
    chats: dict[str, Chat]
    startup: Startup

    async def missing(self) -> str:
        """Return the reason, in English, why people cannot play through this process yet; empty: they can."""
        if titles := self.startup.titles:
            return f"not logged in yet: {', '.join(titles)}"
        try:
            await self.ping()
        except StoreUnavailable:
            return "the store is away"
        return ""


def application(
    store: Store,
    *,
    delays: Delays,
    turn_seconds: int,
    share: FairShare | None = None,
    web_url: str = "",
    operator: Operator = Operator(),  # noqa: B008 - it never changes
    clock: TimeSource | None = None,
    beacon: BeaconClient | None = None,
) -> Application:
    """Return the application on an open store, with no chat yet. Call within a running event loop.

    `share` limits what is let in; None: no limit. `web_url` is the address at which people reach the
    program's web server; empty: they are given none. `operator` runs the bot. `clock` is the leagues' clock:
    seconds since the epoch; None: the store's. `beacon` has a part in the deals; None: there is none.
    """
    chats: dict[str, Chat] = {}
    shares, startup = Shares(store, chats), Startup()
    services = _services(
        store, chats, shares, delays, turn_seconds, web_url, operator, clock or store.clock, beacon
    )
    router = Router(services, share or FairShare(math.inf))
    return Application(
        router=router,
        delivery=services.delivery,
        worker=_worker(services, shares, beacon),
        tables=services.tables,
        leagues=services.leagues,
        published=Published(services),
        fair=FairDeals(services),
        apps=Apps(services, router, startup),
        personal_data=PersonalData(services),
        policy=lambda name, words: policy_document(name, operator, words),
        ping=store.ping,
        measure=partial(_measure, store, shares, services.delivery),
        clock=store.clock,
        chats=chats,
        startup=startup,
    )


async def _measure(store: Store, shares: Shares, delivery: Delivery) -> None:
    shares.measure()
    metrics.BACKLOG.set(delivery.backlog)
    clocks = [partition for partition in shares.partitions if CLOCK in shares.work_at(partition)]
    metrics.TABLES.set(await store.timers.with_clock(clocks))


def delays_of(settings: Settings) -> Delays:
    """Return the waits that the settings ask for."""
    return Delays(
        computer=settings.computer_seconds,
        next_round=settings.next_round_seconds,
        full_lobby=settings.full_lobby_seconds,
    )


def fresh_secret() -> bytes:
    """Return a secret for a shuffle that nobody can know or choose."""
    return secrets.token_bytes(SECRET_BYTES)


def _services(
    store: Store,
    chats: dict[str, Chat],
    shares: Shares,
    delays: Delays,
    turn_seconds: int,
    web_url: str,
    operator: Operator,
    clock: TimeSource,
    beacon: BeaconClient | None,
) -> Services:
    people = Profiles(store, chats)
    archive, communities = Archive(store), Communities(store, people)
    history, records = MatchHistory(store, archive, communities), Records(store, archive)
    viewing = Viewing(people, records)
    tables, leagues = TableRepository(store), LeagueRepository(store, clock)
    boards, daily = Boards(store, leagues, people, communities), DailyBoards(store, clock)
    tokens = HashedTokens(store)
    sessions = AppSessions(store, tokens)
    repositories = Repositories(
        store=store,
        tables=tables,
        leagues=leagues,
        daily=daily,
        people=people,
        communities=communities,
        history=history,
    )
    in_app = sessions.is_open if web_url else None
    delivery = Delivery(repositories, shares, viewing, boards, in_app)
    tables.listeners.append(delivery.note_commit)
    accounts = Accounts(store, tables, tokens, people)
    admission = Admission(store, tables, people, accounts, communities)
    return Services(
        store=store,
        tables=tables,
        leagues=leagues,
        people=people,
        accounts=accounts,
        communities=communities,
        permissions=Permissions(
            organisers=Organisers(people, accounts),
            admission=admission,
            readers=Readers(people, accounts, admission),
        ),
        tokens=tokens,
        sessions=sessions,
        rewriting=FileRewriting(store),
        invitations=Invitations(tables, tokens),
        subscriptions=Subscriptions(store, tables, people, communities, admission),
        numbers=TableNumbers(store, tables),
        played=PlayedMatches(
            history=history,
            archive=archive,
            records=records,
            judgements=Judgements(store, archive, tables, records),
        ),
        delivery=delivery,
        viewing=viewing,
        boards=boards,
        daily=daily,
        dealing=Dealing(
            delays=delays,
            entropy=fresh_secret,
            name_round=(lambda now: None) if beacon is None else beacon.name_round,
            turn_seconds=turn_seconds,
        ),
        installation=Installation(operator=operator, web_url=web_url),
    )


def _worker(services: Services, shares: Shares, beacon: BeaconClient | None) -> Worker:
    nights = LeagueNights(
        leagues=services.leagues,
        tables=services.tables,
        communities=services.communities,
        delays=services.dealing.delays,
        entropy=services.dealing.entropy,
        name_round=services.dealing.name_round,
    )
    worker = Worker(services, shares, nights, beacon)
    services.tables.listeners.append(worker.note_commit)
    services.leagues.listen(worker.note_commit)
    services.daily.listeners.append(worker.note_commit)
    return worker
