"""What people press and type, and what they get."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from adapters.discord_chat import DiscordChat, responses, sending
from bot import pictures
from bot.markup import Button, Page, Picture, TileMark
from bot.ports import Answer, Person, Press, StoreUnavailable
from tests.adapters.discord_chat.scene import (
    DRAW,
    JOIN,
    MY_RACK,
    Scene,
    playing,
    rack_in_channel,
    rack_screen,
    scene,
    table_screen,
)
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter, without_picture
from tests.patience import eventually
from tests.servers.discord_api.client import Seen, running_discord, until
from tests.slash import slash

MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE = 4, 5, 6, 7

MANY_BUTTONS = tuple((Button((f"Tile {number}",), f"discard.t1.5.{number}"),) for number in range(26))
"""More than an ordinary message can have."""


async def show_table(okey: Scene) -> Seen:
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    return await okey.last(okey.can)


async def show_rack(okey: Scene) -> Seen:
    await okey.chat.show_rack(okey.key(okey.can), rack_screen(), None, notify=True)
    return await okey.last_direct(okey.can)


async def test_a_press_in_a_thread_names_the_thread(okey: Scene) -> None:
    thread = await okey.discord.channel(okey.guild, "table 1", parent=okey.channel)
    place = f"{okey.place}/{thread}"
    await okey.chat.show_table(place, table_screen(), None, anew=False)

    (seen,) = await okey.discord.sees(okey.can, thread)
    await okey.press(okey.can, seen, "Join")

    assert [press.place for press in okey.router.pressed] == [place]


async def test_the_table_is_updated_in_the_answer_to_the_press(okey: Scene) -> None:
    seen = await show_table(okey)
    okey.router.answers[JOIN.press] = Answer(public=table_screen(version=2, text=("Can sits",)))

    interaction = await okey.press(okey.can, seen, "Join")

    (now,) = await okey.discord.sees(okey.can, okey.channel)
    assert (now.text, len(now.pictures)) == ("Can sits", 1)
    assert await okey.discord.answer(interaction) | {"after": 0} == {
        "type": UPDATE,
        "after": 0,
        "follow_ups": 0,
    }
    assert await okey.calls("PATCH", "/messages") == 0
    await eventually(lambda: okey.delivery.shown == [(okey.place, "t1", f"{okey.channel}/{now.id}/v2", 2)])


async def test_a_notice_and_a_page_are_one_message(okey: Scene) -> None:
    seen = await show_table(okey)
    okey.router.answers[JOIN.press] = Answer(notice=("You sit down.",), page=Page(text=("How to play",)))
    interaction = await okey.press(okey.can, seen, "Join")
    assert (await okey.last(okey.can)).text == "You sit down.\n\nHow to play"
    assert (await okey.discord.answer(interaction))["follow_ups"] == 0


async def test_a_press_that_needs_no_answer_gets_a_quiet_one(okey: Scene) -> None:
    interaction = await okey.press(okey.can, await show_table(okey), "Join")
    assert (await okey.discord.answer(interaction))["type"] == DEFERRED_UPDATE
    assert len(await okey.discord.sees(okey.can, okey.channel)) == 1


async def test_a_press_may_bring_table_rack_and_notice(okey: Scene) -> None:
    seen = await show_table(okey)
    okey.router.answers[JOIN.press] = Answer(
        public=table_screen(version=2, text=("Can sits",)), private=rack_screen(), notice=("Welcome",)
    )

    await okey.press(okey.can, seen, "Join")

    async def all_there() -> bool:
        shown = await okey.discord.sees(okey.can, okey.channel)
        return [message.text for message in shown] == ["Can sits", "Your rack", "Welcome"]

    await until(all_there)


async def test_a_rack_is_edited_in_the_answer_to_its_press(okey: Scene) -> None:
    seen = await show_rack(okey)
    okey.router.answers[DRAW.press] = Answer(
        private=rack_screen(version=2, text=("You drew",)), notice=("It isn’t your turn.",)
    )

    await okey.press(okey.can, seen, "Draw")

    (press,) = okey.router.pressed
    assert (press.place, press.surface) == (None, "private")

    async def told() -> bool:
        return len(await okey.discord.direct(okey.can)) == 2

    await until(told)
    rack, notice = await okey.discord.direct(okey.can)
    assert (rack.id, rack.text, len(rack.pictures)) == (seen.id, "You drew", 1)
    assert (notice.text, notice.ephemeral) == ("It isn’t your turn.", True)
    await eventually(
        lambda: okey.delivery.shown == [(okey.key(okey.can), "t1", f"{seen.channel}/{seen.id}", 2)]
    )


async def test_a_press_on_an_ephemeral_rack_edits_it(okey: Scene) -> None:
    okey.router.answers[MY_RACK.press] = Answer(private=rack_screen())
    okey.router.answers[DRAW.press] = Answer(private=rack_screen(version=2, text=("You drew",)))
    await okey.press(okey.can, await show_table(okey), "My rack")

    await okey.press(okey.can, await okey.last(okey.can), "Draw")

    press = okey.router.pressed[-1]
    assert (press.surface, press.place) == ("public", None), "it does not show that direct messages arrive"
    table, rack = await okey.discord.sees(okey.can, okey.channel)
    assert (table.text, rack.text, rack.ephemeral) == ("A table", "You drew", True)
    assert okey.delivery.shown == []


@pytest.mark.parametrize("words", ["Join", "My rack"])
async def test_a_slow_desk_is_announced_in_time(
    okey: Scene, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "SOON", 0.1)
    seen = await show_table(okey)
    okey.router.answers[JOIN.press] = Answer(public=table_screen(version=2, text=("Can sits",)))
    okey.router.answers[MY_RACK.press] = Answer(private=rack_screen(text=("Can sits",)))
    announced = asyncio.Event()
    okey.router.waits = announced.wait

    interaction = await okey.press(okey.can, seen, words)

    assert (await okey.discord.answer(interaction))["type"] == DEFERRED_UPDATE
    announced.set()

    async def shown() -> bool:
        return any(m.text == "Can sits" for m in await okey.discord.sees(okey.can, okey.channel))

    await until(shown)


@pytest.mark.parametrize(
    ("limit", "seconds", "delay"),
    [("--answer-seconds", "0.2", 0.4), ("--token-seconds", "1.6", 1.8)],
    ids=["too late", "token lost"],
)
async def test_a_rack_is_edited_even_when_its_press_can_no_longer_be_answered(
    limit: str, seconds: str, delay: float
) -> None:
    async with running_discord(limit, seconds) as discord:
        can = await discord.user("Can")
        router, delivery = ScriptedRouter(), ScriptedDelivery()
        async with playing(discord, router, delivery) as chat:
            await chat.show_rack(f"dc:{can}", rack_screen(), None, notify=True)
            (seen,) = await discord.direct(can)
            router.answers[DRAW.press] = Answer(private=rack_screen(version=2, text=("You drew",)))
            router.waits = partial(asyncio.sleep, delay)
            await discord.press(can, seen, "Draw")
            await eventually(lambda: delivery.shown == [(f"dc:{can}", "t1", f"{seen.channel}/{seen.id}", 2)])
        (late,) = await discord.direct(can)
        assert (late.id, late.text) == (seen.id, "You drew")


async def test_a_post_that_fails_keeps_nobody_waiting(
    okey: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def burn(*shown: object) -> None:
        raise RuntimeError("the store burns")

    seen = await show_table(okey)
    monkeypatch.setattr(okey.delivery, "note_shown", burn)
    newer = table_screen(version=2, text=("Can sits",))
    okey.router.answers[JOIN.press] = Answer(public=newer, notice=("Welcome",))

    await okey.press(okey.can, seen, "Join")

    async def welcomed() -> bool:
        return (await okey.last(okey.can)).text == "Welcome"

    await until(welcomed)
    assert "RuntimeError" in caplog.text
    assert "the store burns" not in caplog.text


@pytest.mark.parametrize("turns", [False, True])
async def test_a_press_on_a_message_that_is_gone_by_then_is_answered(
    okey: Scene, monkeypatch: pytest.MonkeyPatch, turns: bool
) -> None:
    """As when a newer rack replaces it at that moment."""
    seen = await show_rack(okey)

    async def press(press: Press) -> Answer:
        await okey.discord.delete_message(seen.channel, seen.id)
        return (
            Answer(page=Page(text=("Step 2",), turns=True))
            if turns
            else Answer(private=rack_screen(version=2))
        )

    monkeypatch.setattr(okey.router, "press", press)
    interaction = await okey.press(okey.can, seen, "Draw")
    assert (await okey.discord.answer(interaction))["type"] == DEFERRED_UPDATE
    assert await okey.discord.direct(okey.can) == []
    assert okey.delivery.shown == []


async def test_a_rack_that_outgrows_its_message_during_a_press_takes_the_answer_too(
    okey: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message that has become one of components only can't become an ordinary one again."""
    seen, key = await show_rack(okey), okey.key(okey.can)

    async def press(press: Press) -> Answer:
        large = rack_screen(version=2, buttons=MANY_BUTTONS)
        reference = await okey.chat.show_rack(key, large, f"{seen.channel}/{seen.id}", notify=False)
        assert without_picture(reference).endswith("/v2")
        return Answer(private=rack_screen(version=3, text=("You drew",)))

    monkeypatch.setattr(okey.router, "press", press)
    await okey.press(okey.can, seen, "Draw")
    await eventually(lambda: okey.delivery.shown == [(key, "t1", f"{seen.channel}/{seen.id}/v2", 3)])
    (rack,) = await okey.discord.direct(okey.can)
    assert (rack.id, rack.text) == (seen.id, "You drew")


async def test_a_rack_that_another_process_lets_outgrow_its_message_takes_the_answer_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running_discord() as discord, scene(discord) as okey:
        seen, key = await show_rack(okey), okey.key(okey.can)
        other = DiscordChat(
            router=okey.router, delivery=okey.delivery, token=discord.token, api_url=discord.api_url
        )
        await other.start()

        async def press(press: Press) -> Answer:
            large = rack_screen(version=2, buttons=MANY_BUTTONS)
            await other.show_rack(key, large, f"{seen.channel}/{seen.id}", notify=False)
            return Answer(private=rack_screen(version=3, text=("You drew",)), notice=("A yellow 3.",))

        monkeypatch.setattr(okey.router, "press", press)
        await okey.press(okey.can, seen, "Draw")
        await eventually(lambda: okey.delivery.shown == [(key, "t1", f"{seen.channel}/{seen.id}/v2", 3)])

        async def told() -> bool:
            return [each.text for each in await discord.direct(okey.can)] == ["You drew", "A yellow 3."]

        await until(told)
        await other.stop()


async def test_delivery_edits_a_rack_that_an_answer_has_just_made_outgrow_its_message(okey: Scene) -> None:
    seen, key = await show_rack(okey), okey.key(okey.can)
    okey.router.answers[DRAW.press] = Answer(private=rack_screen(version=2, buttons=MANY_BUTTONS))
    await okey.press(okey.can, seen, "Draw")

    newer = rack_screen(version=3, text=("Your turn",))
    reference = await okey.chat.show_rack(key, newer, f"{seen.channel}/{seen.id}", notify=False)

    (rack,) = await okey.discord.direct(okey.can)
    assert (without_picture(reference), rack.text) == (f"{seen.channel}/{seen.id}/v2", "Your turn")


async def test_a_rack_in_a_channel_may_outgrow_its_message_and_shrink_again(okey: Scene) -> None:
    key = await rack_in_channel(okey)

    await okey.chat.show_rack_in_place(key, rack_screen(version=2, buttons=MANY_BUTTONS), None)
    await okey.chat.show_rack_in_place(key, rack_screen(version=3, text=("Your turn",)), None)

    assert (await okey.last(okey.can)).text == "Your turn"


async def said(okey: Scene, *texts: str) -> None:
    """Wait until Can sees these messages in the channel."""

    async def all_there() -> bool:
        return [each.text for each in await okey.discord.sees(okey.can, okey.channel)] == [*texts]

    await until(all_there)


async def test_an_answer_comes_after_an_older_edit_that_is_still_on_its_way(okey: Scene) -> None:
    seen, key = await show_rack(okey), okey.key(okey.can)
    okey.router.answers[DRAW.press] = Answer(private=rack_screen(version=3, text=("You drew",)))
    await okey.discord.hang(1, 1, method="PATCH", path=f"/messages/{seen.id}")
    older = rack_screen(version=2, text=("Ada plays",))
    shown = okey.chat.show_rack(key, older, f"{seen.channel}/{seen.id}", notify=False)
    showing = asyncio.create_task(shown)

    async def on_its_way() -> bool:
        return await okey.calls("PATCH", f"/messages/{seen.id}") > 0

    await until(on_its_way)
    await okey.press(okey.can, seen, "Draw")
    await showing
    await eventually(lambda: okey.delivery.shown == [(key, "t1", f"{seen.channel}/{seen.id}", 3)])
    assert [rack.text for rack in await okey.discord.direct(okey.can)] == ["You drew"]


async def test_a_table_that_is_being_edited_is_left_to_delivery(
    okey: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer would have to wait, and the presser with it."""
    seen = await show_table(okey)
    okey.router.answers[JOIN.press] = Answer(public=table_screen(version=2), notice=("You sit down.",))
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def slow(call: Callable[[], Awaitable[object]]) -> object:
        begun.set()
        await goes_on.wait()
        return await call()

    monkeypatch.setattr(sending, "retry", slow)
    newer = table_screen(version=3, text=("Ada plays",))
    shown = okey.chat.show_table(okey.place, newer, f"{seen.channel}/{seen.id}/v2", anew=False)
    showing = asyncio.create_task(shown)
    await begun.wait()
    await okey.press(okey.can, seen, "Join")
    await said(okey, "A table", "You sit down.")
    goes_on.set()
    await showing
    await said(okey, "Ada plays", "You sit down.")
    assert okey.delivery.shown == []


async def test_a_rack_in_a_channel_that_has_gone_on_during_a_press_keeps_its_newer_state(
    okey: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = await rack_in_channel(okey)

    async def press(press: Press) -> Answer:
        await okey.chat.show_rack_in_place(key, rack_screen(version=3, text=("Your turn",)), None)
        return Answer(private=rack_screen(version=2, text=("You drew",)))

    monkeypatch.setattr(okey.router, "press", press)
    await okey.press(okey.can, await okey.last(okey.can), "Draw")
    assert (await okey.last(okey.can)).text == "Your turn"


async def test_a_choice_in_a_menu_is_a_press(okey: Scene) -> None:
    tiles = tuple(Button((TileMark(f"{c}{n}"),), f"discard.t1.5.{c}{n}") for c in "RY" for n in range(1, 12))
    more = tuple(Button((f"{n}",), f"more.{n}") for n in range(12))
    screen = rack_screen(buttons=(tiles, more))
    await okey.chat.show_rack(okey.key(okey.can), screen, None, notify=True)
    seen = await okey.last_direct(okey.can)
    assert len(seen.buttons) == 12

    interaction = await okey.discord.select(okey.can, seen, "menu0", "discard.t1.5.Y7")
    await okey.discord.answered(interaction)

    assert okey.router.pressed[-1].data == "discard.t1.5.Y7"


# Commands


async def test_a_command_that_is_delivered_twice_is_answered_once(okey: Scene) -> None:
    okey.router.answers["/help"] = Answer(notice=("Help.",), page=Page(text=("More help.",)))
    interaction = await okey.command(okey.ada, "help")
    answers = await okey.calls("POST", "/callback"), await okey.calls("POST", "/webhooks/")
    await okey.discord.repeat(interaction)
    await eventually(lambda: len(okey.router.typed) == 2)
    okey.router.answers["/rules"] = Answer(notice=("Rules.",))
    await okey.command(okey.ada, "rules")
    await okey.chat.stop()  # it waits for what is under way
    again = await okey.calls("POST", "/callback"), await okey.calls("POST", "/webhooks/")
    assert again == (answers[0] + 1, answers[1])


async def test_a_store_that_goes_away_during_an_answer_is_told_and_no_error_of_the_program(
    okey: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(*_: object) -> Answer:
        raise StoreUnavailable("ConnectionError")

    monkeypatch.setattr(okey.router, "press", away)
    seen = await show_table(okey)
    await okey.press(okey.can, seen, "Join")
    assert "can’t reach the saved games" in (await okey.last(okey.can)).text
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


async def test_okey_alone_is_play(okey: Scene) -> None:
    okey.router.answers["/play"] = Answer(notice=("A table is open.",))

    await okey.command(okey.ada)

    (typed,) = okey.router.typed
    assert (typed.verb, typed.argument, typed.place) == ("play", "", okey.place)
    assert typed.by == Person(okey.key(okey.ada), "Ada", "tr")
    assert (await okey.last(okey.ada)).ephemeral
    assert await okey.discord.sees(okey.can, okey.channel) == []


async def test_action_and_text_are_verb_and_argument(okey: Scene) -> None:
    await okey.command(okey.ada, "rack")
    await okey.command(okey.ada, "okey-partners")
    assert [(t.verb, t.argument) for t in okey.router.typed] == [("rack", ""), ("play", "okey-partners")]


async def test_a_command_without_an_answer_leaves_nothing_behind(okey: Scene) -> None:
    await okey.command(okey.ada)

    async def gone() -> bool:
        return await okey.discord.sees(okey.ada, okey.channel) == []

    await until(gone)


async def test_a_slow_command_is_answered_in_what_was_announced(
    okey: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "SOON", 0.1)
    okey.router.answers["/rack"] = Answer(private=rack_screen())
    announced = asyncio.Event()
    okey.router.waits = announced.wait

    interaction = await okey.command(okey.ada, "rack")

    assert (await okey.discord.answer(interaction))["type"] == DEFERRED_MESSAGE
    announced.set()

    async def rack() -> Seen | None:
        seen = await okey.last(okey.ada)
        return None if seen.loading else seen

    shown = await until(rack)
    assert (shown.text, shown.ephemeral, len(shown.buttons)) == ("Your rack", True, 2)


async def test_where_the_bot_itself_is_missing_it_says_so(okey: Scene) -> None:
    guild = await okey.discord.guild("Başka", has_bot=False)
    channel = await okey.discord.channel(guild)
    ece = await okey.discord.user("Ece", guild=guild)

    interaction = await okey.discord.command(ece, channel, "okey", user_install=True)
    await okey.discord.answered(interaction)

    (told,) = await okey.discord.sees(ece, channel)
    assert "isn’t on this server" in told.text
    assert "https://discord.com/oauth2/authorize?client_id=" in told.text
    assert okey.router.typed == []


async def test_where_the_bot_itself_is_missing_there_is_no_place(okey: Scene) -> None:
    guild = await okey.discord.guild("Başka", has_bot=False)
    channel = await okey.discord.channel(guild)
    ece = await okey.discord.user("Ece", guild=guild)
    asked = await okey.discord.command(ece, channel, *slash("help"), user_install=True)
    await okey.discord.answered(asked)
    (typed,) = okey.router.typed
    assert (typed.verb, typed.place) == ("help", None)


@pytest.mark.parametrize("used_up", [False, True])
async def test_the_answer_to_an_expired_press_in_private_is_charged_like_any_message(
    okey: Scene, used_up: bool
) -> None:
    seen = await show_rack(okey)
    okey.router.answers["draw.t1.5"] = Answer(private=rack_screen(version=2, text=("Newer",)))
    limits = okey.chat.limits.private(okey.key(okey.can))
    if used_up:
        await okey.delivery.use_up(limits)
    before = await okey.calls("POST", "/callback")
    await okey.discord.fail(1, 404, code=10062, path="/interactions")
    await okey.discord.press(okey.can, seen, "draw")

    async def refused() -> bool:
        return await okey.calls("POST", "/callback") > before

    await until(refused)
    await okey.chat.stop()  # answers under way are finished
    shown = (await okey.last_direct(okey.can)).text
    assert ("Newer" in shown) == (not used_up)
    assert set(limits) <= set(okey.delivery.spent)


async def test_what_discord_says_of_a_refused_answer_is_not_logged(
    okey: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    """Its words may repeat a rack."""
    seen = await show_rack(okey)
    await okey.discord.fail(1, 400, code=50035, path="/callback")
    await okey.discord.press(okey.can, seen, "draw")
    await eventually(lambda: "status 400, code 50035" in caplog.text)
    assert "upstream trouble" not in caplog.text


async def test_missing_permissions_are_named(okey: Scene) -> None:
    await okey.discord.deny(okey.channel, "attach_files")
    await okey.command(okey.can)
    assert (await okey.last(okey.can)).text.endswith(": Attach Files")
    assert okey.router.typed == []


async def test_my_rack_leads_to_the_one_that_is_there_and_sends_no_second(okey: Scene) -> None:
    seen, there = await show_table(okey), await show_rack(okey)
    known = f"{there.channel}/{there.id}"
    okey.router.answers[MY_RACK.press] = Answer(private=rack_screen(), private_message=known)

    await okey.press(okey.can, seen, "My rack")

    answer = await okey.last(okey.can)
    assert answer.ephemeral
    assert f"https://discord.com/channels/@me/{known}" in answer.text
    assert (answer.buttons, answer.pictures) == ((), ())
    assert len(await okey.discord.direct(okey.can)) == 1


async def test_a_press_on_a_replaced_table_makes_no_second_one_of_it(okey: Scene) -> None:
    old = await show_table(okey)
    new = await okey.chat.show_table(okey.place, table_screen(), f"{old.channel}/{old.id}", anew=True)
    newer = table_screen(version=2, text=("Can sits",))
    okey.router.answers[JOIN.press] = Answer(public=newer, public_message=new)

    await okey.press(okey.can, old, "Join")

    assert [message.text for message in await okey.discord.sees(okey.can, okey.channel)] == ["A table"] * 2
    assert okey.delivery.shown == []


async def test_a_press_is_answered_before_its_picture_is_drawn(
    okey: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, drawn, may_draw = await show_rack(okey), pictures.draw_picture, asyncio.Event()

    async def slow(picture: Picture) -> bytes:
        await may_draw.wait()
        return await drawn(picture)

    monkeypatch.setattr(pictures, "draw_picture", slow)
    monkeypatch.setattr(responses, "SOON", 0.1)
    okey.router.answers[DRAW.press] = Answer(private=rack_screen(version=2, text=("You drew",)))

    await okey.press(okey.can, seen, "Draw")

    assert (await okey.last_direct(okey.can)).text == "Your rack"
    may_draw.set()

    async def brought() -> bool:
        return (await okey.last_direct(okey.can)).text == "You drew"

    await until(brought)
