"""The judge of evenings with faults: it finds problems, and excuses those that nobody could prevent."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from bot.handlers.presence import new_seat
from bot.people.profiles import Profile
from bot.ports import Person
from bot.tables import lobby, play
from bot.tables.table import Table
from engine.rules import rules_from
from tests.evening.crowd_tables import DELAYS
from tests.evening.crowd_witness import Commit
from tests.evening.faults.evidence import Evidence, Pressed, Sent, Stands, Trouble
from tests.evening.faults.judge import judged

PLACE = "tg:-100"
PEOPLE = ("tg:1", "tg:2")
TURN = 100.0
"""The time at which the first turn begins."""


def begun() -> Table:
    """A table of two at its first turn."""
    seats = [new_seat(Person(key, key, "en"), Profile(), 0.0) for key in PEOPLE]
    opened = lobby.open_table(
        table_id="abc",
        place=PLACE,
        host=seats[0],
        rules=rules_from({"players": 2}),
        language="en",
        turn_seconds=30,
        secret=bytes(32),
        now=0.0,
    )
    return play.start(lobby.join(opened.table, seats[1]).table, PEOPLE[0], DELAYS).table


def evening(*sent: Sent, **more: Any) -> Evidence:
    """The evidence of a match with one turn of twenty seconds, after which it was over."""
    table = begun()
    over = structs.replace(table, stage="over")
    commits = [Commit(TURN, table), Commit(TURN + 20, over)]
    return replace(Evidence("abc", PLACE, PEOPLE, frozenset(), 30, commits=commits, sent=list(sent)), **more)


def rack(at: float, message: int = 7, *, new: bool = True, lost: bool = False) -> Sent:
    person = Commit(0.0, begun()).on_turn
    assert person is not None
    press = f"draw.abc.{begun().moment:x}"
    return Sent(TURN + at, person, new, message, "Your turn", (press,), lost=lost)


def found(evidence: Evidence) -> str:
    return "\n".join(judged(evidence).findings)


def test_a_turn_that_is_told_at_once_is_well() -> None:
    assert found(evening(rack(1))) == ""


@pytest.mark.parametrize("sent", [(), (rack(15),), (rack(1, new=False),)])
def test_a_turn_is_told_late_or_by_an_edit_that_nobody_hears(sent: tuple[Sent, ...]) -> None:
    assert "turn" in found(evening(*sent))


def test_an_edit_is_enough_for_who_looks_unless_it_has_scrolled_away() -> None:
    looking = [Pressed(TURN - 5, rack(0).to, "discard")]
    below = Sent(TURN - 9, rack(0).to, True, 8, "Somebody won", ())
    assert found(evening(rack(1, new=False), pressed=looking)) == ""
    assert "nobody told" in found(evening(below, rack(1, new=False), pressed=looking))


def test_troubles_put_off_what_they_hinder() -> None:
    person = rack(0).to
    assert found(evening(rack(15), troubles=[Trouble("429", TURN, TURN + 12, person)])) == ""
    assert "after" in found(evening(rack(15), troubles=[Trouble("429", TURN, TURN + 12, PLACE)]))


def test_the_same_twice_is_found_unless_the_first_was_not_heard_of() -> None:
    twice = rack(1), rack(4, 8)
    assert "the same twice" in found(evening(*twice))
    assert "was called 2 times" in found(evening(*twice))
    assert found(evening(rack(1, lost=True), rack(4, 8))) == ""
    assert found(evening(*twice, troubles=[Trouble("kill", TURN + 2, TURN + 3)])) == ""


def test_buttons_at_the_end_and_racks_in_public_are_found() -> None:
    stands = [Stands(PEOPLE[0], 7, "", (f"draw.abc.{begun().moment:x}",))]
    assert "still offers draw" in found(evening(rack(1), stands=stands))
    public = Sent(TURN, PLACE, True, 3, "Shelf 1: red 3", ("discard.abc.1.R3",))
    assert "a rack in public: discard" in found(evening(rack(1), public))


def test_calls_to_who_does_not_play_are_found() -> None:
    named = Sent(TURN, PLACE, True, 3, "Eve: look", (), notifies=(PEOPLE[0], "tg:9"))
    private = Sent(TURN, "tg:9", True, 4, "Look", (), notifies=("tg:9",))
    assert found(evening(rack(1), named)) == "tg:9 was called, who does not play"
    verdict = judged(evening(rack(1), named, private))
    assert verdict.figures["calls to who did not ask"] == 2


def test_calls_are_counted_by_the_turn() -> None:
    table = Sent(TURN, PLACE, True, 3, "Your turn", ())
    figures = judged(
        evening(rack(1), rack(3, new=False), table, pressed=[Pressed(TURN, "tg:1", "draw")])
    ).figures
    assert figures["presses a turn"] == 1.0
    assert [figures[f"calls a turn, in {where}"] for where in ("public", "private")] == [1.0, 2.0]


def test_a_match_that_does_not_end_is_stuck() -> None:
    assert "stuck" in found(replace(evening(rack(1)), commits=[Commit(TURN, begun())]))
