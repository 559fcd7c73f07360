"""What `bot.ports.EphemeralRacks` adds to every chat's promises: a place shows a rack to its person alone."""

import pytest

from bot.ports import Answer, EphemeralRacks, PrivateClosed
from tests.adapters.contract.chats import over
from tests.adapters.contract.stage import MY_RACK, ActingStage, rack_screen
from tests.adapters.contract.test_acting import show_table
from tests.patience import eventually

acting = over(ActingStage, EphemeralRacks)


async def test_a_rack_in_the_place_is_changed_there_for_its_person_alone(acting: ActingStage) -> None:
    await show_table(acting)
    await acting.close_private(acting.can)
    acting.router.answers[MY_RACK.press] = Answer(private=rack_screen())
    await acting.press(acting.can, "My rack")
    await eventually(lambda: acting.chat.shows_rack(acting.can, "t1"))
    await acting.chat.show_rack_in_place(acting.can, rack_screen(2, text=("Can drew",)), None)
    assert (await acting.told(acting.can, "Can drew")).labels == ("Draw", "Discard")
    assert [each.words for each in await acting.read()] == ["The table"]
    assert await acting.read_private(acting.ada) == []


async def test_no_rack_is_shown_in_the_place_to_who_did_nothing_there(acting: ActingStage) -> None:
    await show_table(acting)
    await acting.close_private(acting.can)
    assert not acting.chat.shows_rack(acting.can, "t1")
    with pytest.raises(PrivateClosed):
        await acting.chat.show_rack_in_place(acting.can, rack_screen(), None)
    assert [each.words for each in await acting.read()] == ["The table"]
