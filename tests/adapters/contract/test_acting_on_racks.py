"""What a chat promises to people whose racks are messages: what they press there arrives, and is answered
there."""

import logging

import pytest

from bot.markup import Button, Page
from bot.ports import Answer, Press, StoreUnavailable, Timeline
from tests.adapters.contract.chats import over
from tests.adapters.contract.stage import DRAW, JOIN, MY_RACK, ActingStage, rack_screen, table_screen
from tests.adapters.contract.test_acting import show_table
from tests.patience import eventually

NEXT = "replay_step.t1.0.1"

acting = over(ActingStage, Timeline)


async def test_a_press_in_private_has_no_place(acting: ActingStage) -> None:
    await acting.chat.show_rack(acting.can, rack_screen(), None, notify=True)
    await acting.press(acting.can, "Draw", private=True)
    (press,) = acting.router.pressed
    assert (press.by.key, press.place, press.surface) == (acting.can, None, "private")
    assert press.data == DRAW.press


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
    assert [each.words for each in await acting.read_private(acting.can)] == [
        "Your rack",
        "Step 2",
    ]
