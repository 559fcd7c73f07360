"""Unplanned events of a night: people who come late or leave, and organisers' decisions."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from bot.tables.table import Table
from tests.evening.season.dates import MINUTE
from tests.evening.season.people import Someone
from tests.evening.season.world import ORGANISER, eventually

if TYPE_CHECKING:
    from tests.evening.season.evening import Evening


async def turns_up_late(evening: "Evening") -> None:
    """Let somebody come after the first round has begun, to play from the second one on."""
    if "late" in evening.plan.deeds:
        late = evening.cast.late
        await late.press("night_late", evening.id)
        await evening.world.replied(evening.id, [late], here=True)
        evening.playing.add(late.name)
        evening.book.late.append((1, late.name))


async def goes_away(evening: "Evening", table: Table) -> None:
    """Let somebody leave a running table, or never come to it."""
    people = [evening.world.people[name] for name in evening.seated(table)]
    if "leaver" in evening.plan.deeds:
        gone = people[-1]
        await gone.press("night_leave", evening.id)
        await gone.press("night_gone", evening.id)
        await evening.world.time_is(evening.start + MINUTE)
        await evening.cast.substitute.press("night_sit", evening.id)
        await _sits(evening, table, evening.cast.substitute)
        evening.playing.add(evening.cast.substitute.name)
        evening.playing.discard(gone.name)
    if "no-show" in evening.plan.deeds:
        gone = people[0]
        for person in people[1:]:
            await person.press("look|sort_runs", table.id)
        await _touched(evening, table, people[1:])
        await evening.world.time_is(evening.start + 2 * MINUTE)
        await _kept_by_computer(evening, table, gone)
        evening.playing.discard(gone.name)


async def _sits(evening: "Evening", table: Table, person: Someone) -> None:
    async def there() -> bool:
        return person.name in evening.seated(await evening.table(table.id))

    await eventually(there, f"{person.name} has no seat")


async def _touched(evening: "Evening", table: Table, people: Sequence[Someone]) -> None:
    async def all_seen() -> bool:
        now = await evening.table(table.id)
        keys = {each.key for each in people}
        return all(seat.seen for seat in now.seats if seat.person in keys)

    await eventually(all_seen, "not everybody is there")


async def _kept_by_computer(evening: "Evening", table: Table, person: Someone) -> None:
    async def kept() -> bool:
        return any(
            seat.computer and seat.person == person.key for seat in (await evening.table(table.id)).seats
        )

    await eventually(kept, f"nobody plays for {person.name}")


async def organised(evening: "Evening") -> None:
    """Type organisers' acts in the chats: disputes, corrections, penalties, void tables, a pause."""
    organiser, deeds = evening.world.people[ORGANISER], evening.plan.deeds
    first, *_ = evening.book.tables
    where, seats = f"{first[0]}.{first[1]}", evening.book.tables[first]
    players = [name for name, _ in seats if name]
    if "dispute" in deeds:
        await evening.world.people[players[0]].write(f"dispute {where} the last tile was mine")
        await evening.until(lambda night: night.rounds[0].tables[first[1] - 1].disputed)
        await organiser.write(f"uphold {where} it was")
        await evening.until(lambda night: not night.rounds[0].tables[first[1] - 1].disputed)
    if "correction" in deeds:
        scores = [5 * seat - 7 for seat in range(len(seats))]
        await organiser.write(f"correct {where} {' '.join(map(str, scores))} counted anew")
        await evening.until(lambda night: bool(night.rounds[0].tables[first[1] - 1].corrected))
        evening.book.correct(first, scores)
    if "penalty" in deeds:
        await organiser.write(f"penalty {players[-1]} 1,5 rude words")
        await evening.until(lambda night: bool(night.penalties))
        evening.book.penalties.append((players[-1], Fraction(3, 2)))
    if "void" in deeds:
        last = max(evening.book.tables)
        await organiser.write(f"void {last[0]}.{last[1]} tiles were missing")
        await evening.until(lambda night: night.rounds[0].tables[last[1] - 1].void)
        evening.book.void.add(last)
    if "pause" in deeds:
        await organiser.write("pause somebody fell off their chair")
        await evening.until(lambda night: night.paused_at is not None)
        await evening.world.time_is(evening.world.clock() + 30 * MINUTE)
        await organiser.write("go they are well")
        await evening.until(lambda night: night.paused_at is None)


async def become_partners(evening: "Evening", people: Sequence[Someone]) -> None:
    """Let an organiser make partners of each two of these people."""
    world = evening.world
    for one, other in zip(people[::2], people[1::2], strict=True):

        async def paired(one: Someone = one, other: Someone = other) -> bool:
            league = await world.held()
            members = [league.member_of(each.key) for each in (one, other)]
            return all(member is not None and member.partner for member in members)

        async with world.undisturbed:
            await world.people[ORGANISER].write(f"pair {one.name}, {other.name}")
            await eventually(paired, f"{one.name} and {other.name} are no partners")
