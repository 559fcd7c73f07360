"""Letters about a night: reminders, and free seats for those who would be substitutes."""

from collections.abc import Callable, Iterator
from functools import partial

from bot.chats import Chat
from bot.league.clockwork import REMINDERS
from bot.league.deeds import Deed, Scene
from bot.league.openings import account_of
from bot.screens import league_letters
from bot.screens.model import Leaflet
from bot.store import Shown
from bot.words import words_for


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
            letter = partial(league_letters.reminder, scene.league, night, member)
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
                    letter = partial(league_letters.free_seat, scene.league, night, table.number)
                    name = f"seat {round.number} {table.number} {seat} {table.taken[seat]} {entrant.member}"
                    yield from _letter(scene, name, entrant.member, letter)


def _letter(scene: Scene, name: str, member: str, letter: Callable[..., Leaflet]) -> Iterator[Deed]:
    known = scene.league.members[member]
    account = account_of(scene.night, member, known.accounts)
    if account is None:
        return
    words = words_for(known.language or scene.league.language)

    async def hand(chat: Chat, earlier: str) -> str:
        await chat.hand(account, letter(words), f"{scene.night.id} {name}")
        return ""

    chat = scene.people.chat_of(account)
    charged = () if chat is None else chat.opening_allowances(account) + chat.private_allowances(account)
    yield from scene.deed(name, account, "told", hand, charged=charged, once=True)
