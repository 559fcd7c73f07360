"""Scripted: a router that answers as told, a delivery that keeps what it was told, and pictures to show."""

import random
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field

from bot.commands import ArgumentKind
from bot.markup import DrawnSeat, PublicScreen, RackPicture, SeatScreen, TablePicture, TileFace
from bot.ports import Answer, Person, Press, RateLimit, Suggestion, TypedCommand, limit_answer

R4, R5 = TileFace("R4"), TileFace("R5", wild=True)


class ScriptedRouter:
    """Answers what a test set for a press's text or a command (`/help`), once `waits` has come.

    It keeps what it was asked, suggests nothing, and nobody sits at its tables.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Answer | Callable[[], Answer]] = {}
        self.pressed: list[Press] = []
        self.typed: list[TypedCommand] = []
        self.greeted: list[tuple[str, str]] = []
        """Places that the bot was added to, and their languages."""
        self.waits: Callable[[], Awaitable[object]] | None = None

    async def press(self, press: Press) -> Answer:
        self.pressed.append(press)
        return await self._answer_after_waiting(press.data)

    async def command(self, typed: TypedCommand) -> Answer:
        self.typed.append(typed)
        return await self._answer_after_waiting(f"/{typed.verb}")

    async def _answer_after_waiting(self, about: str) -> Answer:
        if self.waits is not None:
            await self.waits()
        return self.answer(about)

    def answer(self, about: str) -> Answer:
        """Return the answer to a press's text or a command."""
        answer = self.answers.get(about, Answer())
        return answer if isinstance(answer, Answer) else answer()

    async def racks(self, by: Person) -> Sequence[SeatScreen] | None:
        return ()

    async def note_leaver(self, person: str, place: str) -> None:
        pass

    async def greet(self, place: str, language: str) -> None:
        self.greeted.append((place, language))

    async def suggest(self, typed: TypedCommand, kind: ArgumentKind) -> Sequence[Suggestion]:
        return ()


class AnyRouter(ScriptedRouter):
    """Answers anything by chance: with nothing, with words, with a refusal, or with one of these."""

    def __init__(self, dice: random.Random, *shown: Answer) -> None:
        super().__init__()
        self._dice = dice
        notice = ("Done.",)
        words = (Answer(), Answer(notice=notice), Answer(notice=notice, urgent=True, code="old_button"))
        self._any = (*words, *words, *shown)

    def answer(self, about: str) -> Answer:
        return self._dice.choice(self._any)


def without_picture(message: str) -> str:
    """The reference to a message alone."""
    return message.partition(" ")[0]


@dataclass
class ScriptedDelivery:
    """Keeps what it was told, and the budgets by the same sliding windows as the store."""

    shown: list[tuple[str, str, str, int]] = field(default_factory=list)
    """The target, table, message (without its picture) and version of each screen that was shown in an
    answer."""
    moves: list[tuple[str, str]] = field(default_factory=list)
    reopenings: list[set[str]] = field(default_factory=list)
    last: dict[str, str] = field(default_factory=dict)
    """The last message in each person's private chat; empty: one that is no rack."""
    alerts_only: list[tuple[str, str]] = field(default_factory=list)
    answered: set[RateLimit] = field(default_factory=set)
    spent: dict[RateLimit, list[float]] = field(default_factory=dict)
    """The moments at which each limit was charged."""

    async def note_shown(self, target: str, screen: PublicScreen | SeatScreen, message: str) -> None:
        self.shown.append((target, screen.table, without_picture(message), screen.version))

    def clock(self) -> float:
        return time.time()

    async def spend(self, limits: tuple[RateLimit, ...]) -> float:
        seconds = await self.wait(limits)
        if not seconds:
            for limit in limits:
                self.spent[limit].append(time.monotonic())
        return seconds

    async def wait(self, limits: tuple[RateLimit, ...]) -> float:
        now = time.monotonic()
        for limit in limits:
            recent = [at for at in self.spent.get(limit, []) if at > now - limit.seconds]
            self.spent[limit] = recent
            if len(recent) >= limit.calls:
                return recent[0] + limit.seconds - now
        return 0.0

    async def use_up(self, limits: tuple[RateLimit, ...]) -> None:
        """Charge calls until no more is allowed."""
        while await self.spend(limits) == 0:
            pass

    async def claim_answer(self, event: Press | TypedCommand) -> bool:
        first = limit_answer(event) not in self.answered
        self.answered.add(limit_answer(event))
        return first

    async def wrote(self, person: str, message: str) -> None:
        self.last[person] = message

    async def last_message(self, person: str) -> str:
        return self.last.get(person, "")

    async def note_alerts_only(self, person: str, table: str) -> None:
        self.alerts_only.append((person, table))

    async def note_move(self, place: str, new_place: str) -> None:
        self.moves.append((place, new_place))

    async def note_reopened(self, channels: Collection[str]) -> None:
        self.reopenings.append(set(channels))


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
