"""Pictures that did not change are not uploaded again, and a press that changes nothing edits nothing."""

from dataclasses import replace

from bot.markup import PublicScreen, SeatScreen
from bot.ports import Answer
from tests.adapters.discord_chat.scene import (
    DRAW,
    JOIN,
    MY_RACK,
    TABLE_PICTURE,
    Scene,
    rack_in_channel,
    rack_screen,
    table_screen,
)
from tests.adapters.scripted import rack_picture
from tests.patience import PATIENCE, eventually
from tests.servers.discord_api.client import Seen

FEWER = replace(TABLE_PICTURE, stock_left=47)


def picture_of(seen: Seen) -> str:
    """The address of a message's only picture, which is another one after each upload."""
    (picture,) = seen.pictures
    return picture.url


async def test_an_edit_keeps_the_picture_that_is_there(okey: Scene) -> None:
    message = await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    before = picture_of(await okey.last(okey.can))
    second = table_screen(version=2, text=("Can sits",))
    await okey.chat.show_table(okey.place, second, message, anew=False)
    now = await okey.last(okey.can)
    assert (now.text, picture_of(now)) == ("Can sits", before)
    third: PublicScreen = replace(second, version=3, picture=FEWER)
    await okey.chat.show_table(okey.place, third, message, anew=False)
    assert picture_of(await okey.last(okey.can)) != before


async def test_an_answer_keeps_it_and_so_does_the_edit_after_it(okey: Scene) -> None:
    message = await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    seen = await okey.last(okey.can)
    okey.router.answers[JOIN.press] = Answer(public=table_screen(version=2, text=("Can sits",)))
    await okey.press(okey.can, seen, "Join")
    now = await okey.last(okey.can)
    assert (now.text, picture_of(now)) == ("Can sits", picture_of(seen))
    await eventually(lambda: len(okey.delivery.shown) == 1)
    await okey.chat.show_table(okey.place, table_screen(version=3, text=("Ada sits",)), message, anew=False)
    assert picture_of(await okey.last(okey.can)) == picture_of(seen)


async def test_after_a_restart_the_reference_tells_which_picture_is_there(okey: Scene) -> None:
    message = await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    before = picture_of(await okey.last(okey.can))
    for version in (2, 3):
        okey.chat._sender._messages.clear()
        screen = table_screen(version=version, text=(f"version {version}",))
        message = await okey.chat.show_table(okey.place, screen, message, anew=False)
        now = await okey.last(okey.can)
        assert (now.text, picture_of(now)) == (f"version {version}", before)
    okey.chat._sender._messages.clear()
    await okey.chat.show_last(okey.place, table_screen(version=4, text=("The result",)), message)
    now = await okey.last(okey.can)
    assert (now.text, picture_of(now)) == ("The result", before)
    assert await okey.calls("GET", "/messages/") == 0
    assert await okey.discord.identical_uploads() == []


async def test_a_picture_that_another_process_has_uploaded_since_is_kept_too(okey: Scene) -> None:
    message = await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    known = dict(okey.chat._sender._messages)
    okey.chat._sender._messages.clear()
    newer = replace(table_screen(version=2), picture=FEWER)
    message = await okey.chat.show_table(okey.place, newer, message, anew=False)
    uploaded = picture_of(await okey.last(okey.can))
    okey.chat._sender._messages.update(known)
    await okey.chat.show_table(okey.place, replace(newer, version=3, text=("later",)), message, anew=False)
    now = await okey.last(okey.can)
    assert (now.text, picture_of(now)) == ("later", uploaded)


async def test_a_press_that_comes_twice_does_not_have_the_picture_uploaded_again(okey: Scene) -> None:
    """The second answer is refused, and tells nothing of the message."""
    message = await okey.chat.show_rack(okey.key(okey.ada), rack_screen(), None, notify=True)
    seen = await okey.last_direct(okey.ada)
    okey.router.answers[DRAW.press] = Answer(private=rack_screen(version=2, text=("You drew",)))
    interaction = await okey.press(okey.ada, seen, "Draw")
    await okey.discord.repeat(interaction)
    await eventually(lambda: len(okey.router.pressed) == 2)
    await eventually(lambda: len(okey.delivery.shown) == 2)
    await okey.chat.show_rack(
        okey.key(okey.ada), rack_screen(version=3, text=("You wait",)), message, notify=False
    )
    now = await okey.last_direct(okey.ada)
    assert (now.text, picture_of(now)) == ("You wait", picture_of(seen))
    assert await okey.discord.identical_uploads() == []


async def test_a_press_that_comes_twice_keeps_the_picture_of_a_rack_in_the_channel(okey: Scene) -> None:
    """Delivery edits such a rack by the last press, of which Discord has told nothing here."""
    person = await rack_in_channel(okey)
    whisper = await okey.last(okey.can)
    drew = replace(rack_screen(version=2, text=("You drew",)), picture=rack_picture("R4", "B9", "K1"))
    okey.router.answers[DRAW.press] = Answer(private=drew)
    interaction = await okey.press(okey.can, whisper, "Draw")
    uploaded = picture_of(await okey.last(okey.can))
    await okey.discord.repeat(interaction)
    await eventually(lambda: [press.data for press in okey.router.pressed].count(DRAW.press) == 2)
    await okey.chat._interactions.finish(PATIENCE)
    await okey.chat.show_rack_in_place(person, replace(drew, version=3, text=("You wait",)), None)
    now = await okey.last(okey.can)
    assert (now.text, picture_of(now)) == ("You wait", uploaded)
    assert await okey.discord.identical_uploads() == []


async def test_after_a_restart_a_press_tells_which_picture_is_there(okey: Scene) -> None:
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    seen = await okey.last(okey.can)
    okey.chat._sender._messages.clear()
    okey.router.answers[JOIN.press] = Answer(public=table_screen(version=2, text=("Can sits",)))
    await okey.press(okey.can, seen, "Join")
    assert picture_of(await okey.last(okey.can)) == picture_of(seen)


async def test_a_picture_that_somebody_removed_is_uploaded_again(okey: Scene) -> None:
    message = await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    (known,) = okey.chat._sender._messages.values()
    assert known.picture is not None
    known.picture = replace(known.picture, id=4711)
    await okey.chat.show_table(okey.place, table_screen(version=2, text=("Can sits",)), message, anew=False)
    assert (await okey.last(okey.can)).text == "Can sits"
    assert await okey.discord.findings()
    await okey.discord.reset()


async def test_a_rack_keeps_its_picture_in_private_and_in_the_channel(okey: Scene) -> None:
    second: SeatScreen = rack_screen(version=2, text=("You drew",))
    message = await okey.chat.show_rack(okey.key(okey.ada), rack_screen(), None, notify=True)
    seen = await okey.last_direct(okey.ada)
    okey.router.answers[DRAW.press] = Answer(private=second)
    await okey.press(okey.ada, seen, "Draw")
    now = await okey.last_direct(okey.ada)
    assert (now.text, picture_of(now)) == ("You drew", picture_of(seen))
    third: SeatScreen = rack_screen(version=3, text=("You wait",))
    await okey.chat.show_rack(okey.key(okey.ada), third, message, notify=False)
    now = await okey.last_direct(okey.ada)
    assert (now.text, picture_of(now)) == ("You wait", picture_of(seen))

    person = await rack_in_channel(okey)
    whisper = await okey.last(okey.can)
    await okey.chat.show_rack_in_place(person, second, None)
    now = await okey.last(okey.can)
    assert (now.text, picture_of(now)) == ("You drew", picture_of(whisper))


async def test_a_press_that_changes_nothing_public_edits_nothing_public(okey: Scene) -> None:
    screen = table_screen()
    await okey.chat.show_table(okey.place, screen, None, anew=False)
    seen = await okey.last(okey.can)
    okey.router.answers[MY_RACK.press] = Answer(public=replace(screen, version=2), private=rack_screen())
    for _ in range(3):
        await okey.press(okey.can, seen, "My rack")
    (now, *_) = await okey.discord.sees(okey.ada, okey.channel)
    assert not now.edited
    assert okey.delivery.shown == []


async def test_a_screen_of_the_same_worth_is_no_edit(okey: Scene) -> None:
    screen = replace(table_screen(), worth="1.0.0.a.b")
    await okey.chat.show_table(okey.place, screen, None, anew=False)
    seen = await okey.last(okey.can)
    drew = replace(screen, version=2, text=("Ada drew",))
    okey.router.answers[MY_RACK.press] = Answer(public=drew)
    await okey.press(okey.can, seen, "My rack")
    assert (await okey.last(okey.can)).text == "A table"
    okey.router.answers[MY_RACK.press] = Answer(public=replace(drew, version=3, worth="1.0.0.c.b"))
    await okey.press(okey.can, seen, "My rack")
    assert (await okey.last(okey.can)).text == "Ada drew"
