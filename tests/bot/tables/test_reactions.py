"""Reactions: who may show them, and how often."""

import pytest
from msgspec.structs import replace

from bot.errors import Refused
from bot.ids import NightId
from bot.tables.facts import table_facts
from bot.tables.membership import forget_person
from bot.tables.reactions import react
from bot.tables.table import REACTION_KINDS, AtNight, Reaction, Table
from tests.bot.tables.test_beginning import DELAYS, begun

TABLE = begun("random", 3)


def reacted(table: Table, *moments: float) -> Table:
    for at in moments:
        table = react(table, 0, "clap", at).table
    return table


def refusal(table: Table, now: float, kind: str = "clap", seat: int = 0) -> str:
    """The code with which a reaction is refused; empty: it isn't."""
    try:
        react(table, seat, kind, now)
    except Refused as refused:
        return refused.code
    return ""


def test_there_are_six_emotes_and_sixteen_phrases_and_no_others() -> None:
    assert len(REACTION_KINDS) == 6 + 16
    assert {refusal(TABLE, 0.0, kind) for kind in REACTION_KINDS} == {""}
    assert refusal(TABLE, 0.0, "<b>x</b>") == "unknown_button"


def test_a_player_reacts_once_in_three_seconds_and_five_times_a_minute() -> None:
    once = reacted(TABLE, 100.0)
    assert [refusal(once, at) for at in (100.0, 102.9, 103.0)] == ["many_reactions", "many_reactions", ""]
    assert refusal(once, 100.0, seat=1) == ""
    five = reacted(TABLE, 100.0, 105.0, 110.0, 115.0, 120.0)
    assert [refusal(five, at) for at in (159.9, 160.0)] == ["many_reactions", ""]
    assert refusal(reacted(five, 160.0), 164.9) == "many_reactions"


def test_nothing_but_the_seat_changes_and_no_clock_moves() -> None:
    change = react(TABLE, 2, "wow", 100.0)
    assert (change.entries, change.due) == ((), "keep")
    assert change.table == TABLE.with_seat(2, reactions=(Reaction("wow", 100.0),))


@pytest.mark.parametrize(
    "table",
    [
        replace(TABLE, night=AtNight(NightId("abcde-202603122000"), 1, 1)),
        replace(TABLE, practice=True),
        replace(TABLE, stage="lobby"),
        replace(TABLE, stage="closed"),
    ],
)
def test_nobody_reacts_in_leagues_practice_and_lobbies(table: Table) -> None:
    assert refusal(table, 0.0) == "no_reactions"
    assert not table_facts(table, None).choices.reactions


def test_who_is_forgotten_leaves_no_reaction() -> None:
    for stage in ("playing", "over"):
        change = forget_person(replace(reacted(TABLE, 100.0), stage=stage), "mem:0", DELAYS)  # type: ignore[arg-type]
        assert change is not None
        assert change.table.seats[0].reactions == ()
