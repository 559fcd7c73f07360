"""What delivery asks of the chat: screens shown, edited, posted anew, and what Telegram refuses."""

import asyncio
from dataclasses import replace

import pytest

from adapters.telegram_chat import TelegramChat
from bot.markup import Clock, Link, Name, Page, Strong, TileMark
from bot.ports import PlaceMoved, PlaceRefused, PrivateClosed, RetryAfter
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.adapters.telegram_chat.conftest import Until
from tests.adapters.telegram_chat.scene import buttons, rack, table
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import TOKEN, Control
from tests.servers.telegram_api.faults import Kind


async def test_what_is_shown_already_costs_no_harm(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    first = await chat.show_table(f"tg:{group.id}", table(), None, anew=False)
    assert await chat.show_table(f"tg:{group.id}", table(), first, anew=False) == first


async def test_a_picture_is_uploaded_once(telegram: Control, chat: TelegramChat) -> None:
    people = [await telegram.person(name) for name in ("Ada", "Can", "Ece")]
    for person in people:
        group = await telegram.group(person.name, person)
        reference = await chat.show_table(f"tg:{group.id}", table(1), None, anew=False)
        await chat.show_table(f"tg:{group.id}", table(2, text=("Only words changed",)), reference, anew=False)
    calls = await telegram.calls("sendPhoto", "editMessageMedia")
    uploads = [call for call in calls if any(name.startswith("file:") for name in call.parameters)]
    assert (len(calls), len(uploads)) == (6, 1)


async def test_a_picture_that_two_get_at_once_is_uploaded_once(telegram: Control, chat: TelegramChat) -> None:
    people = [await telegram.person(name, started=True) for name in ("Ada", "Can", "Ece")]
    await asyncio.gather(
        *(chat.show_rack(f"tg:{person.id}", rack(1), None, notify=True) for person in people)
    )
    assert len(await telegram.calls("sendPhoto")) == 3
    assert await telegram.ask("identical_uploads") == []


async def test_a_process_that_starts_anew_uploads_no_picture_again(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada", started=True)
    group = await telegram.group("Club", ada)
    shown: str | None = None
    seen: str | None = None
    for version in (1, 2, 3):
        running = TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url)
        await running.start()
        seen = await running.show_rack(f"tg:{ada.id}", rack(version), seen, notify=version != 2)
        shown = await running.show_table(f"tg:{group.id}", table(version), shown, anew=version == 3)
        await running.stop()
    calls = await telegram.calls("sendPhoto", "editMessageMedia")
    uploads = [call for call in calls if any(name.startswith("file:") for name in call.parameters)]
    assert (len(calls), len(uploads)) == (6, 2), "a rack and a table"
    assert await telegram.ask("identical_uploads") == []


async def test_a_process_that_starts_anew_closes_a_result_without_uploading_it_again(
    telegram: Control, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    before, after = (
        TelegramChat(router=router, delivery=delivery, token=TOKEN, api_url=telegram.url) for _ in range(2)
    )
    await before.start()
    shown = await before.show_table(f"tg:{group.id}", table(1), None, anew=False)
    await before.stop()
    await after.start()
    await after.show_last(f"tg:{group.id}", table(2, text=("Ada finished",)), shown)
    await after.stop()
    assert [each.words for each in await ada.read(group)] == ["Ada finished"]
    assert await telegram.ask("identical_uploads") == []


@pytest.mark.parametrize(
    "words", ["wrong file identifier specified", "FILE_REFERENCE_EXPIRED", "FILE_ID_INVALID", "MEDIA_EMPTY"]
)
async def test_a_picture_that_telegram_forgot_is_uploaded_again(
    telegram: Control, chat: TelegramChat, words: str
) -> None:
    ada = await telegram.person("Ada", started=True)
    await chat.show_rack(f"tg:{ada.id}", rack(1), None, notify=False)
    await telegram.fail("400", method="sendPhoto", description=f"Bad Request: {words}")
    await chat.show_rack(f"tg:{ada.id}", rack(2), None, notify=True)
    assert len([shown for shown in await ada.read() if shown.picture]) == 2


async def test_words_become_a_picture_in_place_and_a_picture_becomes_words_anew(
    telegram: Control, chat: TelegramChat
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    place = f"tg:{group.id}"
    lobby = await chat.show_table(place, table(1, stock=None, text=("Lobby",)), None, anew=False)
    playing = await chat.show_table(place, table(2), lobby, anew=False)
    (shown,) = await ada.read(group)
    assert (shown.words, shown.versions) == ("The table", 2)
    over = await chat.show_table(place, table(3, stock=None, text=("Over",)), playing, anew=False)
    (shown,) = await ada.read(group)
    assert (shown.words, shown.picture) == ("Over", None)
    assert over != playing


async def test_a_table_s_old_message_tells_its_round_s_result_and_is_never_posted_again(
    telegram: Control, chat: TelegramChat
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    place = f"tg:{group.id}"
    first = await chat.show_table(place, table(1), None, anew=False)
    await chat.show_table(place, table(2), first, anew=True)
    result = replace(table(3, text=("Ada finished",)), buttons=())
    await chat.show_last(place, result, first)
    old, new = await ada.read(group)
    assert (old.words, old.labels, new.labels) == ("Ada finished", (), ("rack.t1.0",))
    in_words = replace(result, picture=None, text=("In words",))  # a photo can't become one
    await chat.show_last(place, in_words, first)
    again, _ = await ada.read(group)
    assert (again.words, again.labels, again.picture) == ("In words", (), old.picture)
    await chat.show_last(place, result, f"{group.id}:777:p")
    assert [each.id for each in await ada.read(group)] == [old.id, new.id]


async def test_a_deleted_message_is_posted_again_within_the_budget(
    telegram: Control, chat: TelegramChat, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    place = f"tg:{group.id}"
    gone = f"{group.id}:777:p"
    await chat.show_table(place, table(1), gone, anew=False)
    assert len(await ada.read(group)) == 1
    await delivery.use_up(chat.limits.public(place))
    other = f"{group.id}:778:p"
    with pytest.raises(RetryAfter):
        await chat.show_table(place, table(2), other, anew=False)
    assert len(await ada.read(group)) == 1
    # The next try edits nothing: it is the one call for which delivery has paid.
    await chat.show_table(place, table(2), other, anew=False)
    assert len(await ada.read(group)) == 2


async def test_words_after_a_picture_need_no_second_call_of_a_group_s_budget(
    telegram: Control, chat: TelegramChat, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    place = f"tg:{group.id}"
    playing = await chat.show_table(place, table(1), None, anew=False)
    await delivery.use_up(chat.limits.public(place))
    await chat.show_table(place, table(2, stock=None, text=("Ended",)), playing, anew=False)
    (shown,) = await ada.read(group)
    assert shown.words == "Ended"


async def test_all_topics_of_a_group_share_its_budget(chat: TelegramChat) -> None:
    (group, pace, whole) = chat.limits.public("tg:-1001234/17")
    assert chat.limits.public("tg:-1001234") == (group, pace, whole)
    assert chat.limits.public("tg:-1009999")[0].scope != group.scope
    assert group.calls < 20
    assert group.seconds == 60
    assert pace.seconds < group.seconds
    assert pace.scope == group.scope
    assert whole in chat.limits.private("tg:4711")
    (urgent, _) = chat.limits.urgent("tg:-1001234/17")
    assert (urgent.scope, urgent.seconds) == (group.scope, group.seconds)
    assert group.calls < urgent.calls < 20


async def test_who_cannot_be_reached_is_closed(telegram: Control, chat: TelegramChat) -> None:
    never, blocked = await telegram.person("Never"), await telegram.person("Blocked", started=True)
    await blocked.block()
    for person in (f"tg:{never.id}", f"tg:{blocked.id}", "tg:123456789"):
        with pytest.raises(PrivateClosed):
            await chat.show_rack(person, rack(), None, notify=False)
        with pytest.raises(PrivateClosed):
            await chat.send_direct(person, Page(text=("The night begins.",)), "n1 hour")


async def test_a_closed_door_is_tried_once_until_it_is_opened(
    telegram: Control, chat: TelegramChat, until: Until, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada")
    for _ in range(3):
        with pytest.raises(PrivateClosed):
            await chat.show_rack(f"tg:{ada.id}", rack(), None, notify=False)
    assert len(await telegram.calls("sendPhoto")) == 1
    await ada.start()
    await until(lambda: bool(router.typed))
    await chat.show_rack(f"tg:{ada.id}", rack(), None, notify=False)


async def test_a_place_without_the_bot_is_gone(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    out, muted = await telegram.group("Out", ada), await telegram.group("Muted", ada)
    forum = await telegram.group("Forum", ada, topics=("Closed",))
    await telegram.ask("remove_bot", chat_id=out.id)
    await telegram.ask("silence_bot", chat_id=muted.id)
    await telegram.ask("close_topic", chat_id=forum.id, topic=forum.topics["Closed"])
    for place in (out.id, muted.id, f"{forum.id}/{forum.topics['Closed']}", f"{forum.id}/9999"):
        with pytest.raises(PlaceRefused):
            await chat.show_table(f"tg:{place}", table(), None, anew=False)
        with pytest.raises(PlaceRefused):
            await chat.post_line(f"tg:{place}", ("Anybody?",))


async def test_a_group_that_became_a_supergroup_is_followed(
    telegram: Control, chat: TelegramChat, delivery: ScriptedDelivery, until: Until
) -> None:
    ada = await telegram.person("Ada")
    old = await telegram.group("Club", ada, kind="group")
    reference = await chat.show_table(f"tg:{old.id}", table(), None, anew=False)
    new = await telegram.migrate(old)
    await until(lambda: bool(delivery.moves))
    assert delivery.moves == [(f"tg:{old.id}", f"tg:{new.id}")]
    with pytest.raises(PlaceMoved) as moved:
        await chat.show_table(f"tg:{old.id}", table(2), reference, anew=False)
    assert moved.value.new_place == f"tg:{new.id}"


async def test_patience_is_asked_for_one_chat_alone(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    busy, calm = await telegram.group("Busy", ada), await telegram.group("Calm", ada)
    await telegram.fail("429", chat=busy.id, seconds=17)
    with pytest.raises(RetryAfter) as later:
        await chat.show_table(f"tg:{busy.id}", table(), None, anew=False)
    assert later.value.seconds == 17
    with pytest.raises(RetryAfter) as later:
        await chat.show_table(f"tg:{busy.id}", table(), None, anew=False)
    assert 10 < later.value.seconds < 17, "nothing is sent there before its time"
    await chat.show_table(f"tg:{calm.id}", table(), None, anew=False)


@pytest.mark.parametrize("kind", ["502", "drop"])
async def test_trouble_is_tried_again_and_not_for_long(
    telegram: Control, chat: TelegramChat, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    monkeypatch.setattr("adapters.telegram_chat.calls._PATIENCE", 0.5)
    await telegram.fail(kind, method="sendPhoto")
    await chat.show_table(f"tg:{group.id}", table(), None, anew=False)
    assert len(await ada.read(group)) == 1
    await telegram.fail(kind, 99, method="sendPhoto")
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(RetryAfter):
            await chat.show_table(f"tg:{group.id}", table(), None, anew=False)


async def test_hostile_names_and_every_kind_of_part_are_shown_as_they_are(
    telegram: Control, chat: TelegramChat
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    text = (
        Strong("Round <3>"),
        "\n",
        Name("</b>&amp;<a href='x'>"),
        " & ",
        Name("\u202eAbd\u2069ul"),
        ": ",
        TileMark("R5", wild=True),
        TileMark("F"),
        " until ",
        Clock(1_900_000_000),
        " ",
        Link("the <table>", 'https://example.org/?a=1&b="2"'),
    )
    await chat.show_table(f"tg:{group.id}", table(text=text), None, anew=False)
    (shown,) = await ada.read(group)
    assert shown.words == (
        "Round <3>\n\u2068</b>&amp;<a href='x'>\u2069 & \u2068Abdul\u2069: "
        "👑🔴5🃏 until 17:46:40 UTC the <table>"
    )
    kinds = {entity["type"]: entity for entity in shown.raw["caption_entities"]}
    assert kinds["date_time"]["unix_time"] == 1_900_000_000
    assert kinds["text_link"]["url"] == 'https://example.org/?a=1&b="2"'
    assert set(kinds) == {"bold", "date_time", "text_link"}


async def test_a_text_that_is_too_long_is_cut_and_sent(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    await chat.show_table(f"tg:{group.id}", table(text=("&" * 2000, Strong("end"))), None, anew=False)
    await chat.post_line(f"tg:{group.id}", ("<" * 5000,))
    caption, text = await ada.read(group)
    assert caption.words == "&" * 1023 + "…"
    assert text.words == "<" * 4095 + "…"


async def test_too_many_buttons_are_folded_and_no_more_than_a_hundred(
    telegram: Control, chat: TelegramChat
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    rows = buttons(*(f"b{n}" for n in range(130)))
    await chat.show_table(f"tg:{group.id}", table(rows=rows), None, anew=False)
    (shown,) = await ada.read(group)
    assert list(shown.labels) == [f"b{n}" for n in range(100)]
    assert max(len(row) for row in shown.buttons) <= 8


async def test_a_supergroups_message_has_an_address(chat: TelegramChat) -> None:
    assert chat.places.message_link("tg:-1001234", "-1001234:56:p") == "https://t.me/c/1234/56"
    assert chat.places.message_link("tg:-1001234/7", "-1001234:56:t") == "https://t.me/c/1234/7/56"
    assert chat.places.message_link("tg:-1234", "-1234:56:t") is None


async def test_a_line_leads_to_the_private_chat(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    await chat.post_line(f"tg:{group.id}", ("Press Start there.",), opens="t1")
    (shown,) = await ada.read(group)
    await ada.follow(shown.raw["reply_markup"]["inline_keyboard"][0][0]["url"])
    await until(lambda: bool(router.typed))
    assert (router.typed[0].verb, router.typed[0].argument, router.typed[0].place) == ("start", "t1", None)


async def test_what_stands_below_a_table_in_a_supergroup_is_counted(
    telegram: Control, chat: TelegramChat, until: Until
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    place = f"tg:{group.id}"
    message = await chat.show_table(place, table(1), None, anew=False)
    assert chat.count_below(place, message) == 0
    for _ in range(11):
        await ada.write(group, "/okey")

    await until(lambda: chat.count_below(place, message) == 11)
    assert chat.count_below("tg:-77", message.replace(str(group.id), "-77")) == 0


async def test_what_stands_below_a_table_in_a_topic_is_counted_without_other_topics(
    telegram: Control, chat: TelegramChat, until: Until
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada, topics=("Okey", "Talk"))
    okey, talk = group.topics["Okey"], group.topics["Talk"]
    place = f"tg:{group.id}/{okey}"
    message = await chat.show_table(place, table(1), None, anew=False)
    assert chat.count_below(place, message) == 0
    for topic in (okey, talk, okey, talk, okey):
        await ada.write(group, "/okey", topic=topic)

    await until(lambda: chat.count_below(place, message) == 3)
    await until(lambda: chat.count_below(f"tg:{group.id}/{talk}", message) == 2)
    assert chat.count_below(place, message) == 3
