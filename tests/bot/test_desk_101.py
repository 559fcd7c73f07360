"""Okey 101 at the desk: opening, laying, laying off, drafts and penalties, through the real store."""

import asyncio
from dataclasses import replace

import pytest

from bot.chats import Answer, Person
from bot.keeper import Kept
from bot.presses import press_text
from bot.screens.model import Button, PublicScreen, SeatScreen, TablePicture
from bot.store import Store
from bot.tables import turns
from bot.tables.changes import Change
from bot.tables.model import Table
from bot.tables.play import Pace
from bot.words import plain, words_for
from engine.board import Board
from tests.bot.house import House, offers, open_house, said
from tests.bot.laid_101 import laid_out
from tests.conftest import Until

ENOUGH = "R10 R11 R12 R13 Y10 Y11 Y12 Y13 B7 B8 B9 R1 R3 R5 Y2 Y4 Y6 K3 K5 K7 K9 B1"
"""46 + 46 + 24 points in runs, and nothing else that fits together. The okey is K1."""
PAIRED = "R2 R2 Y4 Y4 B6 B6 K8 K8 R10 R10 K12 Y1 Y6 Y9 B3 B8 B12 K3 K5 R4 R7 B1"
LITTLE = "R2 R4 R8 Y3 Y5 Y9 B2 B6 B13 K2 K6 K10"
WORDS = words_for("en")


def labels(buttons: list[Button]) -> list[str]:
    """What stands on buttons, tiles by their codes."""
    return [
        "".join(part if isinstance(part, str) else part.code for part in button.label) for button in buttons
    ]


def presses(screen: SeatScreen | PublicScreen) -> list[str]:
    """The verbs of all buttons."""
    return [button.press.split(".")[0] for row in screen.buttons for button in row]


def read(screen: SeatScreen | PublicScreen) -> str:
    """A screen's words."""
    return plain(screen.text, WORDS)


async def kept_of(house: House, table: str) -> Table:
    """The table as it is kept."""
    kept = await house.app.keeper.load(table)
    assert kept is not None
    return kept.table


async def board_of(house: House, table: str) -> Board:
    """What lies on the table."""
    round = (await kept_of(house, table)).match.round
    assert round is not None
    assert round.board is not None
    return round.board


async def press_one(house: House, person: Person, screen: SeatScreen, verb: str, label: str = "") -> Answer:
    """Press the only button of this verb (and label) that a screen offers."""
    found = [each for each in offers(screen, verb) if not label or labels([each]) == [label]]
    assert len(found) == 1, (verb, label, [labels(list(row)) for row in screen.buttons])
    return await house.press(person, found[0].press)


def shown(answer: Answer) -> SeatScreen:
    """The presser's own screen in an answer."""
    assert answer.private is not None
    return answer.private


async def build(house: House, person: Person, screen: SeatScreen, *tiles: str) -> SeatScreen:
    """Press tiles into the draft, one after the other."""
    for tile in tiles:
        screen = shown(await press_one(house, person, screen, "add", tile))
    return screen


async def test_the_best_arrangement_opens_with_its_points(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=ENOUGH, others=LITTLE)
        rack = await house.rack(ada, table)
        assert "Your best: 116 of 101 points" in read(rack)
        assert labels(offers(rack, "open_melds")) == ["Open: best arrangement (116)"]
        assert not offers(rack, "open_pairs")
        opened = shown(await press_one(house, ada, rack, "open_melds"))
        assert not offers(opened, "open_melds", "open_pairs")
        assert len(offers(opened, "let_go")) == 11
        look = await house.look(can, table)
        assert "Ada opened with 116: " in read(look)
        for meld in ("🔴 10 11 12 13", "⭐ 10 11 12 13", "🔷 7 8 9"):
            assert meld in read(look)
        assert isinstance(look.picture, TablePicture)
        assert look.picture.melds is not None
        assert sorted(len(meld) for meld in look.picture.melds) == [3, 4, 4]
        assert [seat.note for seat in look.picture.seats] == ["opened: 116", ""]


async def test_five_pairs_open_and_four_do_not(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=PAIRED, others=LITTLE)
        rack = await house.rack(ada, table)
        assert labels(offers(rack, "open_pairs")) == ["Open with 5 pairs"]
        await press_one(house, ada, rack, "open_pairs")
        assert (await board_of(house, table)).opened == ("pairs", None)
        four = await laid_out(house, ada, can, rack=PAIRED.replace("R10 R10", "R10 K10"), others=LITTLE)
        assert not offers(await house.rack(ada, four), "open_melds", "open_pairs")


async def test_an_opening_that_is_too_small_says_by_how_much_and_changes_nothing(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=ENOUGH, others=LITTLE)
        draft = shown(await press_one(house, ada, await house.rack(ada, table), "draft"))
        draft = await build(house, ada, draft, "R10", "R11", "R12", "R13", "Y10", "Y11", "Y12", "Y13")
        assert "#1 🔴 10 11 12 13 = 46" in read(draft)
        assert "92 of 101 points: 9 short" in read(draft)
        refused = await press_one(house, ada, draft, "open_draft")
        assert said(refused) == "That is worth 92; you need 101 to open."
        assert refused.code == "opening_too_low"
        assert read(shown(refused)) == read(draft)
        assert (await board_of(house, table)).melds == ()
        enough = await build(house, ada, shown(refused), "B7", "B8", "B9")
        assert "116 points: enough" in read(enough)
        await press_one(house, ada, enough, "open_draft")
        assert [each.by for each in (await board_of(house, table)).melds] == [0, 0, 0]
        assert (await kept_of(house, table)).seats[0].draft == ()


async def test_a_draft_is_built_off_turn_and_outlives_a_restart(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, can, ada, rack=LITTLE + " R9", others=ENOUGH)
        draft = shown(await press_one(house, ada, await house.rack(ada, table), "draft"))
        draft = await build(house, ada, draft, "B7", "B8", "B9", "K3")
        told = read(draft)
        assert "#1 🔷 7 8 9 = 24" in told
        assert "#2 ⬛3 …" in told
        assert "open_draft" not in presses(draft)
        moves = (await kept_of(house, table)).moves
    async with open_house(store, work=False) as house:
        assert read(shown(await house.press(ada, f"draft.{table}.0"))) == told
        discard = next(
            each for each in offers(await house.rack(can, table), "let_go") if labels([each]) == ["R9"]
        )
        await house.press(can, discard.press, id="after the restart")
        assert (await kept_of(house, table)).moves == moves + 1
        assert "#1 🔷 7 8 9 = 24" in read(shown(await house.press(ada, f"draft.{table}.0")))


async def test_a_draft_is_undone_dropped_and_parted(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=ENOUGH, others=LITTLE)
        draft = shown(await press_one(house, ada, await house.rack(ada, table), "draft"))
        draft = await build(house, ada, draft, "B7", "B8", "B9")
        draft = shown(await press_one(house, ada, draft, "undo"))
        assert "#1 🔷7 🔷8 …" in read(draft)
        draft = shown(await press_one(house, ada, draft, "new_group"))
        draft = await build(house, ada, draft, "B9")
        assert "#2 🔷9 …" in read(draft)
        draft = shown(await press_one(house, ada, draft, "drop", "✖ #1"))
        assert "#1 🔷9 …" in read(draft)
        assert "#2" not in read(draft)
        best = shown(await press_one(house, ada, draft, "best_draft"))
        assert "116 points: enough" in read(best)
        twice = await house.press(ada, f"add.{table}.0.B7")
        assert said(twice) == "That tile is not on your rack."


async def test_the_best_draft_leaves_a_tile_to_discard(store: Store) -> None:
    """22 tiles that are all in runs: one of them must stay on the rack (RULES 5)."""
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        rack = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11"
        table = await laid_out(house, ada, can, rack=rack, others=LITTLE)
        draft = shown(await press_one(house, ada, await house.rack(ada, table), "draft"))
        best = shown(await press_one(house, ada, draft, "best_draft"))
        opened = await press_one(house, ada, best, "open_draft")
        assert not said(opened)
        assert labels(offers(shown(opened), "finish")) == ["🏁 Discard R1 and finish"]


async def test_an_okey_in_a_draft_stands_for_a_named_tile(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=ENOUGH.replace("B8", "K1"), others=LITTLE)
        draft = shown(await press_one(house, ada, await house.rack(ada, table), "draft"))
        draft = await build(house, ada, draft, "B7", "B9")
        asked = shown(await press_one(house, ada, draft, "ask_stand"))
        assert labels(offers(asked, "stand")) == ["👑B5", "👑B6", "👑B8", "👑B10", "👑B11"]
        draft = shown(await press_one(house, ada, asked, "stand", "👑B8"))
        assert "#1 🔷 7 👑8 9 = 24" in read(draft)
        assert not offers(draft, "ask_stand", "stand")
        draft = await build(house, ada, draft, "R10", "R11", "R12", "R13", "Y10", "Y11", "Y12", "Y13")
        await press_one(house, ada, draft, "open_draft")
        look = await house.look(can, table)
        assert "🔷 7 👑8 9" in read(look)
        assert isinstance(look.picture, TablePicture)
        assert look.picture.melds is not None
        assert [(face.code, face.wild) for face in look.picture.melds[0]] == [
            ("B7", False),
            ("B8", True),
            ("B9", False),
        ]
        assert "blue 7, okey for 8, 9" in look.alt


async def test_only_places_that_fit_are_offered_and_another_is_refused(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house,
            ada,
            can,
            rack="R7 R3 R9 Y1 Y6",
            others=LITTLE,
            melds="R4 R5 R6/Y9 B9 K9",
            opened={0: "melds", 1: "melds"},
        )
        rack = await house.rack(ada, table)
        assert not offers(rack, "ask_lay_okey")
        places = shown(await press_one(house, ada, rack, "ask_lay"))
        assert labels(offers(places, "lay")) == ["R3 → #1", "R7 → #1", "R9 → #2"]
        moves = (await kept_of(house, table)).moves
        nowhere = await house.press(ada, offers(places, "lay")[0].press.replace("R3.0", "Y1.0"))
        assert said(nowhere) == "yellow 1 does not fit there."
        assert (await kept_of(house, table)).moves == moves
        more = shown(await press_one(house, ada, places, "lay", "R7 → #1"))
        assert labels(offers(more, "lay")) == ["R3 → #1", "R9 → #2"]
        assert "#1 🔴 4 5 6 7 · #2 9" in read(more)


async def test_an_okey_is_laid_off_where_it_fits(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house,
            ada,
            can,
            rack="K1 Y1 Y6",
            others=LITTLE,
            melds="R4 R5 R6",
            opened={0: "melds", 1: "melds"},
        )
        rack = await house.rack(ada, table)
        assert not offers(rack, "ask_lay")
        places = shown(await press_one(house, ada, rack, "ask_lay_okey"))
        assert labels(offers(places, "lay_wild")) == ["👑🔴3 → #1", "👑🔴7 → #1"]
        await press_one(house, ada, places, "lay_wild", "👑🔴7 → #1")
        assert "🔴 4 5 6 👑7" in read(await house.rack(ada, table))


async def test_the_last_tile_laid_off_is_taken_back_free_and_more_for_a_penalty(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house,
            ada,
            can,
            rack="R7 R3 R9 Y1",
            others=LITTLE,
            melds="R4 R5 R6/Y9 B9 K9",
            opened={0: "melds", 1: "melds"},
        )
        places = shown(await press_one(house, ada, await house.rack(ada, table), "ask_lay"))
        places = shown(await press_one(house, ada, places, "lay", "R7 → #1"))
        await press_one(house, ada, places, "lay", "R9 → #2")
        rack = await house.rack(ada, table)
        assert labels(offers(rack, "take_back")) == ["Take 1 back", "Take 2 back (+101)"]
        rack = shown(await press_one(house, ada, rack, "take_back", "Take 1 back"))
        assert (await board_of(house, table)).fines == (0, 0)
        assert labels(offers(rack, "take_back")) == ["Take 1 back (+101)"]
        await press_one(house, ada, rack, "take_back")
        assert (await board_of(house, table)).fines == (1, 0)
        assert "Penalties: Ada +101" in read(await house.rack(ada, table))


async def test_the_taken_discard_is_used_or_given_back(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=LITTLE, others=ENOUGH, phase="draw", pile="R13")
        rack = await house.rack(ada, table)
        assert labels(offers(rack, "draw", "take")) == ["Draw", "Take R13"]
        taken = shown(await press_one(house, ada, rack, "take"))
        assert "lay red 13 now, or give it back" in read(taken)
        assert not offers(taken, "let_go")
        again = shown(await press_one(house, ada, taken, "give_back", "Give R13 back"))
        assert labels(offers(again, "draw", "take")) == ["Draw"]
        assert (await board_of(house, table)).fines == (0, 0)


async def test_giving_back_says_what_it_costs_where_it_costs(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        rules = "okey101 return_taken=penalty"
        table = await laid_out(
            house, ada, can, rack=LITTLE, others=ENOUGH, phase="draw", pile="R13", rules=rules
        )
        taken = shown(await press_one(house, ada, await house.rack(ada, table), "take"))
        await press_one(house, ada, taken, "give_back", "Give R13 back (+101)")
        assert (await board_of(house, table)).fines == (1, 0)


async def test_an_okey_is_reclaimed_with_the_tile_that_it_stands_for(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house,
            ada,
            can,
            rack="R5 Y1 Y6",
            others=LITTLE,
            melds="R4 *R5 R6",
            opened={0: "melds", 1: "melds"},
            rules="okey101-raise",
        )
        rack = await house.rack(ada, table)
        assert "To open: 101 points or 5 pairs" in read(await house.look(can, table))
        after = shown(await press_one(house, ada, rack, "reclaim", "R5 for the okey in #1"))
        assert "K1" in labels(offers(after, "let_go"))
        assert "🔴 4 5 6" in read(after)


async def test_a_discard_that_fits_the_table_asks_once(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house, ada, can, rack="R7 Y1 Y6", others=LITTLE, melds="R4 R5 R6", opened={1: "melds"}
        )
        asked = shown(await press_one(house, ada, await house.rack(ada, table), "let_go", "R7"))
        assert "red 7 fits a meld on the table: discarding it costs 101 points" in read(asked)
        assert (await board_of(house, table)).fines == (0, 0)
        assert offers(shown(await press_one(house, ada, asked, "look")), "let_go")
        await press_one(house, ada, asked, "let_go_anyway")
        assert (await board_of(house, table)).fines == (1, 0)
        assert "Ada: +101, that tile fitted the table" in read(await house.look(can, table))


async def test_an_okey_discard_asks_once(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack="K1 Y1 Y6", others=LITTLE)
        asked = shown(await press_one(house, ada, await house.rack(ada, table), "let_go", "K1"))
        assert "costs 101 points" in read(asked)
        await press_one(house, ada, asked, "let_go_anyway")
        assert (await board_of(house, table)).fines == (1, 0)


@pytest.mark.parametrize("tile", ["K1", "R7"])
async def test_a_strict_table_asks_nobody(store: Store, tile: str) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house,
            ada,
            can,
            rack="R7 Y1 K1",
            others=LITTLE,
            melds="R4 R5 R6",
            opened={1: "melds"},
            rules="okey101 strict=true",
        )
        await press_one(house, ada, await house.rack(ada, table), "let_go", tile)
        assert (await board_of(house, table)).fines == (1, 0)


async def test_a_failed_opening_at_a_strict_table_costs_and_the_tiles_stay(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=ENOUGH, others=LITTLE, rules="okey101 strict=true")
        draft = shown(await press_one(house, ada, await house.rack(ada, table), "draft"))
        draft = await build(house, ada, draft, "B7", "B8", "B9")
        await press_one(house, ada, draft, "open_draft")
        board = await board_of(house, table)
        assert (board.fines, board.melds) == ((1, 0), ())
        assert len((await kept_of(house, table)).seats[0].draft) == 1


async def test_the_last_discard_finishes_and_the_result_tells_it(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house, ada, can, rack="R7", others="R2 R4", melds="B1 B2 B3", opened={0: "melds"}
        )
        rack = await house.rack(ada, table)
        assert labels(offers(rack, "finish")) == ["🏁 Discard R7 and finish"]
        await press_one(house, ada, rack, "finish")
        result = read(await house.look(can, table))
        assert "round 1/5" in result
        assert "Ada finished" in result
        assert "Ada: −101 → −101" in result
        assert "Can: +202 → 202" in result


async def test_elden_and_penalties_stand_in_the_result(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        rack = "R9 R10 R11 R12 R13 Y10 Y11 Y12 Y13 K4"
        table = await laid_out(house, ada, can, rack=rack, others=LITTLE)
        await press_one(
            house, ada, await house.rack(ada, table), "open_melds", "Open: best arrangement (101)"
        )
        await press_one(house, ada, await house.rack(ada, table), "finish")
        result = read(await house.look(can, table))
        assert "Ada finished elden" in result
        assert "Ada: −202 → −202" in result
        assert "Can: +404 → 404" in result
        other = await laid_out(
            house, ada, can, rack="R7 Y1", others="K1 R2", melds="B1 B2 B3", opened={0: "melds", 1: "melds"}
        )
        await press_one(house, ada, await house.rack(ada, other), "let_go", "R7")
        await house.app.keeper.change(other, None, _with_an_empty_stock)
        await press_one(house, can, await house.rack(can, other), "let_go", "R2")
        result = read(await house.look(can, other))
        assert "nobody finished" in result
        assert "Can: +101 → 101 · 1 penalty" in result


def _with_an_empty_stock(kept: Kept) -> Change:
    """The table as if the seat on turn had drawn the last tile."""
    round = kept.table.match.round
    assert round is not None
    match = replace(kept.table.match, round=replace(round, stock=(), phase="discard"))
    return Change(replace(kept.table, match=match))


async def test_a_round_in_which_everybody_opens_with_pairs_is_dealt_again(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=PAIRED, others=LITTLE, opened={1: "pairs"})
        await press_one(house, ada, await house.rack(ada, table), "open_pairs")
        result = await house.look(can, table)
        assert "Everybody opened with pairs" in read(result)
        assert "round 1/5" in read(result)
        await house.press(can, offers(result, "next")[0].press, private=False)
        assert "round 1/5" in read(await house.look(can, table))


async def test_a_player_whom_only_alerts_reach_plays_with_numbers(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house, ada, can, rack=ENOUGH[:-3], others=LITTLE, phase="draw", stock="B1 B2 B4"
        )
        await house.app.keeper.change(
            table,
            None,
            lambda kept: Change(kept.table.with_seat(0, private_closed=True, alerts_only=True).touched()),
        )
        look = await house.look(can, table)
        assert len(offers(look, "spot")) == 22
        drawn = await house.press(ada, offers(look, "draw_here")[0].press, private=False)
        assert said(drawn).startswith("1:🔴1 2:3 3:5 4:10 5:11 6:12 7:13")
        assert said(drawn).endswith(" · 116/101 · 0/5")
        assert drawn.private is None
        await house.press(ada, offers(look, "open_here")[0].press, private=False)
        assert (await board_of(house, table)).opened == ("melds", None)
        nothing = await house.press(ada, offers(look, "lay_here")[0].press, private=False)
        assert said(nothing) == "Nothing on your rack can be laid now."
        too_far = await house.press(ada, offers(look, "spot")[20].press, private=False)
        assert said(too_far) == "You have only 11 tiles."
        await house.press(ada, offers(look, "spot")[0].press, private=False)
        round = (await kept_of(house, table)).match.round
        assert round is not None
        assert round.turn == 1


async def test_numbers_lay_what_fits_and_refuse_what_is_fined(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house,
            ada,
            can,
            rack="R7 R8 Y1 Y6",
            others=LITTLE,
            melds="R4 R5 R6",
            opened={0: "melds", 1: "melds"},
        )
        here = (await kept_of(house, table)).turn_number
        digits = _base36(here)
        refused = await house.press(ada, f"spot.{table}.{digits}.1", private=False)
        assert refused.code == "playable_asks"
        await house.press(ada, f"lay_here.{table}.{digits}", private=False)
        assert "🔴 4 5 6 7 8" in read(await house.look(can, table))
        await house.press(ada, f"spot.{table}.{digits}.2", private=False)
        assert (await board_of(house, table)).fines == (0, 0)


def _base36(number: int) -> str:
    return press_text("x", "t", number).split(".")[2]


PACE = Pace(computer=0.0, next_round=60.0)


@pytest.mark.parametrize(
    ("rack", "rules", "fines"),
    [
        ("R7 Y1 K1", "okey101", (0, 0)),
        ("R7 K1", "okey101", (1, 0)),
        ("K1", "okey101", (0, 0)),
    ],
    ids=["keeps okeys and what fits", "cannot do better", "finishes when it must"],
)
async def test_the_clock_never_takes_a_penalty_that_can_be_avoided(
    store: Store, rack: str, rules: str, fines: tuple[int, int]
) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house,
            ada,
            can,
            rack=rack,
            others=LITTLE,
            melds="R4 R5 R6",
            opened={0: "melds", 1: "melds"},
            rules=rules,
        )
        change = turns.overdue_turn(await kept_of(house, table), 0, PACE, lambda: bytes(64))
        round = change.table.match.round
        assert round is not None
        assert round.board is not None
        assert round.board.fines == fines
        assert round.turn == 1 or round.phase == "over"


@pytest.mark.parametrize("drawn", ["R7", "K1"], ids=["fits the table", "okey"])
async def test_the_clock_does_not_throw_away_what_it_drew_if_that_is_fined(store: Store, drawn: str) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house,
            ada,
            can,
            rack="Y1 Y6 B3",
            others=LITTLE,
            melds="R4 R5 R6",
            opened={1: "melds"},
            phase="draw",
            stock=f"{drawn} R1",
        )
        change = turns.overdue_turn(await kept_of(house, table), 0, PACE, lambda: bytes(64))
        assert [entry["do"] for entry in change.entries] == ["draw", "discard"]
        assert change.entries[1]["tile"] != drawn
        round = change.table.match.round
        assert round is not None
        assert drawn in [tile.name for tile in round.racks[0]]


async def test_the_clock_gives_a_taken_discard_back(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=LITTLE, others=ENOUGH, phase="draw", pile="R13")
        await press_one(house, ada, await house.rack(ada, table), "take")
        change = turns.overdue_turn(await kept_of(house, table), 0, PACE, lambda: bytes(64))
        assert [entry["do"] for entry in change.entries] == ["return", "draw", "discard"]


async def test_an_opening_is_shown_at_once_and_further_moves_with_the_turn(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(house, ada, can, rack=ENOUGH, others=LITTLE)
        await press_one(house, ada, await house.rack(ada, table), "open_melds")

        async def told() -> bool:
            return any("Ada opened with 116: " in read(screen) for _, screen, _ in house.chat.tables)

        await until(told)
        stamp = (await kept_of(house, table)).stamp
        draft = shown(await press_one(house, ada, await house.rack(ada, table), "draft"))
        await build(house, ada, draft, "R1")
        assert (await kept_of(house, table)).stamp == stamp


async def test_a_draft_ends_with_its_round(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house, ada, can, rack="R7", others=ENOUGH, melds="B1 B2 B3", opened={0: "melds"}
        )
        draft = shown(await press_one(house, can, await house.rack(can, table), "draft"))
        await build(house, can, draft, "B7", "B8", "B9")
        await press_one(house, ada, await house.rack(ada, table), "finish")
        await house.press(can, offers(await house.look(can, table), "next")[0].press, private=False)
        assert [seat.draft for seat in (await kept_of(house, table)).seats] == [(), ()]


async def test_what_is_laid_leaves_the_draft_and_the_rest_stays(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await laid_out(
            house, ada, can, rack="B7 B8 B9 R2 R3 R4 Y1", others=LITTLE, opened={0: "melds"}
        )
        draft = shown(await press_one(house, ada, await house.rack(ada, table), "draft"))
        draft = await build(house, ada, draft, "B7", "B8", "B9", "R2", "R3", "R4")
        assert labels(offers(draft, "meld")) == ["Lay 🔷 7 8 9", "Lay 🔴 2 3 4"]
        await press_one(house, ada, draft, "meld", "Lay 🔷 7 8 9")
        table_now = await kept_of(house, table)
        assert [[str(each) for each in group] for group in table_now.seats[0].draft] == [["R2", "R3", "R4"]]
        rack = await house.rack(ada, table)
        assert labels(offers(rack, "meld")) == ["Lay 🔴 2 3 4"]
        await press_one(house, ada, rack, "meld")
        assert len((await board_of(house, table)).melds) == 2


@pytest.mark.parametrize("preset", ["okey101", "okey101-raise", "okey101-partners"])
async def test_a_whole_round_with_computer_players(store: Store, preset: str) -> None:
    async with open_house(store) as house, asyncio.timeout(60):
        ada = house.person("Ada")
        table = await house.open(ada, words=preset)
        await house.press(ada, f"start.{table}.0", private=False)
        while (await kept_of(house, table)).stage == "playing":
            await _play_simply(house, ada, table)
            await asyncio.sleep(0.01)
        assert "result of round 1/5" in read(await house.look(ada, table))


async def _play_simply(house: House, person: Person, table: str) -> None:
    """One press of somebody who draws, opens with what is offered, and discards the first tile."""
    screen = await house.rack(person, table)
    for verb in (
        "let_go_anyway",
        "finish",
        "open_melds",
        "open_pairs",
        "draw",
        "meld",
        "give_back",
        "let_go",
    ):
        found = offers(screen, verb)
        if found:
            answer = await house.press(person, found[0].press)
            if answer.private is not None and (sure := offers(answer.private, "let_go_anyway")):
                await house.press(person, sure[0].press)
            return
