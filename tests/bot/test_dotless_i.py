"""Turkish has two letters i: what is typed with either is understood, and no name loses its own."""

import pytest

from bot.i18n import fold
from bot.store import Store
from tests.bot.house import open_house, said


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("INVITE", "invite"), ("İnvite", "invite"), ("ınvıte", "invite"), ("Ich", "ich"), ("나", "나")],
)
def test_either_i_is_an_i(typed: str, meant: str) -> None:
    assert fold(typed) == meant


@pytest.mark.parametrize("typed", ["History", "HİSTORY", "hıstory"])
async def test_a_command_is_understood_from_a_turkish_keyboard(store: Store, typed: str) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        assert said(await house.type(ada, "okey", typed)) == "No round has been finished yet."
