"""Letters about a night: reminders, and free seats for those who would be substitutes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from bot.delivery.boards import words_at
from bot.delivery.notices import Deed, Scene
from bot.i18n import words_for
from bot.ids import table_id
from bot.league.night import NightRound
from bot.league.night_tables import account_of
from bot.league.timers import REMINDERS
from bot.markup import Page
from bot.ports import Chat, Person, channel_of
from bot.screens.league import messages
from bot.store import Shown


async def reminders(scene: Scene) -> list[Deed]:
    """Letters to those who had signed up at the moment of a reminder."""
    night, left = scene.night, scene.night.start - scene.now
    before = min((each for each in REMINDERS if left <= each), default=None)
    if before is None or left <= 0 or night.stage not in ("announced", "check_in", "ready"):
        return []
    moment = f"remind {round(night.start)} {round(before)}"
    listed = scene.noted.get(moment)
    if listed is None:
        signed_up = " ".join(each.member for each in night.entrants if each.reply != "no")
        listed = Shown(signed_up, 0)
        await scene.store.set_shown(night.id, moment, listed)
    deeds: list[Deed] = []
    for member in listed.message.split():
        entrant, known = night.entrant(member), scene.league.members.get(member)
        if entrant is not None and entrant.reply != "no" and known is not None and known.reminders:
            letter = partial(messages.reminder, scene.league, night, member)
            deeds += _letter(scene, f"{moment} {member}", member, letter)
    return deeds


def free_seats(scene: Scene) -> Iterator[Deed]:
    """Letters to substitutes while a computer player keeps a seat."""
    round, night = scene.night.round, scene.night
    if round is None or night.stage != "playing":
        return
    for table in round.tables:
        for seat in () if table.over else table.free:
            for entrant in night.entrants:
                if entrant.reply == "substitute" and round.seat_of(entrant.member) is None:
                    letter = partial(messages.free_seat, scene.league, night, table.number)
                    name = f"seat {round.number} {table.number} {seat} {table.taken[seat]} {entrant.member}"
                    yield from _letter(scene, name, entrant.member, letter)


def _letter(scene: Scene, name: str, member: str, letter: Callable[..., Page]) -> Iterator[Deed]:
    known = scene.league.members[member]
    account = account_of(scene.night, member, known.accounts)
    if account is None:
        return
    words = words_for(known.language or scene.league.language)

    async def hand(chat: Chat, earlier: str) -> str:
        await chat.send_direct(account, letter(words), f"{scene.night.id} {name}")
        return ""

    chat = scene.people.chat_of(account)
    charged = () if chat is None else chat.opening_limits(account) + chat.private_limits(account)
    yield from scene.deed(name, account, "told", hand, charged=charged, once=True)


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
    text = messages.call(scene.league, round.number, words_at(scene.league, place))

    async def call(chat: Chat, earlier: str) -> str:
        await chat.post_line(place, text, calls=[seated[each] for each in missing])
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
        kept = None if table.over else await scene.repository.load(id)
        if kept is None:
            continue
        served = {place for place in kept.value.places if scene.people.chat_of(place) is not None}
        unseen |= served - (await scene.store.shown(id)).keys()
        for number, member in enumerate(table.seats):
            seat = kept.value.seats[number]
            place = None if seat.person is None else _where(scene, member, seat.person, kept.value.places)
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
