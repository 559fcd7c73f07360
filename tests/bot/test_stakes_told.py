"""What a round counts more than others, and the bowl of chips, in results and refusals (RULES 9)."""

import re

import pytest

from tests.bot.house import PLACE, House, said
from tests.bot.laid_101 import laid_out
from tests.bot.router_101 import ADA, CAN, press_one, read, shown

PAIRS = "R2 R2 Y4 Y4 B6 B6 K8 K8 R10 R10 K12 K12 Y1 Y1 B9"
"""Seven pairs, and a tile to finish with. The okey is K1."""
NOTHING = "R1 R3 R5 R7 R9 Y3 Y5 Y7 Y9 B1 B3 B5 B11 K3"


MELDS = "R1 R2 R3 Y4 Y5 Y6 B5 B6 B7 B8 K9 K10 K11 K12 B9"
"""Four runs, and the same tile."""


async def finished(house: House, rules: str, rack: str = PAIRS) -> str:
    """The result of a round that Ada wins with a rack, as Can reads it."""
    table = await laid_out(house, ADA, CAN, rack=rack, others=NOTHING, rules=rules)
    asked = shown(await press_one(house, ADA, await house.rack(ADA, table), "ask_finish"))
    await press_one(house, ADA, asked, "finish", "B9")
    return read(await house.look(table))


@pytest.mark.parametrize(
    ("rules", "told", "not_told"),
    [
        ("okey factors=3,3,3,3", ["✖ This round counts ×3"], ["🥣"]),
        (
            "okey-bowl",
            ["🥣 Ada breaks the bowl and takes it all.", "🥣 In the bowl: 0 chips"],
            ["✖"],
        ),
    ],
)
async def test_a_result_tells_why_it_counts_more_and_who_takes_the_bowl(
    house: House, rules: str, told: list[str], not_told: list[str]
) -> None:
    result = await finished(house, rules)
    assert [each for each in told if each not in result] == []
    assert [each for each in not_told if each in result] == []


async def test_the_end_of_a_match_tells_everybody_s_chips(house: House) -> None:
    result = await finished(house, "okey-bowl start_points=2")
    assert "🏆 Ada wins the match!" in result
    assert "🥣 Ada breaks the bowl and takes it all." in result
    assert "🥣 Chips: Ada" in result


async def test_a_bowl_is_divided_once_the_match_is_over_and_not_by_its_last_round(house: House) -> None:
    end = await finished(house, "okey-bowl start_points=2", MELDS)
    assert "🥣 The 100 chips left in the bowl go to the winners. Chips: Ada 100" in end
    assert "−100" in end
    (table,) = await house.app.tables.load_many(await house.store.index.tables_at(PLACE))
    of_round = await house.app.router._services.viewing.earlier_result(table, 1, PLACE)
    (told,) = re.findall("🥣 In the bowl: 100 chips · (.*)", read(of_round))
    assert sorted(re.findall(r"−?\d+", told)) == ["0", "−100"]


@pytest.mark.parametrize("factors", ["1,2,3", "0,1,1,1"])
async def test_wrong_factors_are_refused_with_how_many_there_must_be(house: House, factors: str) -> None:
    refused = await house.type(ADA, "play", f"okey factors={factors}")
    assert refused.code == "bad_rules"
    assert said(refused).startswith("Colour factors must be four numbers from 1 to 10")
