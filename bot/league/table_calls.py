"""Lines that call people to their tables when a round begins."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.chats import Chat, Person
from bot.communities import channel_of
from bot.league.boards import words_at
from bot.league.deeds import Deed, Scene
from bot.league.naming import table_id
from bot.league.night import NightRound
from bot.screens import league_letters

CALLED_AT_ONCE: Final = 20
"""So many people are called in one line."""


async def calls(scene: Scene) -> tuple[list[Deed], bool]:
    """Lines that call those whose tables have just been opened, and whether some are not shown yet.

    In a place of several tables all are called together, as soon as all of these are shown.
    """
    round = scene.night.round
    if round is None or scene.night.stage != "playing":
        return [], False
    seated, unseen = await _seated(scene, round)
    deeds: list[Deed] = []
    for place in seated.keys() - unseen:
        deeds += _call(scene, round, place, seated[place])
    return deeds, bool(seated.keys() & unseen)


def _call(scene: Scene, round: NightRound, place: str, seated: Mapping[str, Person]) -> Iterator[Deed]:
    name = f"call {place}"
    called = [each for each in _called(scene, place) if each in seated]
    missing = [each for each in seated if each not in called][:CALLED_AT_ONCE]
    text = league_letters.call(scene.league, round.number, words_at(scene.league, place))

    async def call(chat: Chat, earlier: str) -> str:
        await chat.tell_place(place, text, calls=[seated[each] for each in missing])
        return ""

    if missing:
        yield from scene.deed(name, place, ",".join([*called, *missing]), call, once=True)


def _called(scene: Scene, place: str) -> list[str]:
    noted = scene.noted.get(f"call {place}")
    return [] if noted is None else noted.message.partition(" ")[0].split(",")


async def _seated(scene: Scene, round: NightRound) -> tuple[dict[str, dict[str, Person]], set[str]]:
    """By place, the people of the open tables, each by his seat; and the places where a table is still to
    be shown."""
    seated: dict[str, dict[str, Person]] = {}
    unseen: set[str] = set()
    for table in round.tables:
        id = table_id(scene.night.id, round.number, table.number, table.attempt)
        kept = None if table.over else await scene.keeper.load(id)
        if kept is None:
            continue
        served = {place for place in kept.table.places if scene.people.chat_of(place) is not None}
        unseen |= served - (await scene.store.shown(id)).keys()
        for number, member in enumerate(table.seats):
            seat = kept.table.seats[number]
            place = None if seat.person is None else _where(scene, member, seat.person, kept.table.places)
            if place is not None and seat.person is not None and number not in table.free:
                key = f"{round.number}.{table.number}.{table.attempt}.{member}"
                seated.setdefault(place, {})[key] = Person(seat.person, seat.name)
    return seated, unseen


def _where(scene: Scene, member: str, person: str, places: Sequence[str]) -> str | None:
    """Which of his table's places a person looks at: that in whose channel or group he signed up, or else
    the first of his chat."""
    chat, entrant = scene.people.chat_of(person), scene.night.entrant(member)
    near = [place for place in places if chat is not None and scene.people.chat_of(place) is chat]
    home = "" if entrant is None else channel_of(entrant.place)
    return next((place for place in near if channel_of(place) == home), near[0] if near else None)
