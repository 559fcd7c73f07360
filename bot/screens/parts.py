"""Parts that many screens share: tiles, buttons, seats, scores."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Final, Literal

from msgspec.structs import replace

from bot.callback_data import callback_text
from bot.i18n import Value, Words, join, plain
from bot.markup import (
    COLOUR_SIGNS,
    Button,
    Clock,
    CurvePicture,
    Folded,
    Link,
    Moment,
    Name,
    PublicScreen,
    ResultPicture,
    Row,
    StandingsPicture,
    Strong,
    Style,
    TablePicture,
    Text,
    TileFace,
    TileMark,
    Typed,
)
from bot.tables.facts import SeatFacts, TableFacts
from bot.tables.table import Table
from engine.tiles import Tile
from engine.view import PublicView

CAPTION: Final = 1000
"""The most UTF-16 code units of the words under a table's or a rack's picture. A caption takes 1024."""
_SHORTER: Final[tuple[tuple[int, Literal["tiles", "numbers", "nothing"]], ...]] = (
    (16, "tiles"),
    (10, "numbers"),
    (10, "nothing"),
)
"""Ever shorter forms for a text that is too long: the characters of a name, and how melds on the table are
told."""

_COLOUR_SIGN: Final = re.compile(f"[{''.join(COLOUR_SIGNS.values())}]")

OWN = "me"
"""Stands in a press in place of a table: the button is about the person who presses it."""


@cache  # there are only so many tiles
def mark(tile: Tile, okey: Tile) -> TileMark:
    """Return a tile for text and buttons."""
    return TileMark(tile.name, wild=tile is okey)


@cache
def face(tile: Tile, okey: Tile, marked: bool = False) -> TileFace:
    """Return a tile for pictures."""
    return TileFace(tile.name, wild=tile is okey, marked=marked)


def label(words: Words, key: str, **values: Value) -> tuple[str | TileMark, ...]:
    """Return a button's label from a message."""
    return _as_label(words.say(key, **values), words) if values else _constant_label(words, key)


@cache  # there are only so many messages
def _constant_label(words: Words, key: str) -> tuple[str | TileMark, ...]:
    return _as_label(words.say(key), words)


def _as_label(said: Text, words: Words) -> tuple[str | TileMark, ...]:
    return tuple([part if isinstance(part, (str, TileMark)) else plain((part,), words) for part in said])


def press(facts: TableFacts, verb: str, *arguments: str | int) -> str:
    """Return the press of a button on this table's newest screen."""
    return callback_text(verb, facts.id, facts.moment, *arguments)


def button(
    words: Words,
    verb: str,
    about: TableFacts | str,
    *arguments: str | int,
    style: Style = "plain",
    says: str = "",
    step: bool = False,
    **values: Value,
) -> Button:
    """Return a button labelled `button.<says>`, else `button.<verb>`, with values. `about` is a table, whose
    newest screen it belongs to, or the id of a lobby, a league, a night or `OWN`. `step`: see `Button`."""
    target = (about, 0) if isinstance(about, str) else (about.id, about.moment)
    return Button(
        label(words, f"button.{says or verb}", **values),
        callback_text(verb, *target, *arguments),
        style,
        step=step,
    )


def own_button(
    words: Words, verb: str, *arguments: str | int, style: Style = "plain", says: str = ""
) -> Button:
    """Return a button about the person who presses it instead of a table."""
    return button(words, verb, OWN, *arguments, style=style, says=says)


def app_row(table: str, words: Words) -> Row:
    """Return the button that opens a table as an app."""
    return (Button(label(words, "button.app"), callback_text("app", table), app=table),)


def choice(words: str, chosen: bool, press: str) -> Button:
    """Return a button that chooses something. The current choice has a tick."""
    return Button(("✓ " * chosen + words,), press, "good" if chosen else "plain")


def in_rows(buttons: Sequence[Button], width: int = 2) -> tuple[Row, ...]:
    """Return buttons in rows of at most `width`."""
    return tuple(tuple(buttons[at : at + width]) for at in range(0, len(buttons), width))


def table_name(table: Table | TableFacts, words: Words, place: str | None = None) -> str:
    """Return a table's name in a place: `Table 2`, and `Table 2 · round 1 · Thursday league` on a night."""
    night = table.night
    if night is None:
        called = table.number_in(place) if isinstance(table, Table) else table.place.called
        return words.plain("table.called", table=called)
    named = words.plain("table.at_night", number=night.number, round=night.round)
    return f"{named} · {night.league}" if night.league else named


def say_round(facts: TableFacts, words: Words) -> str:
    """Return the current round within a title: `round 2`, or `round 2/5` when their number is fixed."""
    key = "round.of" if "/" in facts.round_told else "round.number"
    return words.plain(key, round=facts.round_told)


def round_title(facts: TableFacts, words: Words) -> str:
    """Return the current round; on a league night, which has rounds of its own, the current deal."""
    return words.plain("table.deal" if facts.night else "table.round", round=facts.round_told)


def seat_name(seat: SeatFacts, words: Words) -> Text:
    """Return a seat's name, with remarks on its player."""
    key = "seat.stand_in" if seat.stand_in else "seat.computer" if seat.computer else "seat.person"
    return (*((f"{seat.face} ",) if seat.face else ()), *words.say(key, who=Name(seat.name)))


def scores(facts: TableFacts, words: Words) -> Text:
    """Return everybody's score on one line; partners have one score, so it also says who plays with whom."""
    return _tell_figures(facts, [seat.score for seat in facts.seats], words)


def tell_changes(facts: TableFacts, changes: Sequence[int], words: Words) -> Text:
    """Return everybody's score on one line, and what a round made of it: `Ada 17 (−3)`."""
    sides = zip(_sides(facts, [seat.score for seat in facts.seats]), _sides(facts, changes), strict=True)
    return join(
        (
            words.say("score_changed", who=Name(who), points=figure(points), change=show_change(change))
            for (who, points), (_, change) in sides
        ),
        " · ",
    )


def _sides(facts: TableFacts, figures: Sequence[int]) -> list[tuple[str, int]]:
    """Return everybody's name with their figure; with teams, each side's."""
    if not facts.rules.teams:
        return [(seat.name, figure) for seat, figure in zip(facts.seats, figures, strict=True)]
    pairs = zip(facts.seats[:2], facts.seats[2:], figures[:2], strict=True)
    return [(f"{one.name} + {other.name}", figure) for one, other, figure in pairs]


def stake_lines(facts: TableFacts, view: PublicView | None, words: Words) -> list[Text]:
    """Return what this round counts more than others, and the chips in the bowl."""
    lines = []
    if view is not None and view.riziko:
        lines.append(words.say("table.riziko"))
    if view is not None and view.factor > 1:
        lines.append(words.say("table.factor", factor=view.factor))
    if facts.standing.chips:
        lines.append(words.say("table.bowl", bowl=facts.standing.bowl, chips=balances(facts, words)))
    return lines


def balances(facts: TableFacts, words: Words) -> Text:
    """Return the chips of everybody, or of the sides."""
    return _tell_figures(facts, facts.standing.chips, words)


def _tell_figures(facts: TableFacts, figures: Sequence[int], words: Words) -> Text:
    """Return everybody's figure, or each side's, on one line."""
    told = [words.say("score", who=Name(who), points=figure(each)) for who, each in _sides(facts, figures)]
    return join(told, " · ")


def figure(points: int) -> str:
    """Points with a true minus."""
    return str(points).replace("-", "−")


def show_change(points: int) -> str:
    """Return a change of points: `+2`, `−2` or `0`."""
    return f"+{points}" if points > 0 else figure(points)


def say_on(platform: str, key: str, words: Words, /, **values: Value) -> Text:
    """Return a message in a platform's own words (`key.tg`) if the catalogue has them, such as `in a
    group`."""
    own = f"{key}.{platform}"
    return words.say(own if words.has(own) else key, **values)


def full_hour(hour: int) -> str:
    """Return a full hour of the day: `09:00`."""
    return f"{hour:02}:00"


def sign(number: float, words: Words) -> str:
    """Return a number with its sign, to one decimal place."""
    rounded = round(number, 1) or 0.0
    return f"+{words.number(rounded)}" if rounded > 0 else words.number(rounded)


def curve_alt(curve: CurvePicture, values: Sequence[str], words: Words) -> str:
    """Return a curve in words."""
    first, last = curve.captions
    return words.plain("alt.curve", title=curve.title, values=", ".join(values), first=first, last=last)[
        :1000
    ]


def shorten(name: str, most: int) -> str:
    """Return a name in at most `most` characters."""
    return name if len(name) <= most else name[: most - 1] + "…"


def in_caption(texts: Iterable[Text]) -> Text:
    """Return the first of ever shorter texts that is short enough for a picture's caption, or else the
    last."""
    text: Text = ()
    for text in texts:
        if length(text) <= CAPTION:
            break
    return text


def ever_shorter(facts: TableFacts) -> Iterator[TableFacts]:
    """Yield the facts, and then as a text that is too long tells them: names are cut first; then melds on the
    table are told by their numbers in the picture; then not at all."""
    yield facts
    for name, board_told in _SHORTER:
        seats = tuple(replace(seat, name=shorten(seat.name, name)) for seat in facts.seats)
        yield replace(facts, seats=seats, news=replace(facts.news, board_told=board_told))


def length(text: Text) -> int:
    """Return the most UTF-16 code units a text can take, with tiles as signs and names isolated."""
    said, names, others, units = [], [], [], 0
    for part in text:
        match part:
            case str():
                said.append(part)
            case TileMark():
                units += 7
            case Name(name):
                names.append(name)
            case Strong(words) | Link(words, _) | Moment(_, words) | Typed(words) | Folded(words):
                others.append(words)
            case Clock():
                units += 12
    own = "".join(said)
    # Readers who want letters get one beside each colour sign.
    units += len(_COLOUR_SIGN.findall(own)) + 2 * len(names)
    return units + code_units("".join([own, *names, *others]))


def open_tiles(view: PublicView, words: Words) -> Text:
    """Indicator, okey and stock on one line."""
    return words.say(
        "table.open_tiles",
        indicator=mark(view.indicator, view.okey),
        okey=TileMark(view.okey.name),
        n=view.stock_left,
    )


def tile_names(tiles: Iterable[Tile | None], okey: Tile, words: Words) -> str:
    """Tiles read aloud, without gaps."""
    return ", ".join([words.tile_name(mark(tile, okey)) for tile in tiles if tile is not None])


def name_sorted_tiles(rack: Iterable[Tile], okey: Tile, words: Words) -> str:
    """Return a rack sorted by colours, read aloud with each colour once: `red 1 2 5, blue 3`. Otherwise four
    racks of Okey 101 and their table would be too long for a picture's description."""
    said = []
    for colour, tiles in groupby(rack, key=lambda tile: "" if tile in (okey, Tile.F) else tile.name[0]):
        if colour:
            numbers = " ".join(tile.name[1:] for tile in tiles)
            said.append(f"{words.plain(f'tile.colour.{colour}')} {numbers}")
        else:
            said.append(tile_names(tiles, okey, words))
    return ", ".join(said)


def tile_row(tiles: Iterable[Tile], okey: Tile) -> Text:
    """Tiles in text, one after the other."""
    return join([(mark(tile, okey),) for tile in tiles], " ")


def public_message(
    facts: TableFacts,
    text: Text,
    buttons: tuple[Row, ...] = (),
    picture: TablePicture | ResultPicture | StandingsPicture | None = None,
    alt: str = "",
) -> PublicScreen:
    """Return a table's message in a place."""
    return PublicScreen(
        table=facts.id,
        version=facts.version,
        text=text,
        picture=picture,
        alt=alt[:1000],
        buttons=buttons,
        over=facts.stage in ("over", "closed"),
    )


def code_units(words: str) -> int:
    """Return the UTF-16 code units of some words, by which chats count: most emojis take two."""
    return len(words) if words.isascii() else len(words.encode("utf-16-le")) // 2
