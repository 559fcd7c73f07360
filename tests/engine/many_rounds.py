"""Many rounds of every preset, and of random rules, between computer players of all levels, under the laws.

`python -m tests.engine.many_rounds 1000` plays that many rounds of each preset, and as many in all of 200
random rules. After every move tiles and chips are counted; of one move in 200 the legal moves are compared
with those accepted, and what each seat sees with what it may see. `--presets okey,okey101` plays only these,
`random` stands for the random rules, and `--seed` begins elsewhere. It prints the figures every minute.
*sharp* takes ten times as long at Okey 101 as all others, so that it plays in one match of ten alone: `7700`
are 100 000 rounds in an hour and a half of one core.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from engine.errors import EngineError, Unreadable
from engine.match import Match, new_match, next_round, play
from engine.moves import Call
from engine.players import LEVELS, PlayerLevel, calls, choose
from engine.round import legal_moves
from engine.rules import PRESETS, Penalty, Rules, rules_from, switches_for, switches_of
from engine.shuffle import Seed
from engine.view import seat_view
from tests.engine.laid_out import round_in
from tests.engine.laws import (
    assert_chips_are_conserved,
    assert_legal_moves_are_those_accepted,
    assert_tiles_are_conserved,
    assert_what_is_hidden_changes_nothing,
)

RANDOM_RULES: Final = 200
SHARP: Final = 10
"""In one of so many matches *sharp* may play too."""
SAMPLED: Final = 200
"""One in so many moves is looked at closely: the legal moves, and what everybody sees."""
TURNS_MOST: Final = 400
"""A longer round is exhausted (RULES 3)."""
MOVES_MOST: Final = 40 * TURNS_MOST
"""More moves than any round could have whose turns end."""
NUMBERS: Final = {
    "players": (2, 3, 4),
    "start_points": (1, 5, 20),
    "rounds": (1, 2, 3),
    "stake": (1, 100),
    "opening_points": (51, 81, 101, 151),
    "opening_pairs": (4, 5, 6),
    "bowl": (0, 1, 100),
    "show_spares": (0, 3, 20),
    "last_factor": (1, 2, 10),
    "extend_within": (0, 20, 500),
}
KINDS: Final = get_type_hints(Rules)


def random_rules(chance: random.Random) -> Rules:
    """A preset with up to ten switches set at random; a value that clashes is left out."""
    rules = rules_from({"preset": chance.choice(list(PRESETS))})
    for switch in chance.sample(switches_for(rules), chance.randint(1, 10)):
        with suppress(Unreadable):
            rules = rules_from({**switches_of(rules), switch: _random_value(switch, chance)})
    return rules


def _random_value(switch: str, chance: random.Random) -> object:
    kind = KINDS[switch]
    if switch == "penalties":
        return [penalty for penalty in get_args(Penalty) if chance.random() < 0.6]
    if switch == "factors":
        return [chance.choice((1, 2, 10)) for _ in range(4)]
    if get_origin(kind) is Literal:
        return chance.choice(get_args(kind))
    return chance.choice((False, True) if kind is bool else NUMBERS[switch])


def play_rounds(rules: Rules, chance: random.Random) -> Iterator[Counter[str]]:
    """What was counted in each round of endless matches: levels are drawn for each match.

    Raises AssertionError when a law is broken, and EngineError for a move that is not accepted.
    """
    while True:
        match = new_match(rules)
        among = LEVELS if chance.randrange(SHARP) == 0 else [level for level in LEVELS if level != "sharp"]
        levels = [chance.choice(among) for _ in range(rules.players)]
        while not match.finished:
            seed = Seed(chance.randbytes(64), (), "laws", match.round_number + 1)
            match, _ = next_round(match, seed)
            counted = Counter[str](rounds=1)
            match = _play_round(match, levels, chance, counted)
            yield counted


def _play_round(
    match: Match, levels: list[PlayerLevel], chance: random.Random, counted: Counter[str]
) -> Match:
    while match.turn is not None:
        seat = match.turn
        legal = legal_moves(match.rules, round_in(match), seat)
        assert legal, "nothing can be done"
        move = choose(levels[seat], match.rules, seat_view(match, seat), legal, chance.randbytes(32))
        assert move in legal, move
        match, _ = play(match, seat, move)
        counted[type(move).__name__] += 1
        match = _with_calls(match, levels, chance, counted)
        _hold_laws(match, chance, counted)
    round = round_in(match)
    assert round.ending is not None
    counted[round.ending.kind] += 1
    counted.update(round.ending.how)
    return match


def _with_calls(
    match: Match, levels: list[PlayerLevel], chance: random.Random, counted: Counter[str]
) -> Match:
    for seat in round_in(match).seats:
        if round_in(match).board.call_open and calls(
            levels[seat], match.rules, seat_view(match, seat), chance.randbytes(32)
        ):
            match, _ = play(match, seat, Call())
            counted["Call"] += 1
    return match


def _hold_laws(match: Match, chance: random.Random, counted: Counter[str]) -> None:
    counted["moves"] += 1
    assert counted["moves"] < MOVES_MOST
    assert round_in(match).turns <= TURNS_MOST
    assert_tiles_are_conserved(match)
    assert_chips_are_conserved(match)
    if chance.randrange(SAMPLED) == 0:
        counted["sampled"] += 1
        assert_legal_moves_are_those_accepted(match)
        assert_what_is_hidden_changes_nothing(match, chance)


def main() -> int:
    """Play, and print the figures; 1 when a law was broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--presets", default=",".join((*PRESETS, "random")))
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    broken = [name for name in asked.presets.split(",") if not _play(name, asked.rounds, asked.seed)]
    return int(bool(broken))


def _play(name: str, rounds: int, seed: int) -> bool:
    """Play the rounds of one preset, or those of the random rules; False when a law was broken."""
    chance = random.Random(f"{name} {seed}")
    every = (
        [random_rules(chance) for _ in range(RANDOM_RULES)]
        if name == "random"
        else [rules_from({"preset": name})]
    )
    counted, began = Counter[str](), time.monotonic()
    told = began
    for rules in every:
        number = 0
        try:
            for number, round in enumerate(play_rounds(rules, chance), 1):
                counted += round
                if time.monotonic() - told > 60:
                    told = time.monotonic()
                    _tell(name, counted, told - began)
                if number >= rounds // len(every):
                    break
        except (AssertionError, EngineError) as error:
            print(
                json.dumps({"broken": repr(error), "rules": switches_of(rules), "round": number}), flush=True
            )
            return False
    _tell(name, counted, time.monotonic() - began)
    return True


def _tell(name: str, counted: Counter[str], seconds: float) -> None:
    figures: dict[str, Any] = {"rules": name, "seconds": round(seconds), **dict(sorted(counted.items()))}
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    sys.exit(main())
