"""Draws an evening in both chats as phones show it, from the very messages that the chats received.

PYTHONPATH=. python docs/pictures/phones.py FOLDER [LANGUAGE …]

The program plays against the protocol servers of the tests. Each picture is a screen of 390 × 844 with the
chat's own bars. Needs what `draw.py` needs.
"""

import asyncio
import html
import itertools
import mimetypes
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import chats
from aiohttp import ClientResponseError
from playwright.sync_api import sync_playwright

from bot.i18n import LANGUAGES
from bot.repository.tables import TableRepository
from bot.store import open_store
from bot.tables.play import next_round
from tests.bot.rounds import DELAYS, finish_round
from tests.evening import discord_people, telegram_people
from tests.evening.running_bot import RunningBot
from tests.servers.discord_api.client import (
    UNHURRIED,
    Discord,
    Seen,
    discord_process,
    fresh_discord,
    until,
)
from tests.servers.telegram_api.client import TOKEN, Control, Group, Person, Shown, telegram, telegram_process
from tests.slash import slash

WIDTH, HEIGHT = 390, 844
RULES: Final = ("2 end=rounds rounds=2", "okey101 2 end=rounds rounds=1")
PAGES: Final = {"leaderboard": "leaderboard", "profile": "stats"}
"""Pages by their commands, each with the verb of a button that it alone has."""
GREETED_SECONDS: Final = 4
"""Seconds in which a new server is greeted. One that appears while the bot still starts is taken for one that
is back."""
NOTIFIED: Final = 110
"""The characters that a phone's notification shows."""
_STYLES: Final = {1: "primary", 2: "", 3: "success", 4: "danger", 5: ""}
_PHONE: Final = f"""
main {{ display: block; padding: 0 }}
section {{ width: {WIDTH}px; height: {HEIGHT}px; border-radius: 0; position: relative; padding-top: 47px }}
header {{ height: 52px; z-index: 1 }}
.chat {{ flex: 1; overflow: hidden; justify-content: flex-end }}
.write {{ height: 84px; padding: 8px 16px; opacity: .6; background: inherit; z-index: 1 }}
.alert {{ position: absolute; top: 56px; left: 8px; right: 8px; background: #f7f7f8f5; color: #111;
  border-radius: 18px; padding: 10px 14px; z-index: 2; box-shadow: 0 4px 20px #0005; font-size: 14px }}
"""

Screens = dict[str, str]
"""Pages in HTML by the names of their pictures."""


class Phones:
    """The screens of an evening, in one language."""

    def __init__(self, chat: str, language: str, style: str) -> None:
        self._name = f"{chat}-{language}"
        self._style = style
        self._numbers = itertools.count(1)
        self.screens: Screens = {}

    def show(self, moment: str, title: str, messages: Iterable[str], alert: str = "") -> None:
        """Add a screen with these messages, the newest last, perhaps under a notification."""
        told = alert if len(alert) <= NOTIFIED else alert[:NOTIFIED] + "…"
        over = f'<div class="alert"><b>Okey</b><br>{html.escape(told)}</div>' if alert else ""
        section = (
            f"<section>{over}<header><div>{html.escape(title)}</div></header>"
            f'<div class="chat">{"".join(messages)}</div><div class="write">＋</div></section>'
        )
        name = f"{self._name}-{next(self._numbers):02}-{moment}"
        self.screens[name] = chats.page(self._style + _PHONE, [section])


# Telegram


async def on_telegram(control: Control, language: str) -> Screens:
    """Play an evening of Ada and Can in a group."""
    phones = Phones("telegram", language, chats.TELEGRAM)
    async with _running(TELEGRAM_TOKEN=TOKEN, TELEGRAM_API_URL=control.url) as folder:
        ada, can = [await control.person(name, language=language, started=True) for name in ("Ada", "Can")]
        group = await control.group("Kıraathane", ada, can)

        async def show(moment: str, chat: Group | None, *, alert: bool = False) -> None:
            shown = [each for each in await ada.read(chat) if each.from_bot][-3:]
            drawn = [await _in_telegram(control, each) for each in shown]
            said = shown[-1].words.replace("\n", " ") if alert and shown else ""
            phones.show(moment, "Okey" if chat is None else "Kıraathane", drawn, said)

        async def offered(person: Person, verb: str, chat: Group | None, after: int = 0) -> Shown:
            def is_meant(each: Shown) -> bool:
                return each.id > after and verb in telegram_people.buttons_of(each)

            return await person.sees(is_meant, chat)

        async def press(verb: str, chat: Group | None, person: Person = ada) -> None:
            message = await offered(person, verb, chat)
            await person.press(message, telegram_people.buttons_of(message)[verb][0])

        await control.ask("remove_bot", chat_id=group.id)
        await control.ask("add_bot", chat_id=group.id)
        await offered(ada, "open_table", group)
        await show("greeting", group)
        last = 0
        for rules in RULES:
            if rules != RULES[0]:  # no message of the match before is taken for one of this
                group = await control.group("Kıraathane", ada, can)
            await ada.write(group, f"/okey {rules}")
            lobby = await offered(ada, "join", group)
            await show("lobby", group)
            await can.press(lobby, telegram_people.buttons_of(lobby)["join"][0])
            await ada.sees(lambda each: "Can" in each.words, group)
            await press("unfold", group)
            await offered(ada, "start", group)
            await show("lobby-host", group)
            await press("start", group)
            await offered(ada, "rack", group)
            last = (await offered(ada, "order", None, last)).id
            await show("table", group)
            await show("rack", None, alert=True)
            await _end_round(folder, f"tg:{group.id}")
            if rules == RULES[0]:
                await offered(ada, "next", group)
                await show("result", group)
                await press("next", group)
                await offered(ada, "rack", group)
                await _end_round(folder, f"tg:{group.id}")
            await offered(ada, "again", group)
            await show("match-end", group)
            last = (await offered(ada, "again", None, last)).id
            await show("match-end-private", None)
        await press("clip", group)
        await ada.sees(lambda each: "document" in each.raw or "animation" in each.raw)
        await show("clip", None)
        for word, verb in PAGES.items():
            await ada.write(group, f"/okey {word}")
            await offered(ada, verb, None)
            await show(word, None)
    return phones.screens


async def _in_telegram(control: Control, message: Shown) -> str:
    raw = message.raw
    said = _entities(message.words, [*raw.get("entities", ()), *raw.get("caption_entities", ())])
    picture = ""
    if message.picture is not None:
        picture = f'<img src="{chats.data_url(await control.picture(message.picture))}">'
    elif "document" in raw:
        name, content = await control.document(message)
        picture = f'<img src="{chats.data_url(content, mimetypes.guess_type(name)[0] or "image/webp")}">'
    rows = raw.get("reply_markup", {}).get("inline_keyboard", [])
    keys = "".join(
        chats.make_row(chats.make_key(key["text"], key.get("style", "")) for key in row) for row in rows
    )
    return chats.make_bubble(picture, said, keys)


_TAGS: Final = {
    "bold": "b",
    "italic": "i",
    "code": "code",
    "text_link": "u",
    "blockquote": "blockquote",
    "expandable_blockquote": "blockquote",
}


def _entities(words: str, entities: Iterable[dict[str, Any]]) -> str:
    """A message's text with its markup. Offsets count UTF-16 units."""
    units = words.encode("utf-16-le")
    marks: dict[int, str] = {}
    for each in sorted(entities, key=lambda each: -each["length"]):
        if tag := _TAGS.get(each["type"]):
            start, end = each["offset"], each["offset"] + each["length"]
            marks[start] = marks.get(start, "") + f"<{tag}>"
            marks[end] = f"</{tag}>" + marks.get(end, "")
    cuts = sorted({0, len(units) // 2, *marks})
    text = [units[2 * start : 2 * end].decode("utf-16-le") for start, end in itertools.pairwise(cuts)]
    return "".join(marks.get(at, "") + html.escape(part) for at, part in zip(cuts, [*text, ""], strict=True))


# Discord


async def on_discord(discord: Discord, language: str) -> Screens:
    """Play an evening of Ada and Can in a channel."""
    phones = Phones("discord", language, chats.DISCORD)
    async with _running(DISCORD_TOKEN=discord.token, DISCORD_API_URL=discord.api_url) as folder:
        await discord.wait_connected()
        guild = await discord.guild(has_bot=False, locale=language)
        channel = await discord.channel(guild)
        ada, can = [await discord.user(name, guild=guild, locale=language) for name in ("Ada", "Can")]
        await discord.wait_commands()

        async def read(direct: bool) -> list[Seen]:
            return await discord.direct(ada) if direct else await discord.sees(ada, channel)

        async def draw(direct: bool) -> tuple[list[Seen], list[str]] | None:
            shown = (await read(direct))[-2:]
            with suppress(ClientResponseError):  # one of them has gone meanwhile, with its picture
                return shown, [await _in_discord(discord, each, language) for each in shown]
            return None

        async def show(moment: str, *, direct: bool = False, alert: bool = False) -> None:
            shown, drawn = await until(partial(draw, direct))
            said = _announced(shown[-1].raw["content"], language) if alert and shown else ""
            phones.show(moment, "@ Okey" if direct else "# okey", drawn, said)

        async def find(verb: str, *, direct: bool = False, after: int = 0) -> Seen | None:
            shown = (each for each in await read(direct) if each.id > after)
            fit = [each for each in shown if verb in discord_people.buttons_of(each)]
            return fit[-1] if fit else None

        async def offered(verb: str, *, direct: bool = False, after: int = 0) -> Seen:
            return await until(partial(find, verb, direct=direct, after=after))

        async def greeted() -> bool:
            await discord.kick(guild)
            await discord.kick(guild, kicked=False)
            with suppress(TimeoutError):
                return bool(await until(partial(find, "open_table"), GREETED_SECONDS))
            return False

        async def film() -> bool:
            return any(each.filename.endswith(".gif") for seen in await read(False) for each in seen.pictures)

        async def press(verb: str, user: int = ada) -> None:
            message = await offered(verb)
            (data, *_) = discord_people.buttons_of(message)[verb]
            await discord.answered(await discord.press_exactly(user, channel, message.id, data))

        await until(greeted)
        await show("greeting")
        last = 0
        for rules in RULES:
            channel = await discord.channel(guild)  # no message of the match before is taken for one of this
            await discord.answered(await discord.command(ada, channel, *slash(rules)))
            await offered("join")
            await show("lobby")
            await press("join", can)
            await discord_people.lobby_with(discord, ada, channel, "Can")
            await press("unfold")
            await offered("start")
            await show("lobby-host")
            await press("start")
            last = (await offered("order", direct=True, after=last)).id
            await offered("rack")
            await show("table")
            await show("rack", direct=True, alert=True)
            await _end_round(folder, f"dc:{channel}")
            if rules == RULES[0]:
                await offered("next")
                await show("result")
                await press("next")
                await offered("rack")
                await _end_round(folder, f"dc:{channel}")
            await offered("again")
            await show("match-end")
            last = (await offered("again", direct=True, after=last)).id
            await show("match-end-private", direct=True)
        await press("clip")
        await until(film)
        await show("clip")
        for word, verb in PAGES.items():
            await discord.answered(await discord.command(ada, channel, *slash(word)))
            await offered(verb)
            await show(word)
    return phones.screens


def _announced(content: str, language: str) -> str:
    """What a notification shows of a message's content."""
    said = re.sub(r"<t:\d+:R>", chats.APPS[language]["left"], content.replace("\n", " "))
    return re.sub(r"\[(.+?)\]\(<?\S+?>?\)", r"\1", said).replace("**", "")


async def _in_discord(discord: Discord, message: Seen, language: str) -> str:
    app = chats.APPS[language]
    pictures = {each.filename: chats.data_url(await discord.picture(each)) for each in message.pictures}
    drawn = "".join(f'<img class="picture" src="{each}">' for each in pictures.values())
    content = message.raw["content"]
    shown = chats.make_discord_text(content, app) + drawn if content else ""
    placed = "" if content else drawn
    shown += "".join(_component(each, placed, app) for each in message.raw["components"])
    only = '<div class="only">👁 · <i>×</i></div>' if message.ephemeral else ""
    return (
        f'<div class="message"><div><div class="who">Okey <span class="app">APP</span></div>'
        f"{shown}{only}</div></div>"
    )


def _component(part: dict[str, Any], picture: str, app: Any) -> str:
    inside = [_component(each, picture, app) for each in part.get("components", ())]
    match part["type"]:
        case 1:
            return chats.make_row(inside)
        case 2:
            emoji = (part.get("emoji") or {}).get("name") or ""
            shown = f"<img src='{chats.emoji_url(emoji)}'> " if emoji.isascii() and emoji else emoji
            style = _STYLES.get(part["style"], "")
            return f'<div class="key {style}">{shown}{html.escape(part.get("label") or "")}</div>'
        case 3:
            return f'<div class="menu">{html.escape(part.get("placeholder") or app["menu"])} ⌄</div>'
        case 9:
            beside = _component(part["accessory"], picture, app)
            return f'<div class="beside"><div>{"".join(inside)}</div>{beside}</div>'
        case 10:
            return str(chats.make_discord_text(part["content"], app))
        case 12:
            return picture
        case 17:
            return f'<div class="container">{"".join(inside)}</div>'
    return ""


# Both


@asynccontextmanager
async def _running(**settings: str) -> AsyncIterator[Path]:
    """The program with its folder, while its people play."""
    with tempfile.TemporaryDirectory() as name:
        bot = RunningBot(Path(name), OKEY_TURN_SECONDS="3600", OKEY_NEXT_ROUND_SECONDS="3600", **settings)
        await bot.start()
        try:
            yield Path(name)
        finally:
            await bot.stop()


async def _end_round(folder: Path, place: str) -> None:
    """Play the place's round to its end, at once. One in which all open with pairs is cancelled, and dealt
    again."""
    async with open_store(None, folder / "data") as store:
        repository = TableRepository(store)
        tables = await repository.load_many(await store.index.tables_at(place))
        (before,) = (each.value for each in tables if each.value.stage == "playing")
        while True:
            await finish_round(repository, before.id)
            stored = await repository.load(before.id)
            assert stored is not None
            if len(stored.value.results) > len(before.results):
                return
            await repository.change(before.id, None, lambda held: next_round(held.value, DELAYS))


async def play(languages: Iterable[str]) -> Screens:
    """Play an evening in each chat and language, and return all screens."""
    screens: Screens = {}
    with telegram_process() as url, discord_process(*UNHURRIED) as address:
        for language in languages:
            async with telegram(url) as control:
                screens |= await _whole("telegram", control.findings, partial(on_telegram, control, language))
            async with fresh_discord(address) as discord:
                screens |= await _whole("discord", discord.findings, partial(on_discord, discord, language))
    return screens


async def _whole(
    chat: str, findings: Callable[[], Awaitable[list[str]]], evening: Callable[[], Awaitable[Screens]]
) -> Screens:
    """Return an evening's screens. Says which rules of the chat were broken."""
    screens = await evening()
    for finding in await findings():
        print(f"{chat}: {finding}")
    return screens


def main() -> None:
    """Play, and draw."""
    folder, *chosen = sys.argv[1:]
    screens = asyncio.run(play(chosen or LANGUAGES))
    Path(folder).mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chats.CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=1.5)
        for name, content in screens.items():
            page.set_content(content)
            page.screenshot(path=Path(folder) / f"{name}.png")
        browser.close()
    print(f"{len(screens)} pictures in {folder}")


if __name__ == "__main__":
    main()
