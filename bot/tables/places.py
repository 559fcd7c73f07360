"""Places: the channels, groups and threads in which a table is shown."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.errors import Refused
from bot.tables.table import Table

PLACES_MOST: Final = 8
"""A table is shown in so many places at most: each of them costs an edit a turn."""


def added(table: Table, place: str, language: str, number: int) -> Table:
    """The table shown in one more place, in that place's language, where it is called by that number.

    Refused: `too_many_places`.
    """
    if place in table.places or place in table.rooms.values():
        return table
    if len(table.places) >= PLACES_MOST:
        raise Refused("too_many_places", n=PLACES_MOST)
    languages = {**table.languages, place: language}
    numbers = {**table.numbers, place: number}
    return replace(table, places=(*table.places, place), languages=languages, numbers=numbers).touched()


def moved(table: Table, place: str, new_place: str) -> Table:
    """The table after a place got a new key; its message there will be a new one."""
    places = tuple(dict.fromkeys(new_place if each == place else each for each in table.places))
    languages = {new_place if each == place else each: spoken for each, spoken in table.languages.items()}
    numbers = {new_place if each == place else each: number for each, number in table.numbers.items()}
    return replace(table, places=places, languages=languages, numbers=numbers).touched()


def entered(table: Table, rooms: Mapping[str, str]) -> Table:
    """The table in its rooms, by the places for which they were opened; where there is none it stays. It is
    called there as in those places."""
    numbers = table.numbers
    for place, room in rooms.items():
        if place in table.places:
            table = replace(moved(table, place, room), rooms={**table.rooms, room: place})
    return replace(table, room=False, numbers=numbers).touched()


def returned(table: Table, room: str) -> Table:
    """The table after one of its rooms was deleted: where that was opened it is shown again."""
    rooms = {each: place for each, place in table.rooms.items() if each != room}
    return replace(moved(table, room, table.rooms[room]), rooms=rooms)


def left(table: Table, place: str) -> Table:
    """The table no longer shown in a place."""
    places = tuple(each for each in table.places if each != place)
    languages = {each: spoken for each, spoken in table.languages.items() if each != place}
    numbers = {each: number for each, number in table.numbers.items() if each != place}
    return replace(table, places=places, languages=languages, numbers=numbers)
