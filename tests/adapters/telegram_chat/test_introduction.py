"""The bot's profile in every language: filled in the background, where the operator wrote nothing."""

import asyncio

from adapters.telegram_chat import TelegramChat
from adapters.telegram_chat.introduction import KINDS, fill_profile
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES
from tests.servers.telegram_api.client import Control, eventually

SET = ("setMyDescription", "setMyShortDescription")


async def texts_set(telegram: Control) -> dict[tuple[str, str], str]:
    """What was set, by kind and language."""
    return {
        (kind, call.parameters.get("language_code") or DEFAULT_LANGUAGE): call.parameters[kind]
        for call in await telegram.calls(*SET)
        for kind in KINDS
        if kind in call.parameters
    }


async def filled(telegram: Control, count: int) -> None:
    async def all_are() -> bool | None:
        return len(await telegram.calls(*SET)) >= count or None

    await eventually(all_are, 30, "the profile is not filled")


async def test_every_language_is_filled_once(telegram: Control, chat: TelegramChat) -> None:
    await filled(telegram, len(KINDS) * len(LANGUAGES))
    texts = await texts_set(telegram)
    assert sorted(texts) == sorted((kind, language) for kind in KINDS for language in LANGUAGES)
    assert texts["description", "en"].splitlines()[2] == (
        "Add me to your group and type /okey. To try it alone, type /practice here."
    )
    assert "burada /alistirma yaz" in texts["description", "tr"]
    assert texts["short_description", "de"].endswith("Datenschutz: /datenschutz")
    await fill_profile(chat._bot)
    assert len(await telegram.calls(*SET)) == len(KINDS) * len(LANGUAGES), "nothing has changed"


async def test_what_the_operator_wrote_stays(telegram: Control, chat: TelegramChat) -> None:
    await filled(telegram, len(KINDS) * len(LANGUAGES))
    await chat._bot.set_my_description("Okey at the Kahvehane", language_code="tr")
    await fill_profile(chat._bot)
    assert (await chat._bot.get_my_description(language_code="tr")).description == "Okey at the Kahvehane"


async def test_a_flood_wait_delays_the_profile_alone(telegram: Control, chat: TelegramChat) -> None:
    await filled(telegram, len(KINDS) * len(LANGUAGES))
    before_flood = (await texts_set(telegram))["description", "tr"]
    older = (await texts_set(telegram))["description", "en"]
    await chat._bot.set_my_description(older, language_code="tr")
    await telegram.fail("429", method="setMyDescription")
    before = len(await telegram.calls(*SET))
    await asyncio.wait_for(fill_profile(chat._bot), 30)
    assert len(await telegram.calls(*SET)) == before + 2, "refused once, then set"
    wanted = before_flood
    assert (await chat._bot.get_my_description(language_code="tr")).description == wanted
