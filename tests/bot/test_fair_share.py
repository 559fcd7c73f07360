"""A fair share: whoever asks for too much is held back, is told so once, and takes nothing from others."""

import asyncio
from contextlib import ExitStack, suppress

import pytest

from bot.commands import ArgumentKind
from bot.errors import Refused
from bot.handlers.fair_share import AT_A_TABLE, BURST_SECONDS, IN_ALL, TOLD_SECONDS, FairShare
from bot.ports import TypedCommand
from bot.store import Store
from tests.bot.house import PLACE, open_house, said


class Clock:
    """Seconds that pass only when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def admitted(share: FairShare, person: str, asked: int) -> int:
    """How many of so many requests, one after the other, were let in."""
    count = 0
    for _ in range(asked):
        with suppress(Refused), share.admit(person, ""):
            count += 1
    return count


def refusal_of(share: FairShare, person: str, table: str) -> str:
    with pytest.raises(Refused) as refused, share.admit(person, table):
        pass
    return refused.value.code


def test_a_person_has_twenty_at_once_and_then_five_a_second() -> None:
    clock = Clock()
    share = FairShare(5, clock)
    assert admitted(share, "tg:1", 1000) == 20
    assert refusal_of(share, "tg:1", "") == "too_fast"
    assert admitted(share, "tg:2", 20) == 20, "what others ask for is their own affair"
    clock.now += 1
    assert admitted(share, "tg:1", 1000) == 5
    for _ in range(20):  # one every fifth of a second, for ever
        clock.now += 0.2
        assert admitted(share, "tg:1", 1) == 1
    clock.now += BURST_SECONDS
    assert admitted(share, "tg:1", 1000) == 20


def test_a_table_and_the_process_take_only_so_much_at_once() -> None:
    share = FairShare(5, Clock())
    with ExitStack() as under_way:
        for number in range(AT_A_TABLE):
            under_way.enter_context(share.admit(f"tg:{number}", "t1"))
        assert refusal_of(share, "tg:ada", "t1") == "busy"
        for number in range(IN_ALL - AT_A_TABLE):
            under_way.enter_context(share.admit(f"dc:{number}", f"other{number}"))
        assert refusal_of(share, "tg:ada", "t2") == "overloaded"
        assert not share.suggests("tg:ada")
    with share.admit("tg:ada", "t1"):
        assert share.suggests("tg:ada")


def test_who_is_held_back_is_told_so_once_in_a_while() -> None:
    clock = Clock()
    share = FairShare(5, clock)
    assert [share.is_told("tg:1") for _ in range(3)] == [True, False, False]
    assert share.is_told("tg:2")
    clock.now += TOLD_SECONDS
    assert share.is_told("tg:1")


async def test_a_flood_of_one_person_stops_nobody_elses_press(store: Store) -> None:
    async with open_house(store, share=FairShare(5, Clock())) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        await house.press(ada, "speak._.0.de")
        flood = [asyncio.create_task(house.type(ada, "help")) for _ in range(300)]
        served = await house.press(can, f"start.{table}.0", private=False)
        assert served.code == "not_host", "carried out, and refused for its own reason"
        answers = await asyncio.gather(*flood)
        shown = [answer for answer in answers if answer.page is not None]
        assert len(shown) == 18, "of twenty, two were her table and her language"
        held_back = [answer for answer in answers if answer.page is None]
        assert {answer.code for answer in held_back} == {"too_fast"}
        (told,) = [answer for answer in held_back if answer.notice]
        assert said(told) == "Das war zu schnell. Warte einen Moment, dann geht es weiter."
        kind: ArgumentKind = "table"
        typed = TypedCommand(by=ada, place=PLACE, verb="", argument="", id="x")
        suggested = [await house.app.router.suggest(typed, kind) for _ in range(30)]
        assert [bool(each) for each in suggested] == [True] * 20 + [False] * 10
        assert (await house.press(can, f"leave.{table}.0", private=False)).code == ""


async def test_quick_sorting_is_not_held_back(store: Store) -> None:
    clock = Clock()
    async with open_house(store, share=FairShare(5, clock)) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        clock.now += BURST_SECONDS
        for number in range(28):  # fourteen tiles, two taps each, seven a second
            clock.now += 1 / 7
            verb = ("sort_pairs", "sort_runs")[number % 2]
            answer = await house.press(ada, f"{verb}.{table}.0")
            assert answer.code == ""
