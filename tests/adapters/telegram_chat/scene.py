"""A router that answers as told, a delivery that counts like the real one, and screens to show."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from bot.markup import (
    Button,
    DrawnSeat,
    PublicScreen,
    RackPicture,
    Row,
    SeatScreen,
    TablePicture,
    Text,
    TileFace,
    TileMark,
)
from bot.ports import Answer, Press, RateLimit, TypedCommand
from tests.offered import LastMessages, Offering


class TellingRouter(Offering):
    """Answers what a test told it to, and remembers what was asked. Unknown buttons get a plain answer."""

    def __init__(self) -> None:
        self.pressed: list[Press] = []
        self.typed: list[TypedCommand] = []
        self.answers: dict[str, Answer | Callable[[], Answer]] = {}

    async def press(self, press: Press) -> Answer:
        self.pressed.append(press)
        return self._answer(press.data)

    async def command(self, typed: TypedCommand) -> Answer:
        self.typed.append(typed)
        return self._answer(f"/{typed.verb}")

    def _answer(self, key: str) -> Answer:
        answer = self.answers.get(key, Answer())
        return answer if isinstance(answer, Answer) else answer()


@dataclass
class CountingDelivery(LastMessages):
    """Keeps the budgets in memory, by the same sliding windows as the store."""

    shown_screens: list[tuple[str, str, str, int]] = field(default_factory=list)
    moves: list[tuple[str, str]] = field(default_factory=list)
    reopenings: list[set[str]] = field(default_factory=list)
    spent: dict[RateLimit, list[float]] = field(default_factory=dict)

    last: dict[str, str] = field(default_factory=dict)

    async def note_shown(self, target: str, screen: PublicScreen | SeatScreen, message: str) -> None:
        self.shown_screens.append((target, screen.table, message, screen.version))

    def clock(self) -> float:
        return time.time()

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        now = time.monotonic()
        for allowance in limits:
            recent = [at for at in self.spent.get(allowance, []) if at > now - allowance.seconds]
            self.spent[allowance] = recent
            if len(recent) >= allowance.calls:
                return recent[0] + allowance.seconds - now
        for allowance in limits:
            self.spent[allowance].append(now)
        return 0.0

    async def note_move(self, place: str, new_place: str) -> None:
        self.moves.append((place, new_place))

    async def note_reopened(self, channels: Collection[str]) -> None:
        self.reopenings.append(set(channels))


R4, R5 = TileFace("R4"), TileFace("R5", wild=True)


def rack_picture(*codes: str) -> RackPicture:
    """A rack of these tiles on its upper shelf."""
    shelf = tuple(TileFace(code) for code in codes)
    return RackPicture(shelves=(shelf, ()), indicator=R4, okey=R5, captions=("indicator", "okey"))


def table_picture(stock: int = 48) -> TablePicture:
    """A table of two."""
    seats = tuple(
        DrawnSeat(name=name, score=20, on_turn=name == "Ada", computer=False, top=None, shown=False)
        for name in ("Ada", "Can")
    )
    return TablePicture(
        seats=seats,
        clockwise=False,
        indicator=R4,
        okey=R5,
        stock_left=stock,
        title="Round 1",
        captions=("indicator", "okey", "stock"),
    )


def buttons(*presses: str) -> tuple[Row, ...]:
    """One row of buttons whose words are their texts."""
    return (tuple(Button((press,), press) for press in presses),) if presses else ()


def rack(
    version: int = 1,
    *,
    text: Text = ("Your rack",),
    tiles: tuple[str, ...] = ("R1", "B2"),
    rows: tuple[Row, ...] = (),
) -> SeatScreen:
    """A seat's screen; without tiles it has no picture."""
    return SeatScreen(
        table="t1",
        version=version,
        text=text,
        picture=rack_picture(*tiles) if tiles else None,
        buttons=rows or buttons("draw.t1.0"),
    )


def table(
    version: int = 1, *, text: Text = ("The table",), stock: int | None = 48, rows: tuple[Row, ...] = ()
) -> PublicScreen:
    """A place's screen; without a stock it has no picture."""
    return PublicScreen(
        table="t1",
        version=version,
        text=text,
        picture=None if stock is None else table_picture(stock),
        alt="",
        buttons=rows or buttons("rack.t1.0"),
    )


def tile_row(*codes: str) -> Row:
    """One button a tile."""
    return tuple(Button((TileMark(code),), f"discard.t1.0.{code}") for code in codes)
