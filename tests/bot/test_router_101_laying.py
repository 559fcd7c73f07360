"""Okey 101 at the router: laying off, taking back, giving back, discarding, through the real store."""

import pytest

from bot.markup import RackPicture
from tests.bot.house import House, offers, said
from tests.bot.laid_101 import laid_out
from tests.bot.router_101 import ADA, CAN, ENOUGH, LITTLE, board_of, kept_of, labels, press_one, read, shown


async def test_only_places_that_fit_are_offered_and_another_is_refused(house: House) -> None:
    table = await laid_out(
        house,
        ADA,
        CAN,
        rack="R7 R3 R9 Y1 Y6",
        others=LITTLE,
        melds="R4 R5 R6/Y9 B9 K9",
        opened={0: "melds", 1: "melds"},
    )
    rack = await house.rack(ADA, table)
    assert not offers(rack, "ask_lay_okey")
    places = shown(await press_one(house, ADA, rack, "ask_lay"))
    assert labels(offers(places, "lay")) == ["R3 → #1", "R7 → #1", "R9 → #2"]
    moves = (await kept_of(house, table)).moment
    nowhere = await house.press(ADA, offers(places, "lay")[0].press.replace("R3.0", "Y1.0"))
    assert said(nowhere) == "yellow 1 doesn’t fit there."
    assert (await kept_of(house, table)).moment == moves
    more = shown(await press_one(house, ADA, places, "lay", "R7 → #1"))
    assert labels(offers(more, "lay")) == ["R3 → #1", "R9 → #2"]
    assert "#1: 🔴 4 5 6 7 · #2: ⭐9 🔷9 ⬛9" in read(more)


async def test_an_okey_is_laid_off_where_it_fits(house: House) -> None:
    table = await laid_out(
        house,
        ADA,
        CAN,
        rack="K1 Y1 Y6",
        others=LITTLE,
        melds="R4 R5 R6",
        opened={0: "melds", 1: "melds"},
    )
    rack = await house.rack(ADA, table)
    assert not offers(rack, "ask_lay")
    places = shown(await press_one(house, ADA, rack, "ask_lay_okey"))
    assert labels(offers(places, "lay_wild")) == ["👑🔴3 → #1", "👑🔴7 → #1"]
    await press_one(house, ADA, places, "lay_wild", "👑🔴7 → #1")
    assert "1: red 4, 5, 6, okey for 7" in (await house.look(table)).alt


async def test_the_last_tile_laid_off_is_taken_back_free_and_more_for_a_penalty(house: House) -> None:
    table = await laid_out(
        house,
        ADA,
        CAN,
        rack="R7 R3 R9 Y1",
        others=LITTLE,
        melds="R4 R5 R6/Y9 B9 K9",
        opened={0: "melds", 1: "melds"},
    )
    places = shown(await press_one(house, ADA, await house.rack(ADA, table), "ask_lay"))
    places = shown(await press_one(house, ADA, places, "lay", "R7 → #1"))
    await press_one(house, ADA, places, "lay", "R9 → #2")
    rack = await house.rack(ADA, table)
    assert labels(offers(rack, "take_back")) == ["Take 1 tile back", "Take 2 tiles back (+101)"]
    rack = shown(await press_one(house, ADA, rack, "take_back", "Take 1 tile back"))
    assert (await board_of(house, table)).fines == (0, 0)
    assert labels(offers(rack, "take_back")) == ["Take 1 tile back (+101)"]
    await press_one(house, ADA, rack, "take_back")
    assert (await board_of(house, table)).fines == (1, 0)
    assert "Penalties: Ada +101" in read(await house.rack(ADA, table))


async def test_however_much_is_laid_since_a_taken_tile_stays_a_taken_one(house: House) -> None:
    table = await laid_out(
        house,
        ADA,
        CAN,
        rack="K9 R7 Y1",
        others=LITTLE,
        melds="R4 R5 R6/Y9 B9 R9",
        opened={0: "melds", 1: "melds"},
        phase="draw",
        pile="K9",
    )
    await press_one(house, ADA, await house.rack(ADA, table), "take")
    places = shown(await press_one(house, ADA, await house.rack(ADA, table), "ask_lay"))
    await press_one(house, ADA, places, "lay", "K9 → #2")
    for _ in range(6):
        places = shown(await press_one(house, ADA, await house.rack(ADA, table), "ask_lay"))
        await press_one(house, ADA, places, "lay", "R7 → #1")
        await press_one(house, ADA, await house.rack(ADA, table), "take_back", "Take 1 tile back")
    assert "you took black 9" in read(await house.rack(ADA, table))


async def test_the_taken_discard_is_used_or_given_back(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=LITTLE, others=ENOUGH, phase="draw", pile="R13")
    rack = await house.rack(ADA, table)
    assert labels(offers(rack, "draw", "take")) == ["Draw", "Take R13"]
    taken = shown(await press_one(house, ADA, rack, "take"))
    assert "lay red 13 now, or give it back" in read(taken)
    assert not offers(taken, "discard")
    again = shown(await press_one(house, ADA, taken, "give_back", "Give R13 back"))
    assert labels(offers(again, "draw", "take")) == ["Draw"]
    assert (await board_of(house, table)).fines == (0, 0)


async def test_giving_back_says_what_it_costs_where_it_costs(house: House) -> None:
    rules = "okey101 return_taken=penalty"
    table = await laid_out(house, ADA, CAN, rack=LITTLE, others=ENOUGH, phase="draw", pile="R13", rules=rules)
    taken = shown(await press_one(house, ADA, await house.rack(ADA, table), "take"))
    await press_one(house, ADA, taken, "give_back", "Give R13 back (+101)")
    assert (await board_of(house, table)).fines == (1, 0)


async def test_an_okey_is_reclaimed_with_the_tile_that_it_stands_for(house: House) -> None:
    table = await laid_out(
        house,
        ADA,
        CAN,
        rack="R5 Y1 Y6",
        others=LITTLE,
        melds="R4 *R5 R6",
        opened={0: "melds", 1: "melds"},
        rules="okey101-raise",
    )
    rack = await house.rack(ADA, table)
    assert "To open: 101 points or 5 pairs" in (await house.look(table)).alt
    after = shown(await press_one(house, ADA, rack, "reclaim", "R5 for the okey in #1"))
    assert "K1" in labels(offers(after, "discard"))
    assert "1: red 4, 5, 6" in (await house.look(table)).alt


async def test_a_discard_that_fits_the_table_asks_once(house: House) -> None:
    table = await laid_out(
        house, ADA, CAN, rack="R7 Y1 Y6", others=LITTLE, melds="R4 R5 R6", opened={1: "melds"}
    )
    asked = shown(await press_one(house, ADA, await house.rack(ADA, table), "discard", "R7"))
    assert "red 7 fits a meld on the table: discarding it costs 101 points" in read(asked)
    assert isinstance(asked.picture, RackPicture)
    marked = [face.code for shelf in asked.picture.shelves for face in shelf if face and face.marked]
    assert marked == ["R7"]
    assert (await board_of(house, table)).fines == (0, 0)
    assert offers(shown(await press_one(house, ADA, asked, "look")), "discard")
    await press_one(house, ADA, asked, "discard")
    assert (await board_of(house, table)).fines == (1, 0)
    assert "Ada: +101, that tile fitted a meld" in read(await house.look(table))


async def test_an_okey_discard_asks_once(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack="K1 Y1 Y6", others=LITTLE)
    asked = shown(await press_one(house, ADA, await house.rack(ADA, table), "discard", "K1"))
    assert "costs 101 points" in read(asked)
    await press_one(house, ADA, asked, "discard")
    assert (await board_of(house, table)).fines == (1, 0)


@pytest.mark.parametrize("tile", ["K1", "R7"])
async def test_a_strict_table_asks_nobody(house: House, tile: str) -> None:
    table = await laid_out(
        house,
        ADA,
        CAN,
        rack="R7 Y1 K1",
        others=LITTLE,
        melds="R4 R5 R6",
        opened={1: "melds"},
        rules="okey101 strict=true",
    )
    await press_one(house, ADA, await house.rack(ADA, table), "discard", tile)
    assert (await board_of(house, table)).fines == (1, 0)


async def test_an_app_has_the_rack_sorted_for_the_rows_that_it_shows(house: House) -> None:
    rack = "R12 R13 R1 R4 B4 K4 Y1 B1 K1 Y2 Y3 Y4 R3 R6 R10 B10 B10 B13 K2 K6 K7"
    table = await laid_out(house, ADA, CAN, rack=rack, others=LITTLE, phase="draw")
    for rows, whole in (("", False), (".2", False), (".3", True)):
        await house.press(ADA, f"sort_melds.{table}.0{rows}")
        upper, lower = (await kept_of(house, table)).seats[0].shelves
        places = [*upper, *[None] * (15 - len(upper)), *lower]
        cut = [places[end - 1] is not None and places[end] is not None for end in (10, 20)]
        assert (not any(cut)) is whole, (rows, places)


@pytest.mark.parametrize(
    ("discarded", "told"),
    [("R7", "red 7 fits a meld: +101 for Can."), ("Y2", "yellow 2 fits no meld. Your call costs nothing.")],
)
async def test_who_calls_a_discard_is_told_what_came_of_it(house: House, discarded: str, told: str) -> None:
    rules = "okey101 playable_called=true"
    rack = f"{discarded} K3 K5"
    table = await laid_out(
        house, CAN, ADA, rack=rack, others=LITTLE, melds="R4 R5 R6", opened={1: "melds"}, rules=rules
    )
    (offered,) = [
        each for each in offers(await house.rack(CAN, table), "discard") if discarded in labels([each])
    ]
    await house.press(CAN, f"{offered.press}.sure")
    answer = await press_one(house, ADA, await house.rack(ADA, table), "call")
    assert said(answer) == told
