"""What every chat promises to people: what they press and type arrives, and they alone read the answer."""

import logging

import pytest

from bot.markup import Button, Page
from bot.ports import Answer, Person
from tests.adapters.contract.stage import JOIN, ActingStage, table_screen
from tests.patience import eventually


async def show_table(acting: ActingStage) -> str:
    return await acting.chat.show_table(acting.place, table_screen(), None, anew=False)


async def test_a_press_says_who_where_and_what(acting: ActingStage) -> None:
    await show_table(acting)
    await acting.press(acting.ada, "Join")
    (press,) = acting.router.pressed
    assert press.by == Person(acting.ada, "Ada", "tr")
    assert (press.place, press.surface, press.data) == (acting.place, "public", JOIN.press)


async def test_a_press_that_is_delivered_twice_is_the_same_press(acting: ActingStage) -> None:
    await show_table(acting)
    await acting.press(acting.can, "Join")
    await acting.press_again()
    await eventually(lambda: len(acting.router.pressed) == 2)
    assert acting.router.pressed[0] == acting.router.pressed[1]


async def test_a_notice_is_for_the_presser_alone(acting: ActingStage) -> None:
    await show_table(acting)
    acting.router.answers[JOIN.press] = Answer(notice=("The table is full.",), urgent=True)
    assert await acting.press(acting.can, "Join") == "The table is full."
    assert [each.words for each in await acting.read()] == ["The table"]
    assert await acting.read_private(acting.ada) == []


async def test_a_fault_of_the_program_is_owned_up_to_without_its_words(
    acting: ActingStage, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> Answer:
        raise RuntimeError("the rack is R1 B2")

    await show_table(acting)
    acting.router.answers[JOIN.press] = fail
    with caplog.at_level(logging.ERROR):
        told = await acting.press(acting.ada, "Join")
    assert told == "Bir şeyler ters gitti ama hiçbir şey değişmedi. Lütfen yeniden dene."
    assert "RuntimeError" in caplog.text
    assert "R1 B2" not in caplog.text


async def test_a_command_says_who_where_and_what(acting: ActingStage) -> None:
    await acting.command(acting.ada, "help")
    (typed,) = acting.router.typed
    assert (typed.verb, typed.argument, typed.place) == ("help", "", acting.place)
    assert typed.by == Person(acting.ada, "Ada", "tr")


async def test_a_command_is_answered_for_its_person_alone(acting: ActingStage) -> None:
    page = Page(text=("Pairs win.",), buttons=((Button(("More",), "more.t1.0"),),))
    acting.router.answers["/rules"] = Answer(page=page)
    await acting.command(acting.can, "rules")
    assert (await acting.told(acting.can, "Pairs win.")).labels == ("More",)
    assert await acting.read() == []
    assert await acting.read_private(acting.ada) == []
