"""How a rack reaches its player: by direct message, or where he alone sees it."""

import pytest

from bot.chats import Answer, PrivateClosed
from tests.adapters.discord_chat.scene import MY_RACK, Scene, playing, rack_screen, table_screen
from tests.servers.discord_api.client import until


async def test_a_rack_comes_by_direct_message(okey: Scene) -> None:
    await okey.chat.show_rack(okey.key(okey.can), rack_screen(), None, notify=True)

    seen = await okey.last_direct(okey.can)
    assert (seen.text, [p.alt for p in seen.pictures]) == ("Your rack", ["Your rack: red 4."])
    assert await okey.discord.sees(okey.can, okey.channel) == []


async def test_a_newer_rack_is_an_edit_unless_he_is_to_notice(okey: Scene) -> None:
    person = okey.key(okey.can)
    message = await okey.chat.show_rack(person, rack_screen(), None, notify=True)

    assert await okey.chat.show_rack(person, rack_screen(stamp=2), message, notify=False) == message
    assert len(await okey.discord.direct(okey.can)) == 1

    again = await okey.chat.show_rack(person, rack_screen(stamp=3), message, notify=True)
    assert again != message
    assert len(await okey.discord.direct(okey.can)) == 2


async def test_the_direct_channel_is_opened_once(okey: Scene) -> None:
    for stamp in range(3):
        await okey.chat.show_rack(okey.key(okey.can), rack_screen(stamp=stamp), None, notify=True)
    assert await okey.calls("POST", "/users/@me/channels") == 1


async def test_after_a_restart_the_message_says_where_the_channel_is(okey: Scene) -> None:
    person = okey.key(okey.can)
    message = await okey.chat.show_rack(person, rack_screen(), None, notify=True)

    async with playing(okey.discord, okey.desk, okey.post) as restarted:
        await restarted.show_rack(person, rack_screen(stamp=2), message, notify=True)

    assert len(await okey.discord.direct(okey.can)) == 2
    assert await okey.calls("POST", "/users/@me/channels") == 1


async def test_closed_messages_are_tried_once(okey: Scene) -> None:
    await okey.discord.direct_messages(okey.can, open=False)
    for stamp in range(3):
        with pytest.raises(PrivateClosed):
            await okey.chat.show_rack(okey.key(okey.can), rack_screen(stamp=stamp), None, notify=True)
    assert await okey.calls("POST", "/messages") == 1


async def test_closed_messages_are_tried_again_when_he_asks(okey: Scene) -> None:
    await okey.discord.direct_messages(okey.can, open=False)
    with pytest.raises(PrivateClosed):
        await okey.chat.show_rack(okey.key(okey.can), rack_screen(), None, notify=True)
    await okey.discord.direct_messages(okey.can, open=True)

    await okey.command(okey.can, action="rack")
    await okey.chat.show_rack(okey.key(okey.can), rack_screen(), None, notify=True)

    assert (await okey.last_direct(okey.can)).text == "Your rack"


async def test_with_closed_messages_the_rack_he_sees_in_the_channel_stays_up_to_date(okey: Scene) -> None:
    person = okey.key(okey.can)
    await okey.discord.direct_messages(okey.can, open=False)
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    okey.desk.answers[MY_RACK.press] = Answer(private=rack_screen())
    await okey.press(okey.can, await okey.last(okey.can), "My rack")

    await okey.chat.show_rack(person, rack_screen(stamp=2, text=("Your turn",)), None, notify=True)

    rack = await okey.last(okey.can)
    assert (rack.text, rack.ephemeral) == ("Your turn", True)
    assert [m.text for m in await okey.discord.sees(okey.ada, okey.channel)] == ["A table"]


async def test_a_rack_never_goes_to_the_channel_because_its_way_is_closed(okey: Scene) -> None:
    await okey.discord.direct_messages(okey.can, open=False)
    with pytest.raises(PrivateClosed):
        await okey.chat.show_rack(okey.key(okey.can), rack_screen(), None, notify=True)
    assert await okey.discord.sees(okey.can, okey.channel) == []
    assert await okey.calls("POST", f"/channels/{okey.channel}/") == 0


async def test_tiles_become_emojis_once_they_are_uploaded(okey: Scene) -> None:
    async def uploaded() -> bool:
        return len((await okey.discord.registered())["emojis"]) == 53

    await until(uploaded)
    async with playing(okey.discord, okey.desk, okey.post) as restarted:

        async def with_emojis() -> bool:
            await restarted.show_rack(okey.key(okey.can), rack_screen(), None, notify=True)
            return (await okey.last_direct(okey.can)).buttons[1].emoji == "okey_R4"

        await until(with_emojis)
    assert await okey.calls("POST", "/emojis") == 53
