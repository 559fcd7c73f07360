"""The table while a round is played: whose turn it is, what lies open, what happened last."""

from bot.callback_data import callback_text
from bot.i18n import Words, joined, plain
from bot.markup import Button, Clock, DrawnSeat, Name, PublicScreen, Row, TablePicture, Text, TileFace
from bot.screens.log_lines import beginning_lines, happenings
from bot.screens.melds import board_lines, level_line, meld_faces, spoken_melds
from bot.screens.parts import (
    button,
    face,
    figure,
    label,
    length,
    mark,
    of_game,
    open_tiles,
    public_message,
    scores,
    seat_name,
    spoken_name,
)
from bot.tables.facts import TableFacts
from engine.games import game_of
from engine.view import PublicView

CAPTION = 1000
"""How long the words under a table's picture should be: a caption takes 1024."""

RACK_TILES = 14
"""On a classic rack between turns."""


def table_screen(facts: TableFacts, words: Words) -> PublicScreen:
    """The table while a round is played."""
    view = facts.view
    assert view is not None
    assert view.turn is not None
    on_turn = facts.seats[view.turn]
    lines = [
        words.say(of_game("table.title", facts), table=facts.id.upper(), round=facts.round_told),
        *night_lines(facts, words),
        words.say("table.turn", who=seat_name(on_turn, words)) + _until(facts, words),
        open_tiles(view, words),
        words.say(of_game("table.scores", facts), scores=scores(facts, words)),
        *filter(None, [level_line(facts, view, words)]),
        *board_lines(facts, view, words),
    ]
    notices = [_closed_notice(seat.name, words) for seat in facts.seats if seat.private_closed]
    lines += beginning_lines(facts, view, words)
    text = _with_news(lines, happenings(facts, words), notices)
    picture = table_picture(facts, view, words)
    return public_message(
        facts, text, _table_buttons(facts, view, words), picture, table_alt(facts, view, words)
    )


def night_lines(facts: TableFacts, words: Words) -> list[Text]:
    """Which table of a league night it is, if it is one."""
    if facts.night is None:
        return []
    lines = [words.say("table.at_night", round=facts.night.round, number=facts.night.number)]
    if facts.night.last:
        lines.append(words.say("table.last_tiles"))
    if facts.night.paused:
        lines.append(words.say("table.night_paused"))
    missing = [seat.name for seat in facts.seats if seat.missing]
    if missing:
        lines.append(words.say("table.not_here", who=Name(", ".join(missing))))
    return lines


def _with_news(lines: list[Text], news: list[Text], notices: list[Text]) -> Text:
    """All lines; what happened gives way, the oldest first, to what lies on the table."""
    while news and length(joined([*lines, *news, *notices])) > CAPTION:
        news = news[1:]
    return joined([*lines, *news, *notices])


def _until(facts: TableFacts, words: Words) -> Text:
    if facts.deadline is None or facts.view is None or facts.view.turn is None:
        return ()
    if facts.seats[facts.view.turn].computer:
        return ()
    key = "table.hurry" if facts.warned else "table.until"
    return words.say(key, when=Clock(facts.deadline))


def _closed_notice(name: str, words: Words) -> Text:
    return words.say("table.private_closed", who=Name(name))


def _table_buttons(facts: TableFacts, view: PublicView, words: Words) -> tuple[Row, ...]:
    own = (button(words, "rack", facts, style="primary"),)
    if not facts.blind:
        return (own,)
    if game_of(facts.rules).lays_melds:
        return own, *blind_buttons(facts, view, words)
    return own, *_blind_buttons(facts, view, words)


def _blind_buttons(facts: TableFacts, view: PublicView, words: Words) -> tuple[Row, ...]:
    """Numbered buttons for a player whom only alerts reach.

    They say nothing about his rack, and stay good for his whole turn: the table need not be edited
    between his draw and his discard.
    """
    drawn = RACK_TILES + 1
    numbers = tuple(_here("place", str(place), facts, place) for place in range(1, drawn + 1))
    starting = view.phase == "discard" and view.turns == 0
    draws = ("draw", "take") if not starting else ()
    return (
        tuple(_here(f"{verb}_here", words.plain(f"button.{verb}"), facts) for verb in draws),
        numbers,
        (
            _here("finish_here", words.plain("button.finish_best"), facts),
            Button(
                label(words, "button.discard_okey", tile=mark(view.okey, view.okey)),
                callback_text("okey_here", facts.id, facts.turn_number),
                "danger",
            ),
        ),
    )


def _here(verb: str, words: str, facts: TableFacts, *arguments: int) -> Button:
    return Button((words,), callback_text(verb, facts.id, facts.turn_number, *arguments))


def table_picture(facts: TableFacts, view: PublicView, words: Words) -> TablePicture:
    """The table as a picture."""
    seats = tuple(
        DrawnSeat(
            name=seat.name,
            score=seat.score,
            on_turn=view.turn == i,
            computer=seat.computer,
            top=None if (top := view.discard_tops[i]) is None else face(top, view.okey),
            shown=view.shown_by == i,
            note=opening_note(i, facts, view, words),
        )
        for i, seat in enumerate(facts.seats)
    )
    return TablePicture(
        seats=seats,
        clockwise=facts.rules.direction == "clockwise",
        indicator=face(view.indicator, view.okey),
        okey=face(view.okey, view.okey),
        stock_left=view.stock_left,
        title=words.plain("table.round", round=facts.round_told),
        captions=(words.plain("word.indicator"), words.plain("word.okey"), words.plain("word.stock")),
        melds=laid(view) if game_of(facts.rules).lays_melds else None,
        level=plain(level_line(facts, view, words), words),
    )


def table_alt(facts: TableFacts, view: PublicView, words: Words) -> str:
    """The table's picture in words."""
    lines = [words.plain("table.round", round=facts.round_told), plain(open_tiles(view, words), words)]
    lines += [_alt_seat(number, facts, view, words) for number in range(len(facts.seats))]
    level = plain(level_line(facts, view, words), words)
    return "\n".join([*lines, *filter(None, [level]), *alt_lines(view, words)])


def _alt_seat(number: int, facts: TableFacts, view: PublicView, words: Words) -> str:
    """A seat's plate and its discard."""
    seat, top = facts.seats[number], view.discard_tops[number]
    tile = words.plain("word.nothing") if top is None else words.tile_name(mark(top, view.okey))
    said = [words.plain("alt.seat", who=spoken_name(seat, words), points=figure(seat.score), tile=tile)]
    if view.turn == number:
        said.append(words.plain("alt.on_turn"))
    if view.shown_by == number:
        said.append(words.plain("alt.shown"))
    if note := opening_note(number, facts, view, words):
        said.append(note)
    return ", ".join(said)


def laid(view: PublicView) -> tuple[tuple[TileFace, ...], ...]:
    """Every meld on the table for its picture."""
    return tuple(meld_faces(each.meld, view.okey) for each in view.board.melds)


def opening_note(seat: int, facts: TableFacts, view: PublicView, words: Words) -> str:
    """With what a seat opened, for its plate."""
    way = view.board.opened[seat]
    return "" if way is None else words.plain(f"note.opened_{way}", count=facts.openings[seat])


def alt_lines(view: PublicView, words: Words) -> list[str]:
    """The laid melds read aloud."""
    if not view.board.melds:
        return []
    return [words.plain("alt.melds"), *spoken_melds(view.board.melds, view.okey, words)]


def blind_buttons(facts: TableFacts, view: PublicView, words: Words) -> tuple[Row, ...]:
    """Numbered buttons for a player whom only alerts reach, good for his whole turn.

    They say nothing about his rack but how many tiles are on it, which everybody sees.
    """
    assert view.turn is not None
    most = view.rack_sizes[view.turn] + (view.phase == "draw")
    numbers = tuple(_here("spot", str(place), facts, place) for place in range(1, most + 1))
    draw = (_here("draw_here", words.plain("button.draw"), facts),) if view.turns else ()
    okey = Button(
        label(words, "button.discard_okey", tile=mark(view.okey, view.okey)),
        callback_text("okey_here", facts.id, facts.turn_number),
        "danger",
    )
    laying = (_here("lay_here", words.plain("button.lay_here"), facts), okey)
    return (*draw, _here("open_here", words.plain("button.open_here"), facts)), numbers, laying
