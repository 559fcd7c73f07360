"""Okey 101 at the router: opening, and the drafts of which openings are made, through the real store."""

from bot.markup import TablePicture
from bot.store import Store
from tests.bot.house import House, offers, open_house, said
from tests.bot.laid_101 import laid_out
from tests.bot.router_101 import (
    ADA,
    CAN,
    ENOUGH,
    LITTLE,
    PAIRED,
    board_of,
    build,
    kept_of,
    labels,
    press_one,
    presses,
    read,
    shown,
)
from tests.conftest import Until


async def test_the_best_arrangement_opens_with_its_points(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=ENOUGH, others=LITTLE)
    rack = await house.rack(ADA, table)
    assert "Your best: 116 points (to open: 101) · 0 pairs (to open: 5)" in read(rack)
    assert labels(offers(rack, "open_melds")) == ["Best opening (116)"]
    assert not offers(rack, "open_pairs")
    opened = shown(await press_one(house, ADA, rack, "open_melds"))
    assert not offers(opened, "open_melds", "open_pairs")
    assert len(offers(opened, "discard")) == 11
    look = await house.look(table)
    assert "Ada opened with 116 points" in read(look)
    for meld in ("red 10, 11, 12, 13", "yellow 10, 11, 12, 13", "blue 7, 8, 9"):
        assert meld in look.alt
    assert isinstance(look.picture, TablePicture)
    assert look.picture.melds is not None
    assert sorted(len(meld) for meld in look.picture.melds) == [3, 4, 4]
    assert [seat.note for seat in look.picture.seats] == ["opened: 116", ""]


async def test_five_pairs_open_and_four_do_not(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=PAIRED, others=LITTLE)
    rack = await house.rack(ADA, table)
    assert labels(offers(rack, "open_pairs")) == ["Open with 5 pairs"]
    await press_one(house, ADA, rack, "open_pairs")
    assert (await board_of(house, table)).opened == ("pairs", None)
    four = await laid_out(house, ADA, CAN, rack=PAIRED.replace("R10 R10", "R10 K10"), others=LITTLE)
    assert not offers(await house.rack(ADA, four), "open_melds", "open_pairs")


async def test_an_opening_that_is_too_small_says_by_how_much_and_changes_nothing(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=ENOUGH, others=LITTLE)
    draft = shown(await press_one(house, ADA, await house.rack(ADA, table), "draft"))
    draft = await build(house, ADA, draft, "R10", "R11", "R12", "R13", "Y10", "Y11", "Y12", "Y13")
    assert "#1: 🔴 10 11 12 13 = 46" in read(draft)
    assert "92 of 101 points: 9 short" in read(draft)
    assert [each.style for each in offers(draft, "open_draft")] == ["plain"]
    refused = await press_one(house, ADA, draft, "open_draft")
    assert said(refused) == "That is worth 92 points. You need 101 to open: 9 more."
    assert refused.code == "opening_too_low"
    assert read(shown(refused)) == read(draft)
    assert (await board_of(house, table)).melds == ()
    enough = await build(house, ADA, shown(refused), "B7", "B8", "B9")
    assert "116 points: enough" in read(enough)
    assert [each.style for each in offers(enough, "open_draft")] == ["good"]
    await press_one(house, ADA, enough, "open_draft")
    assert [each.by for each in (await board_of(house, table)).melds] == [0, 0, 0]
    assert (await kept_of(house, table)).seats[0].draft == ()


async def test_a_draft_is_built_off_turn_and_outlives_a_restart(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, can, ada, rack=LITTLE + " R9", others=ENOUGH)
        draft = shown(await press_one(house, ada, await house.rack(ada, table), "draft"))
        draft = await build(house, ada, draft, "B7", "B8", "B9", "K3")
        told = read(draft)
        assert "#1: 🔷 7 8 9 = 24" in told
        assert "#2: ⬛3 …" in told
        assert "open_draft" not in presses(draft)
        moves = (await kept_of(house, table)).moment
    async with open_house(store, work=False) as house:
        assert read(shown(await house.press(ada, f"draft.{table}.0"))) == told
        discard = next(
            each for each in offers(await house.rack(can, table), "discard") if labels([each]) == ["R9"]
        )
        await house.press(can, discard.press, id="after the restart")
        assert (await kept_of(house, table)).moment > moves
        assert "#1: 🔷 7 8 9 = 24" in read(shown(await house.press(ada, f"draft.{table}.0")))


async def test_a_draft_is_undone_dropped_and_parted(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=ENOUGH, others=LITTLE)
    draft = shown(await press_one(house, ADA, await house.rack(ADA, table), "draft"))
    draft = await build(house, ADA, draft, "B7", "B8", "B9")
    draft = shown(await press_one(house, ADA, draft, "undo"))
    assert "#1: 🔷7 🔷8 …" in read(draft)
    draft = shown(await press_one(house, ADA, draft, "new_group"))
    draft = await build(house, ADA, draft, "B9")
    assert "#2: 🔷9 …" in read(draft)
    (drops,) = (row for row in draft.buttons if row[0].press.startswith("drop."))
    assert labels(list(drops)) == ["✖ #1", "✖ #2"]
    draft = shown(await press_one(house, ADA, draft, "drop", "✖ #1"))
    assert "#1: 🔷9 …" in read(draft)
    assert "#2" not in read(draft)
    best = shown(await press_one(house, ADA, draft, "best_draft"))
    assert "116 points: enough" in read(best)
    twice = await house.press(ADA, f"add.{table}.0.B7")
    assert said(twice) == "That tile isn’t on your rack."


async def test_the_best_draft_leaves_a_tile_to_discard(house: House) -> None:
    """22 tiles that are all in runs: one of them must stay on the rack (RULES 5)."""
    rack = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11"
    table = await laid_out(house, ADA, CAN, rack=rack, others=LITTLE)
    draft = shown(await press_one(house, ADA, await house.rack(ADA, table), "draft"))
    best = shown(await press_one(house, ADA, draft, "best_draft"))
    opened = await press_one(house, ADA, best, "open_draft")
    assert not said(opened)
    assert labels(offers(shown(opened), "finish")) == ["🏁 Discard R1 and finish"]


async def test_an_okey_in_a_draft_stands_for_a_named_tile(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=ENOUGH.replace("B8", "K1"), others=LITTLE)
    draft = shown(await press_one(house, ADA, await house.rack(ADA, table), "draft"))
    draft = await build(house, ADA, draft, "B7", "B9")
    asked = shown(await press_one(house, ADA, draft, "ask_stand"))
    assert labels(offers(asked, "stand")) == ["👑B5", "👑B6", "👑B8", "👑B10", "👑B11"]
    draft = shown(await press_one(house, ADA, asked, "stand", "👑B8"))
    assert "#1: 🔷 7 👑8 9 = 24" in read(draft)
    assert not offers(draft, "ask_stand", "stand")
    draft = await build(house, ADA, draft, "R10", "R11", "R12", "R13", "Y10", "Y11", "Y12", "Y13")
    await press_one(house, ADA, draft, "open_draft")
    look = await house.look(table)
    assert "blue 7, okey for 8, 9" in look.alt
    assert isinstance(look.picture, TablePicture)
    assert look.picture.melds is not None
    assert [(face.code, face.wild) for face in look.picture.melds[0]] == [
        ("B7", False),
        ("B8", True),
        ("B9", False),
    ]
    assert "blue 7, okey for 8, 9" in look.alt


async def test_a_failed_opening_at_a_strict_table_costs_and_the_tiles_stay(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=ENOUGH, others=LITTLE, rules="okey101 strict=true")
    draft = shown(await press_one(house, ADA, await house.rack(ADA, table), "draft"))
    draft = await build(house, ADA, draft, "B7", "B8", "B9")
    await press_one(house, ADA, draft, "open_draft")
    board = await board_of(house, table)
    assert (board.fines, board.melds) == ((1, 0), ())
    assert len((await kept_of(house, table)).seats[0].draft) == 1


async def test_a_round_in_which_everybody_opens_with_pairs_is_dealt_again(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=PAIRED, others=LITTLE, opened={1: "pairs"})
    await press_one(house, ADA, await house.rack(ADA, table), "open_pairs")
    result = await house.look(table)
    assert "Everyone opened with pairs" in result.alt
    assert "round 1/5" in read(result)
    await house.press(CAN, offers(result, "next")[0].press, private=False)
    assert "round 1/5" in (await house.look(table)).alt


async def test_an_opening_is_shown_at_once_and_further_moves_with_the_turn(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=ENOUGH, others=LITTLE)
        await press_one(house, ada, await house.rack(ada, table), "open_melds")

        async def told() -> bool:
            return any("Ada opened with 116 points" in read(screen) for _, screen, _ in house.chat.tables)

        await until(told)
        worth = (await house.look(table)).worth
        draft = shown(await press_one(house, ada, await house.rack(ada, table), "draft"))
        await build(house, ada, draft, "R1")
        assert (await house.look(table)).worth == worth


async def test_a_draft_ends_with_its_round(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack="R7", others=ENOUGH, melds="B1 B2 B3", opened={0: "melds"})
    draft = shown(await press_one(house, CAN, await house.rack(CAN, table), "draft"))
    await build(house, CAN, draft, "B7", "B8", "B9")
    await press_one(house, ADA, await house.rack(ADA, table), "finish")
    await house.press(CAN, offers(await house.look(table), "next")[0].press, private=False)
    assert [seat.draft for seat in (await kept_of(house, table)).seats] == [(), ()]


async def test_what_is_laid_leaves_the_draft_and_the_rest_stays(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack="B7 B8 B9 R2 R3 R4 Y1", others=LITTLE, opened={0: "melds"})
    draft = shown(await press_one(house, ADA, await house.rack(ADA, table), "draft"))
    draft = await build(house, ADA, draft, "B7", "B8", "B9", "R2", "R3", "R4")
    assert labels(offers(draft, "meld")) == ["Lay 🔷 7 8 9", "Lay 🔴 2 3 4"]
    await press_one(house, ADA, draft, "meld", "Lay 🔷 7 8 9")
    table_now = await kept_of(house, table)
    assert [[str(each) for each in group] for group in table_now.seats[0].draft] == [["R2", "R3", "R4"]]
    rack = await house.rack(ADA, table)
    assert labels(offers(rack, "meld")) == ["Lay 🔴 2 3 4"]
    await press_one(house, ADA, rack, "meld")
    assert len((await board_of(house, table)).melds) == 2


async def test_who_declared_pairs_is_told_only_how_many_they_have(house: House) -> None:
    rules = "okey101 declare_pairs=true"
    table = await laid_out(house, ADA, CAN, rack=ENOUGH, others=LITTLE, phase="draw", pile="K1", rules=rules)
    rack = await house.rack(ADA, table)
    assert "Your best: 116 points" in read(rack)
    asked = shown(await press_one(house, ADA, rack, "declare"))
    assert "if you never open you pay double" in read(asked)
    assert (await board_of(house, table)).declared == ()
    declared = read(shown(await press_one(house, ADA, asked, "declare")))
    assert "You declared pairs and have 0 (to open: 5)" in declared
    assert "116" not in declared
