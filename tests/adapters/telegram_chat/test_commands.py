"""TypedCommand commands: what reaches the router, and where its answer is read."""

import time

import pytest

from adapters.telegram_chat import TelegramChat
from adapters.telegram_chat.limits import answer_limits
from adapters.telegram_chat.rendering import command_menus
from bot.i18n import words_for
from bot.markup import Button, Page
from bot.ports import Answer, StoreUnavailable
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.adapters.telegram_chat.conftest import Until
from tests.adapters.telegram_chat.scene import rack
from tests.servers.telegram_api.client import BOT_NAME, Control


@pytest.mark.parametrize(
    ("text", "verb", "argument"),
    [
        ("/okey", "play", ""),
        ("/okey 4 hızlı", "okey", "4 hızlı"),
        ("/OKEY@Okey_Bot turkish-rummy", "okey", "turkish-rummy"),
        ("/katil KM7-4RT", "join", "KM7-4RT"),
        ("/okey invite", "okey", "invite"),
        ("/davet", "invite", ""),
        ("/davet_iptal", "uninvite", ""),
        (f"/bagla@{BOT_NAME}", "link", ""),
        (f"/ayir@{BOT_NAME}", "unlink", ""),
        (f"/unut@{BOT_NAME} evet", "forget", "evet"),
        ("/istaka", "rack", ""),
        ("/rack", "rack", ""),
        ("/yardim", "help", ""),
        (f"/kurallar@{BOT_NAME}", "rules", ""),
        (f"/help@{BOT_NAME}", "help", ""),
        ("/word  two\nlines ", "word", "two\nlines"),
    ],
)
async def test_a_command_in_a_group_is_a_verb_and_its_argument(
    telegram: Control,
    chat: TelegramChat,
    router: ScriptedRouter,
    until: Until,
    text: str,
    verb: str,
    argument: str,
) -> None:
    ada = await telegram.person("Ada", language="tr")
    group = await telegram.group("Club", ada)
    await ada.write(group, text)
    await until(lambda: bool(router.typed))
    (typed,) = router.typed
    assert (typed.verb, typed.argument) == (verb, argument)
    assert (typed.place, typed.by.key, typed.by.language) == (f"tg:{group.id}", f"tg:{ada.id}", "tr")


async def test_a_bot_that_hears_everything_answers_only_to_its_own_commands(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    await telegram.ask("promote_bot", chat_id=group.id)
    for text in ("/weather", "/help@other_bot", "okey", "/okeyed", "hello /rack", "/play a song", "/okey"):
        await ada.write(group, text)
    await until(lambda: bool(router.typed))
    assert [typed.verb for typed in router.typed] == ["play"]
    assert router.typed[0].argument == ""


async def test_whatever_the_menus_offer_is_answered_in_a_group_as_it_is_tapped(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada", language="tr")
    group = await telegram.group("Club", ada)
    menus = command_menus(words_for("tr"), app=True)
    tapped = list(dict.fromkeys(command.command for _, menu in menus for command in menu))
    for command in tapped:
        await ada.write(group, f"/{command}")
    await until(lambda: len(router.typed) == len(tapped))


async def test_who_hides_behind_the_group_is_told_so_and_holds_no_rack(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    router.answers["/anonymous"] = Answer(notice=("Write under your own name.",))
    await ada.write(group, "/okey", as_group=True)
    await ada.sees(lambda shown: shown.words == "Write under your own name.", group)
    (typed,) = router.typed
    assert (typed.verb, typed.by.key, typed.place) == ("anonymous", f"tg:{group.id}", f"tg:{group.id}")


async def test_in_private_an_unknown_command_is_the_desks_to_answer(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada")
    router.answers["/fly"] = Answer(notice=("I don't know “fly”.",), urgent=True)
    await ada.write(ada.id, "/fly away")
    await ada.sees(lambda shown: shown.words == "I don't know “fly”.")
    assert (router.typed[0].place, router.typed[0].argument) == (None, "away")


async def test_a_command_in_a_topic_names_the_topic(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada, topics=("Games",))
    await ada.write(group, "/okey", topic=group.topics["Games"])
    await ada.write(group, "/okey", topic=group.topics["General"])
    await until(lambda: len(router.typed) == 2)
    assert {typed.place for typed in router.typed} == {
        f"tg:{group.id}/{group.topics['Games']}",
        f"tg:{group.id}",
    }


async def test_what_is_for_them_alone_comes_in_private(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery, until: Until
) -> None:
    ada = await telegram.person("Ada", started=True)
    group = await telegram.group("Club", ada)
    router.answers["/rack"] = Answer(private=rack(3), notice=("Here it is.",))
    await ada.write(group, "/rack")
    shown = await ada.sees(lambda message: message.words == "Your rack")
    await until(lambda: bool(delivery.shown))
    assert delivery.shown == [(f"tg:{ada.id}", "t1", f"{ada.id}:{shown.id}:p", 3)]
    assert [message.words for message in await ada.read() if message.from_bot] == ["Here it is.", "Your rack"]
    assert [message for message in await ada.read(group) if message.from_bot] == []


async def test_a_rack_that_is_asked_for_in_the_group_is_a_new_message(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery, until: Until
) -> None:
    """An edit of the last one notifies nobody: in the group it would look as if nothing had happened."""
    ada = await telegram.person("Ada", started=True)
    group = await telegram.group("Club", ada)
    await until(lambda: f"tg:{ada.id}" in delivery.last)  # their /start may come late
    known = await chat.show_rack(f"tg:{ada.id}", rack(3), None, notify=True)
    router.answers["/rack"] = Answer(private=rack(3), private_message=known)
    await ada.write(group, "/rack")
    await until(lambda: bool(delivery.shown))
    ((_, _, shown, _),) = delivery.shown
    assert shown != known
    assert (await ada.read())[-1].id == int(shown.split(":")[1])


async def test_a_rack_comes_below_what_there_is_to_read(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery, until: Until
) -> None:
    ada = await telegram.person("Ada", started=True)
    router.answers["/rack"] = Answer(private=rack(3), page=Page(text=("The guide",)))
    await ada.write(ada.id, "/rack")
    await until(lambda: bool(delivery.shown))
    assert [each.words for each in await ada.read() if each.from_bot][-2:] == ["The guide", "Your rack"]


async def test_where_private_is_closed_the_group_is_told_how_to_open_it_and_no_more(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("<b>Ada", language="en")
    group = await telegram.group("Club", ada, topics=("Games",))
    router.answers["/rack"] = Answer(private=rack(3), notice=("Here it is.",))
    await ada.write(group, "/rack", topic=group.topics["Games"])
    told = await ada.sees(lambda shown: "I can’t write to you" in shown.words, group)
    assert "\u2068<b>Ada\u2069" in told.words
    assert told.topic == group.topics["Games"]
    assert told.picture is None
    assert told.words.endswith("press Start: your rack comes there.")
    assert told.raw["reply_markup"]["inline_keyboard"][0][0]["url"] == f"https://t.me/{BOT_NAME}?start=t1"
    assert delivery.shown == []


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        (Answer(page=Page(text=("The rules",))), "press Start, then type it again."),
        (Answer(notice=("The store is away.",), code="store_away"), "press Start, then type it again."),
        (Answer(notice=("You have left.",)), "press Start."),
    ],
)
async def test_there_they_are_told_to_type_again_what_is_not_done_yet(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, answer: Answer, ending: str
) -> None:
    ada = await telegram.person("Ada", language="en")
    group = await telegram.group("Club", ada)
    router.answers["/rules"] = answer
    await ada.write(group, "/rules")
    told = await ada.sees(lambda shown: "I can’t write to you" in shown.words, group)
    assert told.words.endswith(ending)
    assert ("that’s done" in told.words) is (ending == "press Start.")
    assert told.raw["reply_markup"]["inline_keyboard"][0][0]["url"] == f"https://t.me/{BOT_NAME}"


async def test_a_link_that_opens_the_private_chat_stands_on_a_button(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    router.answers["/join"] = Answer(notice=("Press Start there.",), open_private="abc")
    await ada.write(group, "/katil XYZ")
    told = await ada.sees(lambda shown: shown.words == "Press Start there.", group)
    await ada.follow(told.raw["reply_markup"]["inline_keyboard"][0][0]["url"])
    await until(lambda: len(router.typed) == 2)
    assert (router.typed[1].verb, router.typed[1].argument) == ("start", "abc")


async def test_below_such_a_link_stand_the_buttons_of_the_answer(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    page = Page(text=("Open another table.",), buttons=((Button(("Another",), "another.t1.0"),),))
    router.answers["/join"] = Answer(page=page, open_private="abc")
    await ada.write(group, "/katil XYZ")
    told = await ada.sees(lambda shown: shown.words == "Open another table.", group)
    (link,), (another,) = told.raw["reply_markup"]["inline_keyboard"]
    assert link["url"].endswith("?start=abc")
    assert another["callback_data"] == "another.t1.0"
    assert [shown for shown in await ada.read() if shown.from_bot] == []


async def test_a_spent_budget_of_the_group_is_respected(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery, until: Until
) -> None:
    ada, can = await telegram.person("Ada"), await telegram.person("Can", started=True)
    group = await telegram.group("Club", ada, can)
    router.answers["/help"] = Answer(notice=("Help.",))
    await delivery.use_up(chat.limits.public(f"tg:{group.id}"))
    await ada.write(group, "/help")
    await until(lambda: bool(router.typed))
    await can.write(group, "/help")
    await can.sees(lambda shown: shown.words == "Help.")
    assert [shown for shown in await ada.read(group) if shown.from_bot] == []


async def test_who_can_be_answered_only_in_a_busy_group_is_answered_when_its_pace_allows(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    router.answers["/help"] = Answer(notice=("Help.",))
    pace = min(chat.limits.public(f"tg:{group.id}")[:-1], key=lambda limit: limit.seconds)
    delivery.spent[pace] = [time.monotonic() - pace.seconds / 2] * pace.calls
    await ada.write(group, "/help")
    await ada.sees(lambda shown: "Ada" in shown.words, group)


async def test_a_forwarded_command_is_nobodys(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    await ada.write(group, "/okey", forwarded=True)
    await ada.write(ada.id, "/okey", forwarded=True)
    await ada.write(group, "/okey 2")
    await until(lambda: bool(router.typed))
    assert [typed.argument for typed in router.typed] == ["2"]


async def test_what_is_no_command_gets_a_word_in_private_alone(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    await telegram.ask("promote_bot", chat_id=group.id)
    router.answers["/talk"] = Answer(notice=("Hello yourself.",))
    await ada.write(group, "hello")
    await ada.write(ada.id, "hello")
    await ada.sees(lambda shown: shown.words == "Hello yourself.")
    assert [(typed.place, typed.argument) for typed in router.typed] == [(None, "hello")]


async def test_a_notice_stands_above_the_page_in_one_message(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", started=True)
    group = await telegram.group("Club", ada)
    router.answers["/help"] = Answer(notice=("It is open.",), page=Page(text=("How to play.",)))
    await ada.write(group, "/help")
    await ada.sees(lambda shown: "How to play." in shown.words)
    told = [shown.words for shown in await ada.read() if "open" in shown.words or "play" in shown.words]
    assert told == ["It is open.\n\nHow to play."]


async def test_what_went_wrong_is_told_where_it_was_typed(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    for started in (True, False):
        ada = await telegram.person("Ada", started=started)
        group = await telegram.group("Club", ada, topics=("Games",))
        router.answers["/okey"] = Answer(notice=("No game of that name.",), code="unknown_preset")
        await ada.write(group, "/okey banana", topic=group.topics["Games"])
        told = await ada.sees(lambda shown: shown.words == "No game of that name.", group)
        assert told.topic == group.topics["Games"]
        if started:
            assert [message for message in await ada.read() if message.from_bot] == []


async def test_who_cannot_be_written_to_is_told_so_once_in_a_group(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada, can = await telegram.person("Ada"), await telegram.person("Can")
    group = await telegram.group("Club", ada, can)
    router.answers["/help"] = Answer(notice=("Help.",))
    for _ in range(2):
        await ada.write(group, "/help")
        await ada.sees(lambda shown: "Ada" in shown.words, group)
    await can.write(group, "/help")
    await ada.sees(lambda shown: "Can" in shown.words, group)
    told = [shown.words for shown in await ada.read(group) if shown.from_bot]
    assert ["Ada" in words for words in told] == [True, False]


async def test_who_has_just_opened_their_chat_is_answered_there_at_once(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    router.answers["/help"] = Answer(notice=("Help.",))
    await ada.write(group, "/help")
    await ada.sees(lambda shown: "Ada" in shown.words, group)
    await ada.write(ada.id, "/start")
    await ada.write(group, "/help")
    await ada.sees(lambda shown: shown.words == "Help.")


async def test_answers_in_a_group_leave_most_of_its_budget_to_its_tables(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada", started=True)
    group = await telegram.group("Club", ada)
    router.answers["/okey"] = Answer(notice=("No game of that name.",), code="unknown_preset")
    everything = chat.limits.public(f"tg:{group.id}")
    whole = next(each for each in everything if each.seconds == 60)
    (part,) = {*answer_limits(f"tg:{group.id}")} - {*everything}
    assert part.calls / part.seconds < whole.calls / whole.seconds / 2
    await delivery.use_up((part,))
    await ada.write(group, "/okey banana")
    await ada.sees(lambda shown: shown.words == "No game of that name.")
    assert [shown for shown in await ada.read(group) if shown.from_bot] == []
    assert await delivery.spend(everything) == 0


async def test_what_went_wrong_is_told_in_private_while_the_group_has_no_budget(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, delivery: ScriptedDelivery
) -> None:
    ada = await telegram.person("Ada", started=True)
    group = await telegram.group("Club", ada)
    router.answers["/okey"] = Answer(notice=("No game of that name.",), code="unknown_preset")
    await delivery.use_up(chat.limits.public(f"tg:{group.id}"))
    await ada.write(group, "/okey banana")
    await ada.sees(lambda shown: shown.words == "No game of that name.")
    assert [shown for shown in await ada.read(group) if shown.from_bot] == []


async def test_who_was_told_before_that_they_are_too_fast_is_told_nothing_more(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada", started=True)
    group = await telegram.group("Club", ada)
    router.answers["/help"] = Answer(code="too_fast")
    for where in (group, ada.id):
        await ada.write(where, "/help")
    await until(lambda: [typed.verb for typed in router.typed].count("help") == 2)
    router.answers["/help"] = Answer(notice=("Help.",))
    await ada.write(group, "/help")
    await ada.sees(lambda shown: shown.words == "Help.")
    assert len([shown for shown in (*await ada.read(group), *await ada.read()) if shown.from_bot]) == 1


async def test_a_command_that_is_delivered_twice_is_answered_once(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    """As when the process that answered it was killed before it had confirmed the update."""
    ada = await telegram.person("Ada", started=True)
    router.answers["/help"] = Answer(notice=("Help.",))
    router.answers["/rules"] = Answer(notice=("Rules.",))
    sender = {"id": ada.id, "is_bot": False, "first_name": "Ada"}
    written = {"message_id": 4711, "date": int(time.time()), "text": "/help", "from": sender}
    update = {"message": written | {"chat": {"id": ada.id, "type": "private", "first_name": "Ada"}}}
    await telegram.ask("tell_anything", updates=[update])
    await ada.sees(lambda shown: shown.words == "Help.")
    await telegram.ask("tell_anything", updates=[update])
    await until(lambda: [typed.verb for typed in router.typed].count("help") == 2)
    await ada.write(ada.id, "/rules")
    await ada.sees(lambda shown: shown.words == "Rules.")
    assert [shown.words for shown in await ada.read() if shown.from_bot].count("Help.") == 1


async def test_a_store_that_goes_away_during_an_answer_is_no_error_of_the_program(
    telegram: Control,
    chat: TelegramChat,
    router: ScriptedRouter,
    delivery: ScriptedDelivery,
    until: Until,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    ada = await telegram.person("Ada", started=True)
    group = await telegram.group("Club", ada, kind="group")
    tried = 0

    async def away(*_: object) -> float:
        nonlocal tried
        tried += 1
        raise StoreUnavailable("ConnectionError")

    monkeypatch.setattr(delivery, "spend", away)
    monkeypatch.setattr(delivery, "note_move", away)
    router.answers["/rack"] = Answer(private=rack())
    await ada.write(ada.id, "/rack")
    await telegram.migrate(group)
    await until(lambda: tried >= 2)
    assert "unexpected" not in caplog.text
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_command_of_long_ago_is_not_obeyed(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    """A bot that was away for hours hears everything at once."""
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)

    def wrote(text: str, chat_id: int, minutes: float) -> dict[str, object]:
        sender = {"id": ada.id, "is_bot": False, "first_name": "Ada"}
        where = {"id": chat_id, "type": "private" if chat_id == ada.id else "supergroup"}
        at = int(time.time() - 60 * minutes)
        return {"message": {"message_id": 1, "date": at, "text": text, "from": sender, "chat": where}}

    old, new = wrote("/okey", group.id, 11), wrote("/okey join", group.id, 9)
    await telegram.ask("tell_anything", updates=[old, wrote("/rack", ada.id, 360), new])
    await telegram.ask("tell_anything", updates=[wrote("/start", ada.id, 360)])
    await until(lambda: len(router.typed) == 2)
    assert [typed.argument or typed.verb for typed in router.typed] == ["join", "start"]


async def test_a_hosts_first_lobby_is_the_only_message_of_the_group(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    router.answers["/play"] = Answer(notice=("The table is open.",), open_private="abc")
    router.answers["/okey"] = Answer(notice=("The table is open.",), open_private="abc")
    router.answers["/join"] = Answer(notice=("Press Start there.",), open_private="abc")
    await ada.write(group, "/okey")
    await ada.write(group, "/okey okey101")
    await ada.write(group, "/katil")
    await ada.sees(lambda shown: shown.words == "Press Start there.", group)
    assert len([each for each in await ada.read(group) if each.from_bot]) == 1


async def test_a_refusal_in_a_group_has_the_buttons_of_its_way_out(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    page = Page(text=(), buttons=((Button(("Cancel",), "cancel.t1.0"),),))
    router.answers["/play"] = Answer(notice=("Table 1 waits.",), code="hosts_lobby", page=page)
    await ada.write(group, "/okey")
    told = await ada.sees(lambda shown: shown.words == "Table 1 waits.", group)
    await ada.press(told, "Cancel")
    assert [press.data for press in router.pressed] == ["cancel.t1.0"]
