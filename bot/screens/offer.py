"""Offer: an act that a reader of a table may do now, and the press that carries it out.

A chat shows it as a button, an app in its own way (`Offer.act`). Neither asks again whether it is allowed.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from bot.callback_data import callback_text
from bot.i18n import Value, Words
from bot.live import Act, ActKind, Sure
from bot.markup import Button, Row, Style
from bot.screens.parts import label
from bot.tables.facts import TableFacts
from engine.melds import Meld
from engine.tiles import Tile

SURE: Final = "sure"
"""The last word of a press that has been asked about, or whose button tells the price. Without it, a handler
asks before an act that has a question."""


class Offer(Struct, frozen=True, kw_only=True):
    """An act that is possible now. A rack can be told from it: no log shows it."""

    kind: ActKind
    press: str
    tile: Tile | None = None
    """The tile of the rack that it is about; when a tile is laid off, the face as which it is laid."""
    on: int = -1
    """The seat, meld or number that it is about: see `bot.live.Act.on`."""
    sure: Sure = ""
    """The question before it; empty: none."""
    wild: bool = False
    """Whether an okey is laid off, as `tile`."""
    wins: bool = False
    """Of `finish`: whether it wins the round."""
    meld: Meld | None = None
    """Okey 101: the meld that is laid."""
    style: Style = "plain"
    says: str = ""
    """Its words on a button: `button.<says>`, else `button.<kind>`."""
    values: Mapping[str, Value]
    """The values in these words."""

    def __repr__(self) -> str:
        return f"Offer({self.kind!r})"

    @property
    def asking(self) -> str:
        """The press that asks before it, if there is a question."""
        return self.press.removesuffix(f".{SURE}")

    @property
    def act(self) -> Act:
        """Return what an app is told of it."""
        tile = "" if self.tile is None else self.tile.name
        return Act(self.kind, self.press, tile, self.on, self.sure, self.wild, self.wins)


def make_offer(
    facts: TableFacts,
    kind: ActKind,
    *arguments: str | int,
    verb: str = "",
    moment: int | None = None,
    tile: Tile | None = None,
    on: int = -1,
    sure: Sure = "",
    wild: bool = False,
    wins: bool = False,
    meld: Meld | None = None,
    style: Style = "plain",
    says: str = "",
    values: Mapping[str, Value] = MappingProxyType({}),
) -> Offer:
    """Return the offer of a verb, else of its kind, at a table's moment: the present one, or a turn's number
    for what stays possible as long as the turn."""
    said = (*arguments, SURE) if sure else arguments
    at = facts.moment if moment is None else moment
    return Offer(
        kind=kind,
        press=callback_text(verb or kind, facts.id, at, *said),
        tile=tile,
        on=on,
        sure=sure,
        wild=wild,
        wins=wins,
        meld=meld,
        style="danger" if sure == "fined" else style,
        says=says,
        values=values,
    )


def offers_of(offers: Collection[Offer], *kinds: ActKind) -> list[Offer]:
    """Return the offers of these kinds, kind by kind."""
    return [each for kind in kinds for each in offers if each.kind == kind]


def offer_button(offer: Offer, words: Words) -> Button:
    """Return the button that carries out an offer."""
    if offer.kind == "number":
        return Button((str(offer.on),), offer.press)
    said = label(words, f"button.{offer.says or offer.kind}", **offer.values)
    if offer.sure == "fined":
        said = (*said, words.plain("button.fined"))
    tells_no_price = offer.sure == "declare"
    return Button(said, offer.asking if tells_no_price else offer.press, offer.style)


def offer_row(offers: Collection[Offer], words: Words, *kinds: ActKind) -> Row:
    """Return the buttons of the offers of these kinds, kind by kind."""
    return tuple([offer_button(each, words) for each in offers_of(offers, *kinds)])
