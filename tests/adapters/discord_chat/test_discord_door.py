"""Discord's door: a code stands for a person, who must be in the activity; and the button that opens it."""

import asyncio

import pytest
from aiohttp import ClientSession

from adapters.discord_chat import DiscordChat
from adapters.web import DiscordDoor
from adapters.web.ports import DoorAway, Entry, NotAdmitted
from adapters.web.protocol import Enter, Proof
from bot.i18n import words_for
from bot.markup import Button, Link
from bot.ports import Answer, Person
from tests.adapters.discord_chat.scene import Scene, table_screen
from tests.servers.discord_api.activities import SECRET
from tests.servers.discord_api.client import Discord, until

OPEN = Button(("Open the table",), "app.t1.0", app="t1")


def door(discord: Discord, secret: str = SECRET) -> DiscordDoor:
    return DiscordDoor(token=discord.token, secret=secret, api_url=discord.api_url)


def entering(code: str, instance: str) -> Enter:
    return Enter("discord", Proof(code), instance, language="tr")


async def test_who_is_in_the_activity_comes_in_as_themselves(okey: Scene) -> None:
    discord = okey.discord
    instance = await discord.launched(okey.ada, okey.channel)
    entry = await door(discord).enter(entering(await discord.authorize(okey.ada), instance))
    assert entry == Entry(Person(f"dc:{okey.ada}", "Ada", "tr"), place=okey.place)


async def test_nobody_else_does(okey: Scene) -> None:
    discord = okey.discord
    instance = await discord.launched(okey.ada, okey.channel)
    used = await discord.authorize(okey.ada)
    await door(discord).enter(entering(used, instance))
    forged = {
        "not in it": (await discord.authorize(okey.can), instance, SECRET),
        "a code that was used": (used, instance, SECRET),
        "a made-up code": ("code-1", instance, SECRET),
        "another activity": (await discord.authorize(okey.ada), "i-1-gc-1", SECRET),
        "a way elsewhere": (await discord.authorize(okey.ada), "../../users/@me", SECRET),
        "no activity": (await discord.authorize(okey.ada), "", SECRET),
        "no code": ("", instance, SECRET),
        "another secret": (await discord.authorize(okey.ada), instance, "guessed"),
    }
    for code, where, secret in forged.values():
        with pytest.raises(NotAdmitted):
            await door(discord, secret).enter(entering(code, where))
    await discord.leave_activity(okey.ada, instance)
    with pytest.raises(NotAdmitted):
        await door(discord).enter(entering(await discord.authorize(okey.ada), instance))


async def test_its_document_is_shown_and_connects_under_discord_s_name_of_it(okey: Scene) -> None:
    opened = door(okey.discord)
    assert await opened.origins() == (f"https://{await opened.client()}.discordsays.com",)
    away = DiscordDoor(token="x", secret="y", api_url="http://127.0.0.1:9")
    assert await away.origins() == ()
    with pytest.raises(DoorAway):
        await away.enter(entering("code-1", "i-1"))


async def test_an_invitation_has_an_address_where_there_is_an_activity(okey: Scene) -> None:
    assert okey.chat.links.app("ACDEFH") is None
    playing = DiscordChat(
        router=okey.router,
        delivery=okey.delivery,
        token=okey.discord.token,
        api_url=okey.discord.api_url,
        activity=True,
    )
    assert playing.links.app("ACDEFH") is None  # not introduced to Discord yet
    await playing.start()
    application = await door(okey.discord).client()
    assert playing.links.app("ACDEFH") == f"https://discord.com/activities/{application}?custom_id=ACDEFH"
    await playing.stop()


async def test_a_page_leads_back_to_the_bot(okey: Scene) -> None:
    bot = {"Authorization": f"Bot {okey.discord.token}"}
    async with ClientSession(okey.discord.api_url + "/", headers=bot) as web, web.get("users/@me") as answer:
        user = await answer.json()
    assert okey.chat.links.home == Link("Discord", f"https://discord.com/users/{user['id']}")


async def test_a_button_opens_the_activity_with_the_first_answer(okey: Scene) -> None:
    await okey.chat.show_table(okey.place, table_screen(buttons=((OPEN,),)), None, anew=True)
    okey.router.answers[OPEN.press] = Answer(launch=True)
    interaction = await okey.discord.press(okey.ada, await okey.last(okey.ada), OPEN.press)
    assert (await okey.discord.answered(interaction))["type"] == 12
    (pressed,) = okey.router.pressed
    assert pressed.by.key == okey.key(okey.ada)


async def test_where_an_answer_was_announced_already_they_press_again(okey: Scene) -> None:
    await okey.chat.show_table(okey.place, table_screen(buttons=((OPEN,),)), None, anew=True)
    okey.router.answers[OPEN.press] = Answer(launch=True)
    announced = asyncio.Event()
    okey.router.waits = announced.wait
    interaction = await okey.discord.press(okey.ada, await okey.last(okey.ada), OPEN.press)
    assert (await okey.discord.answered(interaction))["type"] == 6  # an answer is announced
    announced.set()

    async def told() -> bool:
        return words_for("tr").plain("refused.busy") in (await okey.last(okey.ada)).text

    await until(told)


async def test_who_can_see_a_channel_reads_it(there: Scene) -> None:
    thread = await there.discord.channel(there.guild, "a table", parent=there.channel)
    for place in (there.place, f"{there.place}/{thread}"):
        assert await there.chat.places.reads(there.key(there.ada), place)
    stranger = await there.discord.user("Eve")
    assert not await there.chat.places.reads(there.key(stranger), there.place)
    assert not await there.chat.places.reads(there.key(there.ada), "dc:1")
    await there.discord.leave_guild(there.ada, there.guild)
    assert not await there.chat.places.reads(there.key(there.ada), there.place)


async def test_a_private_thread_is_read_by_who_is_in_it(there: Scene) -> None:
    """Its channel is seen by more people."""
    thread = await there.discord.channel(there.guild, "us two", parent=there.channel, people=[there.can])
    assert await there.chat.places.reads(there.key(there.can), f"{there.place}/{thread}")
    assert not await there.chat.places.reads(there.key(there.ada), f"{there.place}/{thread}")
    await there.discord.delete_channel(thread)
    assert not await there.chat.places.reads(there.key(there.can), f"{there.place}/{thread}")
