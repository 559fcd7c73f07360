"""The table and the rack for an app, and what it sends back: an order, and melds to put down."""

from bot.i18n import words_for
from bot.live import Act, LiveRack
from bot.markup import SeatScreen
from bot.ports import Answer
from bot.screens.switches import difference
from tests.bot.house import House
from tests.bot.laid_101 import laid_out
from tests.bot.router_101 import ADA, CAN, ENOUGH, LITTLE, PAIRED, board_of, shown


def live(screen: SeatScreen) -> LiveRack:
    assert screen.live is not None
    return screen.live


def act(rack: LiveRack, kind: str) -> Act:
    """The only act of a kind."""
    (found,) = (each for each in rack.acts if each.kind == kind)
    return found


async def keep(house: House, person: object, rack: LiveRack, order: str) -> Answer:
    return await house.press(person, f"{act(rack, 'keep').press}.{order}")  # type: ignore[arg-type]


def sign(code: str) -> str:
    """As the README of the protocol has it: `a` is R1, `z` is Y13."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return "0" if code == "F" else letters["RYBK".index(code[0]) * 13 + int(code[1:]) - 1]


async def test_an_order_is_kept_on_and_off_turn_as_the_fingers_have_it(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=ENOUGH, others=LITTLE)
    for person in (ADA, CAN):
        rack = live(await house.rack(person, table))
        tiles = [code for code in rack.places if code]
        upper, lower = tiles[1::2], tiles[::2]
        wanted = ["", *upper, *[""] * (14 - len(upper)), *lower]
        after = live(shown(await keep(house, person, rack, "".join(sign(c) if c else "-" for c in wanted))))
        assert list(after.places[: len(wanted)]) == wanted
        assert live(await house.rack(person, table)).places == after.places


async def test_an_order_of_other_tiles_gains_and_loses_none(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=ENOUGH, others=LITTLE)
    rack = live(await house.rack(ADA, table))
    after = live(shown(await keep(house, ADA, rack, "0aaa-" + "Z" * 9)))
    assert sorted(filter(None, after.places)) == sorted(filter(None, rack.places))
    for nonsense in ("!", "a" * 31):
        refused = await keep(house, ADA, rack, nonsense)
        assert refused.code == "unknown_button"
    assert live(await house.rack(ADA, table)).places == after.places


async def test_melds_of_the_rack_open_and_a_further_one_is_laid(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=ENOUGH, others=LITTLE)
    rack = live(await house.rack(ADA, table))
    assert rack.table.needed == (101, 5)
    down = act(rack, "put_down").press
    melds = ("R10 R11 R12 R13", "Y10 Y11 Y12 Y13", "B7 B8 B9")
    words = ["".join(map(sign, meld.split())) for meld in melds]
    too_small = await house.press(ADA, f"{down}.{'-'.join(words[:2])}")
    assert too_small.code
    assert (await board_of(house, table)).opened == (None, None)
    opened = live(shown(await house.press(ADA, f"{down}.{'-'.join(words)}")))
    assert [[tile for tile, _ in meld.tiles] for meld in opened.table.melds] == [
        meld.split() for meld in melds
    ]
    assert opened.table.seats[0].opened == "116 melds"
    for nonsense in ("*", "ab-", "*0bc", "!"):
        assert (
            await house.press(ADA, f"{act(opened, 'put_down').press}.{nonsense}")
        ).code == "unknown_button"


async def test_pairs_open_with_what_an_okey_stands_for(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=PAIRED.replace("R10 R10", "R10 K1"), others=LITTLE)
    rack = live(await house.rack(ADA, table))
    assert rack.table.okey == "K1"
    pairs = [f"{sign(code) * 2}" for code in ("R2", "Y4", "B6", "K8")] + [f"{sign('R10')}*{sign('R10')}"]
    opened = live(shown(await house.press(ADA, f"{act(rack, 'put_down').press}.{'-'.join(pairs)}")))
    assert opened.table.seats[0].opened == "5 pairs"
    assert opened.table.melds[-1].tiles == (("R10", "R10"), ("K1", "R10"))


async def test_a_lobby_tells_an_app_in_words_what_its_rules_change(house: House) -> None:
    table = await house.open(ADA, CAN, words="okey101 rounds=7 strict=true")
    lobby, own = (await house.look(table)).live, live(await house.rack(ADA, table)).table
    assert lobby is not None
    line, differs = lobby.rules
    assert "7" in line
    assert difference(words_for("en"), "strict", True) in differs
    assert own.rules == lobby.rules
