"""Matches of every preset between computer players, as records; and records with something changed.

`python -m tests.engine.many_records 1000` plays that many matches, replays their records, checks whether one
change in each is found, and hands ten damaged copies of each to `replay`.
"""

import copy
import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

from engine.context import close_words, deal_digest, seal_from
from engine.errors import EngineError
from engine.events import SeatsDrawn
from engine.match import Match, new_match, next_dealer, next_round, play
from engine.players import choose
from engine.record import action_of
from engine.replay import PlayedRound, make_record, replay, seal
from engine.round import legal_moves
from engine.rules import PRESETS, Rules, rules_from
from engine.shuffle import Beacon, BoundSeed
from engine.view import seat_view
from tests.engine.laid_out import round_in

NAMES = ["Ada", "Can", "Ece", "Ali"]
Json = dict[str, Any]


def played_and_recorded(rules: Rules, number: int, beacon: Beacon | None = None) -> tuple[Match, Json]:
    """A whole match of `steady` and `easy` players at its end, and its record; with a beacon's part or
    without."""
    chance = random.Random(number)
    match = new_match(rules)
    rounds: list[PlayedRound] = []
    names = list(NAMES[: rules.players])
    while not match.finished:
        said = [(name, chance.choice(["", "göl"]) if seat else "elma") for seat, name in enumerate(names)]
        bound = bind(match, chance.randbytes(64), said, rounds, beacon)
        match, happened = next_round(match, bound.seed)
        for event in happened:
            if isinstance(event, SeatsDrawn):
                names = [names[seat] for seat in event.order]
        actions: list[Json] = []
        while round_in(match).phase != "over":
            seat = round_in(match).turn
            legal = legal_moves(rules, round_in(match), seat)
            lots = hashlib.sha256(bound.seed.secret + len(actions).to_bytes(4, "big")).digest()
            move = choose("easy" if seat % 2 else "steady", rules, seat_view(match, seat), legal, lots)
            match, _ = play(match, seat, move)
            actions.append(action_of(seat, move))
        rounds.append(bound._replace(actions=actions))
    return match, make_record(rules, names, rounds)


def bind(
    match: Match,
    entropy: bytes,
    said: list[tuple[str, str]],
    before: list[PlayedRound],
    beacon: Beacon | None = None,
) -> PlayedRound:
    """The next round of a match before its first move, bound to these names and words, the round before and a
    beacon."""
    number, previous = match.round_number + 1, b""
    if before:
        assert isinstance(before[-1].seed, BoundSeed)
        previous = deal_digest(before[-1].seed.context, before[-1].seed.signature)
    context, words = close_words(
        sealed := seal_from(entropy, "masa", number),
        match.rules,
        said,
        table="masa",
        round_number=number,
        dealer=next_dealer(match),
        playing=match.seats,
        beacon=None if beacon is None else (beacon.chain, beacon.round),
        previous=previous,
    )
    seed = BoundSeed(sealed.secret, context.digest(), b"" if beacon is None else beacon.signature)
    return PlayedRound(seed, [], context, dict(enumerate(words)))


def short_rules() -> Iterator[Rules]:
    """Every preset, for every number of players that it allows, in matches of few rounds."""
    for name, base in PRESETS.items():
        for players in (4,) if base.get("teams") else (2, 3, 4):
            rules = rules_from({"preset": name, "players": players})
            shorter = {"start_points": 3} if rules.end != "rounds" else {} if rules.pot else {"rounds": 2}
            yield rules_from({"preset": name, "players": players, **shorter})


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values in a record that are neither an object nor an array."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))
    else:
        yield path


def with_change(record: Json, path: tuple[Any, ...], value: Any) -> Json:
    """The record with another value at one path."""
    changed = copy.deepcopy(record)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


def another(value: Any, chance: random.Random) -> Any:
    """A value similar to another one, but different."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-1, 1])
    tiles = ["R1", "K13", "F", "*B7", "Y9"]
    return chance.choice([word for word in [*tiles, "draw", "discard", "take"] if word != value])


JUNK: list[Any] = [None, True, False, -1, 0, 3, 2**70, 1.5, "", "R1", "F", "*R1", "x" * 1000, [], {}, [[]],
                   [None], {"seat": 0}, ["R1"], {"do": "draw"}]  # fmt: skip


def damaged(record: Json, chance: random.Random) -> Json:
    """The record with up to three values overwritten, removed or doubled."""
    for _ in range(chance.randint(1, 3)):
        path = chance.choice(list(leaves(record)))
        path = path[: chance.randint(1, len(path))]
        record = with_change(record, path, chance.choice(JUNK))
        inside: Any = record
        for key in path[:-1]:
            inside = inside[key]
        if isinstance(inside, dict) and chance.random() < 0.2:
            del inside[path[-1]]
        elif isinstance(inside, list) and chance.random() < 0.3:
            inside.insert(chance.randrange(len(inside) + 1), chance.choice(inside))
    return record


def refused(record: Json, judge: Callable[[object], Json] = replay) -> str | None:
    """The code with which a record is refused; None when nothing is found wrong."""
    try:
        judge(record)
    except EngineError as error:
        return error.code
    return None


def main(count: int) -> int:
    """Play, replay and change this many matches; print the results."""
    chance, played, found = random.Random(count), 0, 0
    while played < count:
        for rules in short_rules():
            match, record = played_and_recorded(rules, played)
            result = replay(json.loads(json.dumps(record)))
            assert result["scores"] == list(match.scores)
            assert result["winners"] == list(match.winners)
            whole = json.loads(json.dumps(seal(record)))
            assert refused(whole) is None
            path = chance.choice(list(leaves(whole)))
            value: Any = whole
            for key in path:
                value = value[key]
            found += refused(with_change(whole, path, another(value, chance))) is not None
            for _ in range(10):
                refused(damaged(record, chance))  # anything but an EngineError ends the program
            played += 1
            if played == count:
                break
    print(
        json.dumps({"records": played, "same_scores": played, "changes_found": found, "damaged": 10 * played})
    )
    return 0 if found == played else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
