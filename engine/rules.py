"""Every switch of RULES 8 as one field, the presets of RULES 6, and the refusals."""

from dataclasses import dataclass
from typing import Literal

Game = Literal["classic", "101"]
Direction = Literal["counterclockwise", "clockwise"]
Deal = Literal["stacks", "quick"]
DieCountsFrom = Literal["bottom", "top"]
FalseJokerIndicator = Literal["reroll", "false_jokers_wild"]
FirstDealer = Literal["random", "highest_die", "highest_tile"]
Starter = Literal["after_dealer", "dealer"]
DiscardSources = Literal["left", "any"]
Showing = Literal["declared", "automatic", "off"]
Scoring = Literal["countdown", "penalty", "rounds"]
OneColorDouble = Literal["off", "any", "red_black"]
End = Literal["zero", "elimination", "rounds"]
ReturnTaken = Literal["free", "penalty"]
Penalty = Literal["joker_left", "joker_discard", "playable_discard", "failed_opening", "takeback"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One table's rules. The defaults are those of RULES 8 for a classic game.

    Build them with `rules_from`, which knows presets, the defaults of each game, and refuses
    combinations that make no sense.
    """

    game: Game = "classic"
    players: int = 4
    teams: bool = False
    direction: Direction = "counterclockwise"
    deal: Deal = "stacks"
    die_counts_from: DieCountsFrom = "bottom"
    false_joker_indicator: FalseJokerIndicator = "reroll"
    first_dealer: FirstDealer = "random"
    starter: Starter = "after_dealer"
    discard_sources: DiscardSources = "left"
    indicator_last_draw: bool = False
    one_after_thirteen: bool = True
    pairs_win: bool = True
    show: Showing = "declared"
    rethrow: bool = False
    scoring: Scoring = "countdown"
    start_points: int = 20
    stack_doublings: bool = True
    one_color_double: OneColorDouble = "off"
    end: End = "zero"
    rounds: int = 5
    pot: bool = False
    stake: int = 100
    opening_points: int = 101
    opening_pairs: int = 5
    raising: bool = False
    reclaim_joker: bool = False
    strict: bool = False
    return_taken: ReturnTaken = "free"
    penalties: tuple[Penalty, ...] = (
        "joker_left",
        "joker_discard",
        "playable_discard",
        "failed_opening",
        "takeback",
    )
