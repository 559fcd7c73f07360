"""RULES 2, `first_dealer`: the first dealer, and the seats of the players."""

import pytest

from engine.deal import first_dealer
from engine.events import DiceThrown, RoundBegan, SeatsDrawn
from engine.match import new_match, next_round
from engine.shuffle import Rng, Seed
from engine.tiles import FULL_SET, Tile, text_of, tiles_from_text
from tests.engine.laid_out import SOME_SEED, rules_of


class Drawing(Rng):
    """Dice with chosen throws; every shuffle puts the next named tiles in front."""

    def __init__(self, dice: tuple[int, ...] = (), draws: tuple[str, ...] = ()) -> None:
        self.dice = list(dice)
        self.draws = list(draws)

    def die(self) -> int:
        return self.dice.pop(0)

    def shuffle(self, items):  # type: ignore[no-untyped-def]
        assert sorted(items) == sorted(tile for tile in FULL_SET if tile is not Tile.F)
        return [*tiles_from_text(self.draws.pop(0)), Tile.K1]


@pytest.mark.parametrize(
    ("dice", "throws", "starter", "dealer"),
    [
        ((2, 6, 5, 1), ((2, 6, 5, 1),), 1, 0),
        ((6, 1, 2, 3), ((6, 1, 2, 3),), 0, 3),
        ((6, 1, 6, 3, 2, 5), ((6, 1, 6, 3), (2, None, 5, None)), 2, 1),
        ((4, 4, 4, 4, 1, 3, 3, 2, 6, 5), ((4, 4, 4, 4), (1, 3, 3, 2), (None, 6, 5, None)), 1, 0),
    ],
)
def test_the_highest_die_starts(
    dice: tuple[int, ...], throws: tuple[tuple[int | None, ...], ...], starter: int, dealer: int
) -> None:
    rules = rules_of(first_dealer="highest_die")
    assert first_dealer(rules, Drawing(dice)) == (dealer, (DiceThrown(throws, starter),))


def test_the_highest_die_deals_where_the_dealer_starts() -> None:
    rules = rules_of(preset="okey101", first_dealer="highest_die", players=3)
    assert first_dealer(rules, Drawing((2, 6, 5)))[0] == 1


def drawn(*draws: str, **switches: object) -> tuple[int, SeatsDrawn]:
    rules = rules_of(first_dealer="highest_tile", **switches)
    dealer, events = first_dealer(rules, Drawing(draws=draws))
    (event,) = events
    assert isinstance(event, SeatsDrawn)
    return dealer, event


def test_the_highest_tile_starts_and_the_others_sit_in_order() -> None:
    dealer, event = drawn("R3 K12 B5 Y13")
    assert event.order == (3, 1, 2, 0)
    assert (event.starter, dealer) == (0, 3)
    assert text_of(tile for tile in event.draws[0] if tile is not None) == "R3 K12 B5 Y13"


def test_equal_numbers_draw_again_among_themselves() -> None:
    _, event = drawn("R7 K7 B9 Y7", "B2 K11 Y2", "K1 R13")
    assert event.order == (2, 1, 3, 0)
    assert event.draws[1] == (Tile.B2, Tile.K11, None, Tile.Y2)
    assert event.draws[2] == (Tile.K1, None, None, Tile.R13)


def test_partners_keep_their_seats() -> None:
    dealer, event = drawn("R3 K12 B5 Y13", teams=True)
    assert event.order == (0, 1, 2, 3)
    assert (event.starter, dealer) == (3, 2)


@pytest.mark.parametrize("how", ["random", "highest_die", "highest_tile"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_deal_does_not_depend_on_how_the_dealer_was_found(how: str, players: int) -> None:
    rules = rules_of(first_dealer=how, players=players)
    match, events = next_round(new_match(rules), SOME_SEED)
    began = events[-1]
    assert isinstance(began, RoundBegan)
    assert began.dealer == match.dealer
    other, _ = next_round(new_match(rules_of(players=players)), SOME_SEED)
    assert match.round is not None
    assert other.round is not None
    assert match.round.indicator == other.round.indicator


def test_every_seat_may_be_the_first_to_deal() -> None:
    seeds = (Seed(bytes([number]) * 64, (), "t", 1) for number in range(60))
    dealers = {next_round(new_match(rules_of()), seed)[0].dealer for seed in seeds}
    assert dealers == {0, 1, 2, 3}
