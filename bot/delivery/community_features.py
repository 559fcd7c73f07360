"""What platforms show of a night besides its board: an event, a pinned message, the champion's role."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from bot.delivery.boards import words_at
from bot.delivery.notices import Deed, Scene, digest
from bot.ids import league_key
from bot.ports import Chat
from bot.screens.league import messages
from bot.store import Shown


def calendar(scene: Scene, place: str) -> Iterator[Deed]:
    """The night as an event of a server."""
    wanted = messages.event(scene.league, scene.night, words_at(scene.league, place))
    version = digest(asdict(wanted))

    async def put_down(chat: Chat, known: str) -> str:
        return await chat.set_scheduled_event(place, wanted, known)

    yield from scene.deed(f"calendar {place}", place, version, put_down, charged=())


def pins(scene: Scene) -> Iterator[Deed]:
    """Its board, found at once until it is over."""
    for place in scene.league.places:
        board = scene.noted.get(place)
        over = scene.night.stage in ("over", "cancelled")
        wanted = "" if over or board is None else board.message

        async def change(chat: Chat, earlier: str, place: str = place, wanted: str = wanted) -> str:
            if earlier:
                await chat.unpin(place, earlier)
            if wanted:
                await chat.pin(place, wanted)
            return wanted

        if wanted or f"pin {place}" in scene.noted:
            yield from scene.deed(f"pin {place}", place, digest(wanted), change)


def role(scene: Scene, place: str, noted: Mapping[str, Shown]) -> Iterator[Deed]:
    """The champions' role, once a season is over."""
    league = scene.league
    if "champion" not in league.format.prizes or not league.champions or scene.night.stage != "over":
        return
    chat = scene.people.chat_of(place)
    champions = league.champions[max(league.champions)]
    name = messages.role_name(league, words_at(league, place))
    before = {member for each in league.champions.values() for member in each}

    async def crown(chat: Chat, earlier: str) -> str:
        former = sorted((before | set(earlier.split())) - set(champions))
        await chat.give_role(place, name, _accounts(scene, champions, chat), _accounts(scene, former, chat))
        return " ".join(champions)

    holders = [] if chat is None else _accounts(scene, champions, chat)
    version = digest([name, holders])
    yield from scene.deed(
        f"role {place}", place, version, crown, noted=noted, kept_by=league_key(league.id), charged=()
    )


def _accounts(scene: Scene, members: Sequence[str], chat: Chat) -> list[str]:
    """The accounts of these members in a chat."""
    known = [scene.league.members[each] for each in members if each in scene.league.members]
    accounts = [account for member in known for account in member.accounts]
    return [account for account in accounts if scene.people.chat_of(account) is chat]
