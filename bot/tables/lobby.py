"""Lobby: people join and leave before the first round, and the host chooses the rules."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from bot.errors import Refused, as_refusal
from bot.ids import TableId
from bot.tables.names import computer_seat
from bot.tables.table import (
    FREE,
    PLAIN,
    CalledPerson,
    Change,
    ComputerLevel,
    DealProof,
    Display,
    HostChoices,
    Postings,
    Seat,
    Table,
    TableCalls,
    TableClock,
)
from engine.context import seal_from
from engine.match import new_match
from engine.players.rng import PlayerRng
from engine.rules import Rules, rules_from, switches_of
from engine.state import at_seat

LOBBY_SECONDS: Final = 24 * 3600.0
"""A lobby that nobody starts is closed after a day."""

CALL_SECONDS: Final = 60.0
"""A lobby that has waited this long calls those who want to be told of new tables."""

CLOSED_SECONDS: Final = 24 * 3600.0
"""A closed table is forgotten after a day; until then its message and its buttons say that it is closed."""


def open_table(
    *,
    table_id: TableId,
    place: str,
    host: Seat,
    rules: Rules,
    language: str,
    turn_seconds: int,
    secret: bytes,
    now: float,
    number: int = 1,
    display: Display = PLAIN,
    room: bool = False,
) -> Change:
    """Return a new table with its host on seat 0. `number` is its number in the place; `room`: a thread or
    topic of its own is opened for it."""
    assert host.person is not None
    table = Table(
        id=table_id,
        places=(place,),
        host=host.person,
        language=language,
        clock=TableClock(turn_seconds=turn_seconds),
        stage="lobby",
        seats=(host, *[FREE] * (rules.players - 1)),
        match=new_match(rules),
        opened_at=now,
        proof=DealProof(sealed=seal_from(secret, table_id, 1)),
        postings=Postings(numbers={place: number}, room=room),
        choices=HostChoices(display=display),
    )
    return Change(table, due=CALL_SECONDS)


def can_be_played_again(table: Table) -> bool:
    """Return whether a match was won at a table that people opened: no league table, no practice."""
    return table.stage == "over" and bool(table.match.winners) and table.night is None and not table.practice


def again(
    old: Table,
    *,
    table_id: TableId,
    host: str,
    back: str,
    numbers: Mapping[str, int],
    secret: bytes,
    now: float,
    room: bool,
) -> Change:
    """Return the lobby of the next match, with the seats, rules and display of a match that is over.

    Computer players stay. A person who was away at its end or has been forgotten since is replaced by one,
    except the person who comes `back`. `numbers` maps each of its places to its number there, the first place
    first.
    """
    seats: tuple[Seat, ...] = ()
    for seat in old.seats:
        away = seat.person is not None and seat.computer is not None and seat.person != back
        forgotten = seat.person is None and seat.computer is None
        if away or forgotten:
            others = (*seats, *old.seats[len(seats) :])
            seats += (computer_seat(others, old.choices.level, old.language, seat),)
        else:
            seats += (_seat_again(seat),)
    languages = {
        old.postings.rooms.get(place, place): spoken for place, spoken in old.postings.languages.items()
    }
    table = Table(
        id=table_id,
        places=tuple(numbers),
        host=host,
        language=old.language,
        clock=TableClock(turn_seconds=old.clock.turn_seconds),
        stage="lobby",
        seats=seats,
        match=new_match(old.match.rules),
        opened_at=now,
        proof=DealProof(sealed=seal_from(secret, table_id, 1)),
        postings=Postings(languages=languages, numbers=numbers, room=room),
        choices=old.choices,
        calls=TableCalls(
            called=tuple(
                CalledPerson(str(seat.person), seat.language, "again", back)
                for seat in old.seats
                if seat.person not in (None, back)
            )
        ),
    )
    return Change(table, due=CALL_SECONDS)


def _seat_again(seat: Seat) -> Seat:
    """Return a seat for the same person: whether private messages reach them is tried anew, as for whoever
    joins."""
    return Seat(
        person=seat.person,
        name=seat.name,
        language=seat.language,
        computer=None if seat.person else seat.computer,
        stand_in=seat.stand_in,
        seen=seat.seen,
        guest=seat.guest,
    )


def join(table: Table, person: Seat, *, starts_in: float = 0.0) -> Change:
    """Seat a person on the first free seat, or that of the last computer player. `starts_in`: as by `sit`.

    Refused: `already_seated`, `removed_here`, `table_full`, `already_started`.
    """
    assert person.person is not None
    if not table.is_over and table.seat_of(person.person) is not None:
        raise Refused("already_seated", waits=table.waits_for_people)
    _in_lobby(table)
    numbers = [*_list_free(table), *reversed(_list_computers(table))]
    if not numbers:
        raise Refused("table_full")
    return sit(table, person, numbers[0], starts_in=starts_in)


def sit(table: Table, person: Seat, number: int, *, starts_in: float = 0.0) -> Change:
    """Seat a person on a seat of their choice that no other person has. Who has a seat already moves, and a
    computer player that was there changes places with them. With the last free seat taken, the lobby starts
    by itself in `starts_in` seconds; 0: it waits for its host.

    Refused: `already_seated` on this very seat, `seat_taken`, `old_button`, `removed_here`,
    `already_started`.
    """
    assert person.person is not None
    _in_lobby(table)
    if person.person in table.gone.removed:
        raise Refused("removed_here")
    if number >= len(table.seats):
        raise Refused("old_button")
    there, own = table.seats[number], table.seat_of(person.person)
    if own == number:
        raise Refused("already_seated", waits=True)
    if there.person is not None:
        raise Refused("seat_taken", number=number + 1, who=there.name)
    if own is not None:
        return Change(_put(_put(table, number, table.seats[own]), own, there))
    seated = _put(table, number, person).welcome(number)
    if FREE in seated.seats or not starts_in or table.clock.counts_down:
        return Change(seated)
    return Change(replace(seated, clock=replace(seated.clock, counts_down=True)), due=starts_in)


def hold(table: Table, person: str) -> Change:
    """Keep a full lobby from starting by itself. Refused: `not_host`, `already_started`."""
    host_in_lobby(table, person)
    return _wait(table)


def _wait(table: Table) -> Change:
    """Return a lobby that does not start by itself: its clock is that of a lobby again."""
    if not table.clock.counts_down:
        return Change(table)
    due = LOBBY_SECONDS - CALL_SECONDS if table.calls.has_called else CALL_SECONDS
    return Change(replace(table, clock=replace(table.clock, counts_down=False)), due=due)


def unfold(table: Table, person: str, on: bool) -> Change:
    """Show the host's buttons in the lobby, or show them no longer. Refused: `not_host`,
    `already_started`."""
    host_in_lobby(table, person)
    return Change(replace(table, postings=replace(table.postings, unfolded=on)))


def shuffle_seats(table: Table, host: str, secret: bytes) -> Change:
    """Seat everybody anew, by a secret that nobody knew. Refused: `not_host`, `already_started`."""
    host_in_lobby(table, host)
    return Change(replace(table, seats=tuple(PlayerRng(secret).sample(table.seats, len(table.seats)))))


def leave(table: Table, person: str) -> Change:
    """Take a person out, at their own wish. Refused: `not_seated`, `already_started`."""
    change, number = without(table, person), table.seat_of(person)
    assert number is not None
    return Change(change.table.part(table.seats[number], "left"), due=change.due)


def without(table: Table, person: str) -> Change:
    """Take a person out. The next in seat order becomes host; a lobby without people is closed. Refused as by
    `leave`."""
    _in_lobby(table)
    number = table.seat_of(person)
    if number is None:
        raise Refused("not_seated")
    after = _put(table, number, FREE)
    if not after.people():
        return close_lobby(after)
    host = host_after(table, number) if table.host == person else table.host
    return _wait(replace(after, host=host))


def host_after(table: Table, number: int) -> str:
    """Return the next person in seat order after a seat, preferably one who plays themselves; `""`:
    nobody."""
    others = [seat for seat in (*table.seats[number + 1 :], *table.seats[:number]) if seat.person]
    there = [seat for seat in others if seat.computer is None]
    return next((str(seat.person) for seat in (*there, *others)), "")


def add_computer(table: Table, person: str) -> Change:
    """Seat a computer player for the host. Refused: `not_host`, `table_full`, `already_started`."""
    host_in_lobby(table, person)
    free = _list_free(table)
    if not free:
        raise Refused("table_full")
    return Change(_with_computer(table, free[0]))


def change_level(table: Table, person: str, level: ComputerLevel) -> Change:
    """Set the level of the computer players, also of those already seated.

    Refused: `not_host`, `already_started`.
    """
    host_in_lobby(table, person)
    seats = tuple(replace(seat, computer=level) if seat.computer else seat for seat in table.seats)
    return Change(replace(table, seats=seats, choices=replace(table.choices, level=level)))


def remove_computer(table: Table, person: str) -> Change:
    """Remove the last computer player. Refused: `not_host`, `no_computer`."""
    host_in_lobby(table, person)
    computers = _list_computers(table)
    if not computers:
        raise Refused("no_computer")
    return _wait(_put(table, computers[-1], FREE))


def change_rules(table: Table, person: str, **switches: object) -> Change:
    """Change switches of the rules. Refused: `not_host`, `too_many_seated`, or the engine's code."""
    return choose_rules(table, person, {**switches_of(table.match.rules), **switches})


def choose_rules(table: Table, person: str, switches: Mapping[str, object]) -> Change:
    """Choose all rules again, as `rules_from` takes them. Refused as by `change_rules`."""
    host_in_lobby(table, person)
    with as_refusal():
        rules = rules_from(switches)
    spare = _list_free(table)[::-1][: max(0, len(table.seats) - rules.players)]
    kept = [seat for number, seat in enumerate(table.seats) if number not in spare]
    seats = (*kept, *[FREE] * (rules.players - len(kept)))
    if len(seats) > rules.players:
        raise Refused("too_many_seated", n=rules.players)
    return _wait(replace(table, seats=seats, match=new_match(rules)))


def choose_clock(table: Table, person: str, seconds: int) -> Change:
    """Set how long a turn may take. Refused: `not_host`, `already_started`."""
    host_in_lobby(table, person)
    return _wait(replace(table, clock=replace(table.clock, turn_seconds=seconds)))


def choose_display(table: Table, person: str, display: Display) -> Change:
    """Set how the table looks. Refused: `not_host`, `already_started`."""
    return _choose(table, person, display=display)


def choose_hints(table: Table, person: str, on: bool) -> Change:
    """Switch advice for everybody on or off. Refused: `not_host`, `already_started`."""
    return _choose(table, person, hints=on)


def choose_emotes(table: Table, person: str, on: bool) -> Change:
    """Switch the emotes of winning computer players on or off. Refused: `not_host`, `already_started`."""
    return _choose(table, person, emotes=on)


def _choose(table: Table, person: str, **choices: object) -> Change:
    host_in_lobby(table, person)
    return Change(replace(table, choices=replace(table.choices, **choices)))


def call(table: Table, called: tuple[CalledPerson, ...], roles: Mapping[str, str]) -> Change:
    """Call people who want to be told of new tables, and the roles that places have named for that, to a
    lobby that has waited for a minute."""
    known = {each.person for each in table.calls.called}
    fresh = tuple(each for each in called if each.person not in known)
    calls = replace(table.calls, has_called=True, called=(*table.calls.called, *fresh), roles=roles)
    return Change(replace(table, calls=calls), due=LOBBY_SECONDS - CALL_SECONDS)


def invite(table: Table, host: str, called: CalledPerson) -> Change:
    """Call a person at the host's wish. Refused: `not_host`, `already_started`, `already_seated`,
    `table_full`."""
    host_in_lobby(table, host)
    if table.seat_of(called.person) is not None:
        raise Refused("already_seated", other=True)
    if not table.has_room:
        raise Refused("table_full")
    others = tuple(each for each in table.calls.called if each.person != called.person)
    return Change(replace(table, calls=replace(table.calls, called=(*others, called))))


def cancel(table: Table, person: str) -> Change:
    """Close the lobby at the host's wish. Refused: `not_host`."""
    host_in_lobby(table, person)
    return close_lobby(table)


def close_lobby(table: Table) -> Change:
    """Return the table as a closed lobby, which nobody can start any more."""
    return Change(
        replace(table, stage="closed", proof=replace(table.proof, awaited=None)), due=CLOSED_SECONDS
    )


def host_in_lobby(table: Table, person: str) -> None:
    """Check that the table is in the lobby and the person is its host. Raises Refused `table_closed`,
    `match_over`, `already_started`, `not_host`."""
    _in_lobby(table)
    check_host(table, person)


def check_host(table: Table, person: str) -> None:
    """Check that the person is the host. Raises Refused `not_host`."""
    if person != table.host:
        host = table.seat_of(table.host)
        raise Refused("not_host", host="" if host is None else table.seats[host].name)


def fill(table: Table) -> Table:
    """Return the table with computer players on its free seats."""
    for number, seat in enumerate(table.seats):
        table = _with_computer(table, number) if seat.is_free else table
    return table


def _with_computer(table: Table, number: int) -> Table:
    return _put(table, number, computer_seat(table.seats, table.choices.level, table.language))


def _put(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=at_seat(table.seats, number, seat))


def _list_free(table: Table) -> list[int]:
    return [number for number, seat in enumerate(table.seats) if seat.is_free]


def _list_computers(table: Table) -> list[int]:
    return [number for number, seat in enumerate(table.seats) if seat.computer]


def _in_lobby(table: Table) -> None:
    if table.stage == "closed":
        raise Refused("table_closed")
    if table.stage == "over":
        raise Refused("match_over")
    if table.stage != "lobby" or table.proof.awaited is not None:
        raise Refused("already_started")
