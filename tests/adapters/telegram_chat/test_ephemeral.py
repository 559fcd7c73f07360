"""A rack in the group for its player alone, where the server has such messages; never one for everybody."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from adapters.telegram_chat import TelegramChat
from adapters.telegram_chat.limits import ephemeral_limits
from bot.markup import Folded, SeatScreen
from bot.ports import Answer, PrivateClosed
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.adapters.telegram_chat.scene import buttons, rack, table
from tests.servers.telegram_api.client import TOKEN, Control, Group, Person, Shown

BRIEF = "🔴1 🔷2 – your turn"
RACK: SeatScreen = rack(
    1, text=("Your rack\n", Folded("🔴1  🔷12")), tiles=("R1", "B12"), rows=buttons("draw.t1.0")
)
AFTER: SeatScreen = rack(
    2,
    text=("You drew\n", Folded("🔴1  🔷12  ⬛7")),
    tiles=("R1", "B12", "K7"),
    rows=buttons("discard.t1.1.K7"),
)
SECRET = "🔷12"
ALONE = "Only you see this: your rack comes here."


@asynccontextmanager
async def running(
    telegram: Control, version: str, router: ScriptedRouter, delivery: ScriptedDelivery
) -> AsyncIterator[TelegramChat]:
    """The chat on a server of that version."""
    await telegram.ask("whispering", version=version)
    chat = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url)
    await chat.start()
    task = asyncio.create_task(chat.run())
    try:
        yield chat
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await chat.stop()


async def seated(telegram: Control, chat: TelegramChat) -> tuple[Person, Person, Group, Shown]:
    """Ada, whose private chat is closed, and Bo in a group with a table."""
    ada, bo = await telegram.person("Ada", language="en"), await telegram.person("Bo", language="en")
    group = await telegram.group("Evening", ada, bo)
    await chat.show_table(f"tg:{group.id}", table(), None, anew=False)
    return ada, bo, group, await ada.sees(lambda shown: shown.words == "The table", group)


def words(shown: list[Shown]) -> str:
    return "\n".join(each.words for each in shown)


@pytest.mark.parametrize("version", ["10.2", "10.3"])
async def test_whose_chat_is_closed_gets_their_rack_with_buttons_in_the_group_alone(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery, version: str
) -> None:
    async with running(telegram, version, router, delivery) as chat:
        assert chat.features.private_everywhere
        assert chat.features.leads_to_private
        ada, bo, group, shown = await seated(telegram, chat)
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        said = await ada.press(shown, "rack.t1.0")
        assert (said.text, said.alert) == ("", False)
        whisper = await ada.sees(lambda each: SECRET in each.words, group)
        picture = version == "10.3"
        assert whisper.words == "Your rack\n🔴1  🔷12" + ("" if picture else "\n\n🔴1  🔷12")
        assert (whisper.picture is not None) == picture
        assert whisper.raw["receiver_user"]["id"] == ada.id
        assert words(await bo.read(group)) == "The table"

        # Its buttons play, and the message follows.
        router.answers["draw.t1.0"] = Answer(private=AFTER, notice=("You drew black 7",))
        said = await ada.press(whisper, "draw.t1.0")
        assert said.text == "You drew black 7"
        followed = await ada.sees(lambda each: "⬛7" in each.words, group)
        assert followed.id == whisper.id
        assert followed.buttons == (("discard.t1.1.K7",),)
        assert followed.picture != whisper.picture or not picture
        assert words(await bo.read(group)) == "The table"
        # Asked for again, it stands at the end of the talk, and only there.
        await ada.press(shown, "rack.t1.0")
        again = await ada.sees(lambda each: SECRET in each.words and each.id != whisper.id, group)
        assert [each.id for each in await ada.read(group) if "receiver_user" in each.raw] == [again.id]
        press = router.pressed[-2]
        assert (press.place, press.surface, press.by.key) == (None, "public", f"tg:{ada.id}")


async def test_a_server_that_takes_no_picture_is_asked_once(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    async with running(telegram, "10.2", router, delivery) as chat:
        ada, _, group, shown = await seated(telegram, chat)
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        for _ in range(2):
            await ada.press(shown, "rack.t1.0")
        assert len(await telegram.calls("editEphemeralMessageMedia")) == 1
        assert len(await telegram.calls("editEphemeralMessageText")) == 2
        await ada.sees(lambda each: SECRET in each.words and each.picture is None, group)


async def test_in_a_topic_it_stays_in_the_topic(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    async with running(telegram, "10.3", router, delivery) as chat:
        ada = await telegram.person("Ada", language="en")
        group = await telegram.group("Forum", ada, topics=("Okey",))
        await chat.show_table(f"tg:{group.id}/{group.topics['Okey']}", table(), None, anew=False)
        shown = await ada.sees(lambda each: each.words == "The table", group)
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        await ada.press(shown, "rack.t1.0")
        whisper = await ada.sees(lambda each: SECRET in each.words, group)
        assert whisper.raw["message_thread_id"] == group.topics["Okey"]


async def test_who_can_be_reached_in_private_is_reached_there(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    async with running(telegram, "10.3", router, delivery) as chat:
        ada, _, group, shown = await seated(telegram, chat)
        await ada.start()
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        await ada.press(shown, "rack.t1.0")
        await ada.sees(lambda each: each.words.startswith("Your rack"))
        assert words(await ada.read(group)) == "The table"


async def test_a_server_that_is_busy_at_the_start_is_asked_again(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    await telegram.fail("429", method="deleteEphemeralMessage", seconds=1)
    async with running(telegram, "10.3", router, delivery) as chat:
        assert chat.features.private_everywhere


async def test_a_server_without_them_is_never_asked_to_send_one(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    async with running(telegram, "", router, delivery) as chat:
        assert not chat.features.private_everywhere
        ada, bo, group, shown = await seated(telegram, chat)
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        said = await ada.press(shown, "rack.t1.0")
        assert (said.text, said.alert) == (BRIEF, True)
        assert await telegram.calls("sendMessage") == []
        assert words(await bo.read(group)) == words(await ada.read(group)) == "The table"


async def test_a_server_that_ignores_the_receiver_never_gets_to_see_a_rack(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    async with running(telegram, "deaf", router, delivery) as chat:
        ada, bo, group, shown = await seated(telegram, chat)
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        for _ in range(2):
            said = await ada.press(shown, "rack.t1.0")
            assert (said.text, said.alert) == (BRIEF, True)
        assert words(await bo.read(group)) == "The table"
        (sent,) = await telegram.calls("sendMessage")
        assert sent.parameters["text"] == ALONE
        assert not chat.features.private_everywhere
        assert not any(SECRET in str(call.parameters) for call in await telegram.calls("sendMessage"))


async def test_a_busy_group_gets_the_alert(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    async with running(telegram, "10.3", router, delivery) as chat:
        ada, _, group, shown = await seated(telegram, chat)
        await delivery.use_up((ephemeral_limits(f"tg:{group.id}")[0],))
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        said = await ada.press(shown, "rack.t1.0")
        assert (said.text, said.alert) == (BRIEF, True)
        assert await telegram.calls("sendMessage") == []
        assert delivery.alerts_only == [(f"tg:{ada.id}", "t1")], "the table offers numbers"


async def test_a_lively_table_takes_nobodys_rack(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    """Its edits use up the group's minute, and the player's rack still comes with its buttons."""
    async with running(telegram, "10.3", router, delivery) as chat:
        ada, _, group, shown = await seated(telegram, chat)
        await delivery.use_up((chat.limits.urgent(f"tg:{group.id}")[0],))
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        for _ in range(5):
            said = await ada.press(shown, "rack.t1.0")
            assert (said.text, said.alert) == ("", False)
        assert (await ada.sees(lambda each: SECRET in each.words, group)).buttons == (("draw.t1.0",),)


async def test_a_rack_in_the_group_follows_the_game(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    """Its buttons would be stale at the next turn."""
    async with running(telegram, "10.3", router, delivery) as chat:
        ada, bo, group, shown = await seated(telegram, chat)
        person = f"tg:{ada.id}"
        assert not chat.shows_rack(person, "t1")
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        await ada.press(shown, "rack.t1.0")
        whisper = await ada.sees(lambda each: SECRET in each.words, group)
        assert (chat.shows_rack(person, "t1"), chat.shows_rack(person, "t2")) == (True, False)
        await chat.show_rack_in_place(person, AFTER, None)
        followed = await ada.sees(lambda each: "⬛7" in each.words, group)
        assert followed.id == whisper.id
        assert words(await bo.read(group)) == "The table"
        gone = "Bad Request: MESSAGE_ID_INVALID"
        await telegram.fail("400", method="editEphemeralMessageMedia", description=gone)
        with pytest.raises(PrivateClosed):
            await chat.show_rack_in_place(person, RACK, None)
        assert not chat.shows_rack(person, "t1")


async def test_a_flood_wait_for_racks_silences_no_table(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    async with running(telegram, "10.3", router, delivery) as chat:
        ada, _, group, shown = await seated(telegram, chat)
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        await telegram.fail("429", method="editEphemeralMessageMedia", seconds=30)
        said = await ada.press(shown, "rack.t1.0")
        assert (said.text, said.alert) == (BRIEF, True)
        await chat.post_line(f"tg:{group.id}", ("Ada’s turn",))
        await ada.sees(lambda each: each.words == "Ada’s turn", group)


async def test_a_group_that_removes_the_bot_meanwhile_gets_the_alert(
    telegram: Control,
    router: ScriptedRouter,
    delivery: ScriptedDelivery,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with running(telegram, "10.3", router, delivery) as chat:
        ada, _, group, shown = await seated(telegram, chat)
        router.answers["rack.t1.0"] = Answer(private=RACK, brief=BRIEF)
        kicked = "Forbidden: bot was kicked from the supergroup chat"
        await telegram.fail("403", method="sendMessage", chat=group.id, description=kicked)
        said = await ada.press(shown, "rack.t1.0")
        assert (said.text, said.alert) == (BRIEF, True)
    assert [record.levelname for record in caplog.records if record.levelname == "ERROR"] == []
