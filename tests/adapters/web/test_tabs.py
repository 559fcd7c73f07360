"""What the page shows of a table and of a rack that stand on it together."""

from adapters.web.tabs import Tab, Tabs
from bot.markup import Button, PublicScreen, SeatScreen
from bot.ports import Person

RULES, LEAVE, START = (Button((name,), f"{name.lower()}.t1.0") for name in ("Rules", "Leave", "Start"))


def lobby_of(table: str) -> PublicScreen:
    return PublicScreen(
        table=table, revision=1, text=("Lobby",), picture=None, alt="", buttons=((RULES, LEAVE), (START,))
    )


def rack_of(table: str, *buttons: Button) -> SeatScreen:
    return SeatScreen(
        table=table, revision=1, text=("Yours",), picture=None, alt="", brief="", buttons=(buttons,)
    )


class Listening(Tab):
    """A tab that remembers what it was told of racks."""

    heard: str = ""

    def tell(self, told: object, key: str = "") -> None:
        if key.startswith("rack "):
            self.heard = getattr(told, "html", "")


async def test_no_button_stands_twice_beside_a_table() -> None:
    tabs, tab = Tabs(), Listening(Person("web:1", "Ada"))
    tabs.add(tab)
    await tabs.show_table(lobby_of("t1"))
    await tabs.show_rack("web:1", rack_of("t1", RULES, LEAVE, Button(("Own",), "own.t1.0")))
    assert "Own" in tab.heard
    assert "Rules" not in tab.heard
    assert "Leave" not in tab.heard


async def test_a_rack_whose_table_is_not_on_the_page_keeps_its_buttons() -> None:
    tabs, tab = Tabs(), Listening(Person("web:1", "Ada"))
    tabs.add(tab)
    await tabs.show_rack("web:1", rack_of("t1", RULES, LEAVE))
    assert "Rules" in tab.heard
    assert "Leave" in tab.heard
