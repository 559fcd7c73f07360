"""What every chat promises to delivery: tables, racks, letters and lines, shown where they belong."""

from collections.abc import Awaitable, Callable

import pytest

from bot.markup import Button, Name, Page
from bot.ports import Person, PlaceDeleted, PlaceRefused, PrivateClosed, RetryAfter
from tests.adapters.contract.stage import ActingStage, Stage, rack_screen, table_screen

LETTER = Page(text=("The night begins in an hour.",), buttons=((Button(("No more",), "mute.l1.0"),),))


async def test_a_table_is_one_message_that_is_edited(stage: Stage) -> None:
    first = await stage.chat.show_table(stage.place, table_screen(), None, anew=False)
    (posted,) = await stage.read()
    assert (posted.words, posted.labels, posted.picture) == ("The table", ("Join", "My rack"), True)
    newer = table_screen(2, words="Can drew", buttons=())
    assert await stage.chat.show_table(stage.place, newer, first, anew=False) == first
    (edited,) = await stage.read()
    assert (edited.id, edited.words, edited.labels, edited.picture) == (posted.id, "Can drew", (), True)


async def test_a_table_posted_anew_leaves_the_old_one_without_buttons(stage: Stage) -> None:
    first = await stage.chat.show_table(stage.place, table_screen(), None, anew=False)
    second = await stage.chat.show_table(stage.place, table_screen(2), first, anew=True)
    assert not stage.chat.same_message(first, second)
    for _ in range(2):
        await stage.chat.take_buttons(stage.place, first)
    old, new = await stage.read()
    assert (old.labels, new.labels) == ((), ("Join", "My rack"))
    for _ in range(2):
        await stage.chat.remove_table(stage.place, first)
    assert await stage.read() == [new]
    await stage.delete(new)
    await stage.chat.take_buttons(stage.place, second)


async def test_an_old_message_tells_its_result_and_is_never_posted_again(stage: Stage) -> None:
    first = await stage.chat.show_table(stage.place, table_screen(), None, anew=False)
    await stage.chat.show_table(stage.place, table_screen(2), first, anew=True)
    result = table_screen(3, words="Ada finished", buttons=())
    await stage.chat.show_last(stage.place, result, first)
    old, new = await stage.read()
    assert (old.words, old.labels, old.picture) == ("Ada finished", (), True)
    assert new.labels == ("Join", "My rack")
    await stage.delete(old)
    await stage.chat.show_last(stage.place, result, first)
    assert await stage.read() == [new]


async def test_an_older_screen_never_covers_a_newer_one(stage: Stage) -> None:
    table = await stage.chat.show_table(stage.place, table_screen(2, words="Newer"), None, anew=False)
    await stage.chat.show_table(stage.place, table_screen(1, words="Older"), table, anew=False)
    assert [each.words for each in await stage.read()] == ["Newer"]
    rack = await stage.chat.show_rack(stage.can, rack_screen(2, text=("Newer",)), None, notify=True)
    await stage.chat.show_rack(stage.can, rack_screen(1, text=("Older",)), rack, notify=False)
    assert [each.words for each in await stage.read_private(stage.can)] == ["Newer"]


async def test_a_deleted_table_is_posted_again(stage: Stage) -> None:
    first = await stage.chat.show_table(stage.place, table_screen(), None, anew=False)
    (posted,) = await stage.read()
    await stage.delete(posted)
    again = await stage.chat.show_table(stage.place, table_screen(2), first, anew=False)
    (seen,) = await stage.read()
    assert not stage.chat.same_message(first, again)
    assert seen.words == "The table"


async def test_a_thread_is_a_place_of_its_own(stage: Stage) -> None:
    thread = await stage.open_thread("Games")
    await stage.chat.show_table(thread, table_screen(words="Apart"), None, anew=False)
    await stage.chat.show_table(stage.place, table_screen(words="For all"), None, anew=False)
    assert [each.words for each in await stage.read(thread)] == ["Apart"]
    assert [each.words for each in await stage.read()] == ["For all"]
    assert await stage.chat.places.community(thread) == await stage.chat.places.community(stage.place)


async def test_where_the_bot_may_not_write_it_is_refused_until_it_may(stage: Stage) -> None:
    message = await stage.chat.show_table(stage.place, table_screen(), None, anew=False)
    await stage.silence()
    with pytest.raises(PlaceRefused):
        await stage.chat.show_table(stage.place, table_screen(2), message, anew=False)
    with pytest.raises(PlaceRefused):
        await stage.chat.post_line(stage.place, ("Anybody?",))
    await stage.silence(silenced=False)
    await stage.chat.show_table(stage.place, table_screen(3, words="Again"), message, anew=False)
    assert [each.words for each in await stage.read()] == ["Again"]


async def test_a_deleted_thread_is_deleted(stage: Stage) -> None:
    thread = await stage.open_thread("Games")
    message = await stage.chat.show_table(thread, table_screen(), None, anew=False)
    await stage.delete_thread(thread)
    with pytest.raises(PlaceDeleted):
        await stage.chat.show_table(thread, table_screen(2), message, anew=False)


async def test_a_pause_that_the_platform_asks_for_is_handed_on(stage: Stage) -> None:
    await stage.be_busy(17)
    with pytest.raises(RetryAfter) as later:
        await stage.chat.show_table(stage.place, table_screen(), None, anew=False)
    assert 10 < later.value.seconds <= 18
    assert await stage.read() == []


async def test_a_passing_failure_is_tried_again(acting: ActingStage) -> None:
    await acting.fail_once()
    await acting.chat.show_table(acting.place, table_screen(), None, anew=False)
    assert len(await acting.read()) == 1


async def test_a_line_calls_people_by_name_and_is_taken_back(stage: Stage) -> None:
    who = [Person(stage.ada, "Ada <b>"), Person(stage.can, "Can")]
    line = await stage.chat.post_line(stage.place, ("it is your turn",), calls=who)
    (seen,) = await stage.read()
    assert seen.words.endswith(": it is your turn")
    assert seen.calls == {stage.ada, stage.can}
    for _ in range(2):
        await stage.chat.delete_line(stage.place, line)
    assert await stage.read() == []


async def test_a_name_calls_nobody_and_is_no_markup(stage: Stage) -> None:
    number = stage.can.rpartition(":")[2]
    name = Name(f"**@everyone** <@{number}> </b><a href='tg://user?id={number}'>x</a>")
    await stage.chat.post_line(stage.place, (name, " won"))
    (seen,) = await stage.read()
    assert seen.calls == frozenset()
    assert "everyone" in seen.words
    assert seen.words.endswith(" won")


async def test_words_that_are_too_long_are_cut_and_sent(acting: ActingStage) -> None:
    await acting.chat.show_table(acting.place, table_screen(words="&" * 9000), None, anew=False)
    await acting.chat.post_line(acting.place, ("<" * 9000,))
    caption, line = await acting.read()
    assert caption.words.endswith("…")
    assert line.words.endswith("…")


async def test_thirty_buttons_are_shown(acting: ActingStage) -> None:
    buttons = (tuple(Button((f"{number}",), f"discard.t1.5.{number}") for number in range(30)),)
    message = await acting.chat.show_table(acting.place, table_screen(buttons=buttons), None, anew=False)
    (seen,) = await acting.read()
    assert seen.labels == tuple(map(str, range(30)))
    await acting.chat.show_table(acting.place, table_screen(2), message, anew=False)
    (seen,) = await acting.read()
    assert (seen.labels, seen.picture) == (("Join", "My rack"), True)


async def test_a_rack_is_edited_unless_they_are_to_notice(stage: Stage) -> None:
    first = await stage.chat.show_rack(stage.can, rack_screen(), None, notify=True)
    await stage.chat.show_rack(stage.can, rack_screen(2, text=("Second",)), first, notify=False)
    third = await stage.chat.show_rack(stage.can, rack_screen(3, text=("Third",)), first, notify=True)
    assert [each.words for each in await stage.read_private(stage.can)] == ["Second", "Third"]
    assert not stage.chat.same_message(first, third)
    for _ in range(2):
        await stage.chat.remove_rack(stage.can, first)
    assert [each.words for each in await stage.read_private(stage.can)] == ["Third"]
    assert await stage.read() == []
    assert await stage.read_private(stage.ada) == []


async def test_a_rack_is_in_sight_until_something_stands_below_it(stage: Stage) -> None:
    first = await stage.chat.show_rack(stage.can, rack_screen(), None, notify=True)
    await stage.chat.show_rack(stage.can, rack_screen(2), first, notify=False)
    assert await stage.chat.in_sight(stage.can, first)
    second = await stage.chat.show_rack(stage.can, rack_screen(3), first, notify=True)
    assert not await stage.chat.in_sight(stage.can, first)
    assert await stage.chat.in_sight(stage.can, second)
    await stage.chat.send_direct(stage.can, LETTER, "rules")
    assert not await stage.chat.in_sight(stage.can, second)


@pytest.mark.parametrize("send", ["rack", "letter"])
async def test_closed_messages_are_told_and_nothing_goes_to_the_place(stage: Stage, send: str) -> None:
    await stage.close_private(stage.can)

    def show_rack() -> Awaitable[str]:
        return stage.chat.show_rack(stage.can, rack_screen(), None, notify=True)

    def send_letter() -> Awaitable[str]:
        return stage.chat.send_direct(stage.can, LETTER, "n1 hour")

    tried: Callable[[], Awaitable[str]] = show_rack if send == "rack" else send_letter
    for _ in range(2):
        with pytest.raises(PrivateClosed):
            await tried()
    assert await stage.read() == []
    assert await stage.read_private(stage.can) == []


async def test_a_letter_comes_in_private_and_becomes_another(stage: Stage) -> None:
    message = await stage.chat.send_direct(stage.can, LETTER, "n1 hour")
    (seen,) = await stage.read_private(stage.can)
    assert (seen.words, seen.labels) == ("The night begins in an hour.", ("No more",))
    await stage.chat.edit_direct(stage.can, Page(text=("It has begun.",)), message)
    (seen,) = await stage.read_private(stage.can)
    assert (seen.words, seen.labels) == ("It has begun.", ())
    assert await stage.read() == []
    assert await stage.read_private(stage.ada) == []
