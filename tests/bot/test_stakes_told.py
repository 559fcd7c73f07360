"""What a round counts more than others, and the bowl of chips, in results and refusals (RULES 9)."""

import pytest

from tests.bot.house import House, said
from tests.bot.laid_101 import laid_out
from tests.bot.router_101 import ADA, CAN, press_one, read, shown

PAIRS = "R2 R2 Y4 Y4 B6 B6 K8 K8 R10 R10 K12 K12 Y1 Y1 B9"
"""Seven pairs, and a tile to finish with. The okey is K1."""
NOTHING = "R1 R3 R5 R7 R9 Y3 Y5 Y7 Y9 B1 B3 B5 B11 K3"


async def finished(house: House, rules: str) -> str:
    """The result of a round that Ada wins with pairs, as Can reads it."""
    table = await laid_out(house, ADA, CAN, rack=PAIRS, others=NOTHING, rules=rules)
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


@pytest.mark.parametrize("factors", ["1,2,3", "0,1,1,1"])
async def test_wrong_factors_are_refused_with_how_many_there_must_be(house: House, factors: str) -> None:
    refused = await house.type(ADA, "play", f"okey factors={factors}")
    assert refused.code == "bad_rules"
    assert said(refused).startswith("Colour factors must be four numbers from 1 to 10")
