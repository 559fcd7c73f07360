"""What people read: it comes to them alone, its pages turn in place, files are files."""

import asyncio
from types import SimpleNamespace

import pytest

from adapters.telegram_chat import TelegramChat, answers, private_chats
from bot.markup import Attachment, Page, RulesPicture, TileFace
from bot.ports import Answer, RateLimit
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter, table_picture
from tests.adapters.telegram_chat.conftest import Until
from tests.adapters.telegram_chat.scene import buttons, table
from tests.servers.telegram_api.client import PATIENCE, Control, eventually

PAIR = RulesPicture(examples=(("Pair", (TileFace("R1"), TileFace("R1"))),))


def page(number: int, *, turns: bool = True) -> Page:
    """A page with a picture and a way on."""
    return Page(
        text=(f"Step {number}",),
        picture=table_picture(stock=40 - number),
        alt="The table",
        buttons=buttons(f"replay_step.t1.0.1.{number + 1}"),
        turns=turns,
    )


async def test_what_is_asked_in_a_group_is_read_in_private(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    group = await telegram.group("Club", ada)
    router.answers["/okey"] = Answer(page=Page(text=("Pairs win.",), picture=PAIR, alt="Pair: red 1"))
    await ada.write(group, "/okey rules")
    shown = await ada.sees(lambda message: message.words.startswith("Pairs win."))
    assert shown.picture is not None
    assert [message for message in await ada.read(group) if message.from_bot] == []


async def test_pages_turn_in_place(telegram: Control, chat: TelegramChat, router: ScriptedRouter) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    group = await telegram.group("Club", ada)
    await chat.show_table(f"tg:{group.id}", table(rows=buttons("replay.t1.0.1")), None, anew=True)
    router.answers["replay.t1.0.1"] = Answer(page=page(0, turns=False))
    for number in (1, 2):
        router.answers[f"replay_step.t1.0.1.{number}"] = Answer(page=page(number))
    said = await ada.press(await ada.sees(lambda message: bool(message.buttons), group), "replay.t1.0.1")
    assert said.text == "Look in our private chat."
    first = await ada.sees(lambda message: message.words.startswith("Step 0"))
    await ada.press(first, "replay_step.t1.0.1.1")
    second = await ada.sees(lambda message: message.words.startswith("Step 1"))
    await ada.press(second, "replay_step.t1.0.1.2")
    third = await ada.sees(lambda message: message.words.startswith("Step 2"))
    assert first.id == second.id == third.id
    assert len({first.picture, second.picture, third.picture}) == 3


async def test_who_turns_pages_too_fast_gets_the_last_one_after_a_while(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    router.answers["/replay"] = Answer(page=page(0, turns=False))
    for number in range(1, 14):
        router.answers[f"replay_step.t1.0.1.{number}"] = Answer(page=page(number))
    await ada.write(ada.id, "/replay")
    first = await ada.sees(lambda message: message.words.startswith("Step 0"))
    for number in range(1, 14):
        await ada.press_old(first, f"replay_step.t1.0.1.{number}")
    last = await ada.sees(lambda message: message.words.startswith("Step 13"))
    assert (last.id, last.versions < 13) == (first.id, True)


async def test_a_page_that_telegram_takes_only_much_later_is_promised_and_comes(
    telegram: Control,
    chat: TelegramChat,
    router: ScriptedRouter,
    delivery: ScriptedDelivery,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    group = await telegram.group("Club", ada)
    await chat.show_table(f"tg:{group.id}", table(rows=buttons("rules.t1.0")), None, anew=True)
    router.answers["rules.t1.0"] = Answer(page=page(0, turns=False))
    taken, waited, waits, spend = asyncio.Event(), list[float](), [20.0], delivery.spend

    async def refuse_once(limits: tuple[RateLimit, ...]) -> float:
        return waits.pop() if waits else await spend(limits)

    async def wait(seconds: float) -> None:
        waited.append(seconds)
        await taken.wait()

    monkeypatch.setattr(answers, "AT_ONCE", 0.1)
    monkeypatch.setattr(delivery, "spend", refuse_once)
    monkeypatch.setattr(private_chats, "asyncio", SimpleNamespace(sleep=wait))
    said = await ada.press(await ada.sees(lambda message: bool(message.buttons), group), "rules.t1.0")
    assert said.text.startswith("It’s on its way to our private chat.")
    taken.set()
    await ada.sees(lambda message: message.words.startswith("Step 0"))
    assert waited == [20.0]


async def test_a_first_page_does_not_take_the_place_of_what_it_was_asked_from(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", language="en", started=True)
    router.answers["/help"] = Answer(page=Page(text=("Help",), buttons=buttons("rules.t1.0")))
    router.answers["rules.t1.0"] = Answer(page=page(0, turns=False))
    await ada.write(ada.id, "/help")
    asked = await ada.sees(lambda message: message.words == "Help")
    await ada.press(asked, "rules.t1.0")
    assert (await ada.sees(lambda message: message.words.startswith("Step 0"))).id != asked.id
    assert any(message.words == "Help" for message in await ada.read())


async def test_what_is_too_long_for_a_caption_comes_under_the_picture(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", started=True)
    long = "rule " * 400
    router.answers["/rules"] = Answer(page=Page(text=(long,), picture=PAIR, alt="Pair: red 1"))
    await ada.write(ada.id, "/rules")
    await ada.sees(lambda message: message.words == long.strip())
    picture, words = [message for message in await ada.read() if message.from_bot]
    assert (picture.picture is not None, picture.words) == (True, "")
    assert words.picture is None


async def test_what_is_too_long_for_a_caption_takes_the_place_of_the_page_before(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada", started=True)
    router.answers["/replay"] = Answer(page=page(0))
    long = Page(text=("rule " * 400,), picture=PAIR, alt="Pair: red 1", turns=True)
    router.answers["replay_step.t1.0.1.1"] = Answer(page=long)
    await ada.write(ada.id, "/replay")
    before = await ada.sees(lambda message: message.words.startswith("Step 0"))
    await ada.press(before, "replay_step.t1.0.1.1")
    await ada.sees(lambda message: message.words.startswith("rule"))

    async def is_gone() -> bool | None:
        return before.id not in [message.id for message in await ada.read()] or None

    await eventually(is_gone, PATIENCE, "the page before is still there")


async def test_a_file_comes_as_it_is(telegram: Control, chat: TelegramChat, router: ScriptedRouter) -> None:
    ada = await telegram.person("Ada", started=True)
    file = Attachment("okey-abc.json", b'{"format": "okey-record/1"}\n')
    router.answers["/record"] = Answer(page=Page(text=("One round.",), file=file))
    await ada.write(ada.id, "/record")
    shown = await ada.sees(lambda message: message.words == "One round.")
    assert await telegram.document(shown) == (file.name, file.content)


async def test_who_cannot_be_written_to_is_told_so_alone(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    ada = await telegram.person("Ada", language="en")
    group = await telegram.group("Club", ada)
    await chat.show_table(f"tg:{group.id}", table(rows=buttons("replay.t1.0.1")), None, anew=True)
    router.answers["replay.t1.0.1"] = Answer(page=page(0, turns=False))
    said = await ada.press(await ada.sees(lambda message: bool(message.buttons), group), "replay.t1.0.1")
    assert said.alert
    assert said.text.startswith("I can’t write to you yet.")
