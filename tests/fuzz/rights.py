"""The changes that one press or command may make in the store. Everything not listed here is forbidden.

- Data of a person (settings, hints, tokens, link): only they themselves. The mention of a person in a place's
  settings: its organisers, who may block them.
- A place's settings: its organisers. Forgetting a person removes their name.
- The match history, its tally and the archive: no press. Forgetting a person removes their name.
- A table: the people who sit there, by their role (below). Others may take a free seat in a lobby, open a
  table and sit there, bring a table whose code they know to the place where they type, or have the lobby of
  that place posted again.
- The numbers of a place's tables: anyone who opens or brings one there; in private, where they played or
  looked.
- A community's daily board: anyone who answers there, and its organisers. Forgetting removes a name.
- A league or a night: see `evenings`. Hints that lead to it are stored under a person's own accounts and
  places.
- The judgement of a round: anyone who asks; it follows from the round and contains nothing about people.
- A private link's token: the person for whom it was made. A code: anyone who knows it.
"""

import re
from collections.abc import Iterator

from msgspec import structs

from bot.ids import daily_id, read_key
from bot.ports import channel_of
from bot.tables.table import Table, TablePart
from engine.round import legal_moves
from tests.fuzz.deeds import Deed
from tests.fuzz.evenings import of_evenings
from tests.fuzz.stored import Fact, Facts, changed, table_in

_OF_A_TABLE = re.compile(r"\{p\d\d\}[tls]:(.+)", re.DOTALL)
_HINTS = re.compile(r"(?:place|community|daily):.+", re.DOTALL)
_MARKS = re.compile(r"\{p\d\d\}(?:due|dirty|ended|agenda)", re.DOTALL)
"""The keys whose members are tables."""
_OF_A_PERSON = re.compile(r"(?:(?:person|seats|set|link):|token-ends:(?:app )?)(.+)", re.DOTALL)
_LEAGUES = re.compile(r"leagues:(.+)", re.DOTALL)
_SETTINGS = re.compile(r"settings:(.+)", re.DOTALL)
_NUMBERS = re.compile(r"numbers:(.+)", re.DOTALL)
_WRITTEN = re.compile(r"\{book:.+\}(?:at|tally)?|match:.+", re.DOTALL)
_TOKEN = re.compile(r"token:(.+)", re.DOTALL)
_SYNCED = re.compile(r"\{p\d\d\}synced")
_JUDGED = re.compile(r"judged:.+")
_NOTED = re.compile(r"\{p\d\d\}noted:.+", re.DOTALL)
_COUNTS = re.compile(r"\{spend[^}]*\}.+", re.DOTALL)
_CLOCKS = re.compile(r"\{p\d\d\}(?:alive|synced)")

_HOSTS_OWN = {"turn_seconds", "display", "removed", "host"}


def trespasses(before: Facts, after: Facts, deed: Deed) -> list[str]:
    """The forbidden changes of this deed; empty when there are none."""
    found = []
    tables: dict[str, set[Fact]] = {}
    for fact in changed(before, after):
        key, member = fact
        if table := _OF_A_TABLE.fullmatch(key):
            tables.setdefault(table[1], set()).add(fact)
        elif _MARKS.fullmatch(key) or _HINTS.fullmatch(key):
            tables.setdefault(member, set()).add(fact)
        elif not _allowed(fact, before, deed):
            found.append(f"{key} {member}")
    for table_id, facts in tables.items():
        if read_key(table_id)[0] == "daily":
            found += [] if _may_be_counted(table_id, deed) else [f"{table_id}: not their community's"]
            continue
        if read_key(table_id)[0] != "table":
            found += [f"{table_id}: {what}" for what in of_evenings(table_id, facts, before, after, deed)]
            continue
        found += [f"table {table_id}: {what}" for what in _at_table(table_id, facts, before, after, deed)]
    return found


def _allowed(fact: Fact, before: Facts, deed: Deed) -> bool:
    """Return whether a change outside of tables is allowed."""
    key, _ = fact
    if person := _OF_A_PERSON.fullmatch(key):
        blocked = key.startswith("set:") and bool(deed.organised)
        if key.startswith("seats:") and deed.press.startswith("again."):
            return True  # everybody has a seat at the next match as at this one
        if key.startswith("token-ends:") and deed.links:
            return True  # the other account is asked, too
        return person[1].removeprefix("app ") in deed.accounts or blocked
    if key.startswith(("bell:", "bells:")):  # who wants to be told where
        person = fact[1] if key.startswith("bell:") else key.removeprefix("bells:")
        return person in deed.accounts
    if place := _SETTINGS.fullmatch(key):
        return place[1] in deed.organised or deed.forgets
    if numbered := _NUMBERS.fullmatch(key):
        return deed.place in (None, numbered[1])
    if led := _LEAGUES.fullmatch(key):
        return led[1] in deed.accounts | deed.organised | {channel_of(each) for each in deed.organised}
    if token := _TOKEN.fullmatch(key):
        owners = {
            known.removeprefix("token-ends:").removeprefix("app ")
            for known, held in before
            if held == token[1]
        }
        return not owners or bool(owners & deed.accounts) or deed.links
    if _WRITTEN.fullmatch(key):
        return deed.forgets
    return any(each.fullmatch(key) for each in (_COUNTS, _CLOCKS, _SYNCED, _JUDGED, _NOTED))


def _may_be_counted(board: str, deed: Deed) -> bool:
    """Return whether a person's answers, or their settings, belong on a community's daily board."""
    here = {channel_of(each) for each in (deed.place, *deed.organised) if each}
    return board in map(daily_id, here) or deed.forgets


def _at_table(table: str, facts: set[Fact], before: Facts, after: Facts, deed: Deed) -> Iterator[str]:
    was, now = table_in(before, table), table_in(after, table)
    if all(_HINTS.fullmatch(key) for key, _ in facts) and (now is None or now.stage in ("over", "closed")):
        return  # anyone who looks for tables may remove hints that lead to none
    if now is None:
        yield "it is gone"
    elif was is None:
        here = {deed.place} if deed.place or deed.command else set(now.places)
        if deed.seat_at(now) is None or not set(now.places) <= here:
            yield "it was opened for others"
    elif set(was.places) & deed.organised:
        return  # organisers of a place may close its tables and remove people from them
    elif deed.seat_at(was) is not None:
        yield from _by_seated(was, now, deed)
    else:
        yield from _by_stranger(was, now, facts, deed)


def _by_stranger(was: Table, now: Table, facts: set[Fact], deed: Deed) -> Iterator[str]:
    """Forbidden changes by a person who sits elsewhere, or nowhere, or was removed."""
    if any(key.endswith("due") for key, _ in facts):
        yield "its clock was changed"
    may = set[str]()
    if now.places == (*was.places, deed.place) and deed.command:
        may |= {"places", "languages", "numbers"}
    opens = deed.command or deed.press.startswith("open_table.")
    calls = (was.stage == "lobby" and opens) or deed.command.startswith("/mention")
    if deed.place in was.places and not was.is_over and calls:
        may |= {"posted"}
    if was.stage == "lobby" and not deed.accounts & set(was.gone.removed) and _sat_down(was, now, deed):
        may |= {"seats", "farewells"}  # they may have sat there before
    if deed.forgets:
        may |= {"removed", "farewells"}
    others = _different(was, now) - may
    if others:
        yield f"a stranger changed {sorted(others)}"
    elif not _different(was, now) and not deed.forgets:
        yield "a stranger touched it"


def _sat_down(was: Table, now: Table, deed: Deed) -> bool:
    """Return whether they took a free seat or a computer player's, and the other seats did not change."""
    others = [(old, new) for old, new in zip(was.seats, now.seats, strict=True) if old != new]
    return len(others) == 1 and others[0][0].person is None and others[0][1].person in deed.accounts


def _by_seated(was: Table, now: Table, deed: Deed) -> Iterator[str]:
    seat = deed.seat_at(was)
    assert seat is not None
    host, lobby = was.host in deed.accounts, was.stage == "lobby"
    begun = was.match.round_number != now.match.round_number
    if not host and _different(was, now) & _HOSTS_OWN:
        yield f"a guest changed {sorted(_different(was, now) & _HOSTS_OWN)}"
    if not set(was.places) <= set(now.places) <= {*was.places, deed.place}:
        yield "its places were changed"
    if was.match.rules != now.match.rules and not (host and lobby):
        yield "its rules were changed"
    if begun and not (host if lobby else was.stage == "between"):
        yield "a round was begun"
    if not begun and was.match.round != now.match.round and not _could_move(was, seat):
        yield "a move was made out of turn"
    yield from _others_seats(was, now, deed, host=host, begun=begun)


def _could_move(was: Table, seat: int) -> bool:
    if was.stage != "playing" or was.match.round is None or was.seats[seat].computer is not None:
        return False
    return bool(legal_moves(was.match.rules, was.match.round, seat))


def _others_seats(was: Table, now: Table, deed: Deed, *, host: bool, begun: bool) -> Iterator[str]:
    for seat in was.seats:
        if seat.person is None or seat.person in deed.accounts:
            continue
        number = now.seat_of(seat.person)
        if number is None:
            if not host:
                yield f"{seat.name} was removed"
        elif not begun and seat != now.seats[number]:
            yield f"the seat of {seat.name} was changed"


def _different(was: Table, now: Table) -> set[str]:
    """Return the names of the fields that differ, of a table and of its parts."""
    before, after = _list_fields(was), _list_fields(now)
    return {name for name in before if before[name] != after[name]}


def _list_fields(table: Table) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name, value in structs.asdict(table).items():
        fields |= structs.asdict(value) if isinstance(value, TablePart) else {name: value}
    return fields
