"""Draws every screen of games, leagues and settings as both chats show it on a phone, in all languages.

PYTHONPATH=. python docs/pictures/screens.py FOLDER [PART OF A NAME …]

Says which labels are cut. Needs what `draw.py` needs.
"""

import dataclasses
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import chats
import figures
import hand
import nights
from draw import CLASSIC_SEED, OPENED_SEED
from msgspec.structs import replace
from playwright.sync_api import Page as Tab
from playwright.sync_api import sync_playwright

import bot.handlers.router  # noqa: F401  declares the commands that screens name
from adapters.discord_chat.rendering import AnyScreen
from bot.i18n import LANGUAGES, Words, words_for
from bot.markup import PublicScreen
from bot.people.notifications import Notifying
from bot.screens.display import adapt_to_display
from bot.screens.fair import fair_page
from bot.screens.help import STEPS, HelpFacts, guide_page, help_page
from bot.screens.lobby import appearance_page, clock_page, preset_page, switch_page
from bot.screens.player import Mode, rack_screen
from bot.screens.preferences import forgetting_page, notifications_page, preferences_page, zone_page
from bot.screens.replay import StepFacts, replay_page
from bot.screens.rules import rules_page
from bot.screens.table import public_screen
from bot.tables import play, practice
from bot.tables.facts import rack_facts, table_facts
from bot.tables.table import Display, Seat, Table
from engine.moves import Call, Declare, LayOff, Move, Take
from engine.rules import PRESETS, rules_from

WIDTH: Final = 360
"""CSS pixels of a phone."""
DECLARING_SEED: Final = 3
LAYING_SEED: Final = 3
"""Tiles of Ada's fit melds on the table."""
NAMES: Final = ("Ada", "Mehmet Öztürkoğlu-Yılmaz", "김철수")

Shown = Callable[[Words], AnyScreen]

_CUT: Final = """
  [...document.querySelectorAll('.key')].filter(key => key.scrollWidth > key.clientWidth + 1)
    .map(key => key.innerText)
"""


def screens() -> Iterator[tuple[str, Shown]]:
    """Every screen by its name."""
    for game, preset, seed in (("classic", "okey", CLASSIC_SEED), ("101", "okey101-raise", OPENED_SEED)):
        tables = [_named(table) for table in hand.states(preset, seed)]
        lobby, first, *others, ended = tables
        yield f"{game}-lobby", _public(lobby)
        yield f"{game}-table-begins", _public(first)
        yield f"{game}-rack-begins", _rack(first)
        for name, table in _moments(others).items():
            yield f"{game}-table-{name}", _public(table)
            yield f"{game}-rack-{name}", _rack(table)
            for mode in _MODES[game] if name == "last-drawn" else ():
                yield f"{game}-rack-{mode.kind}", _rack(table, mode)
        yield f"{game}-result", _public(ended)
        yield f"{game}-rack-result", _rack(ended)
        yield f"{game}-over", _public(replace(ended, stage="over"))
        yield f"{game}-replay", _replay(others[len(others) // 2])
        yield f"{game}-rules", lambda words, rules=PRESETS[preset]: rules_page(rules_from(rules), words)
        for looks in ("letters", "contrast", "large", "words"):
            yield f"{game}-rack-{looks}", _rack(others[-1], display=Display(**{looks: True}))
    yield "101-rack-lay", _rack(_laying(), Mode("lay"))
    for name, table in _tournament().items():
        yield f"tournament-table-{name}", _public(table)
        yield f"tournament-rack-{name}", _rack(table)
    facts = table_facts(lobby, None)
    yield "rules-presets", lambda words: preset_page(facts, words)
    yield "rules-switches", lambda words: switch_page(facts, words)
    yield "rules-clocks", lambda words: clock_page(facts, words)
    yield "rules-looks", lambda words: appearance_page(facts, words)
    yield "settings", lambda words: preferences_page(Display(), "steady", words, turns=False)
    yield "notifications", lambda words: notifications_page(Notifying(), hand.TURN_ENDS, words, turns=False)
    yield "zone", lambda words: zone_page(Notifying(), hand.TURN_ENDS, words)
    yield "forgetting", forgetting_page
    sealed = table_facts(_with_words(ended, "elma", "", "göl", ""), None)
    yield "fair", lambda words: fair_page(sealed, words)
    stranger = HelpFacts(None, None, private=True, platform="tg")
    yield "help", lambda words: help_page(stranger, words, turns=False)
    for step in range(1, STEPS + 1):
        yield f"guide-{step}", lambda words, step=step: guide_page(step, words, turns=False)
    yield "practice", _rack(_practice("okey"))
    yield "practice-101", _rack(_practice("okey101"))
    yield from nights.screens()
    yield from figures.screens(CLASSIC_SEED)


_MODES: Final = {
    "classic": (Mode("finish"), Mode("arrange"), Mode("arrange", picked=0)),
    "101": (Mode("draft"), Mode("arrange")),
}


def _laying() -> Table:
    """A table at which Ada can lay off the most tiles."""
    tables = [_named(table) for table in hand.states("okey101-raise", LAYING_SEED) if hand.has_drawn(table)]
    return max(tables, key=lambda table: sum(isinstance(move, LayOff) for move in _legal(table)))


def _tournament() -> dict[str, Table]:
    """A tournament's table when Ada may declare pairs, has declared them, has taken a discard after that, and
    may call one."""
    tables = [_named(table) for table in hand.states("okey101-tournament", DECLARING_SEED)]
    before = next(each for each in tables if hand.on_turn(each) and {Declare(), Take()} <= set(_legal(each)))
    declared = play.move(before, hand.ADA, Declare(), hand.DELAYS, lambda: bytes(64)).table
    taken = play.move(declared, hand.ADA, Take(), hand.DELAYS, lambda: bytes(64)).table
    called = [table for table in tables if table.stage == "playing" and Call() in _legal(table)]
    return {"may-declare": before, "declared": declared, "taken": taken, "may-call": called[-1]}


def _legal(table: Table) -> Sequence[Move]:
    return rack_facts(table, hand.ADA, None, None).legal


def _moments(tables: list[Table]) -> dict[str, Table]:
    drawn = [table for table in tables if hand.has_drawn(table)]
    to_draw = [table for table in tables if hand.on_turn(table) and not hand.has_drawn(table)]
    waiting = [table for table in tables if not hand.on_turn(table)]
    return {
        "waits": waiting[len(waiting) // 2],
        "to-draw": to_draw[len(to_draw) // 2],
        "drawn": drawn[len(drawn) // 2],
        "last-drawn": drawn[-1],
    }


def _named(table: Table) -> Table:
    for seat, name in enumerate(NAMES[: len(table.seats)]):
        table = table.with_seat(seat, name=name)
    return table


def _public(table: Table) -> Shown:
    def shown(words: Words) -> PublicScreen:
        return public_screen(table_facts(table, hand.TURN_ENDS), words)

    return shown


def _rack(table: Table, mode: Mode | None = None, *, display: Display | None = None) -> Shown:
    facts = rack_facts(table, hand.ADA, hand.TURN_ENDS, None)

    def shown(words: Words) -> AnyScreen:
        return adapt_to_display(rack_screen(facts, words, mode or Mode()), display or Display(), words)

    return shown


def _replay(table: Table) -> Shown:
    assert table.match.round is not None
    facts = StepFacts(
        table=table_facts(table, None), racks=table.match.round.racks, step=20, last=40, rounds=1
    )
    return lambda words: replay_page(facts, words, turns=False)


def _with_words(table: Table, *words: str) -> Table:
    """The table as if these words had been closed for its last deal."""
    for number, word in enumerate(words):
        *before, last = table.seats[number].closed
        said = dataclasses.replace(last, word=dataclasses.replace(last.word, word=word))
        table = table.with_seat(number, closed=(*before, said))
    return table


def _practice(preset: str) -> Table:
    chance = random.Random(1)
    ada = Seat(person="tg:1", name="Ada")
    delays = play.Delays(computer=1.0, next_round=20.0)
    return practice.begin(
        table_id="k7xq3m",
        person=ada,
        preset=preset,
        secret=chance.randbytes(64),
        now=0.0,
        delays=delays,
    ).table


def page_of(chat: str, shown: Shown) -> str:
    """A screen as a chat shows it, in every language side by side."""
    style, laid_out = {
        "telegram": (chats.TELEGRAM, chats.in_telegram),
        "discord": (chats.DISCORD, chats.in_discord),
    }[chat]
    narrow = f"section {{ width: {WIDTH}px }} .message .face {{ display: none }}"
    sections = [
        chats.section("", language, "", laid_out(shown(words_for(language)), language))
        for language in LANGUAGES
    ]
    return chats.page(style + narrow, sections)


def _draw(tab: Tab, folder: Path, name: str, shown: Shown) -> None:
    for chat in ("telegram", "discord"):
        tab.set_content(page_of(chat, shown))
        tab.evaluate("document.fonts.ready")
        tab.locator("main").screenshot(path=folder / f"{name}-{chat}.png")
        for label in tab.evaluate(_CUT):
            print(f"{name}-{chat}: cut: {label}")


def main(folder: Path, wanted: list[str]) -> None:
    """Draw what is wanted, or everything."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chats.CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1600, "height": 800})
        for name, shown in screens():
            if not wanted or any(part in name for part in wanted):
                _draw(tab, folder, name, shown)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
