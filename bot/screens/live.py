"""Live table and rack: plain values for an app that draws them itself, from the same views as text and
pictures."""

from collections.abc import Sequence
from dataclasses import replace

from bot.i18n import Words, plain
from bot.live import (
    LiveFirstDraw,
    LiveHappening,
    LiveMeld,
    LiveMove,
    LiveOutcome,
    LiveRack,
    LiveReplay,
    LiveRound,
    LiveSeat,
    LiveTable,
)
from bot.screens.games.hints import live_hint
from bot.screens.match import list_winners
from bot.screens.offers import list_place_offers, list_rack_offers
from bot.screens.result import ending_of
from bot.screens.rules import preset_of, rules_lines
from bot.tables.facts import RackFacts, SeatFacts, TableFacts
from bot.tables.table import Recent
from engine.games import game_of
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.melds import Laid, Meld
from engine.tiles import Tile
from engine.view import Outcome, PublicView


def live_table(facts: TableFacts, words: Words) -> LiveTable:
    """Return a table as everybody may see it."""
    view, rules = facts.view, facts.rules
    lays = view is not None and game_of(rules).lays_melds
    return LiveTable(
        id=facts.id,
        version=facts.version,
        turns=facts.turn_number,
        moment=facts.moment,
        stage=facts.stage,
        game=game_of(rules).name,
        preset=preset_of(rules),
        rules=tuple(plain(line, words) for line in rules_lines(rules, words))
        if facts.stage == "lobby"
        else (),
        clockwise=rules.direction == "clockwise",
        level=facts.choices.level,
        players=rules.players,
        teams=rules.teams,
        round=facts.round_told,
        seats=tuple(_seat(number, seat, facts, view) for number, seat in enumerate(facts.seats)),
        turn=None if view is None else view.turn,
        phase="" if view is None else view.phase,
        indicator="" if view is None else view.indicator.name,
        okey="" if view is None else view.okey.name,
        stock=0 if view is None else view.stock_left,
        deadline=facts.clock.deadline,
        turn_seconds=facts.clock.turn_seconds,
        sources=() if view is None else view.sources,
        melds=() if view is None else tuple(map(_meld, view.board.melds)),
        needed=(points_needed(rules, view.board), pairs_needed(rules, view.board))
        if view and lays
        else (0, 0),
        happened=tuple(map(_happening, facts.news.recent)),
        first=tuple(LiveFirstDraw(each.seat, each.die or 0, _name(each.tile)) for each in facts.news.first)
        if facts.round_number == 1
        else (),
        outcome=None if view is None or view.outcome is None else _outcome(view.outcome, facts),
        rounds=tuple(LiveRound(each.winner, each.changes) for each in facts.standing.results),
        fewest_win=game_of(rules).fewest_win(rules),
        winners=tuple(list_winners(facts)),
        ending=ending_of(facts),
        practice=facts.practice,
        hints=facts.practice or facts.choices.hints,
        acts=tuple(offer.act for offer in list_place_offers(facts)),
        riziko=view is not None and view.riziko,
        factor=1 if view is None else view.factor,
        bowl=facts.standing.bowl,
        chips=facts.standing.chips,
    )


def live_replay(
    facts: TableFacts,
    racks: Sequence[Sequence[Tile]],
    words: Words,
    *,
    seat: int = -1,
    made: LiveMove | None = None,
    best: LiveMove | None = None,
) -> LiveReplay:
    """Return a table at a moment of a round that is over. Nothing can be done there."""
    table = replace(live_table(facts, words), acts=(), deadline=None)
    shown = tuple(tuple(map(_name, rack)) for rack in racks)
    return LiveReplay(table=table, racks=shown, seat=seat, made=made, best=best)


def live_rack(facts: RackFacts, words: Words) -> LiveRack:
    """Return a table as the person on a seat may see it."""
    view, rules = facts.view, facts.table.rules
    shelf = game_of(rules).shelf_size
    places = () if view is None else _places(facts, shelf)
    return LiveRack(
        table=live_table(facts.table, words),
        seat=facts.seat,
        places=places,
        shelf=shelf,
        drawn=-1 if view is None or view.drawn is None else _last(places, view.drawn.name),
        acts=tuple(offer.act for offer in list_rack_offers(facts)),
        refused=facts.refused,
        piles=() if view is None else tuple(tuple(map(_name, pile)) for pile in view.all_piles),
        wrap=view is not None and rules.meld_rules(view.public.okey).wrap,
        hint=None if view is None else live_hint(facts, view, words),
        own_pile=() if view is None else tuple(map(_name, view.own_pile)),
        left_pile=() if view is None else tuple(map(_name, view.left_pile)),
        invitation=facts.invitation,
        letters=facts.table.display.letters,
        contrast=facts.table.display.contrast,
    )


def _seat(number: int, seat: SeatFacts, facts: TableFacts, view: PublicView | None) -> LiveSeat:
    way = None if view is None else view.board.opened[number]
    return LiveSeat(
        name=seat.name,
        score=seat.score,
        computer=seat.computer,
        stand_in=seat.stand_in,
        host=seat.host,
        tiles=0 if view is None else view.rack_sizes[number],
        discard="" if view is None else _name(view.discard_tops[number]),
        shown=view is not None and view.shown_by == number,
        opened="" if way is None else f"{facts.news.openings[number]} {way}",
        declared=view is not None and number in view.board.declared,
        fines=0 if view is None else view.board.fines[number],
        reaction="" if seat.reaction is None else seat.reaction.kind,
        reacted=0.0 if seat.reaction is None else seat.reaction.at,
        accuracy=seat.accuracy,
    )


def _meld(laid: Laid) -> LiveMeld:
    return LiveMeld(by=laid.by, kind=laid.meld.kind, tiles=_tiles(laid.meld))


def _tiles(meld: Meld) -> tuple[tuple[str, str], ...]:
    return tuple((played.tile.name, played.face.name) for played in meld.tiles)


def _happening(recent: Recent) -> LiveHappening:
    source = -1 if recent.source is None else recent.source
    return LiveHappening(recent.kind, recent.seat, _name(recent.tile), source, recent.count)


def _outcome(outcome: Outcome, facts: TableFacts) -> LiveOutcome:
    return LiveOutcome(
        kind=outcome.kind,
        winner=outcome.winner,
        how=outcome.how,
        changes=outcome.changes,
        melds=tuple(map(_tiles, outcome.winning_melds)),
        finishing=_name(outcome.finishing_tile),
        emote="" if outcome.winner is None else facts.seats[outcome.winner].emote,
        fines=outcome.fines,
    )


def _places(facts: RackFacts, shelf: int) -> tuple[str, ...]:
    return tuple(_name(tile) for each in facts.shelves for tile in (*each, *[None] * (shelf - len(each))))


def _last(places: tuple[str, ...], tile: str) -> int:
    return max((at for at, each in enumerate(places) if each == tile), default=-1)


def _name(tile: Tile | None) -> str:
    return "" if tile is None else tile.name
