"""A pressed button reaches the router, and its person gets the answer where they alone see it."""

import asyncio
import time

import pytest

from adapters.telegram_chat import TelegramChat, answers
from bot.markup import Attachment, Button, Clock, Page
from bot.ports import Answer
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.adapters.telegram_chat.conftest import Until
from tests.adapters.telegram_chat.scene import buttons, rack, table
from tests.servers.telegram_api.client import BOT_NAME, Control, Group, Person, Shown


async def _rack_shown(chat: TelegramChat, person: Person) -> Shown:
    await chat.show_rack(f"tg:{person.id}", rack(), None, notify=False)
    return await person.sees(lambda shown: shown.words == "Your rack")


async def _table_shown(chat: TelegramChat, group: Group, person: Person, topic: str = "") -> Shown:
    place = f"tg:{group.id}/{group.topics[topic]}" if topic else f"tg:{group.id}"
    await chat.show_table(place, table(), None, anew=False)
    return await person.sees(lambda shown: shown.words == "The table", group)


async def test_a_refusal_is_an_alert_and_a_passing_word_is_none(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", started=True)
    shown = await _rack_shown(chat, ada)
    router.answers["draw.t1.0"] = Answer(notice=("It isn’t your turn.",), urgent=True)
    said = await ada.press(shown, "draw.t1.0")
    assert (said.text, said.alert) == ("It isn’t your turn.", True)
    router.answers["draw.t1.0"] = Answer(notice=("Sorted.",))
    said = await ada.press(shown, "draw.t1.0")
    assert (said.text, said.alert) == ("Sorted.", False)


async def test_a_press_that_is_decided_late_is_answered_first_and_told_by_message(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "LATEST", 0.1)
    ada = await telegram.person("Ada", language="en", started=True)
    group = await telegram.group("Club", ada)
    shown = await _table_shown(chat, group, ada)
    film, none = "The film", "There is no film."
    for words, answer in (
        (film, Answer(page=Page(text=(film,), file=Attachment("film.gif", b"GIF89a")))),
        (none, Answer(notice=(none,), urgent=True)),
    ):
        decided = asyncio.Event()
        router.waits = decided.wait
        router.answers["rack.t1.0"] = answer
        said = await ada.press(shown, "rack.t1.0")
        assert (said.text, said.alert) == ("", False)
        decided.set()
        await ada.sees(lambda message, words=words: message.words == words)  # type: ignore[misc]
    assert [call.status for call in await telegram.calls("answerCallbackQuery")] == [200, 200]


async def test_a_long_notice_is_cut_to_what_an_alert_holds(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", started=True)
    router.answers["draw.t1.0"] = Answer(notice=("🔴" * 150,), urgent=True)
    said = await ada.press(await _rack_shown(chat, ada), "draw.t1.0")
    assert said.text == "🔴" * 99 + "…"


async def test_a_way_out_comes_in_private_with_the_words_of_the_refusal(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    group = await telegram.group("Club", ada)
    shown = await _table_shown(chat, group, ada)
    page = Page(text=(), buttons=((Button(("Leave",), "leave.t1.0"),),))
    router.answers["rack.t1.0"] = Answer(notice=("You sit there.",), code="already_seated", page=page)
    said = await ada.press(shown, "rack.t1.0")
    assert said.text == "You sit there."
    told = await ada.sees(lambda message: "Leave" in message.labels)
    assert told.words == "You sit there."


async def test_my_rack_in_the_group_comes_in_private(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    group = await telegram.group("Club", ada)
    shown = await _table_shown(chat, group, ada)
    router.answers["rack.t1.0"] = Answer(private=rack(5))
    said = await ada.press(shown, "rack.t1.0")
    assert said.text == "Your rack is in our private chat."
    mine = await ada.sees(lambda message: message.words == "Your rack")
    assert delivery.shown == [(f"tg:{ada.id}", "t1", f"{ada.id}:{mine.id}:p", 5)]
    (press,) = router.pressed
    assert (press.place, press.surface) == (f"tg:{group.id}", "public")


async def test_my_rack_is_an_alert_where_the_private_chat_is_closed(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    never, blocked = await telegram.person("Never"), await telegram.person("Blocked", started=True)
    group = await telegram.group("Club", never, blocked)
    await blocked.block()
    router.answers["rack.t1.0"] = Answer(private=rack(5), brief="🔴1 🔷2 – your turn")
    shown = await _table_shown(chat, group, never)
    for person in (never, blocked):
        said = await person.press(shown, "rack.t1.0")
        assert (said.text, said.alert) == ("🔴1 🔷2 – your turn", True)
    assert delivery.shown == []
    assert len([message for message in await never.read(group) if message.from_bot]) == 1


async def test_my_rack_is_an_alert_too_when_the_private_message_fails(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", started=True)
    group = await telegram.group("Club", ada)
    shown = await _table_shown(chat, group, ada)
    router.answers["rack.t1.0"] = Answer(private=rack(5), brief="🔴1 🔷2 – your turn")
    await telegram.fail("400", chat=ada.id, description="Bad Request: something new")
    said = await ada.press(shown, "rack.t1.0")
    assert (said.text, said.alert) == ("🔴1 🔷2 – your turn", True)


async def test_joining_opens_the_private_chat_by_a_link_that_takes_the_seat(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    shown = await _table_shown(chat, group, ada)
    router.answers["rack.t1.0"] = Answer(open_private="Token_of-Ada")
    said = await ada.press(shown, "rack.t1.0")
    assert said.url == f"https://t.me/{BOT_NAME}?start=Token_of-Ada"
    await ada.follow(said.url)
    await until(lambda: bool(router.typed))
    assert (router.typed[0].verb, router.typed[0].argument) == ("start", "Token_of-Ada")
    assert router.typed[0].place is None


async def test_a_press_in_a_topic_names_it_and_general_has_no_name(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada, topics=("Games",))
    await ada.press(await _table_shown(chat, group, ada, "Games"), "rack.t1.0")
    await chat.show_table(f"tg:{group.id}", table(text=("In General",)), None, anew=False)
    general = await ada.sees(lambda shown: shown.words == "In General", group)
    await ada.press(general, "rack.t1.0")
    assert general.topic is None
    assert [press.place for press in router.pressed] == [
        f"tg:{group.id}/{group.topics['Games']}",
        f"tg:{group.id}",
    ]


async def test_an_old_button_reaches_the_desk_too(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", started=True)
    shown = await _rack_shown(chat, ada)
    await chat.show_rack(
        f"tg:{ada.id}", rack(2, rows=buttons("discard.t1.1")), f"{ada.id}:{shown.id}:p", notify=False
    )
    router.answers["draw.t1.0"] = Answer(notice=("That button has expired.",), urgent=True)
    assert (await ada.press_old(shown, "draw.t1.0")).text == "That button has expired."


async def test_an_answer_that_comes_too_late_is_no_error(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, caplog: pytest.LogCaptureFixture
) -> None:
    ada = await telegram.person("Ada", started=True)
    shown = await _rack_shown(chat, ada)
    too_old = "Bad Request: query is too old and response timeout expired or query ID is invalid"
    await telegram.fail("400", method="answerCallbackQuery", description=too_old)
    press = await ada.press_only(shown, "draw.t1.0")
    await telegram.ask("deliver_again", callback_id=press)
    await ada.answered(press)
    assert "unexpected" not in caplog.text


async def test_an_old_screen_never_replaces_a_newer_one(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada", started=True)
    shown = await _rack_shown(chat, ada)
    reference = f"{ada.id}:{shown.id}:p"
    await chat.show_rack(f"tg:{ada.id}", rack(7, text=("Newest",)), reference, notify=False)
    router.answers["draw.t1.0"] = Answer(private=rack(6, text=("Older",)), notice=("Done.",))
    assert (await ada.press(shown, "draw.t1.0")).text == "Done."
    await chat.show_rack(f"tg:{ada.id}", rack(6, text=("Older",)), reference, notify=False)
    assert [message.words for message in await ada.read() if message.from_bot] == ["Newest"]
    assert delivery.shown == []


async def test_an_edit_that_is_on_its_way_is_not_overtaken(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", started=True)
    reference = f"{ada.id}:{(await _rack_shown(chat, ada)).id}:p"
    await telegram.fail("slow", method="editMessageMedia", seconds=0.3)
    edits = [
        chat.show_rack(f"tg:{ada.id}", rack(version, text=(f"Stamp {version}",)), reference, notify=False)
        for version in (2, 3)
    ]
    await asyncio.gather(*edits)
    assert [message.words for message in await ada.read() if message.from_bot] == ["Stamp 3"]


async def test_a_screen_that_came_while_the_same_one_waited_is_not_sent_again(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    """The news of a turn, and the answer to an old button at that moment. A later one may repair what another
    process has shown meanwhile."""
    ada = await telegram.person("Ada", started=True)
    key, reference = f"tg:{ada.id}", f"{ada.id}:{(await _rack_shown(chat, ada)).id}:p"
    await telegram.fail("slow", method="editMessageMedia", seconds=0.3)
    news = [chat.show_rack(key, rack(2, text=("News",)), reference, notify=False) for _ in range(2)]
    assert [shown.partition(" ")[0] for shown in await asyncio.gather(*news)] == [reference, reference]
    assert len(await telegram.calls("editMessageMedia")) == 1
    await chat.show_rack(key, rack(2, text=("News",)), reference, notify=False)
    assert len(await telegram.calls("editMessageMedia")) == 2


async def test_the_answer_waits_its_turn_when_the_budget_is_spent(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada", started=True)
    shown = await _rack_shown(chat, ada)
    await delivery.use_up(chat.limits.private(f"tg:{ada.id}")[:1])
    router.answers["draw.t1.0"] = Answer(private=rack(2, text=("Too soon",)), notice=("You drew.",))
    assert (await ada.press(shown, "draw.t1.0")).text == "You drew."
    assert delivery.shown == []


async def test_trouble_on_the_way_is_tried_again_at_once(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", started=True)
    shown = await _rack_shown(chat, ada)
    for kind in ("502", "drop"):
        await telegram.fail(kind, method="answerCallbackQuery")
        router.answers["draw.t1.0"] = Answer(notice=(kind,))
        assert (await ada.press(shown, "draw.t1.0")).text == kind


async def test_a_clock_in_an_alert_counts_the_seconds(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", started=True)
    router.answers["draw.t1.0"] = lambda: Answer(notice=("left: ", Clock(time.time() + 45.2)))
    assert (await ada.press(await _rack_shown(chat, ada), "draw.t1.0")).text == "left: 45 s"


async def test_my_rack_brings_the_one_that_is_there_and_sends_no_second(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery, until: Until
) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    await until(lambda: f"tg:{ada.id}" in delivery.last)  # their /start may come late
    group = await telegram.group("Club", ada)
    seen = await _table_shown(chat, group, ada)
    known = await chat.show_rack(f"tg:{ada.id}", rack(), None, notify=True)
    router.answers["rack.t1.0"] = Answer(private=rack(2, text=("Newer",)), private_message=known)
    for _ in range(2):
        assert (await ada.press(seen, "rack.t1.0")).text == "Your rack is in our private chat."
    (only,) = [message for message in await ada.read() if message.labels]
    assert (known.split(":")[1], only.words) == (str(only.id), "Newer")
    hello = await ada.write(ada.id, "hello")
    await ada.press(seen, "rack.t1.0")
    below = [message for message in await ada.read() if message.labels][-1]
    assert below.id > hello
    assert delivery.shown[-1][2] == f"{ada.id}:{below.id}:p"


async def test_the_tenth_quick_tap_gets_a_word(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    shown = await _rack_shown(chat, ada)
    router.answers["draw.t1.0"] = Answer(private=rack(2, rows=buttons("draw.t1.0")))
    said = [(await ada.press(shown, "draw.t1.0")).text]
    while not said[-1] and len(said) < 60:  # a slow machine leaves the limit room
        said.append((await ada.press(shown, "draw.t1.0")).text)
    assert said[-1] == "Not so fast: your rack follows in a moment."


async def test_a_press_in_a_group_is_answered_before_a_slow_rack(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "AT_ONCE", 0.1)
    ada = await telegram.person("Ada", language="en", started=True)
    group = await telegram.group("Club", ada)
    seen = await _table_shown(chat, group, ada)
    await telegram.fail("slow", method="sendPhoto", chat=ada.id, seconds=3.0)
    router.answers["rack.t1.0"] = Answer(private=rack())
    await ada.press(seen, "rack.t1.0")
    assert not [message for message in await ada.read() if message.labels]
    await ada.sees(lambda message: message.words == "Your rack")


async def test_a_rack_is_in_sight_until_something_stands_below_it(
    telegram: Control, chat: TelegramChat, delivery: ScriptedDelivery, until: Until
) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    key = f"tg:{ada.id}"
    await until(lambda: key in delivery.last)  # their /start may come late
    assert not await chat.in_sight(key, f"{ada.id}:1:p")
    first = await chat.show_rack(key, rack(), None, notify=True)
    await chat.show_rack(key, rack(2), first, notify=False)
    assert await chat.in_sight(key, first)
    await ada.write(ada.id, "is anybody there?")
    await until(lambda: delivery.last[key] == "")
    second = await chat.show_rack(key, rack(3), first, notify=True)
    assert (await chat.in_sight(key, first), await chat.in_sight(key, second)) == (False, True)
    await chat.send_direct(key, Page(text=("The rules",)), "rules")
    assert not await chat.in_sight(key, second)


async def test_a_silent_rack_makes_no_sound(telegram: Control, chat: TelegramChat) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    for silent in (False, True):
        await chat.show_rack(f"tg:{ada.id}", rack(), None, notify=True, silent=silent)
    sent = await telegram.calls("sendPhoto")
    assert [bool(call.parameters.get("disable_notification")) for call in sent] == [False, True]


async def test_a_person_without_a_first_name_has_an_empty_name(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    """Deleted accounts have one, and some apps let people have one."""
    ada = await telegram.person("", language="en")
    group = await telegram.group("Club", ada)
    await chat.show_table(f"tg:{group.id}", table(), None, anew=False)
    await ada.press(await ada.sees(lambda shown: shown.words == "The table", group), "rack.t1.0")
    assert [press.by.name for press in router.pressed] == [""]


async def test_a_rack_that_is_as_it_was_costs_no_call_and_says_so(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery, until: Until
) -> None:
    """Telegram refused the edit, and whoever pressed *Refresh* saw nothing at all."""
    ada = await telegram.person("Ada", language="en", started=True)
    message = await chat.show_rack(f"tg:{ada.id}", rack(1), None, notify=True)
    shown = await ada.sees(lambda each: each.words == "Your rack")
    spent = sum(map(len, delivery.spent.values()))
    router.answers["draw.t1.0"] = Answer(private=rack(2), private_message=message)
    assert (await ada.press(shown, "draw.t1.0")).text == "Nothing new yet."
    await until(lambda: [version for *_, version in delivery.shown] == [2])
    assert await telegram.calls("editMessageMedia", "editMessageText") == []
    assert sum(map(len, delivery.spent.values())) == spent
    router.answers["draw.t1.0"] = Answer(private=rack(2), private_message=message, language="de")
    assert (await ada.press(shown, "draw.t1.0")).text == "Noch nichts Neues.", (
        "in the language that she chose"
    )
    changed = rack(3, text=("You drew",))
    router.answers["draw.t1.0"] = Answer(private=changed, private_message=message)
    assert (await ada.press(shown, "draw.t1.0")).text == ""
    await ada.sees(lambda each: each.words == "You drew")


async def test_a_press_that_comes_twice_gets_one_answer(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery, until: Until
) -> None:
    """Else the second would say that its rack follows, and the first says nothing."""
    ada = await telegram.person("Ada", started=True)
    await chat.show_rack(f"tg:{ada.id}", rack(1), None, notify=True)
    shown = await ada.sees(lambda each: each.words == "Your rack")
    router.answers["draw.t1.0"] = Answer(private=rack(2, text=("You drew",)), notice=("You drew.",))
    press = await ada.press_only(shown, "draw.t1.0")
    assert (await ada.answered(press)).text == "You drew."
    await until(lambda: len(delivery.shown) == 1)
    await telegram.ask("deliver_again", callback_id=press)
    await until(lambda: len(router.pressed) == 2)
    await asyncio.sleep(0.2)
    assert len(delivery.shown) == 1
