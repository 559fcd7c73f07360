"""What every chat promises to people: what they press and type arrives, and they alone read the answer."""

import logging

import pytest

from bot.markup import Button, Page
from bot.ports import Answer, Person, Press, StoreUnavailable
from tests.adapters.contract.stage import DRAW, JOIN, MY_RACK, ActingStage, rack_screen, table_screen
from tests.patience import eventually

NEXT = "replay_step.t1.0.1"


async def show_table(acting: ActingStage) -> str:
    return await acting.chat.show_table(acting.place, table_screen(), None, anew=False)


async def test_a_press_says_who_where_and_what(acting: ActingStage) -> None:
    await show_table(acting)
    await acting.press(acting.ada, "Join")
    (press,) = acting.router.pressed
    assert press.by == Person(acting.ada, "Ada", "tr")
    assert (press.place, press.surface, press.data) == (acting.place, "public", JOIN.press)


async def test_a_press_in_private_has_no_place(acting: ActingStage) -> None:
    await acting.chat.show_rack(acting.can, rack_screen(), None, notify=True)
    await acting.press(acting.can, "Draw", private=True)
    (press,) = acting.router.pressed
    assert (press.by.key, press.place, press.surface) == (acting.can, None, "private")
    assert press.data == DRAW.press


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


async def test_an_answer_in_private_edits_the_rack_that_was_pressed(acting: ActingStage) -> None:
    message = await acting.chat.show_rack(acting.can, rack_screen(), None, notify=True)
    acting.router.answers[DRAW.press] = Answer(private=rack_screen(2, text=("You drew",)))
    await acting.press(acting.can, "Draw", private=True)
    await eventually(lambda: bool(acting.delivery.shown))
    assert [each.words for each in await acting.read_private(acting.can)] == ["You drew"]
    ((target, table, shown, version),) = acting.delivery.shown
    assert (target, table, version) == (acting.can, "t1", 2)
    assert acting.chat.same_message(shown, message)


async def test_my_rack_is_seen_by_its_owner_alone(acting: ActingStage) -> None:
    await show_table(acting)
    acting.router.answers[MY_RACK.press] = Answer(private=rack_screen())
    await acting.press(acting.can, "My rack")
    rack = await acting.told(acting.can, "Your rack")
    assert (rack.labels, rack.picture) == (("Draw", "Discard"), True)
    assert [each.words for each in await acting.read()] == ["The table"]
    assert await acting.read_private(acting.ada) == []


async def test_my_rack_sends_no_second_one(acting: ActingStage) -> None:
    await show_table(acting)
    known = await acting.chat.show_rack(acting.can, rack_screen(), None, notify=True)
    acting.router.answers[MY_RACK.press] = Answer(private=rack_screen(), private_message=known)
    await acting.press(acting.can, "My rack")
    assert len(await acting.read_private(acting.can)) == 1


@pytest.mark.parametrize("private", [False, True])
async def test_a_screen_that_has_gone_on_during_a_press_keeps_its_newer_state(
    acting: ActingStage, monkeypatch: pytest.MonkeyPatch, private: bool
) -> None:
    """Delivery shows nothing twice, so an older answer that came last would stay."""
    table = await show_table(acting)
    rack = await acting.chat.show_rack(acting.can, rack_screen(), None, notify=True)

    async def answer_late(press: Press) -> Answer:
        if private:
            newer = rack_screen(3, text=("Newest",))
            await acting.chat.show_rack(acting.can, newer, rack, notify=False)
            return Answer(private=rack_screen(2, text=("Older",)))
        await acting.chat.show_table(acting.place, table_screen(3, words="Newest"), table, anew=False)
        return Answer(public=table_screen(2, words="Older"))

    monkeypatch.setattr(acting.router, "press", answer_late)
    await acting.press(acting.can, "Draw" if private else "Join", private=private)
    seen = await (acting.read_private(acting.can) if private else acting.read())
    assert [each.words for each in seen] == ["Newest"]
    assert acting.delivery.shown == []


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


async def test_a_press_is_answered_though_the_store_goes_away_meanwhile(
    acting: ActingStage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> float:
        raise StoreUnavailable("ConnectionError")

    await show_table(acting)
    await acting.chat.show_rack(acting.can, rack_screen(), None, notify=True)
    monkeypatch.setattr(acting.delivery, "spend", fail)
    acting.router.answers[DRAW.press] = Answer(private=rack_screen(2), notice=("You drew.",))
    acting.router.answers[JOIN.press] = Answer(public=table_screen(2), private=rack_screen(2))
    assert await acting.press(acting.can, "Draw", private=True) == "You drew."
    await acting.press(acting.can, "Join")
    assert [each.message for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_a_command_says_who_where_and_what(acting: ActingStage) -> None:
    thread = await acting.open_thread("Games")
    for place in ("", thread, None):
        await acting.command(acting.ada, "help", place)
    assert [(typed.verb, typed.argument) for typed in acting.router.typed] == [("help", "")] * 3
    assert [typed.place for typed in acting.router.typed] == [acting.place, thread, None]
    assert {typed.by for typed in acting.router.typed} == {Person(acting.ada, "Ada", "tr")}


async def test_a_command_is_answered_for_its_person_alone(acting: ActingStage) -> None:
    page = Page(text=("Pairs win.",), buttons=((Button(("More",), "more.t1.0"),),))
    acting.router.answers["/rules"] = Answer(page=page)
    await acting.command(acting.can, "rules")
    assert (await acting.told(acting.can, "Pairs win.")).labels == ("More",)
    assert await acting.read() == []
    assert await acting.read_private(acting.ada) == []


async def test_pages_turn_in_place_and_leave_the_rack_alone(acting: ActingStage) -> None:
    replay = Button(("Replay",), "replay.t1.0.1")
    await acting.chat.show_rack(acting.can, rack_screen(buttons=((replay,),)), None, notify=True)
    for number, press in enumerate((replay.press, f"{NEXT}.1", f"{NEXT}.2")):
        on = Button((f"To {number + 1}",), f"{NEXT}.{number + 1}")
        page = Page(text=(f"Step {number}",), buttons=((on,),), turns=number > 0)
        acting.router.answers[press] = Answer(page=page)
    for label in ("Replay", "To 1", "To 2"):
        await acting.press(acting.can, label, private=True)
    await acting.told(acting.can, "Step 2")
    assert [each.words for each in await acting.read_private(acting.can)] == ["Your rack", "Step 2"]


async def test_who_runs_the_community_organises_all_its_places(acting: ActingStage) -> None:
    thread = await acting.open_thread("Games")
    await acting.make_organiser(acting.ada)
    for place in (acting.place, thread):
        assert await acting.chat.places.organises(acting.ada, place)
        assert not await acting.chat.places.organises(acting.can, place)


async def test_a_right_that_is_given_back_is_reported(acting: ActingStage) -> None:
    await acting.silence()
    await eventually(lambda: bool(acting.delivery.reopenings))
    acting.delivery.reopenings.clear()
    await acting.silence(silenced=False)
    await eventually(lambda: any(acting.place in each for each in acting.delivery.reopenings))
