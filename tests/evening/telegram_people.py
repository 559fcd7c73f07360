"""People who play in a Telegram group, each by the messages in their own app."""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from engine.tiles import Tile
from tests.evening import brain
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import Call, Control, Group, Impossible, Person, Said, Shown

PATIENCE_SECONDS = 2.0
"""Seconds before somebody presses the same button again."""

EXPIRED = "has expired"
"""The words with which a press of an old button is refused."""

_MENTION = re.compile(r"tg://user\?id=(\d+)|(?<!\w)(@\w+)")
_SIGNED = re.compile(r"(🔴|⭐|🔷|⬛|🃏)(\d*)")
_NUMBERED = re.compile(r"(\d+):👑?(🔴|⭐|🔷|⬛|🃏)(\d*)")
_SIGNS = {"🔴": "R", "⭐": "Y", "🔷": "B", "⬛": "K"}
_PAGE_SECONDS = 10.0
"""Seconds after which somebody types again for a page that has not come."""
_LOST_SECONDS = PATIENCE
"""A press within this many seconds before a kill may be taken and never answered: its person presses
again."""


def buttons_of(message: Shown) -> brain.Offered:
    """The presses of a message's buttons."""
    rows = message.raw.get("reply_markup", {}).get("inline_keyboard", [])
    return brain.offered(button.get("callback_data", "") for row in rows for button in row)


def notified(call: Call) -> tuple[str, ...]:
    """The keys of all whom a call notifies; everybody who sees a pin, or bears a name, has a key that is no
    person's."""
    given, chat = call.parameters, call.parameters.get("chat_id")
    if call.method == "pinChatMessage" and not given.get("disable_notification"):
        return ("tg:everybody",)
    if not call.method.startswith("send") or call.message is None or chat is None:
        return ()
    if chat > 0:
        return (f"tg:{chat}",)
    alone = given.get("ephemeral_message_parameters") or given
    if receiver := alone.get("receiver_user_id"):
        return () if "callback_query_id" in alone else (f"tg:{receiver}",)
    words = given.get("text") or given.get("caption") or ""
    return tuple(f"tg:{user or name}" for user, name in _MENTION.findall(words))


async def start(host: Person, lobby: Shown) -> Said:
    """Start a lobby's match as its host: the button stands behind another one."""
    await host.press(lobby, buttons_of(lobby)["unfold"][0])
    unfolded = await host.sees(lambda each: "start" in buttons_of(each), lobby.chat_id)
    return await host.press(unfolded, buttons_of(unfolded)["start"][0])


async def want_descriptions(*people: Person) -> None:
    """Have their pictures described in words, as each of these people in their private chat."""
    for person in people:
        page = await _read_page(
            person, person.id, "/okey settings", lambda each: "prefer" in buttons_of(each)
        )
        await person.press(page, "prefer.me.0.described.1")


async def describe_tables(control: Control, organiser: Person, group: Group) -> None:
    """Have the pictures of a group's new tables described in words, as somebody who organises it from now
    on."""
    await control.ask("promote", user_id=organiser.id, chat_id=group.id)
    described = "New tables here: Description"
    await _read_page(organiser, group, "/okey display described", lambda each: described in each.words)


async def _read_page(
    person: Person,
    chat: int | Group,
    command: str,
    matches: Callable[[Shown], bool],
) -> Shown:
    """Type a command until its page comes in private: a page more than Telegram takes in a second does
    not."""
    async with asyncio.timeout(PATIENCE):
        while True:
            await person.write(chat, command)
            with suppress(AssertionError):
                return await person.sees(matches, seconds=_PAGE_SECONDS)


@dataclass
class Player:
    """One person at the table."""

    person: Person
    group: Group
    presses: int = 0
    moves: int = 0
    """Those of the presses that were to make a move."""
    refused: list[str] = field(default_factory=list)
    pressed: tuple[tuple[int, int], float] = ((0, 0), 0.0)
    """The message of their last press with its version, and the time."""
    acknowledged: list[float] = field(default_factory=list)
    """Seconds until the answer to each press."""

    async def refusals(self) -> list[str]:
        """What they were told instead of what they had pressed for."""
        return self.refused

    async def play(self) -> None:
        """Make the next move."""
        racks = [message for message in await self.person.read() if message.from_bot and _is_rack(message)]
        if not racks:
            return
        rack = racks[-1]
        if self._waits(rack):
            return
        press = brain.choose(buttons_of(rack), rack.words, _take_offered(rack))
        if press is not None:
            await self._press(rack, press)

    def _waits(self, rack: Shown) -> bool:
        """Return whether the effect of a recent press on this very screen has not been shown yet."""
        pressed, when = self.pressed
        return pressed == (rack.id, rack.versions) and time.monotonic() - when < PATIENCE_SECONDS

    async def _press(self, message: Shown, press: str) -> None:
        """Press a button. Do nothing if it has disappeared meanwhile."""
        try:
            said = await self.person.press(message, press)
        except Impossible:
            return
        self.presses += 1
        self.moves += brain.moves(press)
        self.acknowledged.append(said.after)
        self.pressed = (message.id, message.versions), time.monotonic()
        if said.text:
            self.refused.append(said.text)


@dataclass
class ClosedPlayer(Player):
    """A person whom no private message reaches: they play by alerts and numbers in the group."""

    turn: str = ""

    async def play(self) -> None:
        shown = await self.person.read(self.group)
        tables = [message for message in shown if message.from_bot and "rack" in buttons_of(message)]
        offers = buttons_of(tables[-1]) if tables else {}
        mine = f"Turn: {self.person.name}" in _readable(tables[-1].words) if tables else False
        if not mine or "place" not in offers or self.turn == offers["place"][0]:
            return
        await self._turn(tables[-1], offers)

    async def _turn(self, table: Shown, offers: brain.Offered) -> None:
        """Play a whole turn on one version of the table's message."""
        verb = "draw_here" if "draw_here" in offers else "rack"
        rack = await self.person.press(table, offers[verb][0])
        if EXPIRED in rack.text:  # the message is of an earlier round, or the turn has just ended
            self.refused.append(rack.text)
            return
        okey = brain.read_okey(table.words)
        tiles = tuple(_tile(sign, number) for _, sign, number in _NUMBERED.findall(rack.text))
        assert okey is not None
        assert len(tiles) == 15, rack.text
        hand = brain.Hand(tiles, okey)
        if brain.finishing(hand) is not None:
            await self._press(table, offers["finish_here"][0])
        else:
            place = tiles.index(brain.discard(hand, tiles))
            await self._press(table, offers["place"][place])
        self.turn = offers["place"][0]


def _is_rack(message: Shown) -> bool:
    """Return whether a message is a rack at this table, and no page to read."""
    offers = buttons_of(message)
    return bool(offers) and not {"guide", "prefer"} & set(offers)


def _readable(words: str) -> str:
    return re.sub("[\u2066-\u2069]", "", words)


def _tile(sign: str, number: str) -> Tile:
    return Tile.F if sign == "🃏" else Tile[_SIGNS[sign] + number]


def _take_offered(rack: Shown) -> Tile | None:
    label = next((label for label in rack.labels if label.startswith("Take ")), None)
    found = None if label is None else _SIGNED.search(label)
    return None if found is None else _tile(found[1], found[2])


async def lost_presses(control: Control, killed: Sequence[float]) -> set[str]:
    """The broken rules that Telegram records for presses lost in a kill, which nobody could answer."""
    return {
        f"the press {data!r} was never answered"
        for at, _, data in await control.ask("unanswered")
        if any(at <= kill <= at + _LOST_SECONDS for kill in killed)
    }
