"""Common parts of the tests of Okey 101 at the router: racks, screens' words, pressing the only button."""

from bot.i18n import plain, words_for
from bot.markup import Button, PublicScreen, SeatScreen
from bot.ports import Answer, Person
from bot.tables.table import Table
from engine.melds import Board
from tests.bot.house import House, offers

ENOUGH = "R10 R11 R12 R13 Y10 Y11 Y12 Y13 B7 B8 B9 R1 R3 R5 Y2 Y4 Y6 K3 K5 K7 K9 B1"
"""46 + 46 + 24 points in runs, and no other melds. The okey is K1."""
PAIRED = "R2 R2 Y4 Y4 B6 B6 K8 K8 R10 R10 K12 Y1 Y6 Y9 B3 B8 B12 K3 K5 R4 R7 B1"
LITTLE = "R2 R4 R8 Y3 Y5 Y9 B2 B6 B13 K2 K6 K10"
WORDS = words_for("en")
ADA, CAN = Person("mem:ada", "Ada", "en"), Person("mem:can", "Can", "en")


def labels(buttons: list[Button]) -> list[str]:
    """The labels of buttons, with tiles by their codes."""
    return [
        "".join(part if isinstance(part, str) else part.code for part in button.label) for button in buttons
    ]


def presses(screen: SeatScreen | PublicScreen) -> list[str]:
    """The verbs of all buttons."""
    return [button.press.split(".")[0] for row in screen.buttons for button in row]


def read(screen: SeatScreen | PublicScreen) -> str:
    """A screen's words as they are read: a space that doesn't break a line is a space."""
    return plain(screen.text, WORDS).replace("\u00a0", " ")


async def kept_of(house: House, table: str) -> Table:
    """The table as stored."""
    stored = await house.app.tables.load(table)
    assert stored is not None
    return stored.value


async def board_of(house: House, table: str) -> Board:
    """The melds on the table."""
    round = (await kept_of(house, table)).match.round
    assert round is not None
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
