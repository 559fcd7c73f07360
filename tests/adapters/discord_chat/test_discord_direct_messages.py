"""Letters: what the bot itself has to say to one person."""

import pytest

from bot.markup import Button, Page
from bot.ports import PrivateClosed
from tests.adapters.discord_chat.scene import Scene

LETTER = Page(text=("The night begins in an hour.",), buttons=((Button(("No more",), "mute.l1.0"),),))


async def test_a_letter_that_is_handed_twice_is_one_message(okey: Scene) -> None:
    for _ in range(2):
        await okey.chat.send_direct(okey.key(okey.can), LETTER, "n1 hour")
    assert len(await okey.discord.direct(okey.can)) == 1
    await okey.chat.send_direct(okey.key(okey.can), LETTER, "n2 hour")
    assert len(await okey.discord.direct(okey.can)) == 2


async def test_a_closed_way_is_told_and_tried_once(okey: Scene) -> None:
    await okey.discord.direct_messages(okey.can, open=False)
    for name in ("n1 hour", "n2 hour"):
        with pytest.raises(PrivateClosed):
            await okey.chat.send_direct(okey.key(okey.can), LETTER, name)
    assert await okey.discord.direct(okey.can) == []
    assert await okey.calls("POST", "/users/@me/channels") == 1


async def test_an_account_that_nobody_has_is_closed(there: Scene) -> None:
    """Lists of members are written by hand."""
    with pytest.raises(PrivateClosed):
        await there.chat.send_direct("dc:4711", Page(text=("The league begins",)), "once")
