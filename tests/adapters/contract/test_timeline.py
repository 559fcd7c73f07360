"""What `bot.ports.Timeline` adds to every chat's promises: messages stay where they are."""

from collections.abc import Awaitable, Callable

import pytest

from bot.markup import Page
from bot.ports import PrivateClosed
from tests.adapters.contract.stage import TimelineStage, rack_screen, table_screen
from tests.adapters.contract.test_showing import LETTER


async def test_a_table_posted_anew_leaves_the_old_one_without_buttons(timeline: TimelineStage) -> None:
    first = await timeline.chat.show_table(timeline.place, table_screen(), None, anew=False)
    second = await timeline.chat.show_table(timeline.place, table_screen(2), first, anew=True)
    assert not timeline.chat.same_message(first, second)
    for _ in range(2):
        await timeline.chat.take_buttons(timeline.place, first)
    old, new = await timeline.read()
    assert (old.labels, new.labels) == ((), ("Join", "My rack"))
    for _ in range(2):
        await timeline.chat.remove_table(timeline.place, first)
    assert await timeline.read() == [new]
    await timeline.delete(new)
    await timeline.chat.take_buttons(timeline.place, second)


async def test_an_old_message_tells_its_result_and_is_never_posted_again(timeline: TimelineStage) -> None:
    first = await timeline.chat.show_table(timeline.place, table_screen(), None, anew=False)
    await timeline.chat.show_table(timeline.place, table_screen(2), first, anew=True)
    result = table_screen(3, words="Ada finished", buttons=())
    await timeline.chat.show_last(timeline.place, result, first)
    old, new = await timeline.read()
    assert (old.words, old.labels, old.picture) == ("Ada finished", (), True)
    assert new.labels == ("Join", "My rack")
    await timeline.delete(old)
    await timeline.chat.show_last(timeline.place, result, first)
    assert await timeline.read() == [new]


async def test_a_deleted_table_is_posted_again(timeline: TimelineStage) -> None:
    first = await timeline.chat.show_table(timeline.place, table_screen(), None, anew=False)
    (posted,) = await timeline.read()
    await timeline.delete(posted)
    again = await timeline.chat.show_table(timeline.place, table_screen(2), first, anew=False)
    (seen,) = await timeline.read()
    assert not timeline.chat.same_message(first, again)
    assert seen.words == "The table"


async def test_a_line_stays_until_it_is_taken_back(timeline: TimelineStage) -> None:
    line = await timeline.chat.post_line(timeline.place, ("it is your turn",))
    assert len(await timeline.read()) == 1
    for _ in range(2):
        await timeline.chat.delete_line(timeline.place, line)
    assert await timeline.read() == []


async def test_a_rack_is_edited_unless_they_are_to_notice(timeline: TimelineStage) -> None:
    first = await timeline.chat.show_rack(timeline.can, rack_screen(), None, notify=True)
    await timeline.chat.show_rack(timeline.can, rack_screen(2, text=("Second",)), first, notify=False)
    third = await timeline.chat.show_rack(timeline.can, rack_screen(3, text=("Third",)), first, notify=True)
    assert [each.words for each in await timeline.read_private(timeline.can)] == ["Second", "Third"]
    assert not timeline.chat.same_message(first, third)
    for _ in range(2):
        await timeline.chat.remove_rack(timeline.can, first)
    assert [each.words for each in await timeline.read_private(timeline.can)] == ["Third"]
    assert await timeline.read() == []
    assert await timeline.read_private(timeline.ada) == []


async def test_an_older_rack_never_covers_a_newer_one(timeline: TimelineStage) -> None:
    newer, older = rack_screen(2, text=("Newer",)), rack_screen(1, text=("Older",))
    rack = await timeline.chat.show_rack(timeline.can, newer, None, notify=True)
    await timeline.chat.show_rack(timeline.can, older, rack, notify=False)
    assert [each.words for each in await timeline.read_private(timeline.can)] == ["Newer"]


async def test_a_rack_is_in_sight_until_something_stands_below_it(timeline: TimelineStage) -> None:
    first = await timeline.chat.show_rack(timeline.can, rack_screen(), None, notify=True)
    await timeline.chat.show_rack(timeline.can, rack_screen(2), first, notify=False)
    assert await timeline.chat.in_sight(timeline.can, first)
    second = await timeline.chat.show_rack(timeline.can, rack_screen(3), first, notify=True)
    assert not await timeline.chat.in_sight(timeline.can, first)
    assert await timeline.chat.in_sight(timeline.can, second)
    await timeline.chat.send_direct(timeline.can, LETTER, "rules")
    assert not await timeline.chat.in_sight(timeline.can, second)


@pytest.mark.parametrize("send", ["rack", "letter"])
async def test_closed_messages_are_told_and_nothing_goes_to_the_place(
    timeline: TimelineStage, send: str
) -> None:
    await timeline.close_private(timeline.can)

    def show_rack() -> Awaitable[str]:
        return timeline.chat.show_rack(timeline.can, rack_screen(), None, notify=True)

    def send_letter() -> Awaitable[str]:
        return timeline.chat.send_direct(timeline.can, LETTER, "n1 hour")

    tried: Callable[[], Awaitable[str]] = show_rack if send == "rack" else send_letter
    for _ in range(2):
        with pytest.raises(PrivateClosed):
            await tried()
    assert await timeline.read() == []
    assert await timeline.read_private(timeline.can) == []


async def test_a_letter_becomes_another(timeline: TimelineStage) -> None:
    message = await timeline.chat.send_direct(timeline.can, LETTER, "n1 hour")
    await timeline.chat.edit_direct(timeline.can, Page(text=("It has begun.",)), message)
    (seen,) = await timeline.read_private(timeline.can)
    assert (seen.words, seen.labels) == ("It has begun.", ())
    assert await timeline.read() == []
    assert await timeline.read_private(timeline.ada) == []
