"""Repositories: everything stored that delivery looks up and keeps true, over one store."""

from dataclasses import dataclass

from bot.history.matches import MatchHistory
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.repository.daily import DailyBoards
from bot.repository.leagues import LeagueRepository
from bot.repository.tables import TableRepository
from bot.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Repositories:
    """The repositories of one store, and the store for whatever has none."""

    store: Store
    tables: TableRepository
    leagues: LeagueRepository
    daily: DailyBoards
    people: Profiles
    communities: Communities
    history: MatchHistory
