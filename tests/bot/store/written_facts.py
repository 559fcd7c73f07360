"""Facts of a store: its contents as today's program reads them, in plain text and numbers.

The keys are the fixture's own (see `written.holds`) and stay; the code for their values follows the program.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import redis

from bot.app import Application
from bot.history.archive import Archive
from bot.history.matches import Dated, MatchHistory
from bot.league.model import League, Member
from bot.league.night import Night, NightTable
from bot.league.results import result_of
from bot.league.standings import Tally, night_table, season_table
from bot.people.communities import Communities, Community
from bot.people.profiles import Profile, Profiles
from bot.repository.tables import StoredTable
from bot.store import ShownMessage, Store
from bot.tables.table import Display, Recent, RoundResult, Seat
from engine.games import game_of
from engine.melds import Board, words_of
from engine.moves import Placed
from engine.rules import Rules, switches_of
from engine.state import Round
from engine.tiles import Tile
from tests.bot.store.waiting import agenda, dirty, ended

Fact = dict[str, Any]


async def table_facts(store: Store, stored: StoredTable) -> Fact:
    """All facts of a table: its state, who has seen what of it, and the length of its log."""
    table = stored.value
    return {
        "stage": table.stage,
        "version": stored.version,
        "due_in": None if stored.deadline is None else round(stored.deadline - stored.now, 3),
        "places": list(table.places),
        "languages": {"": table.language, **table.languages},
        "host": table.host,
        "turn_seconds": table.turn_seconds,
        "moves": table.game_revision,
        "turn_number": table.turn_number,
        "shown_as": [table.revision, table.round_revision, table.news_revision],
        "warned": table.warned,
        "invitation": table.invitation,
        "removed": list(table.removed),
        "display": _display(table.display),
        "stopped": table.stopped,
        "rooms": [table.room, dict(table.rooms)],
        "practice": table.practice,
        "opened_at": table.opened_at,
        "secret": table.secret.hex()[:16],
        "words": list(table.words),
        "opened": None
        if table.opened is None
        else [table.opened.round_number, table.opened.secret.hex()[:16], *table.opened.words],
        "first": [[each.seat, each.die, _tile(each.tile)] for each in table.first],
        "openings": list(table.openings),
        "recent": [_recent(each) for each in table.recent],
        "night": None
        if table.night is None
        else [
            table.night.night,
            table.night.round,
            table.night.number,
            table.night.last,
            table.night.paused,
        ],
        "rules": switches_of(table.match.rules),
        "scores": list(table.match.scores),
        "winners": list(table.match.winners),
        "rounds": [table.match.round_number, table.match.rounds_scored],
        "changes": list(table.match.changes),
        "results": [_result(each) for each in table.results],
        "round": None if table.match.round is None else _round(table.match.rules, table.match.round),
        "seats": [_seat(each) for each in table.seats],
        "shown": _shown(await store.shown(table.id)),
        "log": len(await store.log(table.id)),
    }


async def night_facts(store: Store, night: Night, events: int) -> Fact:
    """All facts of a night."""
    return {
        "stage": night.stage,
        "league": night.league,
        "season": night.season,
        "number": night.number,
        "start": night.start,
        "shown_as": [night.revision, night.phase_revision],
        "events": events,
        "entrants": [[each.member, each.reply, each.place, each.here] for each in night.entrants],
        "playing": list(night.playing),
        "missed": [list(each) for each in night.missed],
        "absent": list(night.absent),
        "penalties": [list(each) for each in night.penalties],
        "standings": _standings(night_table(result_of(night), night.format.ties)),
        "rounds": [
            {
                "byes": list(each.byes),
                "soft_end": each.soft_end,
                "hard_end": each.hard_end,
                "ended_at": each.ended_at,
                "tables": [_night_table(table) for table in each.tables],
            }
            for each in night.rounds
        ],
        "shown": _shown(await store.shown(night.id)),
    }


async def league_facts(app: Application, store: Store, league: League) -> Fact:
    """All facts of a league except its nights."""
    results = [result_of(night) for night in await app.leagues.nights(league)]
    return {
        "name": league.name,
        "community": league.community,
        "places": list(league.places),
        "languages": {"": league.language, **league.languages},
        "start": league.schedule.start,
        "zone": league.schedule.zone,
        "rule": league.schedule.rule,
        "rules": league.format.rules,
        "format": {
            each.name: _listed(getattr(league.format, each.name))
            for each in fields(league.format)
            if each.name != "rules"
        },
        "season": league.season,
        "nights": [[each.id, each.season, each.over, each.cancelled] for each in league.nights],
        "standings": {
            str(season): _standings(season_table(results, league.format, season))
            for season in range(1, league.season + 1)
        },
        "champions": {str(season): list(members) for season, members in league.champions.items()},
        "members": {each.id: _member(each) for each in league.members.values()},
        "ended": league.ended,
        "invited": bool(league.invitation),
        "shown": _shown(await store.shown(f"league-{league.id}")),
    }


def person_facts(known: Profile) -> Fact:
    """The facts of a person's profile."""
    return {
        "private_open": known.private_open,
        "guided": known.guided,
        "display": _display(known.display),
        "notifying": [
            known.notifying.way,
            None if known.notifying.quiet is None else list(known.notifying.quiet),
            known.notifying.offset,
        ],
    }


def place_facts(settings: Community) -> Fact:
    """The facts of a place's settings."""
    return {
        "rules": settings.rules,
        "turn_seconds": settings.turn_seconds,
        "invitations": settings.invitations,
        "display": None if settings.display is None else _display(settings.display),
        "language": settings.language,
        "rooms": settings.rooms,
        "places": list(settings.places),
        "tables_most": settings.tables_most,
        "blocked": [[each.tag, each.name] for each in settings.blocked],
        "set_by": [settings.set_by_key, settings.set_by],
    }


def book_facts(matches: Iterable[Dated]) -> list[Fact]:
    """The matches of a book, the newest first."""
    return [
        {
            "table": dated.match.table,
            "at": dated.at,
            "game": dated.match.game,
            "players": [[each.person, each.name] for each in dated.match.players],
            "rounds": len(dated.match.rounds),
            "scores": list(dated.match.scores),
            "winners": list(dated.match.winners),
            "over": dated.match.over,
            "books": sorted(dated.match.owners),
        }
        for dated in matches
    ]


async def archive_facts(archive: Archive, table: str) -> Fact:
    """A whole match in the archive."""
    stored = await archive.load(table)
    assert stored is not None
    return {
        "stage": stored.value.stage,
        "seats": [each.name for each in stored.value.seats],
        "scores": list(stored.value.match.scores),
        "results": [_result(each) for each in stored.value.results],
        "log": len(await archive.log(table)),
    }


async def mark_facts(store: Store) -> Fact:
    """The facts of waiting work."""
    return {
        "dirty": sorted(table for table, _ in await dirty(store)),
        "ended": sorted(table for table, _ in await ended(store)),
        "agenda": await agenda(store, 2e9),
    }


async def everything(app: Application, store: Store, url: str) -> dict[str, Any]:
    """All facts, in the form of `written.holds`."""
    keys = keys_at(url)
    ids = [key.partition("}t:")[2] for key in keys if "}t:" in key]
    facts: dict[str, Any] = {"tables": {}, "nights": {}, "leagues": {}}
    for id in sorted(ids):
        if id.startswith("league-"):
            league = await app.leagues.load(id.removeprefix("league-"))
            facts["leagues"][league.id] = await league_facts(app, store, league)
        elif "-" in id:
            events = len(await store.log(id))
            facts["nights"][id] = await night_facts(store, await app.leagues.load_night(id), events)
        else:
            stored = await app.repository.load(id)
            assert stored is not None
            facts["tables"][id] = await table_facts(store, stored)
    people, archive = Profiles(store, app.chats), Archive(store)
    communities = Communities(store, people)
    history = MatchHistory(store, archive, communities)
    facts["people"] = {each: person_facts(await people.known(each)) for each in _after("person:", keys)}
    facts["places"] = {each: place_facts(await communities.at(each)) for each in _after("settings:", keys)}
    owners = [key.removeprefix("{book:").partition("}")[0] for key in keys if key.startswith("{book:")]
    facts["books"] = {each: book_facts(await history.matches(each)) for each in dict.fromkeys(owners)}
    facts["archive"] = {each: await archive_facts(archive, each) for each in _after("match:", keys)}
    facts["marks"] = await mark_facts(store)
    facts["links"] = {each: await store.linked_to(each) for each in _after("link:", keys)}
    facts["seats"] = {each: await store.tables_of(each) for each in _after("seats:", keys)}
    facts["at"] = {each: await store.tables_at(each) for each in _after("place:", keys)}
    facts["in"] = {each: sorted(await store.tables_in(each)) for each in _after("community:", keys)}
    facts["leagues_at"] = {each: await store.leagues_at(each) for each in _after("leagues:", keys)}
    return facts


def _after(prefix: str, keys: Iterable[str]) -> list[str]:
    return [key.removeprefix(prefix) for key in keys if key.startswith(prefix)]


def keys_at(url: str) -> list[str]:
    """The names of all stored keys."""
    with redis.Redis.from_url(url) as server:
        return sorted(key.decode() for key in server.keys("*"))


def differences(before: Any, after: Any, path: str = "") -> dict[str, list[Any]]:
    """The differences between two facts: by path, the old and the new value."""
    if before == after:
        return {}
    pairs: Iterable[tuple[str, Any, Any]]
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        pairs = [(key, before.get(key), after.get(key)) for key in {**before, **after}]
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = [(str(n), one, other) for n, (one, other) in enumerate(zip(before, after, strict=True))]
    else:
        return {path: [before, after]}
    return {
        where: what
        for key, one, other in pairs
        for where, what in differences(one, other, f"{path}/{key}" if path else key).items()
    }


def _seat(seat: Seat) -> Fact:
    return {
        "person": seat.person,
        "name": seat.name,
        "language": seat.language,
        "computer": seat.computer,
        "shelves": [" ".join("." if tile is None else tile.name for tile in shelf) for shelf in seat.shelves],
        "draft": [" ".join(map(_placed, group)) for group in seat.draft],
        "word": seat.word,
        "missed": seat.missed,
        "seen": seat.seen,
        "private_closed": [seat.private_closed, seat.alerts_only],
        "shown_as": seat.revision,
        "member": [seat.member, seat.taken],
    }


def _round(rules: Rules, round: Round) -> Fact:
    return {
        "dealer": round.dealer,
        "starter": round.starter,
        "turn": round.turn,
        "phase": round.phase,
        "turns": round.turns,
        "seats": list(round.seats),
        "dice": _listed(round.dice),
        "indicator": round.indicator.name,
        "okey": round.okey.name,
        "drawn": [_tile(round.drawn), round.source],
        "twin": [round.twin_dealt_to, round.shown_by],
        "racks": [_tiles(rack) for rack in round.racks],
        "stock": _tiles(round.stock),
        "piles": [_tiles(pile) for pile in round.piles],
        "over": round.ending is not None,
        "board": _board(round.board, round.okey) if game_of(rules).lays_melds else None,
    }


def _board(board: Board, okey: Tile) -> Fact:
    return {
        "opened": list(board.opened),
        "fines": list(board.fines),
        "melds": [[each.by, each.meld.kind, " ".join(words_of(each.meld, okey))] for each in board.melds],
        "highest": [board.points, board.pairs],
        "this_turn": [board.opened_now, board.used, board.returned, len(board.laid_off), board.took_back],
    }


def _result(result: RoundResult) -> list[Any]:
    return [
        result.winner,
        list(result.how),
        list(result.changes),
        list(result.away),
        list(result.opened),
        list(result.fines),
        list(result.members),
    ]


def _recent(recent: Recent) -> list[Any]:
    return [recent.kind, recent.seat, _tile(recent.tile), recent.source, recent.count, recent.reason]


def _standings(standings: Iterable[Tally]) -> list[list[Any]]:
    return [[each.rank, each.member, str(each.points), each.wins, each.score] for each in standings]


def _night_table(table: NightTable) -> Fact:
    return {
        "seats": list(table.seats),
        "taken": list(table.taken),
        "free": list(table.free),
        "attempt": table.attempt,
        "tiles": [[list(each.players), list(each.changes), each.winner] for each in table.tiles],
        "scores": list(table.scores),
        "over": table.over,
        "ended_at": table.ended_at,
        "corrected": _listed(table.corrected),
        "void": table.void,
        "dispute": None
        if table.dispute is None
        else [table.dispute.member, table.dispute.words, table.dispute.upheld],
    }


def _member(member: Member) -> list[Any]:
    return [
        member.name,
        list(member.accounts),
        member.language,
        member.listed,
        member.reminders,
        member.missed,
        member.barred_until,
        member.partner,
    ]


def _shown(shown: Mapping[str, ShownMessage]) -> Fact:
    return {target: [each.revision, each.message] for target, each in sorted(shown.items())}


def _display(display: Display) -> list[str]:
    return [each.name for each in fields(display) if getattr(display, each.name)]


def _placed(placed: Placed) -> str:
    return f"*{placed.face.name}" if placed.wild else placed.face.name


def _tile(tile: Tile | None) -> str | None:
    return None if tile is None else tile.name


def _tiles(tiles: Sequence[Tile]) -> str:
    return " ".join(tile.name for tile in tiles)


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
