"""Who: the people who may press a button or type a command, by their relation to its subject.

An id on a button is a name, never a right: everything here is found from the person who asks and the place
that the platform names. Who may not know of a table or a league is told that there is none.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from bot.errors import Refused, is_allowed
from bot.handlers.context import RequestContext
from bot.handlers.leaving import depends_on_reading, lose_seat, places_of
from bot.handlers.services import Services
from bot.people.codes import read_code
from bot.people.sessions import Watched
from bot.repository.tables import StoredTable
from bot.tables import membership
from bot.tables.table import Table

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class Who(Protocol[T_contra]):
    """The people who may do something."""

    @property
    def name(self) -> str:
        """The word for them."""
        ...

    @property
    def check(self) -> Callable[[RequestContext, T_contra], Awaitable[None]]:
        """Check that the person who asks is one of them. Raises Refused."""
        ...


@dataclass(frozen=True, slots=True)
class CheckedPeople:
    """People that a function can tell."""

    name: str
    check: Callable[[RequestContext, Any], Awaitable[None]]
    """See `Who.check`."""


class Unasked(Exception):
    """Raised by a check of a table that needs to know first whether the person may read it."""

    def __init__(self, stored: StoredTable) -> None:
        super().__init__(stored.value.id)
        self.stored = stored


@dataclass(frozen=True, slots=True)
class AtTable:
    """People by their relation to a table, as the table itself tells it, so that it is checked on the very
    state that their act changes."""

    name: str
    require: Callable[[RequestContext, StoredTable], None]
    """Check that the person is one of them. Raises Refused, Unasked."""

    async def check(self, context: RequestContext, stored: StoredTable) -> None:
        """Check that the person is one of them. Raises Refused, and as `ask_first`."""

        async def require() -> None:
            self.require(context, stored)

        await ask_first(context, require)


async def ask_first(context: RequestContext, attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what an attempt returns, once it is known whether the person may read the table that it is
    about.

    Raises as the attempt, but not Unasked; Refused `blocked`; RetryAfter while their chat does not answer,
    unless they sit there.
    """
    try:
        return await attempt()
    except Unasked as unasked:
        await _ask(context, unasked.stored)
        return await attempt()


async def _ask(context: RequestContext, stored: StoredTable) -> None:
    """Find out whether the person may read a table: from the place in which they act, from their chat, or by
    its invitation. Who sits there and can no longer read it loses their seat."""
    services, person, table = context.services, context.by.key, stored.value
    if depends_on_reading(table, person):
        left = await services.permissions.readers.has_left(person, places_of(table))
        if left:
            await lose_seat(services, person, stored)
        context.may_read[table.id] = "no" if left else "reads"
    elif await _asks_platform(context, table):
        context.may_read[table.id] = "reads"
    else:
        context.may_read[table.id] = "invited" if await is_invited(context, table) else "no"


async def _asks_platform(context: RequestContext, table: Table) -> bool:
    services, person, place = context.services, context.by.key, context.reads_from
    if place is None or place not in places_of(table):
        return await services.permissions.readers.readable(person, places_of(table)) is not None
    await services.permissions.admission.take_part(person, place)
    services.permissions.readers.note(person, place)
    return True


async def is_invited(context: RequestContext, table: Table) -> bool:
    """Return whether the person has used the table's current invitation and may watch by it."""
    services, person = context.services, context.by.key
    return await may_watch(services, person, table, await services.sessions.find_watched(person))


async def may_watch(services: Services, person: str, table: Table, watched: Watched | None) -> bool:
    """Return whether a person may watch a table because what they have `watched` by an invitation is its
    current one."""
    if not table.calls.invitation or watched != Watched(table.id, table.calls.invitation):
        return False
    return await is_allowed(services.permissions.admission.watch(person, table))


def _reads(context: RequestContext, stored: StoredTable) -> None:
    table = stored.value
    if any(table.seat_of(account) is not None for account in (context.by.key, context.other) if account):
        _keeps_seat(context, stored)
        return
    if context.may_read.get(table.id) is None:
        raise Unasked(stored)
    if context.may_read[table.id] == "no":
        raise Refused("unknown_table")


def _keeps_seat(context: RequestContext, stored: StoredTable) -> None:
    """Check a seat that its person may have lost. Nobody is asked about a press in the table's own place, or
    twice in five minutes. Raises Refused `not_seated`, Unasked."""
    table, person, place = stored.value, context.by.key, context.reads_from
    known = context.may_read.get(table.id)
    if not depends_on_reading(table, person):
        return
    if place is not None and place in places_of(table):
        context.services.permissions.readers.note(person, place)
    elif known == "no":
        raise Refused("not_seated")
    elif known is None and not context.services.permissions.readers.believes(person, places_of(table)):
        raise Unasked(stored)


def _sits(context: RequestContext, stored: StoredTable) -> None:
    if stored.value.seat_of(context.by.key) is not None:
        _keeps_seat(context, stored)
        return
    if stored.value.farewell_to(context.by.key) is None:  # whoever sat there knows of it
        _reads(context, stored)
    raise Refused("not_seated")


def _hosts(context: RequestContext, stored: StoredTable) -> None:
    _reads(context, stored)
    membership.check_host_of_open_table(stored.value, context.by.key)


async def _anybody(context: RequestContext, about: object) -> None:
    return


async def _check_invitation(context: RequestContext, stored: StoredTable | None) -> None:
    """Check the code on the button: whoever came by an earlier one was not invited by the present one."""
    code = read_code(next(iter(context.data.arguments), ""))
    if stored is None or code is None or stored.value.calls.invitation != code:
        await context.services.tokens.charge_try(context.by.key)
        raise Refused("wrong_code")
    await context.services.permissions.admission.watch(context.by.key, stored.value)


async def _organises(context: RequestContext, place: str) -> None:
    await context.services.permissions.organisers.check(context.by.key, place)


async def _organises_here(context: RequestContext, about: None) -> None:
    await context.services.permissions.organisers.check(context.by.key, context.here)


ANYBODY: Final = CheckedPeople("anybody", _anybody)
"""Anybody: it is about the person themselves, or about the place in which they act, and found from these."""
READER: Final = AtTable("reader", _reads)
"""Readers of a table: who sits there, who can read one of its places and is not blocked there, and who came
by its invitation. Everybody else is refused with `unknown_table`."""
SEAT: Final = AtTable("seat", _sits)
"""Who sits at a table, and has not left all its places since. Everybody else is refused with `not_seated`, or
with `unknown_table` if they are no readers."""
HOST: Final = AtTable("host", _hosts)
"""A table's host. A league's table has none."""
INVITED: Final = CheckedPeople("invited", _check_invitation)
"""Who has a table's invitation on the button. Everybody else is refused with `wrong_code`."""
ORGANISER: Final = CheckedPeople("organiser", _organises)
"""Organisers of the place that a button names."""
ORGANISER_HERE: Final = CheckedPeople("organiser here", _organises_here)
"""Organisers of the place in which they act."""
