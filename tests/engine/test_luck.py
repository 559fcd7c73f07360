"""What chance brings to a rack: the expectations beside simulated deals, and what a deal is judged to be."""

import hashlib
from collections import Counter
from math import comb, sqrt
from statistics import fmean, stdev

import pytest

from engine.deal import Dealt, deal
from engine.games import game_of
from engine.luck import MEAN_STARTS, DealtRack, expect_okeys, judge_deal, name_kind
from engine.rules import Rules, rules_from
from engine.shuffle import Rng, Seed
from engine.tiles import Tile, tiles_from_text

pytestmark = pytest.mark.long

DEALS = 100_000
SHARES_14 = {2: 0.028402, 3: 0.201522, 4: 0.463777, 5: 0.286820, 6: 0.018243}
"""Of two million other racks the share that misses so many tiles; others are 0.0012 in all."""


def deals(rules: Rules, number: int) -> list[tuple[DealtRack, ...]]:
    """What each seat was dealt in simulated deals, in which each seat deals as often."""
    secret, judged = hashlib.sha512(b"luck").digest(), []
    for each in range(number):
        seed = Seed(secret, (), "luck", each)
        dealt = judge_deal(rules, deal(rules, each % 4, range(4), Rng(seed, "deal")))
        judged.append(tuple(rack for rack in dealt if rack is not None))
    return judged


def chi_squared(found: Counter[int], shares: dict[int, float], number: int) -> float:
    """How far counts are from their shares; everything else is one more class."""
    rest = 1 - sum(shares.values())
    classes = [(found[each], share) for each, share in shares.items()]
    classes.append((number - sum(found[each] for each in shares), rest))
    return sum((n - number * share) ** 2 / (number * share) for n, share in classes)


@pytest.mark.long
def test_okeys_and_starts_of_a_hundred_thousand_deals_are_what_chance_brings() -> None:
    """By the seat that begins: 15 tiles; and by the one after it: 14."""
    rules = rules_from({"preset": "okey"})
    judged = deals(rules, DEALS)
    by_size = {15: [], 14: []}  # type: dict[int, list[DealtRack]]
    for number, racks in enumerate(judged):
        (starter,) = (seat for seat, rack in enumerate(racks) if rack.kind == "classic-15")
        by_size[15].append(racks[starter])
        by_size[14].append(racks[(starter + 1 + number % 3) % 4])
    for size, racks in by_size.items():
        okeys = Counter(rack.okeys for rack in racks)
        shares = {n: comb(2, n) * comb(103, size - n) / comb(105, size) for n in (0, 1)}
        assert chi_squared(okeys, shares, DEALS) < 18.4, "less likely than one in ten thousand"
        assert abs(fmean(rack.okeys for rack in racks) - expect_okeys(f"classic-{size}")) < 0.007
        starts = [rack.start for rack in racks]
        error = stdev(starts) / sqrt(DEALS)
        assert abs(fmean(starts) - MEAN_STARTS[f"classic-{size}"]) < 4 * error + 0.001
    starts_14 = Counter(rack.start for rack in by_size[14])
    assert chi_squared(starts_14, SHARES_14, DEALS) < 25.7, "less likely than one in ten thousand"


@pytest.mark.parametrize(
    "switches",
    [
        {"preset": "okey"},
        {"preset": "okey101"},
        {"preset": "okey101", "one_after_thirteen": True},
        {"preset": "okey", "one_after_thirteen": False},
        {"preset": "okey", "pairs_win": False},
        {"preset": "okey", "pairs_win": False, "one_after_thirteen": False},
    ],
)
def test_every_kind_of_racks_starts_as_well_as_chance_brings(switches: dict[str, object]) -> None:
    rules = rules_from(switches)
    by_kind: dict[str, list[int]] = {}
    for racks in deals(rules, 5000):
        for rack in racks:
            by_kind.setdefault(rack.kind, []).append(rack.start)
    size = game_of(rules).rack_size
    assert {*by_kind} == {name_kind(rules, size), name_kind(rules, size + 1)}
    for kind, starts in by_kind.items():
        assert abs(fmean(starts) - MEAN_STARTS[kind]) < 4.5 * stdev(starts) / sqrt(len(starts))


def test_every_rack_has_an_expectation() -> None:
    kinds = set()
    for preset in ("okey", "okey101"):
        for line in (True, False):
            for pairs in (True, False) if preset == "okey" else (True,):
                switches = {"preset": preset, "one_after_thirteen": line}
                rules = rules_from(switches | ({} if pairs else {"pairs_win": False}))
                size = game_of(rules).rack_size
                kinds |= {name_kind(rules, size), name_kind(rules, size + 1)}
    assert kinds == {*MEAN_STARTS}


def test_a_deal_is_judged_by_its_racks() -> None:
    rules = rules_from({"preset": "okey"})
    whole = tiles_from_text("R1 R2 R3 R4 B5 B6 B7 Y8 Y9 Y10 K11 K12 K13 B13")
    others = tiles_from_text("B2 B2 R7 R8 R9 R10 Y1 B1 K1 Y3 Y4 Y5 K7 K8 K9")
    dealt = Dealt(0, 1, Tile.B1, (), (tuple(sorted(whole)), tuple(sorted(others)), (), ()), ())
    judged = judge_deal(rules, dealt)
    assert judged == (DealtRack("classic-14", 0, 1), DealtRack("classic-15", 2, 0), None, None)
    wild = Dealt(0, 1, Tile.F, (), dealt.racks, ())
    assert judge_deal(rules, wild) == (None,) * 4
