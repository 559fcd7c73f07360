"""What Discord tells of a new server, and messages that mention the bot."""

from typing import Any

from bot.markup import Button, Page, PublicScreen
from bot.ports import Answer
from tests.adapters.discord_chat.scene import Scene
from tests.patience import eventually
from tests.servers.discord_api.client import until


async def test_a_server_is_greeted_when_the_bot_joins_it(okey: Scene) -> None:
    await eventually(okey.chat._gateway.is_ready)  # until then every server is one that is back
    await okey.discord.kick(okey.guild)
    await okey.discord.kick(okey.guild, kicked=False)
    await eventually(lambda: okey.router.greeted == [(okey.place, "en-US")])


async def test_a_mention_is_answered_once_and_other_messages_are_only_counted(
    okey: Scene,
) -> None:
    hello = Page(text=("Okey is here!",), buttons=((Button(("Open",), "open_table.me.0"),),))
    okey.router.answers["/mention"] = Answer(page=hello)
    table = f"{okey.channel}/1"
    await okey.discord.dispatch([("MESSAGE_CREATE", written(okey, number, ())) for number in (11, 12)])
    await eventually(lambda: okey.chat.count_below(okey.place, table) == 2)
    assert okey.router.typed == []
    bot = okey.chat.links.home
    assert bot is not None
    mentioned = written(okey, 13, (int(bot.url.rpartition("/")[2]),))
    await okey.discord.dispatch([("MESSAGE_CREATE", mentioned)] * 2)
    await eventually(lambda: len(okey.router.typed) >= 1)
    (typed, *_) = okey.router.typed
    assert (typed.verb, typed.place, typed.by.key) == ("mention", okey.place, f"dc:{okey.ada}")
    await okey.press(okey.can, await okey.last(okey.can), "Open")
    assert (await okey.last(okey.can)).text == "Okey is here!"


async def test_a_page_asked_for_on_everybody_s_message_goes_to_the_presser_alone(okey: Scene) -> None:
    """A greeting that turned into it would have lost its buttons for all others."""
    guide = Button(("How to play",), "guide.me.0.1")
    hello = PublicScreen(
        table="greeting", version=0, text=("Okey is here!",), picture=None, alt="", buttons=((guide,),)
    )
    await okey.chat.show_table(okey.place, hello, None, anew=True)
    okey.router.answers[guide.press] = Answer(page=Page(text=("Step 1",), turns=True))
    await okey.press(okey.can, await okey.last(okey.can), "How to play")

    async def told() -> bool:
        newest = await okey.last(okey.can)
        return newest.ephemeral and newest.text == "Step 1"

    await until(told)
    (greeting,) = await okey.discord.sees(okey.ada, okey.channel)
    assert (greeting.text, [each.label for each in greeting.buttons]) == ("Okey is here!", ["How to play"])


def written(okey: Scene, number: int, mentions: tuple[int, ...]) -> dict[str, Any]:
    """A message of Ada's, as the gateway tells it to a bot that may not read what it says."""

    def user(id: int) -> dict[str, Any]:
        return {"id": str(id), "username": "x", "discriminator": "0", "avatar": None, "bot": id != okey.ada}

    return {
        "id": str(number),
        "channel_id": str(okey.channel),
        "guild_id": str(okey.guild),
        "type": 0,
        "author": user(okey.ada),
        "member": {
            "roles": [],
            "joined_at": "2026-01-01T00:00:00+00:00",
            "deaf": False,
            "mute": False,
            "flags": 0,
        },
        "content": "",
        "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [user(each) for each in mentions],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "components": [],
        "flags": 0,
    }
