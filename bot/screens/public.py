"""What everybody in a place sees of a table: the lobby, the table, a round's result, the end."""

from bot.callback_data import callback_text
from bot.i18n import Words, joined
from bot.markup import Button, PublicScreen, Row, Text
from bot.screens.parts import button, public_message, seat_name
from bot.screens.removing import remove_button
from bot.screens.result import result_screen
from bot.screens.rules import rules_lines
from bot.screens.rules_dialogue import clock_line
from bot.screens.table import table_screen
from bot.tables.facts import TableFacts


def public_screen(facts: TableFacts, words: Words) -> PublicScreen:
    """The one message of a table in a place."""
    match facts.stage:
        case "lobby":
            return _lobby(facts, words)
        case "playing":
            return table_screen(facts, words)
        case "between" | "over":
            return result_screen(facts, words)
        case "closed":
            return public_message(facts, words.say("lobby.closed"))


def _lobby(facts: TableFacts, words: Words) -> PublicScreen:
    lines = [
        words.say("lobby.title", table=facts.id.upper()),
        *rules_lines(facts.rules, words),
        clock_line(facts, words),
        *(_lobby_seat(i, facts, words) for i in range(facts.rules.players)),
        words.say("fair.commitment", digits=facts.commitment),
    ]
    return public_message(facts, joined(lines), _lobby_buttons(facts, words))


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
            callback_text("start", facts.id, facts.game_revision),
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
        (button(words, "rules", facts), *remove_button(facts, words)),
        (start, button(words, "cancel", facts, style="danger")),
    )


def _other_size(facts: TableFacts) -> int:
    return 4 if facts.rules.players == 2 else facts.rules.players - 1
