"""Places: the channels, groups and threads in which a table is shown."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from bot.errors import Refused
from bot.tables.table import Change, Table

PLACES_MOST: Final = 8
"""The most places in which one table is shown, since each of them costs an edit a turn."""

POSTED_SECONDS: Final = 20.0
"""Seconds before a table may be posted again, so that nobody floods a group with it."""


def add_place(table: Table, place: str, language: str, number: int) -> Table:
    """Return the table shown in one more place, in that place's language and under that number.

    Refused: `too_many_places`.
    """
    if place in table.places or place in table.postings.rooms.values():
        return table
    if len(table.places) >= PLACES_MOST:
        raise Refused("too_many_places", n=PLACES_MOST)
    languages = {**table.postings.languages, place: language}
    numbers = {**table.postings.numbers, place: number}
    return replace(
        table,
        places=(*table.places, place),
        postings=replace(table.postings, languages=languages, numbers=numbers),
    )


def speak(table: Table, places: Sequence[str], language: str) -> Table:
    """Return the table shown in a language in these of its places."""
    languages = {**table.postings.languages, **dict.fromkeys(places, language)}
    return replace(table, postings=replace(table.postings, languages=languages))


def rename_place(table: Table, place: str, new_place: str) -> Table:
    """Return the table after a place got a new key; the table's message there will be a new one."""
    places = tuple(dict.fromkeys(new_place if each == place else each for each in table.places))
    languages = {
        new_place if each == place else each: spoken for each, spoken in table.postings.languages.items()
    }
    numbers = {
        new_place if each == place else each: number for each, number in table.postings.numbers.items()
    }
    return replace(
        table, places=places, postings=replace(table.postings, languages=languages, numbers=numbers)
    )


def enter_rooms(table: Table, rooms: Mapping[str, str]) -> Table:
    """Return the table moved into its rooms, given by the places for which they were opened; in other places
    it stays. Its numbers stay those of the places."""
    numbers = table.postings.numbers
    for place, room in rooms.items():
        if place in table.places:
            table = _with_rooms(rename_place(table, place, room), {**table.postings.rooms, room: place})
    return replace(table, postings=replace(table.postings, room=False, numbers=numbers))


def return_from_room(table: Table, room: str) -> Table:
    """Return the table after a room was deleted: it is shown again in the place of that room."""
    rooms = {each: place for each, place in table.postings.rooms.items() if each != room}
    return _with_rooms(rename_place(table, room, table.postings.rooms[room]), rooms)


def _with_rooms(table: Table, rooms: Mapping[str, str]) -> Table:
    return replace(table, postings=replace(table.postings, rooms=rooms))


def remove_place(table: Table, place: str) -> Table:
    """Return the table no longer shown in a place. It still knows the language there, to say so."""
    places = tuple(each for each in table.places if each != place)
    numbers = {each: number for each, number in table.postings.numbers.items() if each != place}
    return replace(table, places=places, postings=replace(table.postings, numbers=numbers))


def post_again(table: Table, now: float) -> Change | None:
    """Post the table again, where it is seen; None: it was posted just now. Refused: `table_closed`,
    `match_over`."""
    if table.is_over:
        raise Refused("table_closed" if table.stage == "closed" else "match_over")
    if now - max(table.opened_at, table.postings.posted) < POSTED_SECONDS:
        return None
    return Change(replace(table, postings=replace(table.postings, posted=now)))
