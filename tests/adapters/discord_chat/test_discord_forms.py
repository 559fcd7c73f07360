"""Forms: a button that asks for text opens one, and what is typed there is its press."""

from collections.abc import AsyncIterator

import pytest

import bot.handlers.router  # noqa: F401  declares the buttons that ask
from adapters.discord_chat.forms import LONGEST_LABEL
from bot.commands import DECLARED_FORMS
from bot.i18n import LANGUAGES, words_for
from bot.markup import Button, Page
from bot.ports import Answer, Press
from tests.adapters.discord_chat.scene import JOIN, Scene, table_screen
from tests.patience import eventually
from tests.servers.discord_api.client import Impossible, Seen, until

WHY = Button(("In your own words…",), "night_why.n1.0.penalty.m1.1")
FORM, UPDATE = 9, 7


@pytest.fixture
async def page(okey: Scene, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Seen]:
    """A page that only Can sees, with a button that asks for a reason."""
    await okey.chat.show_table(okey.place, table_screen(), None, anew=False)
    okey.router.answers[JOIN.press] = Answer(page=Page(text=("Why?",), buttons=((WHY,),)))
    await okey.press(okey.can, await okey.last(okey.can), "Join")
    okey.router.pressed.clear()
    yield await okey.last(okey.can)
    assert await okey.discord.findings() == []
    assert [each.message for each in caplog.records if each.levelname == "ERROR"] == []


async def presses(okey: Scene) -> list[Press]:
    await eventually(lambda: bool(okey.router.pressed))
    return okey.router.pressed


async def test_a_press_opens_a_form_and_what_is_typed_is_the_press(okey: Scene, page: Seen) -> None:
    asked = await okey.discord.press(okey.can, page, "own words")
    form = await okey.discord.form(asked)
    assert (await okey.discord.answered(asked))["type"] == FORM
    assert okey.router.pressed == [], "nothing is done before it is filled in"
    (label,) = form["components"]
    assert (form["title"], label["label"]) == ("💬 In your own words…", "The reason; it is recorded")
    assert (label["component"]["required"], label["component"]["max_length"]) == (True, 200)
    okey.router.answers[WHY.press] = Answer(page=Page(text=("Done: a point less.",), turns=True))

    sent = await okey.discord.fill_in(asked, "looked at another rack")

    assert (await okey.discord.answered(sent))["type"] == UPDATE
    (press,) = await presses(okey)
    assert (press.data, press.typed) == (WHY.press, "looked at another rack")
    assert (press.place, press.within, press.surface) == (None, okey.place, "public")

    async def told() -> bool:
        return (await okey.last(okey.can)).text == "Done: a point less."

    await until(told)


async def test_a_form_may_be_left_and_opened_again(okey: Scene, page: Seen) -> None:
    first = await okey.discord.press(okey.can, page, "own words")
    await okey.discord.form(first)
    with pytest.raises(Impossible):
        await okey.discord.fill_in(first, "")
    second = await okey.discord.press(okey.can, page, "own words")
    await okey.discord.form(second)
    sent = await okey.discord.fill_in(second, "late")
    await okey.discord.answered(sent)
    assert [press.typed for press in await presses(okey)] == ["late"]


async def test_a_form_speaks_the_presser_s_language(okey: Scene, page: Seen) -> None:
    ece = await okey.discord.user("Ece", guild=okey.guild, locale="tr")
    okey.router.answers[JOIN.press] = Answer(page=Page(text=("Neden?",), buttons=((WHY,),)))
    (table,) = [seen for seen in await okey.discord.sees(ece, okey.channel) if not seen.ephemeral]
    await okey.press(ece, table, "Join")
    asked = await okey.discord.press(ece, await okey.last(ece), "own words")
    form = await okey.discord.form(asked)
    assert form["title"] == "💬 Kendi sözlerinle…"


def test_every_form_fits_in_every_language() -> None:
    assert DECLARED_FORMS
    for verb, asked in DECLARED_FORMS.items():
        for language in LANGUAGES:
            words = words_for(language)
            assert len(words.plain(f"button.{verb}")) <= LONGEST_LABEL
            assert len(words.plain(f"argument.{asked.name}.about")) <= LONGEST_LABEL, (language, asked.name)
