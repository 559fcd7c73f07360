"""Help: one page that begins with the reader's situation, the commands, and a guide in three steps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.callback_data import callback_text
from bot.commands import Command
from bot.i18n import LANGUAGES, Words, join, own_name
from bot.i18n.commands import about
from bot.ids import TableId
from bot.markup import (
    Button,
    Link,
    Name,
    Page,
    ResultPicture,
    Row,
    RulesPicture,
    TablePicture,
    Text,
)
from bot.screens.games import screens_of
from bot.screens.parts import OWN, button, choice, own_button, say_on
from bot.screens.result import result_alt, result_picture
from bot.screens.rules import INDICATOR, rules_alt, rules_picture
from bot.screens.table import table_alt, table_picture
from bot.tables.facts import NewsFacts, SeatFacts, TableFacts
from engine.games import game_of
from engine.melds import Laid, MeldRules, empty_board, meld_as_laid
from engine.rules import Rules
from engine.tiles import Tile, okey_of, tiles_from_text
from engine.view import Outcome, PublicView

Situation = Literal[
    "stranger",
    "nobody",
    "lobby",
    "full",
    "watching",
    "host",
    "guest",
    "on_turn",
    "waiting",
    "between",
    "away",
]
"""`stranger`: at no table, in private; `nobody`: in a place without a table; `lobby`, `full` and `watching`:
in a place with a table at which they have no seat; the others: seated, as the host or not; `away` while the
computer plays for them."""

_Drawn = tuple[RulesPicture | TablePicture | ResultPicture, str]
"""A picture, and the same in words."""

_CLASSIC: Final = Rules()
_NAMES: Final = ("Ayşe", "Can", "Elif", "Deniz")
_LAST_DISCARDS: Final = (Tile.Y2, Tile.K11, Tile.B6, Tile.R9)

_WON: Final = Outcome(
    kind="win",
    winner=0,
    how=(),
    changes=(0, -2, -2, -2),
    winning_melds=tuple(
        meld_as_laid(MeldRules(okey_of(INDICATOR)), tiles_from_text(tiles))
        for tiles in ("B5 B6 B7 B8", "R11 R12 R13", "Y9 B9 K9", "K1 K2 R5 K4")
    ),
    finishing_tile=Tile.Y1,
)
"""The okey stands for a black 3."""

_IN_PLAY: Final = PublicView(
    indicator=INDICATOR,
    okey=okey_of(INDICATOR),
    dealer=3,
    turn=0,
    phase="draw",
    discard_tops=_LAST_DISCARDS,
    rack_sizes=(14,) * len(_NAMES),
    stock_left=36,
    shown_by=None,
    turns=12,
    outcome=None,
    board=empty_board(len(_NAMES)),
)

_MELDS: Final = MeldRules(okey_of(INDICATOR))
_LAYING: Final = replace(
    _IN_PLAY,
    rack_sizes=(11, 21, 21, 11),
    stock_left=17,
    board=replace(
        empty_board(len(_NAMES)),
        opened=("melds", None, None, "melds"),
        melds=tuple(
            Laid(seat, meld_as_laid(_MELDS, tiles_from_text(tiles)))
            for seat, melds in (
                (0, ("R11 R12 R13", "B9 B10 B11 B12", "Y12 B12 K12")),
                (3, ("Y13 B13 K13", "K10 K11 K12", "R10 Y10 B10")),
            )
            for tiles in melds
        ),
    ),
)
"""Two of four have opened in Okey 101."""
_OPENINGS: Final = (114, 0, 0, 102)

_LAID: Final = replace(
    _LAYING,
    rack_sizes=(0, 21, 21, 11),
    stock_left=9,
    board=replace(
        _LAYING.board,
        melds=(
            *_LAYING.board.melds,
            *(
                Laid(0, meld_as_laid(_MELDS, tiles_from_text(tiles)))
                for tiles in ("K1 K2 K3 K4", "Y6 B6 K6", "B1 B2 B3 B4")
            ),
        ),
    ),
)
"""The first player has laid all 21 tiles."""
_PAID: Final = replace(_WON, changes=(-101, 202, 202, 58), winning_melds=())


@dataclass(frozen=True, slots=True)
class HelpFacts:
    """The situation of the person who asks for help."""

    table: TableFacts | None
    """The table at which they sit, or the place's table; None when there is neither."""
    seat: int | None
    """Their seat at the table."""
    private: bool
    """Whether they ask in private."""
    platform: str
    """The platform on which they ask, by its short name."""
    add: str | None = None
    """The address that adds the bot to a group; None: the chat has none."""


def situation(facts: HelpFacts) -> Situation:
    """Return the situation that the help begins with."""
    table = facts.table
    if table is None or table.stage in ("over", "closed"):
        return "stranger" if facts.private else "nobody"
    if facts.seat is None:
        return "watching" if table.stage != "lobby" else "lobby" if table.has_room else "full"
    if table.stage == "lobby":
        return "host" if table.seats[facts.seat].host else "guest"
    if table.stage == "playing" and table.seats[facts.seat].out:
        return "watching"
    if table.seats[facts.seat].stand_in:
        return "away"
    if table.stage == "between":
        return "between"
    assert table.view is not None
    return "on_turn" if table.view.turn == facts.seat else "waiting"


def help_page(facts: HelpFacts, words: Words, *, turns: bool) -> Page:
    """Return the first page. `turns`: whether it replaces another page."""
    lines = [words.say("help.title"), where_line(facts, words)]
    lines += [words.say(_aim(facts.table)), words.say("help.turn"), words.say("help.rack")]
    rows = (
        *first_rows(facts, words),
        (own_button(words, "guide", 1), _help_button("rules", words), own_button(words, "preferences")),
        (practice_button(words), practice_button(words, "okey101")),
        *(() if facts.private or facts.table is None else ((button(words, "bell", facts.table),),)),
        *(
            ()
            if facts.platform == "web"  # nothing is typed there
            else ((_help_button("organisers", words), _help_button("commands", words)),)
        ),
        *((_languages(words),) if facts.private else ()),
    )
    if facts.add is not None:
        lines.append((Link(words.plain("help.add"), facts.add),))
    return Page(text=join(lines), buttons=rows, turns=turns)


def _aim(table: TableFacts | None) -> str:
    """Return the key of the aim of the game at a table; of classic Okey without one."""
    return _what_wins_key("help.aim", _CLASSIC if table is None else table.rules)


def _what_wins_key(key: str, rules: Rules) -> str:
    """Return the key of a message that has its own words for each game, and where pairs don't win."""
    return key + (screens_of(rules).suffix if rules.pairs_win else ".melds")


def _languages(words: Words) -> Row:
    return tuple(
        choice(own_name(tag), words.language == tag, callback_text("speak", OWN, 0, tag)) for tag in LANGUAGES
    )


def commands_page(page: str, commands: Sequence[Command], platform: str, words: Words) -> Page:
    """Return the list of commands: `commands` or `organisers`."""
    lines = [say_on(platform, f"help.{page}", words), *(_command(each.name, words) for each in commands)]
    return Page(text=join(lines), buttons=((help_button(words),),), turns=True)


def help_button(words: Words) -> Button:
    """Return the button that opens the first page."""
    return own_button(words, "help")


def practice_button(words: Words, preset: str = "") -> Button:
    """Return the button that begins a practice round or returns to the current one; of a preset, if it is
    named."""
    if not preset:
        return own_button(words, "practice", style="good")
    label = words.plain("button.practice_game", game=words.plain(f"preset.{preset}"))
    return Button((label,), callback_text("practice", OWN, 0, preset), "good")


def guide_page(number: int, words: Words, *, turns: bool, rules: Rules = _CLASSIC) -> Page:
    """Return a step of the guide to the game of these rules, counted from 1. `turns`: whether it replaces the
    step before."""
    picture, alt = _GUIDE[number - 1](rules, words)
    key = f"guide.{number}" + screens_of(rules).suffix
    if number == 1:
        key = _what_wins_key("guide.1", rules)
    elif number == 2 and rules.discard_sources == "any":
        key = "guide.2.any"
    return Page(
        text=words.say(key, points=rules.opening_points, pairs=rules.opening_pairs),
        picture=picture,
        alt=alt,
        buttons=_guide_buttons(number, words),
        turns=turns,
    )


def _help_button(page: str, words: Words) -> Button:
    return own_button(words, "help", page, says=f"help_{page}")


def where_line(facts: HelpFacts, words: Words) -> Text:
    """Return the reader's situation in a line."""
    where, table = situation(facts), facts.table
    if table is None:
        return say_on(
            facts.platform, f"help.{where}", words, where=say_on(facts.platform, "where.public", words)
        )
    host = next((seat.name for seat in table.seats if seat.host), "")
    return words.say(f"help.{where}", table=table.place.called, host=Name(host))


def first_rows(facts: HelpFacts, words: Words) -> tuple[Row, ...]:
    """Return the buttons that the reader most likely wants now."""
    table = facts.table
    if table is None:
        return ()
    match situation(facts):
        case "lobby":
            return ((button(words, "join", table, style="good"),),)
        case "on_turn" | "waiting" | "between" | "away":
            return ((button(words, "rack", table, style="primary"),),)
    return ()


def _command(name: str, words: Words) -> Text:
    return words.say("help.command", name=words.type_command(name), what=about(name, words))


def _guide_buttons(number: int, words: Words) -> tuple[Row, ...]:
    back = (own_button(words, "guide", number - 1, says="replay_step"),) if number > 1 else ()
    if number < STEPS:
        return ((*back, own_button(words, "guide", number + 1, style="primary", says="guide_next")),)
    return (*back, practice_button(words)), (help_button(words),)


def _what_wins(rules: Rules, words: Words) -> _Drawn:
    picture = rules_picture(rules, words, INDICATOR)
    return picture, rules_alt(picture, words)


def _a_turn(rules: Rules, words: Words) -> _Drawn:
    view, score = (_LAYING, 0) if game_of(rules).lays_melds else (_IN_PLAY, 20)
    facts = _facts(rules, view, scores=(score,) * len(_NAMES))
    picture = table_picture(facts, view, words)
    return picture, table_alt(picture, facts, view, words)


def _finishing(rules: Rules, words: Words) -> _Drawn:
    lays = game_of(rules).lays_melds
    before, won = (_LAID, _PAID) if lays else (_IN_PLAY, _WON)
    view = replace(before, turn=None, phase="over", outcome=won)
    facts = _facts(rules, view, scores=won.changes if lays else (20, 18, 18, 18))
    return result_picture(won, facts, view, words), result_alt(won, facts, view, words)


def _facts(rules: Rules, view: PublicView, scores: tuple[int, ...]) -> TableFacts:
    return TableFacts(
        id=TableId(""),
        version=0,
        moment=0,
        turn_number=0,
        stage="playing",
        rules=rules,
        seats=tuple(_seat(name, score) for name, score in zip(_NAMES, scores, strict=True)),
        round_number=1,
        view=view,
        news=NewsFacts(openings=_OPENINGS),
    )


def _seat(name: str, score: int) -> SeatFacts:
    return SeatFacts(name=name, score=score, computer=False, stand_in=False, host=False, word=False)


_GUIDE: Final[tuple[Callable[[Rules, Words], _Drawn], ...]] = (_what_wins, _a_turn, _finishing)
STEPS: Final = len(_GUIDE)
