"""Table screen: the one message of a table in a place, and its contents while a round is played."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.i18n import Words, join, plain
from bot.markup import Clock, DrawnSeat, Link, Name, Page, PublicScreen, TablePicture, Text, TileMark
from bot.screens.games import screens_of
from bot.screens.lobby import lobby_screen, present_page
from bot.screens.offer import offer_row
from bot.screens.offers import list_number_offers, list_place_offers
from bot.screens.parts import (
    button,
    ever_shorter,
    face,
    figure,
    in_caption,
    mark,
    open_tiles,
    public_message,
    round_title,
    say_round,
    scores,
    seat_name,
    stake_lines,
    table_name,
    tile_row,
)
from bot.screens.result import result_screen
from bot.tables.facts import TableFacts
from bot.tables.table import FirstDraw, Recent
from engine.rules import Rules
from engine.view import PublicView

_HAPPENINGS_MOST: Final = 3

_SEAT_CHANGES: Final = ("replaced", "returned", "removed", "left")
"""Happenings after which somebody else plays a seat."""

_CALLS: Final = ("called", "called_wrong")

_SAID_TOGETHER: Final = {
    "discarded": ("drew", "took"),
    "finished": ("drew", "took"),
    "laid_off": ("laid_off",),
    "melded": ("melded",),
}
"""Events that are told in one sentence with the event of the same seat just before them."""


def make_left_screen(facts: TableFacts, words: Words) -> PublicScreen:
    """Return the last screen in a place that the table has left. It may be played on elsewhere."""
    return public_message(facts, words.say("table.left"))


def make_moved_screen(facts: TableFacts, link: str | None, words: Words) -> PublicScreen:
    """Return the line that stays of a message which a newer one further down has replaced, with the way
    there."""
    said = words.plain("table.moved", table=table_name(facts, words))
    return public_message(facts, (said if link is None else Link(said, link),))


def public_screen(facts: TableFacts, words: Words) -> PublicScreen:
    """Return the one message of a table in a place."""
    match facts.stage:
        case "lobby":
            return lobby_screen(facts, words)
        case "playing":
            return _round_screen(facts, words)
        case "between" | "over":
            return result_screen(facts, words)
        case "closed" if facts.standing.stopped and facts.night is None:
            return public_message(facts, words.say("lobby.stopped", table=facts.place.called))
        case "closed":
            return public_message(facts, words.say("lobby.closed"))


def happenings(facts: TableFacts, words: Words) -> list[Text]:
    """Return the last events, oldest first. A draw is told together with its discard. The last change of a
    player stays longer: a few quick moves must not hide it before a busy place is shown the table."""
    if facts.view is None:
        return []
    groups: list[list[Recent]] = []
    for happening in facts.news.recent:
        before = groups[-1][-1] if groups else None
        together = _SAID_TOGETHER.get(happening.kind, ())
        if before is not None and before.seat == happening.seat and before.kind in together:
            groups[-1].append(happening)
        else:
            groups.append([happening])
    last = groups[-_HAPPENINGS_MOST:]
    changes = [group for group in groups if group[0].kind in _SEAT_CHANGES][-1:]
    last = last if changes and changes[0] in last else [*changes, *last]
    return [_tell(group, facts, facts.view, words) for group in last]


def tell_call(facts: TableFacts, seat: int, words: Words) -> Text:
    """Return what came of a seat's last call, for the one who called; empty: they have called nothing."""
    calls = [each for each in facts.news.recent if each.seat == seat and each.kind in _CALLS]
    if facts.view is None or not calls:
        return ()
    called = calls[-1]
    assert called.tile is not None
    assert called.source is not None
    discarder = Name(facts.seats[called.source].name)
    return words.say(f"notice.{called.kind}", tile=mark(called.tile, facts.view.okey), who=discarder)


def table_picture(facts: TableFacts, view: PublicView, words: Words) -> TablePicture:
    """Return the table as a picture."""
    game = screens_of(facts.rules)
    seats = tuple(
        DrawnSeat(
            name=seat.name,
            score=seat.score,
            on_turn=view.turn == i,
            computer=seat.computer,
            top=None if (top := view.discard_tops[i]) is None else face(top, view.okey),
            shown=view.shown_by == i,
            note=game.opening(i, facts, view, words),
        )
        for i, seat in enumerate(facts.seats)
    )
    return TablePicture(
        seats=seats,
        clockwise=facts.rules.direction == "clockwise",
        indicator=face(view.indicator, view.okey),
        okey=face(view.okey, view.okey),
        stock_left=view.stock_left,
        title=_picture_title(facts, words),
        captions=(words.plain("word.indicator"), words.plain("word.okey"), words.plain("word.stock")),
        melds=game.laid_faces(view),
        level=plain(game.level(facts, view, words), words),
    )


def _picture_title(facts: TableFacts, words: Words) -> str:
    """Return the table and its round, as the picture names them: a place may have several tables. The guide's
    table is in no place."""
    if facts.practice or not (facts.night or facts.place.called):
        return round_title(facts, words)
    if facts.night is not None:
        number = words.plain("table.called", table=facts.night.number)
        return f"{number} · {round_title(facts, words)}"
    return words.plain("table.name", table=facts.place.called, round=say_round(facts, words))


def table_alt(picture: TablePicture, facts: TableFacts, view: PublicView, words: Words) -> str:
    """Return the table's picture in words."""
    pairs = [plain(scores(facts, words), words)] if facts.rules.teams else []
    lines = [picture.title, *pairs, plain(open_tiles(view, words), words)]
    lines += [_alt_seat(number, seat.note, facts, view, words) for number, seat in enumerate(picture.seats)]
    laid = screens_of(facts.rules).laid_names(view, words)
    return "\n".join([*lines, *filter(None, [picture.level]), *laid])


def _round_screen(facts: TableFacts, words: Words) -> PublicScreen:
    view = facts.view
    assert view is not None
    offers = list_number_offers(facts)
    rows = (
        (button(words, "rack", facts, style="primary"), *offer_row(offers, words, "back_in")),
        offer_row(offers, words, "call"),
        offer_row(offers, words, "draw", "take", "declare", "open_best"),
        offer_row(offers, words, "number"),
        offer_row(offers, words, "finish_best", "lay_all"),
    )
    picture = table_picture(facts, view, words)
    alt = table_alt(picture, facts, view, words)
    text = in_caption(text for cut in ever_shorter(facts) for text in _round_texts(cut, view, words))
    return public_message(facts, text, tuple(row for row in rows if row), picture, alt)


def _round_texts(facts: TableFacts, view: PublicView, words: Words) -> Iterator[Text]:
    """Yield the text of a round: what its picture does not say; and ever shorter ones, each without the
    oldest news."""
    assert view.turn is not None
    lines = [
        _turn_line(facts, view.turn, words),
        *_night_lines(facts, words),
        *stake_lines(facts, view, words),
        *screens_of(facts.rules).fine_lines(facts, view, words),
        *_beginning_lines(facts, view, words),
    ]
    named = [(Name(table_name(facts, words)),)] if facts.night is not None else []
    news = happenings(facts, words)
    for told in range(len(news) + 1):
        yield join([*lines, *news[told:], *named])


def _night_lines(facts: TableFacts, words: Words) -> list[Text]:
    """Return the standings of a league table, and the players who are still to come."""
    if facts.night is None:
        return []
    lines: list[Text] = []
    if facts.night.last:
        lines.append(words.say("table.last_tiles"))
    if facts.night.paused:
        lines.append(words.say("table.night_paused"))
    missing = [seat.name for seat in facts.seats if seat.missing]
    if missing:
        lines.append(words.say("table.not_here", who=Name(", ".join(missing))))
    return lines


def present_publicly(facts: TableFacts, words: Words) -> Page:
    """Return the answer to somebody who asks, where all read it, while a table waits or is played there:
    what it waits for, and what anybody may press now."""
    if facts.stage == "lobby":
        return present_page(facts, words, None, "")
    lines = [words.say("lobby.playing", table=facts.place.called)]
    if facts.view is not None and facts.view.turn is not None:
        lines.append(_turn_line(facts, facts.view.turn, words))
    following = offer_row(list_place_offers(facts), words, "next")
    rack = button(words, "rack", facts, style="plain" if following else "primary")
    return Page(text=join(lines), buttons=((*following, rack, button(words, "another", facts)),))


def _turn_line(facts: TableFacts, turn: int, words: Words) -> Text:
    return words.say("table.turn", who=seat_name(facts.seats[turn], words)) + _until(facts, words)


def _until(facts: TableFacts, words: Words) -> Text:
    if facts.clock.deadline is None or facts.view is None or facts.view.turn is None:
        return ()
    if facts.seats[facts.view.turn].computer:
        return ()
    key = "table.hurry" if facts.clock.warned else "table.until"
    return words.say(key, when=Clock(facts.clock.deadline))


def _beginning_lines(facts: TableFacts, view: PublicView, words: Words) -> list[Text]:
    """Return the draw for the first turn, until the first discard; empty after it."""
    if view.turns or not facts.news.first:
        return []
    return [join((_draw(draw, facts, view, words) for draw in facts.news.first), " · ")]


def _draw(draw: FirstDraw, facts: TableFacts, view: PublicView, words: Words) -> Text:
    who = Name(facts.seats[draw.seat].name)
    if draw.tile is not None:
        return words.say("begin.drew", who=who, tile=mark(draw.tile, view.okey))
    assert draw.die is not None
    return words.say("begin.threw", who=who, die=draw.die)


def _tell(group: Sequence[Recent], facts: TableFacts, view: PublicView, words: Words) -> Text:
    first, last = group[0], group[-1]
    values: dict[str, Name | TileMark | Text | int] = {
        "who": Name(facts.seats[last.seat].name),
        "count": last.count,
    }
    if last.tile is not None:
        values["tile"] = mark(last.tile, view.okey)
    if first.kind == "took" and first.tile is not None and len(group) > 1:
        values["taken"] = mark(first.tile, view.okey)
    if first.kind == last.kind:
        values["n"] = last.count if last.kind == "took_back" else len(group)
        values["tiles"] = tile_row([each.tile for each in group if each.tile is not None], view.okey)
        key = f"fined.{last.reason}" if last.reason else last.kind
        if key == "shown" and _all_pay_at_once(facts.rules):
            key = "shown_paid"
    else:
        key = "_".join(happening.kind for happening in group)
    return words.say(f"recent.{key}", **values)


def _all_pay_at_once(rules: Rules) -> bool:
    """Return whether a shown indicator costs every other player a point as soon as it is shown."""
    at_once = rules.show == "declared" and rules.scoring == "countdown"
    return at_once and not rules.show_spares and not rules.teams


def _alt_seat(number: int, note: str, facts: TableFacts, view: PublicView, words: Words) -> str:
    """Return a seat's plate with its note, and its discard."""
    seat, top = facts.seats[number], view.discard_tops[number]
    tile = words.plain("word.nothing") if top is None else words.tile_name(mark(top, view.okey))
    who = plain(seat_name(seat, words), words)
    said = [words.plain("alt.seat", n=abs(seat.score), who=who, points=figure(seat.score), tile=tile)]
    if view.turn == number:
        said.append(words.plain("alt.on_turn"))
    if view.shown_by == number:
        said.append(words.plain("alt.shown"))
    if note:
        said.append(note)
    return ", ".join(said)
