"""Whatever the text of a button holds, the desk answers, and never with an exception."""

import random

import pytest

from bot.desk.acts import ACTS
from bot.desk.door import LOOKS
from bot.desk.preferring import PREFERRING
from bot.desk.reading import READING
from bot.presses import press_text
from bot.store import Store
from engine.tiles import FACES
from tests.bot.house import open_house

PRESSES = 200
ENDS_THE_LOBBY = {"cancel", "leave"}
VERBS = sorted({*ACTS, *LOOKS, *READING, *PREFERRING} - ENDS_THE_LOBBY)
ARGUMENTS = (
    *("", "0", "1", "2", "3", "14", "15", "16", "99", "1000", "-1", "x", "R14", "F=R3", "R1-R2"),
    *("quiet", "mention", "8-8", "23-8", "999"),
    *("okey", "okey101", "players", "teams", "penalties", "game", "true", "false", "-joker_left"),
    *(face.name for face in FACES[:20]),
)


@pytest.mark.parametrize("words", ["2", "okey101 2", "turkish-rummy", "okey-rounds"])
async def test_any_button_is_answered(store: Store, words: str) -> None:
    dice = random.Random(words)
    async with open_house(store) as house:
        people = [house.person(name) for name in ("Ada", "Can", "Eve")]
        table = await house.open(*people[:2], words=words)
        for number in range(PRESSES):
            if number == PRESSES // 4:
                await house.press(people[0], f"start.{table}.0", private=False)
            kept = await house.app.keeper.load(table)
            assert kept is not None
            moves = dice.choice((0, 1, 40, kept.table.moves, kept.table.turn_number))
            arguments = [dice.choice(ARGUMENTS) for _ in range(dice.randrange(4))]
            data = press_text(dice.choice(VERBS), table, moves, *arguments)
            answer = await house.press(dice.choice(people), data, private=dice.random() < 0.5)
            assert answer.notice or not answer.code, data
