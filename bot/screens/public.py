"""What everybody in a place sees of a table: the lobby, the table, a round's result, the end."""

from bot.presses import press_text
from bot.screens import table_101
from bot.screens.beginning import beginning_lines
from bot.screens.facts import TableFacts
from bot.screens.happenings import happenings
from bot.screens.melds import board_lines, level_line
from bot.screens.model import (
    Button,
    Clock,
    DrawnSeat,
    Name,
    PublicScreen,
    ResultPicture,
    ResultRow,
    Row,
    TablePicture,
    Text,
)
from bot.screens.parts import (
    button,
    face,
    figure,
    label,
    length,
    mark,
    open_tiles,
    scores,
    seat_name,
    spoken_name,
)
from bot.screens.rules import rules_lines
from bot.words import Words, joined, plain
from engine.view import Outcome, PublicView

CAPTION = 1000
"""How long the words under a table's picture should be: a caption takes 1024."""

RACK_TILES = 14
"""On a classic rack between turns."""


def public_screen(facts: TableFacts, words: Words) -> PublicScreen:
    """The one message of a table in a place."""
    match facts.stage:
        case "lobby":
            return _lobby(facts, words)
        case "playing":
            return _table(facts, words)
        case "between" | "over":
            return _result(facts, words)
        case "closed":
            return _screen(facts, words.say("lobby.closed"))


def _screen(
    facts: TableFacts,
    text: Text,
    buttons: tuple[Row, ...] = (),
    picture: TablePicture | ResultPicture | None = None,
    alt: str = "",
) -> PublicScreen:
    return PublicScreen(
        table=facts.id,
        stamp=facts.stamp,
        text=text,
        picture=picture,
        alt=alt[:1000],
        buttons=buttons,
        over=facts.stage in ("over", "closed"),
    )


def _lobby(facts: TableFacts, words: Words) -> PublicScreen:
    lines = [
        words.say("lobby.title", table=facts.id.upper()),
        *rules_lines(facts.rules, words),
        *(_lobby_seat(i, facts, words) for i in range(facts.rules.players)),
        words.say("fair.commitment", digits=facts.commitment),
    ]
    return _screen(facts, joined(lines), _lobby_buttons(facts, words))


def _lobby_seat(number: int, facts: TableFacts, words: Words) -> Text:
    if number >= len(facts.seats):
        return words.say("lobby.free_seat", number=number + 1)
    seat = facts.seats[number]
    key = "lobby.host_seat" if seat.host else "lobby.seat"
    return words.say(key, number=number + 1, who=seat_name(seat, words))


def _lobby_buttons(facts: TableFacts, words: Words) -> tuple[Row, ...]:
    start = (
        Button(
            (words.plain("button.start_with", n=facts.free),),
            press_text("start", facts.id, facts.moves),
            "primary",
        )
        if facts.free
        else button(words, "start", facts, style="primary")
    )
    players = button(words, "players", facts, _other_size(facts), n=_other_size(facts))
    computers = [button(words, "computer", facts)] if facts.free else []
    if any(seat.computer for seat in facts.seats):
        computers.append(button(words, "fewer", facts))
    return (
        (button(words, "join", facts, style="good"), button(words, "leave", facts)),
        (*computers, players),
        (button(words, "rules", facts),),
        (start, button(words, "cancel", facts, style="danger")),
    )


def _other_size(facts: TableFacts) -> int:
    return 4 if facts.rules.players == 2 else facts.rules.players - 1


def _table(facts: TableFacts, words: Words) -> PublicScreen:
    view = facts.view
    assert view is not None
    assert view.turn is not None
    on_turn = facts.seats[view.turn]
    lines = [
        words.say(_of_game("table.title", facts), table=facts.id.upper(), round=facts.round_told),
        words.say("table.turn", who=seat_name(on_turn, words)) + _until(facts, words),
        open_tiles(view, words),
        words.say(_of_game("table.scores", facts), scores=scores(facts, words)),
        *filter(None, [level_line(facts, view, words)]),
        *board_lines(facts, view, words),
    ]
    notices = [_closed_notice(seat.name, words) for seat in facts.seats if seat.private_closed]
    lines += beginning_lines(facts, view, words)
    text = _with_news(lines, happenings(facts, words), notices)
    picture = table_picture(facts, view, words)
    return _screen(facts, text, _table_buttons(facts, view, words), picture, table_alt(facts, view, words))


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
    return words.say("table.until", when=Clock(facts.deadline))


def _closed_notice(name: str, words: Words) -> Text:
    return words.say("table.private_closed", who=Name(name))


def _table_buttons(facts: TableFacts, view: PublicView, words: Words) -> tuple[Row, ...]:
    own = (button(words, "rack", facts, style="primary"),)
    if not facts.blind:
        return (own,)
    if facts.rules.game == "101":
        return own, *table_101.blind_buttons(facts, view, words)
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
                press_text("okey_here", facts.id, facts.turn_number),
                "danger",
            ),
        ),
    )


def _here(verb: str, words: str, facts: TableFacts, *arguments: int) -> Button:
    return Button((words,), press_text(verb, facts.id, facts.turn_number, *arguments))


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
            note=table_101.opening_note(i, facts, view, words),
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
        melds=table_101.laid(view),
        level=plain(level_line(facts, view, words), words),
    )


def table_alt(facts: TableFacts, view: PublicView, words: Words) -> str:
    """The table's picture in words."""
    lines = [plain(open_tiles(view, words), words)]
    for i, seat in enumerate(facts.seats):
        top = view.discard_tops[i]
        tile = words.plain("word.nothing") if top is None else words.tile_name(mark(top, view.okey))
        lines.append(
            words.plain("alt.seat", who=spoken_name(seat, words), points=figure(seat.score), tile=tile)
        )
    return "\n".join([*lines, *table_101.alt_lines(view, words)])


def _result(facts: TableFacts, words: Words) -> PublicScreen:
    view = facts.view
    if view is None or view.outcome is None:
        return _screen(facts, words.say("match.abandoned", table=facts.id.upper()))
    outcome = view.outcome
    lines = [
        words.say(_of_game("result.title", facts), table=facts.id.upper(), round=facts.round_told),
        outcome_text(outcome, facts, words),
        *(_result_line(i, outcome, facts, words) for i in range(len(facts.seats))),
        *_ending(facts, words),
    ]
    picture = result_picture(outcome, facts, view, words)
    replay = button(words, "replay", facts, facts.round_number)
    over = facts.stage == "over"
    buttons = ((replay,),) if over else ((button(words, "next", facts, style="primary"), replay),)
    return _screen(facts, joined(lines), buttons, picture, result_alt(outcome, facts, view, words))


def outcome_text(outcome: Outcome, facts: TableFacts, words: Words) -> Text:
    """Who won the round, and how."""
    if outcome.winner is None:
        return words.say(_of_game(f"outcome.{outcome.kind}", facts))
    who = Name(facts.seats[outcome.winner].name)
    return words.say(_of_game("outcome.win" + "".join(f"_{how}" for how in outcome.how), facts), who=who)


def _of_game(key: str, facts: TableFacts) -> str:
    """The key of a message that each game has its own words for."""
    return f"{key}.101" if facts.rules.game == "101" else key


def _result_line(number: int, outcome: Outcome, facts: TableFacts, words: Words) -> Text:
    seat = facts.seats[number]
    line = words.say(
        "result.line",
        who=seat_name(seat, words),
        change=_signed(outcome.changes[number]),
        points=figure(seat.score),
    )
    fines = outcome.fines[number] if outcome.fines else 0
    return line + words.say("result.fines", n=fines) if fines else line


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else figure(points)


def _ending(facts: TableFacts, words: Words) -> list[Text]:
    lines = []
    if facts.stage == "over":
        winners = ", ".join(facts.seats[i].name for i in facts.winners)
        if winners:
            lines.append(words.say("match.won", n=len(facts.winners), who=Name(winners)))
        else:
            lines.append(words.say("match.abandoned", table=facts.id.upper()))
    elif facts.deadline is not None:
        lines.append(words.say("result.next", when=Clock(facts.deadline)))
    if facts.opened is not None:
        lines.append(words.say("fair.opened", digits=facts.opened.secret.hex()))
    if facts.stage == "between":
        lines.append(words.say("fair.commitment", digits=facts.commitment))
    return lines


def result_picture(outcome: Outcome, facts: TableFacts, view: PublicView, words: Words) -> ResultPicture:
    """The winning arrangement and everybody's points as a picture."""
    rows = tuple(
        ResultRow(name=seat.name, change=outcome.changes[i], score=seat.score, winner=outcome.winner == i)
        for i, seat in enumerate(facts.seats)
    )
    return ResultPicture(
        title=plain(outcome_text(outcome, facts, words), words),
        melds=tuple(tuple(face(tile, view.okey) for tile in meld) for meld in outcome.winning_melds),
        finishing=None if outcome.finishing_tile is None else face(outcome.finishing_tile, view.okey),
        rows=rows,
    )


def result_alt(outcome: Outcome, facts: TableFacts, view: PublicView, words: Words) -> str:
    """The result's picture in words."""
    lines = [plain(outcome_text(outcome, facts, words), words)]
    for meld in outcome.winning_melds:
        lines.append(", ".join(words.tile_name(mark(tile, view.okey)) for tile in meld))
    if outcome.finishing_tile is not None:
        tile = words.tile_name(mark(outcome.finishing_tile, view.okey))
        lines.append(words.plain("alt.finishing", tile=tile))
    lines += [plain(_result_line(i, outcome, facts, words), words) for i in range(len(facts.seats))]
    return "\n".join(lines)
