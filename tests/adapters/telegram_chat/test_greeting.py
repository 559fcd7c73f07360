"""What Telegram tells of a new group, and messages that speak to the bot."""

from adapters.telegram_chat import TelegramChat
from bot.markup import Button, Page
from bot.ports import Answer
from tests.adapters.scripted import ScriptedRouter
from tests.adapters.telegram_chat.conftest import Until
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import Control, eventually


async def test_a_group_is_greeted_when_the_bot_is_added_and_at_no_other_change(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    await telegram.ask("remove_bot", chat_id=group.id)
    await telegram.ask("add_bot", chat_id=group.id)
    await until(lambda: len(router.greeted) == 1)
    await telegram.ask("promote_bot", chat_id=group.id)
    await telegram.ask("demote_bot", chat_id=group.id)
    ada = await telegram.person("Ada", started=True)
    await ada.write(ada.id, "/help")
    await until(lambda: bool(router.typed))
    ((place, language),) = router.greeted
    assert place == f"tg:{group.id}"
    assert isinstance(language, str)


async def test_a_group_is_called_by_its_title(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter, until: Until
) -> None:
    """Who sits at table 1 of two groups was asked to choose between two that had one name."""
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada, topics=("Okey",))
    await ada.write(group, "/help")
    await until(lambda: len(router.typed) == 1)
    places = (f"tg:{group.id}", f"tg:{group.id}/{group.topics['Okey']}", f"tg:{ada.id}", "tg:-100404")
    assert [chat.places.name(place) for place in places] == ["Club", "Club", "", ""]


async def test_a_mention_is_answered_in_the_group_with_buttons(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    hello = Page(text=("Okey is here!",), buttons=((Button(("Open",), "open_table.me.0"),),))
    router.answers["/mention"] = Answer(page=hello)
    assert chat.links.home is not None
    name = chat.links.home.url.rpartition("/")[2]
    await ada.write(group, f"@{name} what is this?")
    shown = await ada.sees(lambda each: each.words == "Okey is here!", group)
    assert shown.labels == ("Open",)
    assert [typed.verb for typed in router.typed] == ["mention"]


async def test_a_stranger_s_second_command_is_answered_too(
    telegram: Control, chat: TelegramChat, router: ScriptedRouter
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    router.answers["/help"] = Answer(notice=("It goes on there.",), open_private="token-1")
    for number in (1, 2):
        await ada.write(group, "/help")

        async def answered(number: int = number) -> bool | None:
            said = [each for each in await ada.read(group) if each.words == "It goes on there."]
            return len(said) == number or None

        await eventually(answered, PATIENCE, "the command was not answered")
