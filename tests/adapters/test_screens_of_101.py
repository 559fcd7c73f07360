"""The screens of Okey 101 within the limits of each platform (CHATS.md)."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import structs

from adapters.discord_chat.emojis import TileEmojis
from adapters.discord_chat.rendering import (
    LONGEST_TEXT,
    LONGEST_V2_TEXT,
    MOST_COMPONENTS,
    MOST_OPTIONS,
    Rendered,
)
from adapters.telegram_chat.rendering import CAPTION_LIMIT, as_html, keyboard
from bot.i18n import LANGUAGES, words_for
from bot.markup import PublicScreen, SeatScreen
from bot.screens.display import adapt_to_display
from bot.screens.parts import length
from bot.screens.player import Mode, rack_brief, rack_screen
from bot.screens.table import public_screen
from bot.tables import drafts, lobby, play
from bot.tables.facts import RackFacts, rack_facts, table_facts
from bot.tables.play import Delays
from bot.tables.table import AtNight, Display, RackDraft, Seat, Table
from engine.hints.okey101 import Okey101Hint
from engine.melds import Board, Laid, Meld, MeldRules, Placed, Played
from engine.moves import LayMeld
from engine.players import choose
from engine.round import legal_moves
from engine.rules import rules_from
from engine.tiles import COLOURS, FULL_SET, tile_of
from engine.view import public_view, seat_view

pytestmark = pytest.mark.long

DELAYS = Delays(computer=1.0, next_round=1.0)
MODES = (Mode(), Mode("draft"), Mode("stand"), Mode("lay"), Mode("lay_okey"), Mode("arrange", picked=0))
DRAFTING = MODES[1:3]
BUTTONS_OF_TELEGRAM = 100
BYTES_OF_A_PRESS = 64
ALERT = 200


def tables(seed: int) -> Iterator[Table]:
    """A round of computer players, at every move of it."""
    chance = random.Random(seed)
    table = lobby.open_table(
        table_id="tttttt",
        place="mem:hall",
        host=Seat(person="mem:0", name="W" * 32),
        rules=rules_from({"preset": "okey101-raise"}),
        language="en",
        turn_seconds=60,
        secret=chance.randbytes(64),
        now=0.0,
    ).table
    table = play.start(table, "mem:0", DELAYS).table
    for seat in range(len(table.seats)):
        table = table.with_seat(seat, name="W" * 32)
    while table.stage == "playing":
        yield table
        round = table.match.round
        assert round is not None
        legal = legal_moves(table.match.rules, round, round.turn)
        move = choose(
            "easy", table.match.rules, seat_view(table.match, round.turn), legal, chance.randbytes(32)
        )
        table = play.move(table, round.turn, move, DELAYS, lambda: chance.randbytes(64)).table


def screens(table: Table, chance: random.Random) -> Iterator[PublicScreen | SeatScreen]:
    """Everything that can be shown of a table: with and without a draft, in every language and mode."""
    round = table.match.round
    assert round is not None
    seat = round.turn
    rack = round.racks[seat]
    own = table.with_seat(seat, computer=None)
    built: RackDraft = ()
    alone = tuple((Placed(tile, wild=tile is round.okey),) for tile in chance.sample(rack, len(rack)))
    for (placed,) in alone:
        built = drafts.add(built, placed, MeldRules(round.okey, wrap=False))
    for draft in ((), built, (*alone[: len(rack) // 2], ()), alone):
        own = own.with_seat(seat, draft=draft)
        for language in LANGUAGES:
            for mode in MODES if not draft else DRAFTING:
                yield rack_screen(rack_facts(own, seat, 1.0, None), words_for(language), mode)
    blind = own.with_seat(seat, alerts_only=True, private_closed=True)
    for language in LANGUAGES:
        yield public_screen(table_facts(table, 1.0), words_for(language))
        yield public_screen(table_facts(blind, 1.0), words_for(language))


@settings(max_examples=2, deadline=None)
@given(st.integers(0, 2**32))
@example(1369)
@example(125)  # a rack in an alert: many of its signs count twice
def test_every_screen_fits_every_platform(seed: int) -> None:
    chance = random.Random(seed)
    for number, table in enumerate(tables(seed)):
        if number % 6:
            continue
        _fits_an_alert(table)
        for screen in screens(table, chance):
            _fits_discord(screen)
            _fits_telegram(screen)
            presses = [button.press for row in screen.buttons for button in row]
            assert len(presses) == len(set(presses))
            assert all(0 < len(press) <= BYTES_OF_A_PRESS for press in presses)


def fullest(table: Table, seat: int) -> RackFacts:
    """More than can ever be said of a table: everybody has opened, all 106 tiles lie in melds of three,
    all have penalties and closed chats, the night has not begun for them, names are as long as can be, and
    there is a hint besides."""
    whole_run = tuple(Placed(tile_of(COLOURS[0], number)) for number in range(1, 14))
    hint = Okey101Hint(LayMeld(whole_run), "last_turn")
    facts = rack_facts(table, seat, 1.0, None, hint=hint)
    assert facts.view is not None
    okey = facts.view.public.okey
    melds = tuple(
        Laid(
            number % 4,
            Meld("set", tuple(Played(okey, tile_of(colour, 13)) for colour in COLOURS[:3])),
        )
        for number in range(len(FULL_SET) // 3)
    )
    board = Board(opened=("melds",) * 4, fines=(9,) * 4, melds=melds)
    public = replace(facts.view.public, board=board)
    seats = tuple(
        structs.replace(each, name="😀" * 32, score=-1808, missing=True, stand_in=number != seat)
        for number, each in enumerate(facts.table.seats)
    )
    night = AtNight(night="n", round=10, number=10, last=True, paused=True)
    table_told = facts.table
    told = structs.replace(
        table_told,
        seats=seats,
        view=public,
        news=structs.replace(table_told.news, openings=(218,) * 4),
        night=night,
        clock=structs.replace(table_told.clock, warned=True),
    )
    return replace(facts, table=told, view=replace(facts.view, public=public))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_table_is_too_full_for_a_caption(language: str) -> None:
    words = words_for(language)
    *_, table = islice(tables(1), 9)
    facts = fullest(table, public_view(table.match).turn or 0)
    shown = [rack_screen(facts, words, mode) for mode in MODES]
    for display in (Display(), Display(letters=True)):
        for screen in (*shown, public_screen(facts.table, words)):
            text = adapt_to_display(screen, display, words).text
            assert not as_html(text, CAPTION_LIMIT).endswith("…"), length(text)


def _fits_discord(screen: PublicScreen | SeatScreen) -> None:
    page = Rendered(screen, None, TileEmojis())
    fields = page.as_new()
    view = fields.get("view")
    longest = LONGEST_V2_TEXT if page.needs_v2 else LONGEST_TEXT
    assert not page._text(longest).endswith("…")
    if view is not None and page.needs_v2:
        parts = list(view.walk_children())
        assert len(parts) <= MOST_COMPONENTS
        assert all(len(getattr(part, "options", ())) <= MOST_OPTIONS for part in parts)


def _fits_telegram(screen: PublicScreen | SeatScreen) -> None:
    assert not as_html(screen.text, CAPTION_LIMIT).endswith("…")
    markup = keyboard(screen.buttons)
    shown = [] if markup is None else [each for row in markup.inline_keyboard for each in row]
    assert len(shown) == sum(map(len, screen.buttons)) <= BUTTONS_OF_TELEGRAM


def _fits_an_alert(table: Table) -> None:
    """With a number for every tile."""
    for seat in range(len(table.seats)):
        facts = rack_facts(table, seat, 1.0, None)
        for words in map(words_for, LANGUAGES):
            brief = rack_brief(facts, words)
            assert len(brief.encode("utf-16-le")) // 2 <= ALERT
            assert brief.count(":") >= rack_screen(facts, words).alt.splitlines()[0].count(",") + 1
