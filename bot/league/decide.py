"""What members want of a night: what happens, or why not. Pure: `leagues.act` commits it."""

from typing import Final

from bot.errors import Refused
from bot.league import members
from bot.league.events import Came, CheckedIn, Disputed, Event, Replied, Reply, SeatTaken, Went
from bot.league.model import Member
from bot.league.night import Night, NightTable
from bot.ports import chat_name

DISPUTE_SECONDS: Final = 600.0
"""A table's result may be disputed for so long after its end."""

WORDS_MOST: Final = 300

Happening = tuple[Event, ...]


def reply(night: Night, now: float, member: Member, said: Reply, place: str) -> Happening:
    """He says whether he comes. Once check-in is closed, a yes means that he is there, a no that he goes.

    Refused: `night_over`, `barred`, `signed_up_elsewhere`, `check_in_closed`, and as `come` and `leave`.
    """
    _not_over(night)
    if said != "no":
        _not_barred(night, now, member)
    if night.stage in ("announced", "check_in"):
        return _replied(night, member, said, place)
    if said == "yes":
        return come(night, now, member, place)
    if said == "maybe":
        raise Refused("check_in_closed")
    if said == "no" or member.id in night.playing:
        return leave(night, now, member, place)
    return _replied(night, member, said, place)


def check_in(night: Night, now: float, member: Member, place: str) -> Happening:
    """He is there. Refused: `night_over`, `barred`, `check_in_not_open`, and as `come`."""
    _not_over(night)
    _not_barred(night, now, member)
    if night.stage == "announced":
        raise Refused("check_in_not_open")
    if night.stage != "check_in":
        return come(night, now, member, place)
    entrant = night.entrant(member.id)
    if entrant is not None and entrant.here:
        _same_chat(entrant.place, place)
        return ()
    return (CheckedIn(member.id, place),)


def come(night: Night, now: float, member: Member, place: str) -> Happening:
    """He is there after check-in was closed: back in his seat, or from the next round on; or he waits. Before
    that he checks in.

    Refused: `night_over`, `barred`, `here_already`, `too_late_for_night`, and as `check_in`.
    """
    _not_over(night)
    _not_barred(night, now, member)
    if night.stage in ("announced", "check_in"):
        return check_in(night, now, member, place)
    if (seat := night.kept_for(member.id)) is not None:
        table, number = seat
        assert night.round is not None
        return (SeatTaken(night.round.number, table.number, number, member.id, place),)
    entrant = night.entrant(member.id)
    if member.id in night.playing:
        _same_chat("" if entrant is None else entrant.place, place)
        raise Refused("here_already")
    if len(night.rounds) > night.format.rounds // 2:
        raise Refused("too_late_for_night")
    if night.room == 0:
        return () if entrant is not None and entrant.here else (CheckedIn(member.id, place),)
    return (Came(member.id, place),)


def leave(night: Night, now: float, member: Member, place: str) -> Happening:
    """He does not come after all, or plays no more rounds. Refused: `night_over`, `not_signed_up`."""
    _not_over(night)
    if member.id in night.playing:
        return (Went(member.id),)
    entrant = night.entrant(member.id)
    if entrant is None or entrant.reply == "no":
        raise Refused("not_signed_up")
    return (Replied(member.id, "no", place),)


def take_seat(night: Night, now: float, member: Member, place: str, *, table: int, seat: int) -> Happening:
    """A substitute takes a seat that a computer player keeps, at a table of the running round.

    Whose seat it was plays no more rounds, unless he comes again.

    Refused: `night_over`, `barred`, `no_free_seat`, `sits_elsewhere`.
    """
    _not_over(night)
    _not_barred(night, now, member)
    round = night.round
    wanted = None if round is None else night.table(round.number, table)
    if round is None or wanted is None or wanted.over or seat not in wanted.free:
        raise Refused("no_free_seat")
    found = round.seat_of(member.id)
    if found is not None and not found[0].over and found[1] not in found[0].free:
        raise Refused("sits_elsewhere")
    owner = wanted.seats[seat]
    return (*replaced(night, owner, member.id), SeatTaken(round.number, table, seat, member.id, place))


def replaced(night: Night, owner: str, member: str) -> Happening:
    """What becomes of the owner of a kept seat that a member takes."""
    if owner == member or owner not in night.playing:
        return ()
    return (Went(owner, missed=not night.has_played(owner)),)


def dispute(night: Night, now: float, member: Member, *, round: int, table: int, words: str) -> Happening:
    """A player disputes a table's result.

    Refused: `unknown_night_table`, `not_your_table`, `table_running`, `table_void`, `disputed_already`,
    `dispute_too_late`.
    """
    disputed = table_of(night, round, table)
    if not any(member.id in who for who in (disputed.seats, *(each.players for each in disputed.tiles))):
        raise Refused("not_your_table")
    if not disputed.over or disputed.ended_at is None:
        raise Refused("table_running")
    if disputed.void:
        raise Refused("table_void")
    if disputed.dispute is not None:
        raise Refused("disputed_already")
    if now - disputed.ended_at > DISPUTE_SECONDS:
        raise Refused("dispute_too_late", minutes=round_minutes(DISPUTE_SECONDS))
    return (Disputed(round, table, member.id, " ".join(words.split())[:WORDS_MOST]),)


def table_of(night: Night, round: int, table: int) -> NightTable:
    """A table by its numbers. Raises Refused `unknown_night_table`."""
    found = night.table(round, table)
    if found is None:
        raise Refused("unknown_night_table")
    return found


def round_minutes(seconds: float) -> int:
    """Whole minutes."""
    return int(seconds // 60)


def _replied(night: Night, member: Member, said: Reply, place: str) -> Happening:
    before = night.entrant(member.id)
    if before is not None and before.reply == said:
        if said == "yes":
            _same_chat(before.place, place)
        if before.place == place:
            return ()
    return (Replied(member.id, said, place),)


def _same_chat(before: str, now: str) -> None:
    """Who is signed up in one chat is not signed up once more by his account in another."""
    if before and chat_name(before) != chat_name(now):
        raise Refused("signed_up_elsewhere")


def _not_over(night: Night) -> None:
    if night.stage in ("over", "cancelled"):
        raise Refused("night_over")


def _not_barred(night: Night, now: float, member: Member) -> None:
    if members.barred(member, max(now, night.start)):
        hours = -int(-(member.barred_until - now) // 3600)
        raise Refused("barred", hours=hours)
