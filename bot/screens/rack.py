"""Rack: the parts of every player's screen, whatever the game: picture, tiles as buttons, own order."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal

from bot.i18n import Words, join
from bot.live import ActKind
from bot.markup import (
    Button,
    Clock,
    Link,
    Name,
    RackPicture,
    Row,
    Text,
    TileMark,
)
from bot.screens.offer import Offer, make_offer, offer_row, offers_of
from bot.screens.parts import (
    button,
    code_units,
    face,
    label,
    mark,
    own_button,
    press,
    say_round,
    seat_name,
    shorten,
    table_name,
)
from bot.tables.facts import RackFacts, TableFacts
from bot.tables.racks import flat
from engine.games import CLASSIC, game_of
from engine.moves import Draw
from engine.tiles import Tile
from engine.view import PublicView, SeatView

BRIEF: Final = 200
"""The most UTF-16 code units of a brief: as many as an alert takes."""
_NAME: Final = 10
"""The most characters of a name in a brief."""


@dataclass(frozen=True, slots=True)
class Mode:
    """The mode of a player's screen: playing, choosing the tile to finish with, answering the question before
    an act (`sure`), choosing how to order the rack or to leave (`order`), or arranging (with the place of the
    tile that was picked up).

    In Okey 101 also: building a draft; naming the tile that an okey in it stands for; choosing the meld to
    lay off a tile (`lay`) or an okey (`lay_okey`) on; looking through every discard pile (`piles`).
    """

    kind: Literal[
        "play", "finish", "sure", "order", "arrange", "draft", "stand", "lay", "lay_okey", "piles"
    ] = "play"
    picked: int | None = None
    asked: str = field(default="", repr=False)
    """Of `sure`: the press that was asked about."""
    offer: Offer | None = None
    """Of `sure`: what it would carry out, as long as that is possible."""


PLAY: Final = Mode()

_WHERE_MOST: Final = 48
"""The most characters of a place's name."""


def head(facts: RackFacts, words: Words) -> list[Text]:
    """Return the table's name, as a link to it where it has one."""
    if facts.table.practice:
        return [words.say("practice.title")]
    table = facts.table
    if table.round_number and table.night is None:
        name = words.plain("table.name", table=table.place.called, round=say_round(table, words))
    else:
        name = table_name(table, words)
    if facts.where and table.night is None:  # people play on several servers, and each has a table 1
        name = f"{name} · {shorten(facts.where, _WHERE_MOST)}"
    return [(Link(name, facts.link),) if facts.link else (name,)]


def my_turn(facts: RackFacts, view: SeatView) -> bool:
    """Return whether the player is to move."""
    return facts.table.stage == "playing" and view.public.turn == facts.seat


def waiting_line(facts: RackFacts, view: SeatView, words: Words) -> Text:
    """Return the player who is awaited, and until when; or the absent player for whom the computer plays."""
    turn = view.public.turn
    if turn is None:
        return ()
    seat = facts.table.seats[turn]
    if seat.stand_in:
        return words.say("rack.stand_in_plays", who=Name(seat.name))
    line = words.say("rack.waiting", who=seat_name(seat, words))
    return line if seat.computer else line + until(facts, words)


def overdue_lines(facts: RackFacts, words: Words) -> list[Text]:
    """Return the moves that the clock made for the player, shown until they move themselves."""
    own = [each for each in facts.table.news.recent if each.seat == facts.seat and each.kind != "fined"]
    while own and own[-1].kind in ("replaced", "returned"):
        own.pop()
    tile = own[-2].tile if len(own) > 1 and own[-1].kind == "overdue" else None
    if tile is None or facts.view is None:
        return []
    return [words.say("rack.overdue", tile=mark(tile, facts.view.public.okey))]


def open_line(view: SeatView, words: Words) -> Text:
    """Indicator and okey, as the rack's picture shows them. The stock, which it doesn't show, is not told:
    the same picture with other words would be uploaded again."""
    okey = view.public.okey
    return words.say("rack.open_tiles", indicator=mark(view.public.indicator, okey), okey=TileMark(okey.name))


def stock_lines(facts: RackFacts, view: SeatView, words: Words) -> list[Text]:
    """Return the number of tiles left to draw, which the rack's picture does not show."""
    if facts.table.stage != "playing":
        return []
    return [words.say("rack.stock", n=view.public.stock_left)]


def until(facts: RackFacts, words: Words) -> Text:
    """Return the time at which the clock acts, or that it stands still."""
    if facts.table.night is not None and facts.table.night.paused:
        return ("\n", *words.say("table.night_paused"))
    if facts.table.clock.deadline is None:
        return ()
    key = "table.hurry" if facts.table.clock.warned else "table.until"
    return words.say(key, when=Clock(facts.table.clock.deadline))


def rack_picture(
    facts: RackFacts, view: SeatView, words: Words, mode: Mode, pointed: Sequence[Tile]
) -> RackPicture:
    """Return the rack in its player's order. Marked are the tiles in `pointed`, or else the tile picked
    up."""
    okey = view.public.okey
    width = max(CLASSIC.shelf_size, *map(len, facts.shelves))
    shelves = [
        [None if tile is None else face(tile, okey) for tile in shelf] + [None] * (width - len(shelf))
        for shelf in facts.shelves
    ]
    for row, column in _find_marked(facts, mode, pointed):
        tile = facts.shelves[row][column]
        shelves[row][column] = None if tile is None else face(tile, okey, marked=True)
    return RackPicture(
        shelves=tuple(map(tuple, shelves)),
        indicator=face(view.public.indicator, okey),
        okey=face(okey, okey),
        captions=(words.plain("word.indicator"), words.plain("word.okey")),
    )


def _find_marked(facts: RackFacts, mode: Mode, pointed: Sequence[Tile]) -> Iterator[tuple[int, int]]:
    """Yield the shelves and places of the tiles to be marked: of twins the last one on the rack."""
    if mode.picked is not None:
        row, column = divmod(mode.picked, game_of(facts.table.rules).shelf_size)
        if row < len(facts.shelves) and column < len(facts.shelves[row]):
            yield row, column
        return
    places = ((row, column) for row, shelf in enumerate(facts.shelves) for column in range(len(shelf)))
    left = list(pointed)
    for row, column in reversed(tuple(places) if left else ()):
        if (tile := facts.shelves[row][column]) in left:
            left.remove(tile)
            yield row, column


@cache  # there are only so many tiles
def short(tile: Tile, okey: Tile) -> str:
    """Return a tile in a few characters: `🔴4`; an okey as `👑🔴4`."""
    return mark(tile, okey).signs


def brief(facts: RackFacts, view: SeatView, words: Words, tiles: str) -> str:
    """Return a rack in one alert. While a discard is due, it ends with the meaning of the numbered
    buttons."""
    due = my_turn(facts, view) and view.public.phase == "discard"
    task = f"\n{words.plain('rack.numbers')}" if due else ""
    return in_alert(tiles, BRIEF - code_units(task)) + task


def in_alert(said: str, most: int = BRIEF) -> str:
    """Return as much of a text, from its beginning, as an alert takes."""
    while said and code_units(said) > most:
        said = said[:-1]
    return said


def short_open(facts: RackFacts, view: SeatView, words: Words) -> str:
    """Return the okey and the tiles that can be taken, for a brief; from several piles, with their owners."""
    okey = view.public.okey
    taken = ""
    if facts.table.rules.discard_sources == "left":
        taken = f" ⬅ {short(view.left_pile[-1], okey)}" if view.left_pile else ""
    elif my_turn(facts, view):
        tops = _tops(facts.table, view.public)
        taken = "".join(f" ⬅ {short(top, okey)} {shorten(name, _NAME)}" for _, name, top in tops)
    return f"{words.plain('word.okey')} {short(okey, okey)}{taken}"


def question(offer: Offer, words: Words) -> Text:
    """Return the question before an act, with its tile."""
    tile = {key: value for key, value in offer.values.items() if key == "tile"}
    return words.say(f"sure.{offer.sure}", **tile)


def draw_task(facts: RackFacts, view: SeatView, words: Words) -> Text:
    """Return the sources from which the player may get their tile."""
    tops = _tops(facts.table, view.public)
    if not tops:
        return words.say("rack.draw")
    owned = facts.table.rules.discard_sources == "any"
    tiles: list[Text] = [
        (mark(top, view.public.okey), *((" (", Name(name), ")") if owned else ())) for _, name, top in tops
    ]
    if Draw() not in facts.legal:
        return words.say("rack.only_take", tiles=join(tiles, ", "))
    if len(tiles) == 1:
        return words.say("rack.draw_or_take", tile=tiles[0])
    return words.say("rack.draw_or_take_one", tiles=join(tiles, ", "))


def discard_task(view: SeatView, words: Words) -> Text:
    """Return the tile that the player got this turn and its source, and that they discard next. Who begins a
    round has a tile more than the others, and does not draw."""
    if not view.public.turns and len(view.rack) == max(view.public.rack_sizes):  # nothing is laid yet
        return words.say("rack.discard_first", tiles=len(view.rack))
    if view.drawn is None or view.drawn not in view.rack:
        return words.say("rack.discard")
    key = "rack.discard_drawn" if view.source is None else "rack.discard_taken"
    return words.say(key, tile=mark(view.drawn, view.public.okey))


def draw_offers(facts: RackFacts, view: SeatView) -> Iterator[Offer]:
    """Yield what may be drawn: from the stock, while there is one, and each discard that may be taken."""
    if Draw() in facts.legal:
        yield make_offer(facts.table, "draw", style="primary")
    if my_turn(facts, view) and view.public.phase == "draw":
        yield from take_offers(facts.table, view.public)


def take_offers(
    facts: TableFacts, view: PublicView, verb: str = "take", moment: int | None = None
) -> Iterator[Offer]:
    """Yield the discards that the player on turn may take; of several, each names its owner."""
    left = facts.rules.discard_sources == "left"
    for seat, name, top in _tops(facts, view):
        yield make_offer(
            facts,
            "take",
            *(() if left else (seat,)),
            verb=verb,
            moment=moment,
            tile=top,
            on=seat,
            says="take_tile" if left else "take_from",
            values={"tile": mark(top, view.okey)} | ({} if left else {"who": name}),
        )


def _tops(facts: TableFacts, view: PublicView) -> list[tuple[int, str, Tile]]:
    """Return the discards that the player on turn may take: seats, their names, tiles."""
    tops = ((seat, view.discard_tops[seat]) for seat in view.sources)
    return [(seat, facts.seats[seat].name, top) for seat, top in tops if top is not None]


def number_offers(facts: TableFacts, most: int) -> Iterator[Offer]:
    """Yield the discard of each position of a rack, from 1, for a player who gets alerts only."""
    for place in range(1, most + 1):
        yield make_offer(facts, "number", place, verb="place", moment=facts.turn_number, on=place)


def more_row(facts: RackFacts, words: Words, *, away: bool = False) -> Row:
    """Return the button to everything that is no move, so that picture and tiles fit a phone together; while
    others play (`away`), also the one to look."""
    refresh = (button(words, "look", facts.table, says="refresh"),) if away else ()
    return (button(words, "order", facts.table), *refresh)


def order_rows(facts: RackFacts, offers: Sequence[Offer], words: Words) -> tuple[Row, ...]:
    """Return the buttons to sort and to move tiles, to the settings, to leave, to the guide, and back."""
    rows = (
        offer_row(offers, words, "sort_melds", "sort_runs", "sort_pairs"),
        (button(words, "arrange", facts.table), *offer_row(offers, words, "preferences")),
        offer_row(offers, words, "practice_leave", "step_out", "remove"),
        (button(words, "look", facts.table, style="primary"), own_button(words, "guide")),
    )
    return tuple(row for row in rows if row)


def away_row(facts: RackFacts, offers: Sequence[Offer], words: Words) -> Row:
    """Return the buttons to look and to leave, for a host also to remove people."""
    refresh = button(words, "look", facts.table, says="refresh")
    return (refresh, *offer_row(offers, words, "step_out", "remove"))


def tile_buttons(facts: RackFacts, view: SeatView, offers: Collection[Offer], kind: ActKind) -> Row:
    """Return a button for each different face on the rack that may be discarded, in the player's own order.

    A tile on a button tells no price, so what costs something is asked about first. A finish has been asked
    about by the dialogue in which its tile is chosen.
    """
    allowed = {offer.tile: offer for offer in offers_of(offers, kind)}
    okey = view.public.okey
    return tuple(
        Button((mark(tile, okey),), offer.press if kind == "finish" else offer.asking, offer.style)
        for tile in dict.fromkeys(flat(facts.shelves))
        if tile is not None and (offer := allowed.get(tile)) is not None
    )


def list_lays(offers: Collection[Offer], kind: str) -> list[Offer]:
    """Return the ways to lay off a tile (`lay`) or an okey (`lay_okey`)."""
    return [offer for offer in offers_of(offers, "lay") if offer.wild == (kind == "lay_okey")]


def sure_row(facts: RackFacts, offer: Offer, offers: Sequence[Offer], words: Words) -> Row:
    """Return the answers to the question before an act: to do it, to lay a tile off instead where one fits,
    or to leave it."""
    said = label(words, "button.sure_discard" if offer.kind == "discard" else "live.do_it", **offer.values)
    lay = (button(words, "ask_lay", facts.table),) if list_lays(offers, "lay") else ()
    return (Button(said, offer.press, "danger"), *lay, button(words, "look", facts.table))


def arrange_buttons(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> tuple[Row, ...]:
    """Return the buttons to pick a tile up, then to put it in front of another tile or at an end."""
    most = game_of(facts.table.rules).shelf_size

    def place_button(said: str | TileMark, place: int) -> Button:
        if mode.picked is None:
            return Button((said,), press(facts.table, "pick", place))
        return Button((said,), press(facts.table, "put", mode.picked, place))

    tiles = tuple(
        place_button(mark(tile, view.public.okey), row * most + column)
        for row, shelf in enumerate(facts.shelves)
        for column, tile in enumerate(shelf)
        if tile is not None and row * most + column != mode.picked
    )
    ends = () if mode.picked is None else enumerate(facts.shelves)
    end_buttons = (
        place_button(
            words.plain("button.shelf_end", number=row + 1),
            row * most + min(len(shelf) + (1 if shelf else 0), most - 1),
        )
        for row, shelf in ends
        if len(shelf) < most
    )
    return tiles, (*end_buttons, button(words, "look", facts.table, style="primary"))
