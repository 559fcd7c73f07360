"""How a rack reaches its player: by direct message, or where they alone see it."""

import re
from collections.abc import Awaitable, Callable

import pytest

from adapters.discord_chat.emojis import CODES, TileEmojis, name_emoji
from adapters.discord_chat.rendering import Rendered
from bot.markup import Button, Page, TileMark
from bot.ports import Answer, PrivateClosed, RetryAfter
from tests.adapters.discord_chat.scene import (
    DISCARD_OKEY,
    MY_RACK,
    TILE_EMOJIS,
    Scene,
    playing,
    rack_in_channel,
    rack_screen,
    table_screen,
)
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter, without_picture
from tests.patience import eventually
from tests.servers.discord_api.client import Discord, until
from tests.servers.discord_api.limits import ROUTES


async def test_the_direct_channel_is_opened_once(okey: Scene) -> None:
    for version in range(3):
        await okey.chat.show_rack(okey.key(okey.can), rack_screen(version=version), None, notify=True)
    assert await okey.calls("POST", "/users/@me/channels") == 1


async def test_an_opening_whose_answer_is_lost_is_charged_anew(okey: Scene) -> None:
    await okey.discord.lose(1, method="POST", path="/users/@me/channels")
    with pytest.raises(RetryAfter):
        await okey.chat.open_private(okey.key(okey.can))
    assert await okey.calls("POST", "/users/@me/channels") == 1


async def test_openings_leave_room_for_what_a_killed_process_has_sent(okey: Scene) -> None:
    (opening,) = okey.chat.opening_limits(okey.key(okey.can))
    calls, seconds = ROUTES["POST direct"]
    assert opening.seconds == seconds
    assert opening.calls + 2 <= calls


async def test_a_channel_that_is_opened_beforehand_shows_nothing_and_is_kept(okey: Scene) -> None:
    person = okey.key(okey.can)
    (opening,) = okey.chat.opening_limits(person)
    await okey.chat.open_private(person)
    assert await okey.discord.direct(okey.can) == []
    assert okey.chat.opening_limits(person) == ()

    await okey.chat.show_rack(person, rack_screen(), None, notify=True)
    assert await okey.calls("POST", "/users/@me/channels") == 1
    assert opening.calls / opening.seconds < 1
    assert opening.scope not in {each.scope for each in okey.chat.limits.private(person)}


async def test_a_closed_way_is_no_reason_to_open_it_again(okey: Scene) -> None:
    person = okey.key(okey.can)
    await okey.discord.direct_messages(okey.can, open=False)
    with pytest.raises(PrivateClosed):
        await okey.chat.show_rack(person, rack_screen(), None, notify=True)
    assert okey.chat.opening_limits(person) == ()


async def test_after_a_restart_the_message_says_where_the_channel_is(okey: Scene) -> None:
    person = okey.key(okey.can)
    message = await okey.chat.show_rack(person, rack_screen(), None, notify=True)

    async with playing(okey.discord, okey.router, okey.delivery) as restarted:
        await restarted.show_rack(person, rack_screen(version=2, text=("Still",)), message, notify=True)

    assert (await okey.last_direct(okey.can)).text == "Still"
    assert await okey.calls("POST", "/users/@me/channels") == 1


async def test_direct_channels_opened_too_fast_wait_a_minute(okey: Scene) -> None:
    await okey.discord.fail(1, 400, code=40003, path="/users/@me/channels")
    with pytest.raises(RetryAfter) as later:
        await okey.chat.show_rack(okey.key(okey.can), rack_screen(), None, notify=True)
    assert later.value.seconds == 60

    with pytest.raises(RetryAfter):
        await okey.chat.show_rack(okey.key(okey.ada), rack_screen(), None, notify=True)
    assert await okey.calls("POST", "/users/@me/channels") == 1, "nobody else's is opened meanwhile"


def test_a_page_shows_nothing_of_a_rack_in_a_traceback() -> None:
    assert "rack" not in repr(Rendered(rack_screen(), b"", TileEmojis()))


async def test_closed_messages_are_tried_once(okey: Scene) -> None:
    await okey.discord.direct_messages(okey.can, open=False)
    for version in range(3):
        with pytest.raises(PrivateClosed):
            await okey.chat.show_rack(okey.key(okey.can), rack_screen(version=version), None, notify=True)
    assert await okey.calls("POST", "/messages") == 1


async def test_closed_messages_are_tried_again_when_they_ask(okey: Scene) -> None:
    await okey.discord.direct_messages(okey.can, open=False)
    with pytest.raises(PrivateClosed):
        await okey.chat.show_rack(okey.key(okey.can), rack_screen(), None, notify=True)
    await okey.discord.direct_messages(okey.can, open=True)

    await okey.command(okey.can, "rack")
    await okey.chat.show_rack(okey.key(okey.can), rack_screen(), None, notify=True)

    assert (await okey.last_direct(okey.can)).text == "Your rack"


async def test_with_closed_messages_the_rack_they_see_in_the_channel_stays_up_to_date(okey: Scene) -> None:
    person = await rack_in_channel(okey)

    await okey.chat.show_rack_in_place(person, rack_screen(version=2, text=("Your turn",)), None)

    rack = await okey.last(okey.can)
    assert (rack.text, rack.ephemeral) == ("Your turn", True)
    assert [m.text for m in await okey.discord.sees(okey.ada, okey.channel)] == ["A table"]
    assert await okey.calls("POST", "/messages") == 1, "the table's: the direct channel was not tried"


async def test_closed_messages_are_told_even_if_the_channel_shows_the_rack(okey: Scene) -> None:
    """Else nobody would know that they must be called to their turn."""
    person = await rack_in_channel(okey)

    with pytest.raises(PrivateClosed):
        await okey.chat.show_rack(person, rack_screen(version=2), None, notify=True)


async def test_a_rack_in_the_channel_goes_to_the_direct_channel_once_they_ask_and_have_opened_it(
    okey: Scene,
) -> None:
    person = okey.key(okey.can)
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    okey.router.answers["/rack"] = Answer(private=rack_screen())

    async def shown_after_asking(version: int) -> None:
        await okey.command(okey.can, "rack")
        await eventually(lambda: okey.chat.shows_rack(person, "t1"))
        for each in (version, version + 1):
            await okey.chat.show_rack_in_place(person, rack_screen(version=each, text=(str(each),)), None)

    await okey.discord.direct_messages(okey.can, open=False)
    await shown_after_asking(2)
    assert (await okey.last(okey.can)).text == "3"
    assert await okey.discord.findings() == [], "it was tried once"

    await okey.discord.direct_messages(okey.can, open=True)
    await shown_after_asking(4)
    assert (await okey.last_direct(okey.can)).text == "5"


async def test_of_the_racks_shown_in_a_channel_only_the_newest_stays(okey: Scene) -> None:
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    okey.router.answers[MY_RACK.press] = Answer(private=rack_screen(), public=table_screen(version=2))
    table = await okey.last(okey.can)
    for _ in range(2):
        await okey.press(okey.can, table, "My rack")

    async def one_left() -> bool:
        shown = await okey.discord.sees(okey.can, okey.channel)
        return [message.ephemeral for message in shown] == [False, True]

    await until(one_left)


async def test_a_rack_never_goes_to_the_channel_because_its_way_is_closed(okey: Scene) -> None:
    await okey.discord.direct_messages(okey.can, open=False)
    with pytest.raises(PrivateClosed):
        await okey.chat.show_rack(okey.key(okey.can), rack_screen(), None, notify=True)
    assert await okey.discord.sees(okey.can, okey.channel) == []
    assert await okey.calls("POST", f"/channels/{okey.channel}/") == 0


async def test_tiles_are_marks_until_their_emojis_are_uploaded_once(discord: Discord) -> None:
    can = await discord.user("Can")
    text = (TileMark("K12"), " ", TileMark("B9", wild=True), " ", TileMark("F"))
    screen = rack_screen(text=text, buttons=((DISCARD_OKEY,),))

    async def listed() -> int:
        calls = await discord.calls()
        return sum(call.method == "GET" and "/emojis" in call.path for call in calls)

    async def uploaded() -> bool:
        return len((await discord.registered())["emojis"]) == len(TILE_EMOJIS)

    async with playing(discord, ScriptedRouter(), ScriptedDelivery()) as chat:
        message = await chat.show_rack(f"dc:{can}", screen, None, notify=True)
        (marks,) = await discord.direct(can)
        await until(uploaded)
        before = await listed()

    async with playing(discord, ScriptedRouter(), ScriptedDelivery()) as chat:
        await until(lambda: _after(listed, before))
        await chat.show_rack(f"dc:{can}", screen, message, notify=False)
        (emojis,) = await discord.direct(can)

    assert marks.text == "⬛12 👑🔷9 🃏"
    assert (marks.buttons[0].emoji, marks.buttons[0].label) == ("", "👑🔷9")
    assert re.fullmatch(r"<:black_12:\d+> 👑<:blue_9:\d+> <:false_joker:\d+>", emojis.text)
    assert (emojis.buttons[0].emoji, emojis.buttons[0].label) == ("blue_9", "👑")
    uploads = [call for call in await discord.calls() if call.status == 201]
    assert len(uploads) == len(TILE_EMOJIS)


async def _after(count: Callable[[], Awaitable[int]], before: int) -> bool:
    return await count() > before


async def test_a_rack_is_in_sight_until_something_stands_below_it(okey: Scene) -> None:
    person = okey.key(okey.can)
    first = await okey.chat.show_rack(person, rack_screen(), None, notify=True)
    await okey.chat.show_rack(person, rack_screen(version=2), first, notify=False)
    assert await okey.chat.in_sight(person, first)

    author = {"id": str(okey.can), "username": "can", "discriminator": "0", "avatar": None}
    wrote = {"id": "1", "channel_id": first.partition("/")[0], "author": author, "content": "hello"}
    wrote |= {name: [] for name in ("attachments", "embeds", "mentions", "mention_roles")}
    wrote |= dict.fromkeys(("pinned", "tts", "mention_everyone", "edited_timestamp"))
    wrote |= {"type": 0, "timestamp": "2026-03-04T20:00:00+00:00"}
    await okey.discord.dispatch([("MESSAGE_CREATE", wrote)])

    async def covered() -> bool:
        return okey.delivery.last[person] == ""

    await until(covered)
    second = await okey.chat.show_rack(person, rack_screen(version=3), first, notify=True)
    assert not await okey.chat.in_sight(person, first)
    assert await okey.chat.in_sight(person, second)
    await okey.chat.send_direct(person, Page(text=("The rules",)), "rules")
    assert not await okey.chat.in_sight(person, second)


async def test_a_rack_of_components_is_announced_in_words(okey: Scene) -> None:
    """The notification of a message of components is empty. Its words come first, and the rest by an edit."""
    buttons = tuple(Button((f"{n}",), f"discard.t1.{n}") for n in range(30))
    screen = rack_screen(text=("Your turn: discard a tile",), buttons=(buttons,))
    message = await okey.chat.show_rack(okey.key(okey.can), screen, None, notify=True)
    assert without_picture(message).endswith("/v2")
    posted, edited = (each for each in await okey.discord.calls() if each.message is not None)
    assert (posted.method, posted.words, posted.presses) == ("POST", "Your turn: discard a tile", [])
    assert (edited.method, len(edited.presses)) == ("PATCH", 30)
    seen = await okey.last_direct(okey.can)
    assert (seen.text, len(seen.buttons), len(seen.pictures)) == ("Your turn: discard a tile", 30, 1)


def test_an_emoji_is_named_as_it_is_read_aloud() -> None:
    assert [name_emoji(code) for code in ("K8", "R13", "F")] == ["black_8", "red_13", "false_joker"]
    assert all(re.fullmatch(r"\w{2,32}", name_emoji(code)) for code in CODES)
