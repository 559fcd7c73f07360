"""The parts of the application, put together on one store."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.accounts import Accounts
from bot.admission import Admission
from bot.archive import Archive
from bot.chats import Chat
from bot.codes import Codes
from bot.communities import Communities
from bot.desk.commands import Commands
from bot.desk.defaults import Defaults
from bot.desk.door import FrontDesk, fresh_secret
from bot.desk.finding import Finder
from bot.desk.guiding import Guiding
from bot.desk.helping import Helping
from bot.desk.inviting import Inviting
from bot.desk.league_building import league_desk
from bot.desk.looking_back import LookingBack
from bot.desk.organising import Organising
from bot.desk.organising_nights import OrganisingNights
from bot.desk.organising_tables import OrganisingTables
from bot.desk.personal import Personal
from bot.desk.practising import Practising
from bot.desk.preferring import Preferring
from bot.desk.reading import Reading
from bot.desk.setting import Setting
from bot.desk.watching import Watching
from bot.forgetting import Forgetting
from bot.history import History
from bot.invitations import Invitations
from bot.keeper import Keeper
from bot.league.board_post import BoardPost
from bot.league.boards import Boards
from bot.league.heralding import Herald
from bot.league.keeping import Clock, Keeping
from bot.league.leagues import Leagues
from bot.league.publishing import Published
from bot.league.running import Running
from bot.league.tidings import Tidings
from bot.organisers import Organisers
from bot.people import People
from bot.post import Mail
from bot.records import Records
from bot.store import Store
from bot.tables.play import Pace
from bot.viewing import Viewing
from bot.worker import Worker


@dataclass(frozen=True, slots=True)
class Application:
    """What chats are connected to. A chat that is added to `chats` is served from then on."""

    desk: FrontDesk
    mail: Mail
    worker: Worker
    keeper: Keeper
    leagues: Leagues
    published: Published
    healthy: Callable[[], Awaitable[None]]
    """Raises StoreAway while no game can be played."""
    chats: dict[str, Chat] = field(default_factory=dict)


def application(
    store: Store, *, pace: Pace, turn_seconds: int, web_url: str = "", clock: Clock = time.time
) -> Application:
    """The application on an open store, with no chat yet. Call within a running event loop.

    `web_url` is where people reach the program's web server; empty: they are told no address.
    `clock` is the leagues': seconds since the epoch.
    """
    chats: dict[str, Chat] = {}
    people = People(store, chats)
    viewing = Viewing(store, people)
    communities = Communities(store, people)
    archive = Archive(store)
    history = History(store, archive, communities)
    keeping = Keeping(store, clock)
    mail = Mail(
        store=store,
        people=people,
        viewing=viewing,
        communities=communities,
        history=history,
        leagues=keeping,
    )
    keeper = Keeper(store, mail.wake)
    codes = Codes(store)
    accounts = Accounts(store, keeper, codes, people)
    leagues = Leagues(store, accounts, keeping)
    setting = Setting(communities, Organisers(people, accounts))
    admission = Admission(store, keeper, people, accounts, communities)
    finder, defaults = Finder(store, keeper), Defaults(setting, turn_seconds)
    records = Records(store, archive)
    looking_back = LookingBack(history, accounts)
    inviting = Inviting(keeper, people, finder, Invitations(keeper, codes), setting, admission)
    reading = Reading(
        keeper,
        people,
        finder,
        records,
        defaults,
        archive,
        looking_back,
        Watching(keeper, inviting),
    )
    forgetting = Forgetting(store, keeper, accounts, communities, history, keeping, pace)
    personal = Personal(accounts, forgetting, keeping)
    nights = OrganisingNights(leagues, communities)
    organising = Organising(setting, defaults, OrganisingTables(setting, admission, keeper, nights, pace))
    preferring = Preferring(store, keeper, people, setting)
    published = Published(leagues, keeper, archive, records)
    boards = Boards(store, leagues, people, communities)
    league = league_desk(store, leagues, boards, defaults, codes, inviting, web_url)
    helping, guiding = Helping(finder, reading), Guiding(people)
    practising = Practising(
        keeper=keeper,
        people=people,
        finder=finder,
        viewing=viewing,
        mail=mail,
        pace=pace,
        entropy=fresh_secret,
    )
    commands = Commands(
        keeper=keeper,
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
    desk = FrontDesk(
        keeper=keeper,
        people=people,
        accounts=accounts,
        viewing=viewing,
        mail=mail,
        commands=commands,
        reading=reading,
        preferring=preferring,
        league=league,
        helping=helping,
        guiding=guiding,
        practising=practising,
        organising=organising,
        admission=admission,
        pace=pace,
    )
    running = Running(
        keeping=keeping,
        keeper=keeper,
        communities=communities,
        admission=admission,
        pace=pace,
        entropy=fresh_secret,
    )
    board_post = BoardPost(
        store=store,
        keeping=keeping,
        people=people,
        boards=boards,
        herald=Herald(Tidings(store, people, keeper, keeping), mail.moved),
        moved=mail.moved,
    )
    worker = Worker(
        store=store,
        keeper=keeper,
        mail=mail,
        history=history,
        leagues=running,
        boards=board_post,
        pace=pace,
        entropy=fresh_secret,
    )
    return Application(desk, mail, worker, keeper, leagues, published, store.ping, chats)
