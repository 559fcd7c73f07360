"""What leaves the process leaves through views: reshuffle what a viewer can't see, and nothing they get
changes, to the last byte of a picture (RULES 3, "may see")."""

import random
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from bot.i18n import plain, words_for
from bot.markup import PublicScreen, SeatScreen
from bot.pictures import draw
from bot.ports import Answer, Person, Press
from bot.screens.player import Mode, rack_brief, rack_screen
from bot.screens.table import public_screen
from bot.tables import drafts, lobby, play, racks
from bot.tables.facts import rack_facts, table_facts
from bot.tables.play import Delays
from bot.tables.table import RackDraft, Seat, Table
from engine.games import game_of
from engine.melds import MeldRules, Placed
from engine.moves import ClassicMove, Discard, Draw, Finish, Show, Take
from engine.players import choose
from engine.round import legal_moves
from engine.rules import rules_from
from engine.state import Round
from engine.tiles import FACES, Tile
from engine.view import seat_view

DELAYS = Delays(computer=1.0, next_round=1.0)
WORDS = words_for("en")
NAMES = ("Ada", "Can", "Ece", "Ali")


MODES = {
    "classic": (Mode(), Mode("finish"), Mode("arrange", picked=0)),
    "101": (Mode(), Mode("draft"), Mode("stand"), Mode("lay"), Mode("lay_okey"), Mode("arrange", picked=0)),
}
PRESETS = st.sampled_from(("okey", "okey101-raise"))


def a_table(chance: random.Random, moves: int, preset: str) -> Table:
    """A table after so many moves of its first round, or where the round ended; everybody has a draft."""
    players = chance.choice((2, 3, 4))
    table = lobby.open_table(
        table_id="tttttt",
        place="mem:hall",
        host=Seat(person="mem:0", name=NAMES[0]),
        rules=rules_from({"preset": preset, "players": players, "deal": chance.choice(("stacks", "quick"))}),
        language="en",
        turn_seconds=60,
        secret=chance.randbytes(64),
        now=0.0,
    ).table
    for number in range(1, players):
        table = lobby.join(table, Seat(person=f"mem:{number}", name=NAMES[number])).table
    table = play.start(table, "mem:0", DELAYS).table
    for _ in range(moves):
        round = table.match.round
        assert round is not None
        if table.stage != "playing":
            break
        options = [
            (seat, move) for seat in range(players) for move in legal_moves(table.match.rules, round, seat)
        ]
        seat, move = chance.choice(options)
        if preset != "okey" and chance.random() < 0.8:  # or else hardly anybody would ever open
            seat = round.turn
            legal = legal_moves(table.match.rules, round, seat)
            view = seat_view(table.match, seat)
            move = choose("steady", table.match.rules, view, legal, chance.randbytes(32))
        table = play.move(table, seat, move, DELAYS, lambda: chance.randbytes(64)).table
    return with_drafts(table, None, chance)


def with_drafts(table: Table, but: int | None, chance: random.Random) -> Table:
    """The table with another draft for everybody but one."""
    round = table.match.round
    assert round is not None
    for seat, rack in enumerate(round.racks):
        if seat != but:
            draft: RackDraft = ()
            for tile in chance.sample(rack, min(len(rack), chance.randint(0, 6))):
                placed = Placed(tile, wild=tile is round.okey)
                draft = drafts.add(draft, placed, MeldRules(round.okey, wrap=False))
            table = table.with_seat(seat, draft=draft)
    return table


def reshuffled(table: Table, viewer: int | None, chance: random.Random) -> Table:
    """The table with everything that `viewer` (None: the public) can't see dealt otherwise."""
    round = table.match.round
    assert round is not None
    known = set() if viewer is None else {viewer, (viewer - 1) % len(round.seats)}
    used = round.board.used > 0
    taken = round.drawn if round.source is not None and not used else None
    hidden: list[Tile] = list(round.stock)
    for seat, rack in enumerate(round.racks):
        if seat != viewer:
            hidden += _without_taken(rack, taken if seat == round.turn else None)
    for seat, pile in enumerate(round.piles):
        if seat not in known:
            hidden += pile[:-1]
    chance.shuffle(hidden)
    deck = iter(hidden)
    new_racks = tuple(
        rack if seat == viewer else _refilled(rack, taken if seat == round.turn else None, deck)
        for seat, rack in enumerate(round.racks)
    )
    drawn = round.drawn
    if drawn is not None and round.source is None and round.turn != viewer:
        drawn = chance.choice(new_racks[round.turn])
    other = replace(
        round,
        stock=tuple(next(deck) for _ in round.stock),
        racks=new_racks,
        piles=tuple(
            pile if seat in known or not pile else (*(next(deck) for _ in pile[:-1]), pile[-1])
            for seat, pile in enumerate(round.piles)
        ),
        drawn=drawn,
        twin_dealt_to=_other_twin(round, viewer, chance),
    )
    table = structs.replace(table, match=replace(table.match, round=other))
    for seat, rack in enumerate(new_racks):
        if seat != viewer:
            table = table.with_seat(
                seat, shelves=racks.by_pairs(rack, round.okey, game_of(table.match.rules).shelf_size)
            )
    return with_drafts(table, viewer, chance)


def _without_taken(rack: tuple[Tile, ...], taken: Tile | None) -> list[Tile]:
    rest = list(rack)
    if taken is not None:
        rest.remove(taken)
    return rest


def _refilled(rack: tuple[Tile, ...], taken: Tile | None, deck: Iterator[Tile]) -> tuple[Tile, ...]:
    stored = [] if taken is None else [taken]
    return tuple(sorted([*stored, *(next(deck) for _ in range(len(rack) - len(stored)))]))


def _other_twin(round: Round, viewer: int | None, chance: random.Random) -> int | None:
    """Who was dealt the twin is seen only by them, until it is shown."""
    if round.shown_by is not None or round.twin_dealt_to == viewer:
        return round.twin_dealt_to
    return chance.choice([None, *(seat for seat in range(len(round.seats)) if seat != viewer)])


def everything_of(screen: PublicScreen | SeatScreen) -> tuple[object, ...]:
    """All that a chat could show of a screen, and what a log or a traceback would say of it."""
    picture = None if screen.picture is None else draw(screen.picture)
    return screen, plain(screen.text, WORDS), screen.alt, picture, repr(screen)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 60), PRESETS)
def test_no_repr_of_what_a_seat_sees_tells_its_rack(seed: int, moves: int, preset: str) -> None:
    chance = random.Random(seed)
    table = a_table(chance, moves, preset)
    if table.stage == "playing":
        assert told_of(reshuffled(table, None, chance)) == told_of(table)


def told_of(table: Table) -> str:
    """What a log or a traceback would say of the first seat's own screen, and of all that it is made of."""
    facts = rack_facts(table, 0, 1.0, None)
    screen = rack_screen(facts, WORDS)
    press = Press(
        by=Person("mem:0", "Ada"), place=None, surface="private", data=screen.buttons[-1][0].press, id="1"
    )
    return repr(
        (
            facts,
            screen,
            screen.picture,
            Answer(private=screen, brief=rack_brief(facts, WORDS), notice=(screen.alt,)),
            press,
        )
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 60), PRESETS)
def test_nothing_the_public_sees_depends_on_what_it_may_not_know(seed: int, moves: int, preset: str) -> None:
    chance = random.Random(seed)
    table = a_table(chance, moves, preset)
    if table.stage != "playing":
        return
    seen = everything_of(public_screen(table_facts(table, 1.0), WORDS))
    other = reshuffled(table, None, chance)
    assert everything_of(public_screen(table_facts(other, 1.0), WORDS)) == seen
    assert repr(other) == repr(table)
    assert repr(other.match) == repr(table.match)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 60), PRESETS)
def test_nothing_a_seat_sees_depends_on_what_it_may_not_know(seed: int, moves: int, preset: str) -> None:
    chance = random.Random(seed)
    table = a_table(chance, moves, preset)
    if table.stage != "playing":
        return
    for viewer in range(len(table.seats)):
        other = reshuffled(table, viewer, chance)
        for mode in MODES[table.match.rules.game]:
            mine = rack_screen(rack_facts(table, viewer, 1.0, None), WORDS, mode)
            theirs = rack_screen(rack_facts(other, viewer, 1.0, None), WORDS, mode)
            assert everything_of(theirs) == everything_of(mine)


@given(st.integers(0, 2**32), st.integers(0, 60), PRESETS)
@settings(max_examples=40, deadline=None)
def test_what_is_raised_printed_or_logged_names_no_hidden_tile(seed: int, moves: int, preset: str) -> None:
    chance = random.Random(seed)
    table = a_table(chance, moves, preset)
    round = table.match.round
    assert round is not None
    secrets = [table.proof.sealed.secret.hex(), repr(table.proof.sealed.secret)]
    held = [rack for rack in round.racks if len(rack) > 2]
    racks_told = [", ".join(map(str, rack)) for rack in held] + [repr(rack) for rack in held]
    racks_told += [repr(seat.draft) for seat in table.seats if seat.draft]
    printed = [repr(table), repr(table.match), repr(round), *(repr(seat) for seat in table.seats)]
    for seat in range(len(table.seats)):
        try:
            play.move(table, seat, _nonsense(chance), DELAYS, lambda: b"")
        except Exception as error:
            printed += [repr(error), str(error), repr(getattr(error, "values", ""))]
    for text in printed:
        assert not any(secret in text for secret in (*secrets, *racks_told))


def _nonsense(chance: random.Random) -> ClassicMove:
    return chance.choice(
        [Discard(chance.choice(FACES)), Finish(chance.choice(FACES)), Draw(), Show(), Take()]
    )


def test_the_check_itself_finds_a_leak() -> None:
    """A screen that shows one hidden tile is found by the comparison above."""
    chance = random.Random(1)
    table = a_table(chance, 9, "okey")

    def seen_with_leak(leaking: Table) -> tuple[object, ...]:
        assert leaking.match.round is not None
        screen = public_screen(table_facts(leaking, 1.0), WORDS)
        return everything_of(replace(screen, text=(*screen.text, str(leaking.match.round.stock[0]))))

    others = [reshuffled(table, None, chance) for _ in range(20)]
    assert any(seen_with_leak(other) != seen_with_leak(table) for other in others)
