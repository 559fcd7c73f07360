"""Offers: what a reader of a table may do now, stated once.

`list_place_offers` is for a place, `list_number_offers` for those in it who have no rack at hand,
`list_rack_offers` for a player with theirs. A chat's buttons and an app's acts are made of these: they choose
what to show, where and in which words, and never ask again whether it is allowed.
"""

from collections.abc import Iterator
from typing import Final

from bot.live import ActKind
from bot.markup import Name
from bot.screens.games import screens_of
from bot.screens.offer import Offer, make_offer
from bot.tables.facts import RackFacts, TableFacts
from bot.tables.table import COMPUTER_LEVELS
from engine.view import SeatView

_ORDERS: Final[tuple[ActKind, ...]] = ("keep", "sort_melds", "sort_runs", "sort_pairs")


def list_place_offers(facts: TableFacts) -> tuple[Offer, ...]:
    """Return what the readers of a place may do at a table: before a match, between rounds, and after it. A
    place cannot tell its readers apart: whether it is theirs to do is checked at the press."""
    return tuple(_offer_in_place(facts))


def list_number_offers(facts: TableFacts) -> tuple[Offer, ...]:
    """Return what players may do from a round's message in a place: call the last discard, take back the seat
    that a computer player keeps, and what those play by who get alerts only.

    All that these reveal of a rack is its number of tiles, which everybody sees.
    """
    return tuple(_offer_numbers(facts))


def list_rack_offers(facts: RackFacts) -> tuple[Offer, ...]:
    """Return what the player of a seat may do with their rack and at the table."""
    return tuple(_offer_to_player(facts))


def _offer_in_place(facts: TableFacts) -> Iterator[Offer]:
    if facts.stage == "lobby":
        yield from () if facts.deal.awaited else _offer_in_lobby(facts)
    elif facts.stage == "between" and facts.deal.awaited is None:
        yield make_offer(facts, "next", style="primary")
    elif facts.standing.playable_again:
        yield make_offer(facts, "again", style="primary")
    if facts.has_replay:
        yield make_offer(facts, "replay", facts.round_number)


def _offer_in_lobby(facts: TableFacts) -> Iterator[Offer]:
    if facts.has_room:
        yield make_offer(facts, "join", style="good")
    yield from _offer_seats(facts)
    yield make_offer(facts, "leave")
    if facts.free:
        yield make_offer(facts, "computer")
    if any(seat.computer for seat in facts.seats):
        yield make_offer(facts, "fewer")
    for size in _sizes(facts):
        yield make_offer(facts, "players", size, on=size, values={"n": size})
    for number, level in enumerate(COMPUTER_LEVELS):
        yield make_offer(facts, "level", level, on=number)
    yield make_offer(facts, "rules")
    if _has_removable(facts):
        yield make_offer(facts, "remove")
    yield make_offer(facts, "shuffle")
    free = {"n": facts.free} if facts.free else {}
    yield make_offer(facts, "start", style="primary", says="start_with" if free else "start", values=free)
    if facts.choices.counts_down:
        yield make_offer(facts, "hold")
    yield make_offer(facts, "cancel", style="danger")


def _offer_seats(facts: TableFacts) -> Iterator[Offer]:
    """Yield the seats that no person has, each to be taken by choice; with partners it tells whose it leads
    to."""
    for number, seat in enumerate(facts.seats):
        if seat.is_own:
            continue
        partner = facts.seats[(number + 2) % 4] if facts.rules.teams else seat
        values = {"number": number + 1} | ({"who": Name(partner.name)} if partner.is_own else {})
        yield make_offer(
            facts,
            "sit",
            number,
            on=number,
            style="good",
            says="sit_with" if partner.is_own else "sit",
            values=values,
        )


def _sizes(facts: TableFacts) -> tuple[int, ...]:
    """Return the numbers of players that the table can have: partners are four, and everybody who sits there
    keeps their seat."""
    if facts.rules.teams:
        return (4,)
    return tuple(size for size in (2, 3, 4) if size >= len(facts.seats) - facts.free)


def _has_removable(facts: TableFacts) -> bool:
    """Return whether another person than the host has a seat."""
    return any(not seat.host and seat.is_own for seat in facts.seats)


def _offer_numbers(facts: TableFacts) -> Iterator[Offer]:
    if facts.view is None or facts.stage != "playing":
        return
    game = screens_of(facts.rules)
    yield from game.calls(facts, facts.view)
    if facts.place.seat_kept:
        yield make_offer(facts, "back_in")
    if facts.place.numbered:
        yield from game.numbers(facts, facts.view)


def _offer_to_player(facts: RackFacts) -> Iterator[Offer]:
    table, view, seat = facts.table, facts.view, facts.table.seats[facts.seat]
    if table.choices.reactions:
        yield make_offer(table, "react")
    if view is not None and view.public.outcome is not None:
        yield make_offer(table, "review", table.round_number)
    if view is None or table.stage not in ("playing", "between"):
        return
    if seat.stand_in:
        yield make_offer(table, "back_in", style="primary")
    elif table.stage == "playing":
        yield from _offer_in_round(facts, view)
    else:
        yield make_offer(table, "step_out")


def _offer_in_round(facts: RackFacts, view: SeatView) -> Iterator[Offer]:
    table = facts.table
    if facts.dealt_in:
        yield from screens_of(table.rules).offers(facts, view)
        for kind in _ORDERS:
            yield make_offer(table, kind)
    yield make_offer(table, "preferences")
    if table.practice:
        yield make_offer(table, "practice_leave")
    else:
        yield make_offer(table, "step_out")
    if table.seats[facts.seat].host and not table.practice and _has_removable(table):
        yield make_offer(table, "remove")
