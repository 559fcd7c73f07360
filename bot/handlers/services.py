"""Services: everything that handlers work with, over one store, in values by what it is for."""

from dataclasses import dataclass

from bot.delivery.boards import Boards
from bot.delivery.delivery import Delivery
from bot.delivery.views import Viewing
from bot.history.archive import Archive
from bot.history.judgements import Judgements
from bot.history.matches import MatchHistory
from bot.history.records import Records
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
from bot.repository.daily import DailyBoards
from bot.repository.leagues import LeagueRepository
from bot.repository.tables import TableRepository
from bot.screens.policies import Operator
from bot.store import Store
from bot.tables.play import Delays, Entropy, NameRound


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """Who may do what in places and at tables."""

    organisers: Organisers
    admission: Admission
    readers: Readers


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatches:
    """What has been played."""

    history: MatchHistory
    archive: Archive
    records: Records
    judgements: Judgements


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing:
    """What deals come from, and how long things wait."""

    delays: Delays
    entropy: Entropy
    name_round: NameRound
    turn_seconds: int
    """Seconds for a turn at a new table where none are set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """Where and by whom the program is run."""

    operator: Operator
    """Who runs the bot, for its policies."""
    web_url: str
    """The public address of the program's web server; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything that handlers work with, over one store."""

    store: Store
    tables: TableRepository
    leagues: LeagueRepository
    people: Profiles
    accounts: Accounts
    communities: Communities
    permissions: Permissions
    tokens: HashedTokens
    sessions: AppSessions
    rewriting: FileRewriting
    invitations: Invitations
    subscriptions: Subscriptions
    numbers: TableNumbers
    played: PlayedMatches
    delivery: Delivery
    viewing: Viewing
    boards: Boards
    daily: DailyBoards
    dealing: Dealing
    installation: Installation
