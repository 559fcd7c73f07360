"""A seated person's cockpit: his rack, and a button for everything that he may do now."""

from dataclasses import replace
from typing import Final

from bot.i18n import Words, joined, plain
from bot.markup import Row, SeatScreen, Text
from bot.screens import player_101, player_classic
from bot.screens.help import help_button, practice_button
from bot.screens.parts import button, scores, shelf_words
from bot.screens.player_parts import BRIEF, PLAY, Mode, arrange_buttons, head, open_line, rack_picture
from bot.screens.result import outcome_text, result_alt, result_picture
from bot.tables.facts import RackFacts
from engine.view import SeatView

__all__ = ["PLAY", "Mode", "rack_screen"]

_TASKS: Final = {"classic": player_classic.task, "101": player_101.task}
_POINTED: Final = {"classic": player_classic.pointed, "101": player_101.pointed}
_BRIEFS: Final = {"classic": player_classic.brief, "101": player_101.brief}
_BUTTONS: Final = {"classic": player_classic.buttons, "101": player_101.buttons}


def rack_screen(facts: RackFacts, words: Words, mode: Mode = PLAY) -> SeatScreen:
    """The screen of one seat, for its player alone."""
    view = facts.view
    if view is None:
        return _without_rack(facts, words)
    if facts.table.practice and facts.table.stage == "over":
        return practice_over(facts, view, words)
    game = facts.table.rules.game
    lines = [*head(facts, words), *_tasks(facts, view, words, mode), open_line(facts, view, words)]
    lines.append(scores(facts.table, words))
    return SeatScreen(
        table=facts.table.id,
        revision=facts.revision,
        text=joined(lines),
        picture=rack_picture(facts, view, words, mode, _POINTED[game](facts, view, mode)),
        alt=_alt(facts, view, words),
        brief=_BRIEFS[game](facts, view, words),
        buttons=_buttons(facts, view, words, mode),
    )


def _without_rack(facts: RackFacts, words: Words) -> SeatScreen:
    text = joined([*head(facts, words), words.say(f"rack.{facts.table.stage}")])
    return SeatScreen(
        table=facts.table.id,
        revision=facts.revision,
        text=text,
        picture=None,
        alt="",
        brief=plain(text, words)[:BRIEF],
        buttons=_lobby_buttons(facts, words) if facts.table.stage == "lobby" else (),
    )


def _lobby_buttons(facts: RackFacts, words: Words) -> tuple[Row, ...]:
    leave = button(words, "leave", facts.table)
    host = facts.table.seats[facts.seat].host
    return ((button(words, "rules", facts.table), leave),) if host else ((leave,),)


def _tasks(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> list[Text]:
    """What he is to do now."""
    if view.public.outcome is not None:
        return [outcome_text(view.public.outcome, facts.table, words)]
    if mode.kind == "arrange":
        return [words.say("rack.put" if mode.picked is not None else "rack.pick")]
    if facts.table.seats[facts.seat].stand_in:
        return [words.say("rack.stand_in")]
    return _TASKS[facts.table.rules.game](facts, view, words, mode)


def _alt(facts: RackFacts, view: SeatView, words: Words) -> str:
    shelves = [
        words.plain("alt.shelf", number=i + 1, tiles=shelf_words(shelf, view.public.okey, words))
        for i, shelf in enumerate(facts.shelves)
    ]
    return "\n".join([*shelves, plain(open_line(facts, view, words), words)])[:1000]


def _buttons(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> tuple[Row, ...]:
    table = facts.table
    if view.public.outcome is not None:
        return ((button(words, "next", table, style="primary"),),) if table.stage == "between" else ()
    if table.seats[facts.seat].stand_in:
        return ((button(words, "back_in", table, style="primary"),),)
    if mode.kind == "arrange":
        return arrange_buttons(facts, view, words, mode)
    return _BUTTONS[table.rules.game](facts, view, words, mode)


def practice_over(facts: RackFacts, view: SeatView, words: Words) -> SeatScreen:
    """The round's result, or that he left it; and what he could do next."""
    outcome = view.public.outcome
    title, again = words.say("practice.title"), (practice_button(words), help_button(words))
    if outcome is None:
        return _screen(facts, joined([title, words.say("practice.left")]), words, (again,))
    replay = button(words, "replay", facts.table, facts.table.round_number)
    return replace(
        _screen(
            facts,
            joined([title, outcome_text(outcome, facts.table, words), words.say("practice.over")]),
            words,
            ((replay,), again),
        ),
        picture=result_picture(outcome, facts.table, view.public, words),
        alt=result_alt(outcome, facts.table, view.public, words),
    )


def _screen(facts: RackFacts, text: Text, words: Words, buttons: tuple[Row, ...]) -> SeatScreen:
    return SeatScreen(
        table=facts.table.id,
        revision=facts.revision,
        text=text,
        picture=None,
        alt="",
        brief=plain(text, words)[:BRIEF],
        buttons=buttons,
    )
