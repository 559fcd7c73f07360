"""Interactions that nobody can read: their person is told so."""

import pytest

from bot.i18n import words_for
from tests.adapters.discord_chat.scene import JOIN, Scene, table_screen
from tests.patience import eventually

UNREADABLE = words_for("tr").plain("chat.unreadable")


@pytest.mark.parametrize("field", ["channel", "member", "member.user", "data"])
async def test_a_command_that_cannot_be_read_is_answered(okey: Scene, field: str) -> None:
    place = await okey.discord.channel(okey.guild, "parlour", voice=True)
    await okey.discord.wait_commands()
    await okey.discord.leave_out(field)
    interaction = await okey.discord.command(okey.ada, place, "okey")
    assert (await okey.discord.answered(interaction))["type"] == 4
    told = (await okey.discord.sees(okey.ada, place))[-1]
    assert (told.text, told.ephemeral) == (UNREADABLE, True)
    assert okey.router.typed == []


async def test_a_press_that_cannot_be_read_is_answered(okey: Scene) -> None:
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    seen = await okey.last(okey.ada)
    await okey.discord.leave_out("message")
    await okey.press(okey.ada, seen, "Join")
    told = await okey.last(okey.ada)
    assert (told.text, told.ephemeral) == (UNREADABLE, True)
    await okey.discord.leave_out()
    await okey.press(okey.ada, seen, "Join")
    await eventually(lambda: [press.data for press in okey.router.pressed] == [JOIN.press])


async def test_a_voice_channel_without_its_bitrate_is_read(okey: Scene) -> None:
    """Whoever plays there needs none."""
    voice = await okey.discord.channel(okey.guild, "parlour", voice=True)
    await okey.discord.wait_commands()
    await okey.discord.leave_out("channel.bitrate")
    await okey.discord.answered(await okey.discord.command(okey.ada, voice, "okey"))
    await eventually(lambda: [typed.place for typed in okey.router.typed] == [f"dc:{voice}"])


async def test_the_chat_of_a_voice_channel_needs_the_right_to_enter_it(okey: Scene) -> None:
    voice = await okey.discord.channel(okey.guild, "parlour", voice=True)
    await okey.discord.deny(voice, "connect")
    await okey.discord.wait_commands()
    interaction = await okey.discord.command(okey.can, voice, "okey")
    await okey.discord.answered(interaction)
    told = (await okey.discord.sees(okey.can, voice))[-1]
    assert told.text == words_for("en").plain("chat.lacks", permissions="Connect")
    assert okey.router.typed == []
    await okey.discord.allow(voice, "connect")
    await okey.discord.answered(await okey.discord.command(okey.can, voice, "okey"))
    await eventually(lambda: [typed.place for typed in okey.router.typed] == [f"dc:{voice}"])
