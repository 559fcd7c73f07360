"""An application and a delivery of few words: real objects behind the page in its tests.

One table `t1` at which Ada sits against three computer players. She draws, or takes, and discards;
the others then discard what is written here. Every screen is made of the real screen types.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from string import ascii_letters

from bot.live import (
    Act,
    LiveChoice,
    LiveFirstDraw,
    LiveHappening,
    LiveHint,
    LiveMeld,
    LiveMove,
    LiveOutcome,
    LivePuzzle,
    LiveRack,
    LiveReplay,
    LiveRound,
    LiveSeat,
    LiveTable,
    MatchEnding,
)
from bot.markup import (
    Attachment,
    Button,
    Clock,
    CurvePicture,
    DrawnPuzzle,
    DrawnReplay,
    Name,
    Page,
    PublicScreen,
    RulesPicture,
    SeatScreen,
    Series,
    StandingRow,
    StandingsPicture,
    Strong,
    Text,
    TileFace,
    TileMark,
    Typed,
)
from bot.ports import Answer, AppView, Person, Press, RateLimit, StoreUnavailable, TypedCommand

TABLE = "t1"
STEPS = 5
"""The last of the replay."""
RECORD = b'{"format": "okey-record/1"}\n'
OKEY = "R5"
RACK = ["R1", "R2", "R3", "Y7", "Y8", "Y9", "B11", "R5", "K3", "K4", "K4", "F", "B2", "Y13"]


RUN = (("Y7", "Y7"), ("Y8", "Y8"), ("Y9", "Y9"))
LONG = tuple((f"B{number}", f"B{number}") for number in range(3, 10))

LEVELS = ("easy", "steady", "sharp")
SIGNS = ascii_letters + "0"
CODES = [f"{colour}{number}" for colour in "RYBK" for number in range(1, 14)] + ["F"]


def acts_of(kind: str) -> list[Act]:
    """What the table offers of a kind: one act, or one a level. Only its first seat can be taken."""
    presses = [f"level.{TABLE}.{each}" for each in LEVELS] if kind == "level" else [f"{kind}.{TABLE}"]
    return [Act(kind, press, on=0 if kind == "sit" else -1) for press in presses]  # type: ignore[arg-type]


def mark(code: str) -> TileMark:
    return TileMark(code, wild=code == OKEY)


def face(code: str) -> TileFace:
    return TileFace(code, wild=code == OKEY)


class ScriptedDelivery:
    """Tells the time, and has no limits."""

    def clock(self) -> float:
        return time.time()

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        return 0.0

    async def wait(self, limits: tuple[RateLimit, ...]) -> float:
        return 0.0

    async def note_move(self, place: str, new_place: str) -> None:
        raise AssertionError("the page has one place")

    async def note_reopened(self, channels: Collection[str]) -> None:
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
    turn: int = 0
    round: str = "1"
    hint: LiveHint | None = None
    own_pile: tuple[str, ...] = ()
    left_pile: tuple[str, ...] = ()
    seconds: float = 30
    """How long the turn still lasts when it is shown."""
    pile: str = "B9"
    discarded: str | None = None
    kept: str = ""
    """The order that was sent last."""
    version: int = 1
    level: str = "steady"
    reactions: dict[int, tuple[str, float]] = field(default_factory=dict)
    """The last one at each seat, and its moment."""
    people: int = 1
    """How many of the first seats are not computer players'."""
    lays: bool = False
    """Whether it is Okey 101."""
    melds: int = 1
    """How many runs lie on the table then."""
    long: bool = False
    """Whether every second run is as long as seven tiles."""
    owners: int = 1
    """How many players have laid them."""
    opened: str = "101 melds"
    """How everybody has opened in Okey 101."""
    tiles: int = 14
    """On every rack, as others see it."""
    score: int = 20
    """Everybody's."""
    fines: int = 0
    happened: list[LiveHappening] = field(default_factory=list)
    first: tuple[LiveFirstDraw, ...] = ()
    rounds: list[LiveRound] = field(default_factory=list)
    winners: tuple[int, ...] = (0,)
    round_winner: int | None = 0
    how: tuple[str, ...] = ()
    """How the round was won."""
    factor: int = 1
    bowl: int = 0
    chips: tuple[int, ...] = ()
    """Everybody's chips at a table with a bowl."""
    teams: bool = False
    declared: tuple[int, ...] = ()
    """The seats that declared pairs."""
    scores: tuple[int, ...] = ()
    """Of each seat, where they differ."""
    ending: MatchEnding = ""
    """Why a match that is over has no winner."""
    puzzle: str = "discard"
    """The kind of the daily rack."""
    moments: bool = False
    """Whether the pages of a replay are moments on the table. The second, which the review leads to, has
    marks."""
    solved: int = -1
    """The answer that was given to it."""
    fail: bool = False
    wins: bool = True
    """Whether the finish that is offered wins."""
    away: str = ""
    """The code with which everything is refused."""

    async def press(self, press: Press) -> Answer:
        self.asked.append(press)
        if self.fail:
            raise RuntimeError("the script says so")
        if self.away:
            raise StoreUnavailable
        verb, *arguments = press.data.split(".")
        match verb, press.by.key == self.host:
            case "join" | "sit", _ if not self.host or press.by.key == self.host:
                self.host, self.name = press.by.key, press.by.name
                return self._answer("You sit at the table.")
            case "join" | "sit", _:
                return Answer(notice=("All seats are taken.",), urgent=True)
            case "another", _:
                return self._open(press.by)
            case "leave", True:
                self.host, self.name, self.version = "", "", self.version + 1
                return Answer(notice=("You left the table.",), public=self.public())
            case "level", True:
                self.level, self.version = arguments[-1], self.version + 1
            case "start", True:
                self.stage = "draw"
            case "draw", True if self.stage == "draw":
                self._get("K13")
            case "take", True if self.stage == "draw":
                self._get(self.pile)
            case "discard" | "finish", True if self.stage == "discard":
                self._discard(arguments[0])
            case "daily", _:
                self.solved = int(arguments[-1])
                return Answer(page=self.daily())
            case "replay_step", _:
                return Answer(page=self.page(int(arguments[-1])))
            case "rack" | "runs" | "pairs", True:  # sorted or not, it is the newest rack that comes
                pass
            case "keep", True:
                self.kept = arguments[-1]
                return Answer(private=self.private(), public=self.public())  # no move of the game
            case "react", True:
                self.reactions[0] = arguments[-1], time.time()
                return Answer(public=self.public())
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
            return Answer(notice=("Please press again shortly.",), urgent=True, code=self.away)
        match typed.verb:
            case "play":
                return self._open(typed.by)
            case "rack" if typed.by.key == self.host:
                return Answer(private=self.private())
            case "rack":
                return Answer(notice=("You aren’t at a table.",), urgent=True, code="no_table")
            case "replay":
                return Answer(page=self.page(0))
            case "review":
                return Answer(page=self.verdict())
            case "record":
                file = Attachment("okey-t1.json", RECORD)
                return Answer(page=Page(text=("One round.",), file=file))
            case "rules":
                return Answer(page=Page(text=(f"{typed.argument}\n" + "A line.\n" * 80,)))
            case "daily":
                return Answer(page=self.daily())
            case "profile":
                word = Typed("/okey word tulip", "word", (("word", "tulip"),), "en")
                return Answer(notice=("Your word: ", word), urgent=True)
            case "help":
                return Answer(notice=("Draw, then discard. " * 8, Name("<b>x</b>")))
            case _:
                return Answer(notice=("There is nothing.",))

    def _open(self, by: Person) -> Answer:
        """Have the table be a lobby of a person: there is no second one to open."""
        self.stage = "lobby"
        self.host, self.name = by.key, by.name
        self.version += 1
        return Answer(public=self.public())

    def daily(self) -> Page:
        """The daily rack: which tile to discard, of which the yellow 13 is the best; or of another kind."""
        tiles = [*self.rack, "K13"] if self.puzzle == "discard" else self.rack
        words = ("melds", "pairs", "no") if self.puzzle == "open" else ()
        six = ["R4", "Y10", "K5", "B6", "B7", "R13"]
        offered = [*dict.fromkeys(tiles)] if self.puzzle == "discard" else six
        asked = self.solved < 0
        presses = [f"daily.me.0.{n}" if asked else "" for n in range(len(words or offered))]
        live = LivePuzzle(
            kind=self.puzzle,
            title="🧩 Daily rack · Friday",
            question="Which tile do you discard?",
            rack=tuple(tiles),
            indicator="R4",
            okey=OKEY,
            choices=tuple(
                LiveChoice(press=press, tile="", text=each) if words else LiveChoice(press=press, tile=each)
                for press, each in zip(presses, words or offered, strict=True)
            ),
            chosen=self.solved,
            best=-1 if asked else offered.index("Y13") if self.puzzle == "discard" else 0,
        )
        said: Text = () if asked else ("You chose.\n", Strong("This is why."))
        return Page(text=("The question\n", *said), alt="The rack", puzzle=DrawnPuzzle(live, said))

    def verdict(self) -> Page:
        """How somebody played, with the curve that leads to their decisions."""
        curve = CurvePicture(
            title="Each decision",
            values=(100.0, 100.0, 40.0, 100.0, 95.0),
            marks=(("0 %", 0.0), ("100 %", 100.0)),
            captions=("1", "5"),
            highlights=(2, 4),
        )
        series = Series(f"replay_step.{TABLE}.0.1", 0, STEPS)
        steps = tuple(
            Button((sign,), f"{series.press}.{to}", step=True) for sign, to in (("⏮", 0), ("◀", 0), ("▶", 1))
        )
        slip = Button(("Next mistake",), f"{series.press}.3")
        alt = "100 %, 100 %, 40 %, 100 %, 95 %"
        return Page(text=("Accuracy",), picture=curve, alt=alt, buttons=(steps, (slip,)), series=series)

    def page(self, number: int) -> Page:
        """A step of a replay, and the way on."""
        example = ("Pair", (face("R1"), face("R1")))
        drawn = DrawnReplay(self.moment(number), (f"Moment {number}",)) if self.moments else None
        return Page(
            replay=drawn,
            text=(f"Step {number}, ", Name("<b>Can</b>")),
            picture=RulesPicture(examples=(example,) * (number + 1)),
            alt=f"Picture {number}",
            buttons=((Button(("Next",), f"replay_step.{TABLE}.0.1.{number + 1}", step=self.moments),),),
            series=Series(f"replay_step.{TABLE}.0.1", number, STEPS),
        )

    def moment(self, number: int) -> LiveReplay:
        """A moment of a replay: Ada discards, then Can and so on; every rack has other tiles."""
        table = replace(self.live(), stage="playing", acts=(), deadline=None, turn=number % 4)
        seats = tuple(
            replace(seat, name=name)
            for seat, name in zip(table.seats, ("Ada", "Can", "Ece", "Ali"), strict=True)
        )
        happened = (LiveHappening("discarded", (number - 1) % 4, "K1"),) if number else ()
        return LiveReplay(
            table=replace(table, seats=seats, happened=happened),
            racks=tuple((f"{colour}{1 + number}", f"{colour}13") for colour in "RYBK"),
            seat=0 if number == 2 else -1,
            made=LiveMove("tiles", ("R13",)) if number == 2 else None,
            best=LiveMove("take", on=3) if number == 2 else None,
        )

    def public(self) -> PublicScreen:
        said = {
            "lobby": ("Table T1\n1. ", Name(self.name)),
            "over": ("🏆 ", Name(self.name), " wins"),
        }
        return PublicScreen(
            table=TABLE,
            version=self.version,
            text=said.get(self.stage, (Strong("Okey"), " · round 1\n➤ Turn: ", Name(self.name))),
            picture=None,
            alt="",
            buttons=(),
            over=self.stage == "over",
            live=self.live(),
        )

    def private(self) -> SeatScreen:
        words = {"lobby": "The rack comes when the match starts.", "over": "The match is over."}
        return SeatScreen(
            table=TABLE,
            version=self.version,
            text=(words[self.stage],) if self.stage in words else ("Round 1\n", *self._task()),
            picture=None,
            buttons=(),
            live=LiveRack(
                table=self.live(),
                seat=0,
                places=self._places() if self.stage not in words else (),
                shelf=15 if self.lays else 12,
                drawn=self._places().index(self.drawn) if self.drawn else -1,
                acts=tuple(self._acts()),
                refused=self._refused(),
                wrap=True,
                hint=self.hint,
                own_pile=self.own_pile,
                left_pile=self.left_pile,
            ),
        )

    def live(self) -> LiveTable:
        """The table as everybody may see it."""
        playing, ended = self.stage in ("draw", "discard"), self.stage in ("between", "over")
        tops = (self.discarded or "", "B5", "K1", self.pile)
        names = (self.name, *(("Can", "Ece", "Ali") if playing or ended else ("", "", "")))
        seats = () if self.name else ("join", "sit")
        acts = {"lobby": (*seats, "leave", "level", "start"), "over": ("replay",)}.get(self.stage, ())
        won = LiveOutcome(
            kind="win",
            winner=self.round_winner,
            how=self.how,
            changes=(0, -2, -2, -2),
            melds=((("R1", "R1"), ("R2", "R2"), ("R3", "R3")),),
            finishing=OKEY,
            emote="🥳",
            fines=(self.fines, 0, 0, 0),
        )
        return LiveTable(
            id=TABLE,
            version=self.version,
            turns=self.version,
            moment=self.version,
            stage="playing" if playing else self.stage,
            game="101" if self.lays else "classic",
            preset="okey",
            clockwise=False,
            players=4,
            teams=self.teams,
            level=self.level,
            round=self.round,
            seats=tuple(
                LiveSeat(
                    name=name,
                    score=self.scores[i] if self.scores else self.score,
                    computer=i >= self.people,
                    stand_in=False,
                    host=i == 0,
                    tiles=self.tiles,
                    discard=top,
                    shown=False,
                    opened=self.opened if self.lays else "",
                    fines=self.fines,
                    declared=i in self.declared,
                    reaction=self.reactions.get(i, ("", 0.0))[0],
                    reacted=self.reactions.get(i, ("", 0.0))[1],
                )
                for i, (name, top) in enumerate(zip(names, tops, strict=False))
            ),
            turn=self.turn if playing else None,
            phase=self.stage if playing else "",
            indicator="R4",
            okey=OKEY,
            stock=48,
            deadline=time.time() + self.seconds if playing else None,
            turn_seconds=60,
            sources=(3,),
            melds=tuple(
                LiveMeld(by=1 + n % self.owners, kind="run", tiles=LONG if self.long and n % 2 else RUN)
                for n in range(self.melds)
            )
            if self.lays
            else (),
            needed=(101, 5) if self.lays else (0, 0),
            happened=tuple(self.happened),
            first=self.first,
            outcome=won if ended else None,
            rounds=tuple(self.rounds),
            fewest_win=self.lays,
            winners=self.winners if self.stage == "over" and not self.ending else (),
            ending=self.ending if self.stage == "over" else "",
            factor=self.factor,
            bowl=self.bowl,
            chips=self.chips,
            practice=False,
            hints=self.hint is not None,
            acts=tuple(chain.from_iterable(acts_of(kind) for kind in acts)),
        )

    def board(self) -> PublicScreen:
        """A league's night."""
        rows = (StandingRow(rank="1.", name="Ada", detail="", points="3"),)
        return PublicScreen(
            table="abcde-202603052000",
            version=1,
            text=("Night 1\n", Name("<b>Ada</b>")),
            picture=StandingsPicture(title="Night 1", subtitle="", rows=rows),
            alt="Standing: Ada 3",
            buttons=((Button(("Yes",), "night_yes.abcde"),),),
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
        self.version += 1
        return Answer(notice=(notice,) if notice else (), private=self.private(), public=self.public())

    def _places(self) -> tuple[str, ...]:
        """One gap behind the third tile, or the order that was kept; what is new lies at its end."""
        order = [*self.rack[:3], "", *self.rack[3:]]
        if self.kept:
            order = ["" if sign == "-" else CODES[SIGNS.index(sign)] for sign in self.kept]
            order = [code if code in self.rack else "" for code in order]
            order += [code for code in self.rack if code not in order]
        return tuple(order + [""] * ((30 if self.lays else 24) - len(order)))

    def _acts(self) -> list[Act]:
        order = [
            Act("keep", f"keep.{TABLE}.0"),
            Act("sort_runs", f"runs.{TABLE}.0"),
            Act("sort_pairs", f"pairs.{TABLE}.0"),
            Act("react", f"react.{TABLE}.0"),
            Act("preferences", f"preferences.{TABLE}.0"),
        ]
        if self.stage == "between":
            return [Act("step_out", f"step_out.{TABLE}.0")]
        if self.stage == "draw":
            return [Act("draw", f"draw.{TABLE}"), Act("take", f"take.{TABLE}", self.pile, 3), *order]
        if self.stage == "discard":
            faces = dict.fromkeys(self.rack)
            discards = [
                Act("discard", f"discard.{code}", code, sure="okey" if code == OKEY else "") for code in faces
            ]
            finish = Act("finish", f"finish.{OKEY}", OKEY, sure="finish", wins=self.wins)
            return [*discards, finish, *order, *(self._laying() if self.lays else [])]
        return []

    def _refused(self) -> dict[str, str]:
        if self.stage == "draw":
            return {"discard": "draw_first"}
        return {"draw": "already_drawn", "take": "already_drawn"} if self.stage == "discard" else {}

    def _laying(self) -> list[Act]:
        faces = ("Y6", "Y10")
        ends = [Act("lay", f"lay_wild.{TABLE}.0.{face}.0", face, 0, wild=True) for face in faces]
        ends += [Act("lay", f"lay.{TABLE}.0.{face}.0", face, 0) for face in faces if face in self.rack]
        back = [Act("take_back", f"take_back.{TABLE}.0.{count}", on=count) for count in (1, 2)]
        return [*ends, *back, Act("put_down", f"put_down.{TABLE}.0")]

    def _task(self) -> tuple[str | Strong | TileMark | Clock, ...]:
        clock = (" · until ", Clock(time.time() + 30))
        if self.stage == "draw":
            return (Strong("Your turn:"), " draw, or take ", mark(self.pile), *clock)
        return (Strong("Your turn:"), " discard a tile", *clock)


class ScriptedApps:
    """The application of a script: every page sees its table, and the one who sits there their rack."""

    def __init__(self, router: ScriptedRouter) -> None:
        self.router = router
        self._visits: set[ScriptedVisit] = set()

    @asynccontextmanager
    async def visit_as(
        self, by: Callable[[], Person], place: str, table: str
    ) -> AsyncIterator["ScriptedVisit"]:
        visit = ScriptedVisit(self, by, place, table)
        self._visits.add(visit)
        try:
            yield visit
        finally:
            self._visits.discard(visit)

    def tell(self, doer: "ScriptedVisit | None" = None) -> None:
        """Tell the other pages that there may be something new."""
        for visit in self._visits - {doer}:
            visit.told.set()


class ScriptedVisit:
    """One open page."""

    def __init__(self, apps: ScriptedApps, by: Callable[[], Person], place: str, wish: str) -> None:
        self.wish = wish
        self.told = asyncio.Event()
        self._apps, self._router, self._by, self._place = apps, apps.router, by, place
        self._seen: dict[str, PublicScreen | SeatScreen | None] = {}

    async def looks(self, *, visible: bool) -> None:
        raise AssertionError("the local page says no such thing")

    async def news(self) -> None:
        await self.told.wait()
        self.told.clear()

    async def person(self) -> Person:
        return self._by()

    async def opens(self) -> bool:
        return True

    async def look(self) -> AppView:
        router = self._router
        if router.fail:
            raise RuntimeError("the script says so")
        if router.away:
            raise StoreUnavailable
        sits = self._by().key == router.host and router.stage != "none"
        left = (TABLE,) if self._seen.get("rack") is not None and not sits else ()
        racks = self._new("rack", router.private() if sits else None)
        tables = self._new("table", router.public() if router.stage != "none" else None)
        return AppView(tables=tables, racks=racks, gone=(), left=left)  # type: ignore[arg-type]

    def _new(self, kind: str, screen: PublicScreen | SeatScreen | None) -> tuple[object, ...]:
        """The screen, unless it is the last one but for its clock."""
        seen, self._seen[kind] = self._seen.get(kind), screen
        return () if screen is None or _timeless(screen) == _timeless(seen) else (screen,)

    async def press(self, data: str, id: str, *, public: bool) -> Answer:
        place, surface = (self._place, "public") if public else (None, "private")
        press = Press(by=self._by(), place=place, surface=surface, data=data, id=id)  # type: ignore[arg-type]
        answer = await self._router.press(press)
        self._apps.tell(self)
        return answer

    async def command(self, verb: str, argument: str, id: str) -> Answer:
        typed = TypedCommand(by=self._by(), place=self._place, verb=verb, argument=argument, id=id)
        answer = await self._router.command(typed)
        self._apps.tell(self)
        return answer


def _timeless(screen: PublicScreen | SeatScreen | None) -> object:
    """What a screen shows beside the clock, which starts anew whenever it is looked at."""
    if screen is None or screen.live is None:
        return None
    if isinstance(screen.live, LiveRack):
        return replace(screen.live, table=replace(screen.live.table, deadline=None))
    return replace(screen.live, deadline=None)
