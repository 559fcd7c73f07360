"""`python -m tests.fuzz.outsiders 10000`: that many forged presses by people outside, in both chats.

The program runs against our Telegram and our Discord. Two people have a table in a group, two in a channel.
People who are in neither press buttons that no message of theirs shows, with the true ids of those tables.
Prints how many tables changed, how many answers told of one, and what was answered. The exit status is 1
unless both are 0.
"""

import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.evening.bookkeeping import Books, Entry
from tests.evening.discord_people import offering
from tests.evening.running_bot import RunningBot, both_chats
from tests.evening.telegram_people import buttons_of, start
from tests.offered import BUTTONS
from tests.servers.discord_api import client as discord_api
from tests.servers.discord_api.client import Discord, discord_process, fresh_discord, until
from tests.servers.telegram_api import client as telegram_api
from tests.servers.telegram_api.client import Control, telegram, telegram_process
from tests.slash import slash

AT_ONCE: Final = 10
"""The outsiders in each chat, who press side by side."""

NAMES: Final = ("Adalet", "Canberk", "Doralice", "Ecevit")
"""The people at the tables. No answer to somebody outside names them."""

VERBS: Final = sorted(verb for verb, button in BUTTONS.items() if button.who.name != "anybody")
"""All buttons that are about more than their presser."""

Forge = Callable[[str], Awaitable[str]]
"""Presses a button with this text, and returns all that its presser is answered."""


@dataclass
class Report:
    """What came of the presses."""

    presses: int = 0
    changed: int = 0
    told: list[str] = field(default_factory=list)
    """Answers that told of a table."""
    answers: Counter[str] = field(default_factory=Counter)


def forged(dice: random.Random, targets: Sequence[str]) -> str:
    """A button that somebody makes up who knows these ids."""
    arguments = dice.choice(("", ".1", ".1.1", ".on", ".R5", ".0.1", ".main", ".main.1", ".steady", ".clap"))
    return f"{dice.choice(VERBS)}.{dice.choice(targets)}.{dice.choice((0, 1, 2, 512))}{arguments}"


async def forge(folder: Path, control: Control, discord: Discord, presses: int, seed: int = 1) -> Report:
    """Have the program run, two tables open, and people outside press that many forged buttons."""
    bot = RunningBot(
        folder,
        **both_chats(discord, control),
        OKEY_PRESSES_PER_SECOND="1000",  # the limit would only answer in place of the check
    )
    await bot.start()
    try:
        places = [await _in_group(control), await _in_channel(discord)]
        books, report, dice = Books(folder), Report(), random.Random(seed)
        before = [await _tables(books, place) for place in places]
        targets = [entry.table.id for entries in before for entry in entries] + places
        people = [*await _outside_telegram(control), *await _outside_discord(discord)]

        async def press(by: Forge) -> None:
            while report.presses < presses:
                report.presses += 1
                text = forged(dice, targets)
                answer = await by(text)
                report.answers[answer] += 1
                if any(name in answer for name in NAMES) or "picture" in answer:
                    report.told.append(f"{text}: {answer}")

        await asyncio.gather(*map(press, people))
        after = [await _tables(books, place) for place in places]
        for entries, later in zip(before, after, strict=True):
            same = len(entries) == len(later)
            untouched = all(new.untouched_since(old) for old, new in zip(entries, later, strict=False))
            report.changed += not (same and untouched)
    finally:
        await bot.stop()
    assert "Traceback" not in bot.told()
    return report


async def _tables(books: Books, place: str) -> list[Entry]:
    return await books.read_all(place)


async def _in_group(control: Control) -> str:
    ada, can = [await control.person(name, language="en", started=True) for name in NAMES[:2]]
    group = await control.group("Kıraathane", ada, can)
    await ada.write(group, "/okey 2 clock=1d")  # no turn ends meanwhile
    lobby = await ada.sees(lambda message: "join" in buttons_of(message), group)
    await can.press(lobby, buttons_of(lobby)["join"][0])
    await start(ada, lobby)
    await ada.sees(lambda message: "rack" in buttons_of(message), group)
    return f"tg:{group.id}"


async def _in_channel(discord: Discord) -> str:
    await discord.wait_connected()
    guild = await discord.guild()
    channel = await discord.channel(guild)
    dora, ece = [await discord.user(name, guild=guild) for name in NAMES[2:]]
    await discord.wait_commands()
    await discord.answered(await discord.command(dora, channel, *slash("3")))
    lobby = await until(lambda: offering(discord, dora, channel, "join"))
    await discord.answered(await discord.press(ece, lobby, "join"))
    return f"dc:{channel}"


async def _outside_telegram(control: Control) -> list[Forge]:
    """People who have only their private chat with the bot."""
    found: list[Forge] = []
    for number in range(AT_ONCE):
        person = await control.person(f"Eve {number}", language="en", started=True)
        message = await person.sees(lambda message: message.from_bot)

        async def by(text: str, person=person, message=message) -> str:  # type: ignore[no-untyped-def]
            said = await person.press_old(message, text)
            newest = (await person.read())[-1]
            picture = " and a picture" if newest.picture else ""
            return f"{said.text}{said.url}{picture}" or newest.words

        found.append(by)
    return found


async def _outside_discord(discord: Discord) -> list[Forge]:
    """People who are on a server of their own with the bot."""
    guild = await discord.guild("Elsewhere")
    found: list[Forge] = []
    for number in range(AT_ONCE):
        channel = await discord.channel(guild)
        user = await discord.user(f"Eve {number}", guild=guild)
        await discord.answered(await discord.command(user, channel, *slash("help")))

        async def shown(user: int = user, channel: int = channel) -> int | None:
            seen = await discord.sees(user, channel)
            return seen[-1].id if seen else None

        message = await until(shown)

        async def by(text: str, user: int = user, channel: int = channel, message: int = message) -> str:
            pressed = await discord.press_exactly(user, channel, message, text, forged=True)
            await discord.answered(pressed)
            newest = (await discord.sees(user, channel))[-1]
            return f"{newest.text}{' and a picture' if newest.pictures else ''}"

        found.append(by)
    return found


async def main(presses: int) -> int:
    """Press, and print what came of it."""
    with ExitStack() as exits:
        folder = Path(exits.enter_context(tempfile.TemporaryDirectory()))
        url = exits.enter_context(telegram_process(*telegram_api.UNHURRIED))
        address = exits.enter_context(discord_process(*discord_api.UNHURRIED))
        async with telegram(url) as control, fresh_discord(address) as discord:
            report = await forge(folder, control, discord, presses)
    told = len(report.told)
    print(f"{report.presses} forged presses: {report.changed} changed anything, {told} told of a table")
    for answer, times in report.answers.most_common():
        print(f"{times:>7}  {answer[:120]!r}")
    return int(bool(report.changed or report.told))


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]))))
