"""A router and a delivery of few words: real objects behind the page in its tests.

One table `t1` at which Ada sits against three computer players. She draws, or takes, and discards;
the others then discard what is written here. Every screen is made of the real screen types.
"""

import time
from collections.abc import Collection
from dataclasses import dataclass, field

from bot.markup import (
    Attachment,
    Button,
    Clock,
    DrawnSeat,
    Name,
    Page,
    PublicScreen,
    RackPicture,
    ResultPicture,
    ResultRow,
    RulesPicture,
    SeatScreen,
    Strong,
    TablePicture,
    TileFace,
    TileMark,
)
from bot.ports import Answer, Press, RateLimit, TypedCommand

TABLE = "t1"
RECORD = b'{"format": "okey-record/1"}\n'
OKEY = "R5"
RACK = ["R1", "R2", "R3", "Y7", "Y8", "Y9", "B11", "R5", "K3", "K4", "K4", "F", "B2", "Y13"]


def mark(code: str) -> TileMark:
    return TileMark(code, wild=code == OKEY)


def face(code: str, *, marked: bool = False) -> TileFace:
    return TileFace(code, wild=code == OKEY, marked=marked)


@dataclass
class ScriptedDelivery:
    """Remembers what the page said it shows."""

    told: list[tuple[str, str, int]] = field(default_factory=list)

    async def shown(self, target: str, table: str, message: str, revision: int) -> None:
        self.told.append((target, table, revision))

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        return 0.0

    async def moved(self, place: str, new_place: str) -> None:
        raise AssertionError("the page has one place")

    async def reopened(self, channels: Collection[str]) -> None:
        raise AssertionError("the page is always open")


@dataclass
class ScriptedRouter:
    """Answers by the script and remembers what it was asked."""

    asked: list[Press | TypedCommand] = field(default_factory=list)
    host: str = ""
    name: str = ""
    stage: str = "none"
    rack: list[str] = field(default_factory=lambda: list(RACK))
    drawn: str | None = None
    pile: str = "B9"
    discarded: str | None = None
    revision: int = 1
    fail: bool = False
    away: bool = False

    async def press(self, press: Press) -> Answer:
        self.asked.append(press)
        if self.fail:
            raise RuntimeError("the script says so")
        verb, *arguments = press.data.split(".")
        match verb, press.by.key == self.host:
            case "join", _ if not self.host or press.by.key == self.host:
                self.host, self.name = press.by.key, press.by.name
                return self._answer("You sit at the table.")
            case "join", _:
                return Answer(notice=("All seats are taken.",), urgent=True)
            case "leave", True:
                self.host, self.name, self.revision = "", "", self.revision + 1
                return Answer(notice=("You left the table.",), public=self.public())
            case "start", True:
                self.stage = "draw"
            case "draw", True if self.stage == "draw":
                self._get("K13")
            case "take", True if self.stage == "draw":
                self._get(self.pile)
            case "discard", True if self.stage == "discard":
                self._discard(arguments[0])
            case "replay_step", _:
                return Answer(page=self.page(int(arguments[-1])))
            case "rack", True:
                pass
            case _, True:
                return self._answer("That button has expired. Here is the current table.")
            case _:
                return Answer(notice=("You aren’t at this table.",), urgent=True)
        return self._answer()

    async def command(self, typed: TypedCommand) -> Answer:
        self.asked.append(typed)
        if self.fail:
            raise RuntimeError("the script says so")
        if self.away:
            return Answer(notice=("Please press again shortly.",), urgent=True, code="store_away")
        match typed.verb:
            case "play":
                self.stage = "lobby"
                self.revision += 1
                return Answer(public=self.public())
            case "look" if self.stage != "none":
                return Answer(public=self.public())
            case "rack" if typed.by.key == self.host:
                return Answer(private=self.private())
            case "rack":
                return Answer(notice=("You aren’t at a table.",), urgent=True, code="no_table")
            case "replay":
                return Answer(page=self.page(0))
            case "record":
                file = Attachment("okey-t1.json", RECORD)
                return Answer(page=Page(text=("One round.",), file=file))
            case "help":
                return Answer(notice=("Draw, then discard. " * 8, Name("<b>x</b>")))
            case _:
                return Answer(notice=("There is nothing.",))

    def page(self, number: int) -> Page:
        """A step of a replay, and the way on."""
        example = ("Pair", (face("R1"), face("R1")))
        return Page(
            text=(f"Step {number}, ", Name("<b>Can</b>")),
            picture=RulesPicture(examples=(example,) * (number + 1)),
            alt=f"Picture {number}",
            buttons=((Button(("Next",), f"replay_step.{TABLE}.0.1.{number + 1}"),),),
        )

    def public(self) -> PublicScreen:
        match self.stage:
            case "lobby":
                return self._lobby()
            case "over":
                return self._result()
            case _:
                return self._table()

    def private(self) -> SeatScreen:
        if self.stage in ("lobby", "over"):
            words = "The rack comes when the match starts." if self.stage == "lobby" else "The match is over."
            return SeatScreen(
                table=TABLE,
                revision=self.revision,
                text=(words,),
                picture=None,
                alt="",
                brief=words,
                buttons=(),
            )
        return SeatScreen(
            table=TABLE,
            revision=self.revision,
            text=("Table T1 · round 1\n", *self._task()),
            picture=RackPicture(
                shelves=self._shelves(), indicator=face("R4"), okey=face(OKEY), captions=("Indicator", "Okey")
            ),
            alt=f"Your rack: {', '.join(self.rack)}",
            brief="Your rack",
            buttons=self._rack_buttons(),
        )

    def _get(self, tile: str) -> None:
        self.rack.append(tile)
        self.drawn, self.stage = tile, "discard"

    def _discard(self, tile: str) -> None:
        self.rack.remove(tile)
        self.drawn, self.discarded = None, tile
        self.stage = "over" if tile == OKEY else "draw"
        self.pile = "Y2"

    def _answer(self, notice: str = "") -> Answer:
        self.revision += 1
        return Answer(notice=(notice,) if notice else (), private=self.private(), public=self.public())

    def _shelves(self) -> tuple[tuple[TileFace | None, ...], ...]:
        faces: list[TileFace | None] = [face(code) for code in self.rack]
        if self.drawn:
            faces[-1] = face(self.drawn, marked=True)
        return (*faces[:3], None, *faces[3:6], None), tuple(faces[6:])

    def _task(self) -> tuple[str | Strong | TileMark | Clock, ...]:
        clock = (" · until ", Clock(time.time() + 30))
        if self.stage == "draw":
            return (Strong("Your turn:"), " draw, or take ", mark(self.pile), *clock)
        return (Strong("Your turn:"), " discard a tile", *clock)

    def _rack_buttons(self) -> tuple[tuple[Button, ...], ...]:
        order = (Button(("Sort: runs",), f"runs.{TABLE}"), Button(("Sort: pairs",), f"pairs.{TABLE}"))
        if self.stage == "draw":
            take = Button(("Take ", mark(self.pile)), f"take.{TABLE}")
            return ((Button(("Draw",), f"draw.{TABLE}", "primary"), take), order)
        tiles = tuple(Button((mark(code),), f"discard.{code}") for code in dict.fromkeys(self.rack))
        return (tiles, (Button(("Finish…",), f"finish.{TABLE}", "good"),), order)

    def _lobby(self) -> PublicScreen:
        seat = ("1. ", Name(self.name), "\n") if self.name else ("1. – free –\n",)
        return PublicScreen(
            table=TABLE,
            revision=self.revision,
            text=(Strong("Okey"), " · table T1\nClassic okey, 4 players\n", *seat, "2. – free –"),
            picture=None,
            alt="",
            buttons=(
                (Button(("Join",), f"join.{TABLE}", "good"), Button(("Leave",), f"leave.{TABLE}")),
                (Button(("Start",), f"start.{TABLE}", "primary"),),
            ),
        )

    def _table(self) -> PublicScreen:
        tops = (self.discarded, "B5", "K1", self.pile)
        names = (self.name, "Can", "Ece", "Ali")
        seats = tuple(
            DrawnSeat(
                name=name,
                score=20,
                on_turn=i == 0,
                computer=i > 0,
                top=face(top) if top else None,
                shown=False,
            )
            for i, (name, top) in enumerate(zip(names, tops, strict=True))
        )
        return PublicScreen(
            table=TABLE,
            revision=self.revision,
            text=(Strong("Okey"), " · table T1 · round 1\n➤ ", Strong("Turn:"), " ", Name(self.name)),
            picture=TablePicture(
                seats=seats,
                clockwise=False,
                indicator=face("R4"),
                okey=face(OKEY),
                stock_left=48,
                title="Round 1",
                captions=("Indicator", "Okey", "Stock"),
            ),
            alt="Indicator red 4, okey red 5, 48 tiles in the stock",
            buttons=((Button(("My rack",), f"rack.{TABLE}", "primary"),),),
        )

    def _result(self) -> PublicScreen:
        return PublicScreen(
            table=TABLE,
            revision=self.revision,
            text=("🏆 ", Name(self.name), " wins"),
            picture=ResultPicture(
                title=f"{self.name} wins",
                melds=((face("R1"), face("R2"), face("R3")),),
                finishing=face(OKEY),
                rows=(ResultRow(name=self.name, change=0, score=20, winner=True),),
            ),
            alt="Result: red 1, red 2, red 3",
            buttons=(),
            over=True,
        )
