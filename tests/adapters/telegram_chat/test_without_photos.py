"""Groups in which the bot may send no pictures: the table in words, and the right that is missing."""

from dataclasses import replace

from adapters.telegram_chat import TelegramChat
from bot.markup import Name, PublicScreen
from tests.adapters.telegram_chat.scene import table
from tests.servers.telegram_api.client import Control, Group, Person, Shown

RIGHT = "“Send Photos”"


async def club(telegram: Control) -> tuple[Person, Group]:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    await telegram.ask("let_members_send_photos", chat_id=group.id, may=False)
    return ada, group


def screen(version: int, text: str = "The table") -> PublicScreen:
    return replace(table(version, text=(text,)), alt="The table\nStock: 48 tiles", language="en")


async def seen(ada: Person, group: Group) -> Shown:
    (shown,) = await ada.read(group)
    return shown


async def test_the_table_comes_in_words_with_the_missing_right(telegram: Control, chat: TelegramChat) -> None:
    ada, group = await club(telegram)
    await chat.show_table(f"tg:{group.id}", screen(1), None, anew=False)
    shown = await seen(ada, group)
    assert shown.words.startswith("The table\nStock: 48 tiles\n\n")
    assert shown.words.count("The table") == 1
    assert RIGHT in shown.words
    assert shown.buttons == (("rack.t1.0",),)


async def test_a_line_with_a_name_is_not_told_twice(telegram: Control, chat: TelegramChat) -> None:
    ada, group = await club(telegram)
    told = replace(screen(1), text=(Name("Ada"), " finished"), alt="Ada finished\nAda: 20 (0)")
    await chat.show_table(f"tg:{group.id}", told, None, anew=False)
    words = (await seen(ada, group)).words
    assert words.count("finished") == 1
    assert "Ada: 20 (0)" in words


async def test_the_language_of_the_place_names_the_right(telegram: Control, chat: TelegramChat) -> None:
    ada, group = await club(telegram)
    await chat.show_table(f"tg:{group.id}", replace(screen(1), language="tr"), None, anew=False)
    assert "Fotoğraf gönder" in (await seen(ada, group)).words


async def test_later_screens_are_edits_without_another_try(telegram: Control, chat: TelegramChat) -> None:
    ada, group = await club(telegram)
    message = await chat.show_table(f"tg:{group.id}", screen(1), None, anew=False)
    await chat.show_table(f"tg:{group.id}", screen(2, "Ada drew"), message, anew=False)
    assert (await seen(ada, group)).words.startswith("Ada drew")
    assert len(await telegram.calls("sendPhoto", "editMessageMedia")) == 1


async def test_a_picture_of_before_becomes_words_below_it(telegram: Control, chat: TelegramChat) -> None:
    ada, group = await club(telegram)
    await telegram.ask("let_members_send_photos", chat_id=group.id, may=True)
    message = await chat.show_table(f"tg:{group.id}", screen(1), None, anew=False)
    assert (await seen(ada, group)).picture is not None
    await telegram.ask("let_members_send_photos", chat_id=group.id, may=False)
    await chat.show_table(f"tg:{group.id}", screen(2, "Ada drew"), message, anew=False)
    shown = await seen(ada, group)
    assert (shown.picture, RIGHT in shown.words) == (None, True)


async def test_the_picture_comes_back_with_the_right(telegram: Control, chat: TelegramChat) -> None:
    ada, group = await club(telegram)
    message = await chat.show_table(f"tg:{group.id}", screen(1), None, anew=False)
    await telegram.ask("let_members_send_photos", chat_id=group.id, may=True)
    chat._messages._chats.clear()  # as after ten minutes
    await chat.show_table(f"tg:{group.id}", screen(2, "Ada drew"), message, anew=False)
    shown = await seen(ada, group)
    assert shown.picture is not None
    assert RIGHT not in shown.words
