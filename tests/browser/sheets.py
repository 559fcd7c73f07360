"""Contact sheets: `python -m tests.browser.sheets FOLDER [PART …]` shows every screen to the eye.

One PNG a screen and size: four languages side by side, light above dark. To be looked at, not compared.
Without fonts for Korean and emoji (Debian: fonts-noto-cjk, fonts-noto-color-emoji) they are drawn as boxes.
"""

import argparse
import asyncio
import io
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.async_api import BrowserContext, Page, TimeoutError, ViewportSize, async_playwright

from adapters.web import LeaguePages, WebServer
from bot.delivery.views import render_watched
from bot.i18n import LANGUAGES, Words
from bot.ids import TableId
from bot.live import LiveHappening
from bot.markup import Wall, WallTable
from bot.store import open_store
from tests.adapters.web.scripted import ScriptedDelivery
from tests.adapters.web.test_doors import open_doors
from tests.bot.house import House, open_house
from tests.browser.conftest import ARGUMENTS, MODULE, chromium_path
from tests.browser.test_round import Okey
from tests.browser.test_table import Served, enter, typed
from tests.browser.test_wall import KEY

SIZES = [(360, 640), (390, 844), (844, 390), (768, 1024), (1440, 900)]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PER_ROW = {360: 4, 390: 4, 844: 2, 768: 4, 1440: 2}
SETTLES = 150
"""Milliseconds until everything lies still."""
TRIES = 3
STOCK, MINE, RESULT = "button.stock.open", "button.pile.br.open", "#result"


class Album:
    """Pictures of every screen, by screen and size."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._taken: dict[tuple[str, int], list[Image.Image]] = defaultdict(list)

    async def take(self, page: Page, screen: str, sizes: list[tuple[int, int]] = SIZES) -> None:
        """A screen as it stands now, in these sizes, light and dark."""
        await page.bring_to_front()
        for width, height in sizes:
            await page.set_viewport_size(ViewportSize(width=width, height=height))
            for scheme in SCHEMES:
                await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                await page.wait_for_timeout(SETTLES if scheme == "light" else 0)
                picture = Image.open(io.BytesIO(await _screenshot(page))).convert("RGB")
                self._taken[screen, width].append(picture)
            self._bind(screen, width)
        width, height = SIZES[1]
        await page.set_viewport_size(ViewportSize(width=width, height=height))

    def _bind(self, screen: str, width: int) -> None:
        """Light above dark; of wide ones light beside dark."""
        pictures, beside = self._taken[screen, width], PER_ROW[width]
        ordered = pictures if beside == 2 else [*pictures[::2], *pictures[1::2]]
        columns = beside if beside == 2 else len(pictures) // 2
        scale = 0.55 if width > 1000 else 0.6 if width == 768 else 1
        size = tuple(round(side * scale) + 6 for side in ordered[0].size)
        sheet = Image.new("RGB", (size[0] * columns, size[1] * -(-len(ordered) // columns)), "#ff00ff")
        for number, picture in enumerate(ordered):
            at = size[0] * (number % columns), size[1] * (number // columns)
            sheet.paste(picture.resize((size[0] - 6, size[1] - 6)), at)
        sheet.save(self._folder / f"{screen}-{width}.png")


async def _screenshot(page: Page) -> bytes:
    """The page as it is drawn; a browser with several pages sometimes draws one only when asked again."""
    for _ in range(TRIES):
        with suppress(TimeoutError):
            return await page.screenshot(timeout=5000)
        await page.bring_to_front()
    return await page.screenshot()


async def local_page(album: Album, context: BrowserContext) -> None:
    """What one sees who plays on the local page, alone and with a friend."""
    async with running() as okey:
        page, friend, watcher = [await context.new_page() for _ in range(3)]
        for each, name in ((page, "Ada"), (friend, "Mehmet Ali Şahin"), (watcher, "Ece")):
            await each.emulate_media(reduced_motion="reduce")
            await each.goto(okey.url)
            await each.locator("#name").fill(name)
            await each.keyboard.press("Enter")
        await page.locator("[data-do=now]").wait_for()
        await album.take(page, "01-home")
        await command(page, "/play turkish-rummy-fast-1")
        await page.locator("#reading").wait_for()
        await album.take(page, "02-first-guide")
        await page.keyboard.press("Escape")
        await page.locator("[data-do=share]").click()
        await page.locator(".sharing input").wait_for()
        await album.take(page, "03-lobby-shared")
        await page.locator("[data-kind=rules]").click()
        await page.locator("#reading").wait_for()
        await album.take(page, "04-rules")
        await page.keyboard.press("Escape")
        await friend.bring_to_front()
        await friend.goto(await page.locator(".sharing input").input_value())
        await friend.locator("[data-kind=sit]").first.click()
        await friend.locator("#reading").wait_for()
        await friend.keyboard.press("Escape")
        await page.bring_to_front()
        await page.locator("[data-kind=start]").click()
        await rack(page, 14)
        await watcher.bring_to_front()
        await watcher.locator(".card").first.click()
        await watcher.locator(".watching").wait_for()
        await album.take(watcher, "05-watching")
        await in_turn(page, friend, album)
        await page.bring_to_front()
        await page.locator("[data-do=menu]").click()
        await album.take(page, "08-menu")
        await page.locator("#menu [data-do=settings]").click()
        await page.locator("#settings").wait_for()
        await album.take(page, "09-settings")
        await page.locator("#settings [data-kind=preferences]").click()
        await page.locator("#reading").wait_for()
        await album.take(page, "09-settings-of-chats")
        await page.keyboard.press("Escape")
        await played_out(page, friend)
        await page.bring_to_front()
        await album.take(page, "10-result")
        for kind in ("replay", "review"):
            await page.locator(f"#result [data-kind={kind}]").click()
            await page.locator("#replay, #reading .series, #reading .curve, .note.urgent").first.wait_for()
            await album.take(page, f"11-{kind}")
            await page.keyboard.press("Escape")
            await page.keyboard.press("Escape")
        await command(page, "/daily")
        await page.locator("#reading, .note").first.wait_for()
        await album.take(page, "12-daily")
        await page.keyboard.press("Escape")
        await page.locator("#result [data-do=home]").click()
        await page.locator("[data-do=learn]").click()
        await page.locator(".lesson").wait_for()
        await album.take(page, "13-learn")
        await page.locator("[data-do=lesson_end]").click()
        await command(page, "/profile")
        await page.locator("#reading").wait_for()
        await album.take(page, "14-profile")


async def in_turn(page: Page, friend: Page, album: Album) -> None:
    """One round of turns: the own turn, with a tile lifted, and the friend's."""
    seen: set[str] = set()
    while len(seen) < 2:
        mine, theirs = page.locator(f"{STOCK}, {MINE}"), friend.locator(f"{STOCK}, {MINE}")
        await mine.or_(page.locator("body")).first.wait_for()
        if await mine.count():
            if "06-turn" not in seen:
                await page.bring_to_front()
                if await page.locator(STOCK).count():
                    await page.locator(STOCK).click()
                await page.locator(MINE).wait_for()
                await page.locator("#rack .slot .tile").nth(3).click()
                await album.take(page, "06-turn")
                seen.add("06-turn")
                await page.keyboard.press("Escape")
            await one_turn(page)
        elif await theirs.count():
            if "07-not-my-turn" not in seen:
                await album.take(page, "07-not-my-turn")
                seen.add("07-not-my-turn")
            await one_turn(friend)
        await page.wait_for_timeout(50)


async def played_out(*pages: Page) -> None:
    while not await pages[0].locator(RESULT).count():
        for page in pages:
            if await page.locator(f"{STOCK}, {MINE}").count():
                await one_turn(page)
        await pages[0].wait_for_timeout(30)


async def one_turn(page: Page) -> None:
    """Draw where one can, and discard the last tile."""
    await page.bring_to_front()  # a page behind another one is drawn seldom
    over = page.locator(RESULT)
    if await page.locator(STOCK).count():
        await page.locator(STOCK).click()
        await page.locator(MINE).or_(over).first.wait_for()
    if await over.count():
        return
    await page.locator("#rack .slot .tile, .bay .tile").last.click()
    await page.locator(MINE).click()
    asked, gone = page.locator("#question button"), page.locator(".pile.br:not(.open)")
    await asked.or_(gone).first.wait_for()
    if await asked.count():
        await asked.first.click()
    await gone.wait_for()


async def of_101(album: Album, context: BrowserContext) -> None:
    """Okey 101: before and after somebody opened, and its result."""
    async with running() as okey:
        page = await context.new_page()
        await enter(page, okey.url)
        await command(page, "/play okey101 rounds=1")
        await page.locator("#reading, [data-kind=start]").first.wait_for()
        await page.wait_for_timeout(SETTLES)
        await page.keyboard.press("Escape")
        await page.locator("[data-kind=start]").click()
        await rack(page, 21)
        taken, over = set[str](), page.locator(RESULT)
        while not await over.count():
            await page.locator(f"{STOCK}, {MINE}, {RESULT}").first.wait_for()
            if await over.count():
                break
            await page.locator("[data-kind=sort_melds]").click()
            opened = await page.locator(".laid").count() > 5
            name = "21-101-melds" if opened and taken else "20-101"  # at the first turn in every language
            if name not in taken:
                taken.add(name)
                await page.locator("#rack .slot .tile").nth(2).click()
                await album.take(page, name)
                await page.keyboard.press("Escape")
            if await page.locator("[data-do=put_down]:not([aria-disabled])").count():
                await page.locator("[data-do=put_down]").click()
            await one_turn(page)
        await album.take(page, "22-101-result")


@asynccontextmanager
async def running() -> AsyncIterator[Okey]:
    with tempfile.TemporaryDirectory() as folder:
        okey = Okey(Path(folder))
        await okey.start()
        yield okey
        await okey.stop()


async def command(page: Page, words: str) -> None:
    await typed(page, words)


async def rack(page: Page, tiles: int) -> None:
    await page.locator("#rack .tile").nth(tiles - 1).wait_for()


async def themes(album: Album, context: BrowserContext) -> None:
    """The table of both games in every theme of cloth and tiles, the cloths below each other."""
    for lays in (False, True):
        served = Served()
        served.router.lays, served.router.melds, served.router.owners = lays, 6, 3
        served.router.happened += [LiveHappening("laid_off", 2, "Y9", -1, 2)]
        await served.start()
        page = await context.new_page()
        await enter(page, served.url)
        await page.locator("[data-do=now]").click()
        await rack(page, 14)
        await page.locator(STOCK).click()
        await page.locator("#rack .slot .tile").nth(6).click()
        for tiles in ("ivory", "night", "contrast"):
            for cloth in ("green", "blue", "red"):
                await page.evaluate(DRESS, [cloth, tiles])
                await album.take(page, f"6{int(lays)}-{tiles}", sizes=SIZES[1:3])
        await served.stop()


DRESS = "dress => Object.assign(document.documentElement.dataset, { cloth: dress[0], tiles: dress[1] })"


async def away(album: Album, context: BrowserContext) -> None:
    """What one sees while the server is gone."""
    async with running() as okey:
        page = await context.new_page()
        await enter(page, okey.url)
        await page.locator("[data-do=now]").click()
        await rack(page, 14)
        await okey.stop()
        await page.locator(".away").wait_for()
        await album.take(page, "30-away")
        await okey.start()


async def by_a_link(album: Album, context: BrowserContext) -> None:
    """Who comes by a personal link, who watches by a code, and whose link is no longer good."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(None, Path(folder) / "data") as store, open_doors(store) as doors:
            house = doors.house
            ada, can = house.person("Ada"), house.person("Can")
            language = await (page := await context.new_page()).evaluate("navigator.language")
            await house.press(ada, f"speak.me.0.{language}")
            table = await house.open(ada, can, words="2")
            await house.press(ada, f"start.{table}.0", private=False)
            await page.goto(f"{doors.url}/#k={await doors.secret(ada)}")
            await page.locator("[data-do=enter]").wait_for()
            await album.take(page, "40-door")
            await page.locator("[data-do=enter]").click()
            await rack(page, 14)
            await page.locator("[data-do=home]").click()
            await page.locator("#code").wait_for()
            await album.take(page, "41-home-of-a-door")
            await page.locator("#code").fill("ABCDEF")
            await page.keyboard.press("Enter")
            await page.locator(".note").wait_for()
            await album.take(page, "42-no-such-code")
            await page.locator("[data-do=menu]").click()
            await page.locator("[data-do=log_out]").click()
            await page.locator(".home:not(:has(#code))").wait_for()
            await album.take(page, "43-open-again")


class Night:
    """A night of three tables that are played in a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._tables: list[TableId] = []

    async def begin(self) -> None:
        for names, words in (("Ada Can", "2"), ("Ece Mehmet_Ali", "okey101 2"), ("Deniz Jo", "2")):
            people = [self._house.person(name.replace("_", " ")) for name in names.split()]
            table = await self._house.open(*people, words=words)
            await self._house.press(people[0], f"start.{table}.0", private=False)
            self._tables.append(TableId(table))

    async def wall(self, key: str, words: Words) -> Wall | None:
        tables = await self._house.app.tables.load_many(self._tables)
        shown = [WallTable(render_watched(each, words), "/league/abcde/replay/x") for each in tables]
        return Wall("Kahvehane", tuple(shown)) if key == KEY else None


async def wall(album: Album, context: BrowserContext) -> None:
    """A league's wall."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(None, Path(folder) / "data") as store, open_house(store, work=False) as house:
            await (night := Night(house)).begin()
            await _wall(album, context, night)


async def _wall(album: Album, context: BrowserContext, night: Night) -> None:
    server = WebServer("127.0.0.1", 0)
    LeaguePages(night, ScriptedDelivery(), server)  # type: ignore[arg-type]
    await server.start()
    page = await context.new_page()
    await page.goto(f"{server.url}league/wall#{KEY}")
    await page.get_by_role("article").first.wait_for()
    await album.take(page, "50-wall")
    await page.goto("about:blank")
    await page.goto(f"{server.url}league/wall#old")
    await page.wait_for_timeout(SETTLES)
    await album.take(page, "51-wall-expired")
    await server.stop()


Part = Callable[[Album, BrowserContext], Awaitable[None]]
PARTS: dict[str, Part] = {
    "local": local_page,
    "101": of_101,
    "themes": themes,
    "away": away,
    "link": by_a_link,
    "wall": wall,
}


async def main(folder: Path, wanted: list[str]) -> None:
    album = Album(folder)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        for language in LANGUAGES:
            for name in wanted or PARTS:
                context = await browser.new_context(locale=language, has_touch=True)
                await context.add_init_script(MODULE)
                await PARTS[name](album, context)
                await context.close()
        await browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tests.browser.sheets", description="Contact sheets of every screen."
    )
    parser.add_argument("folder", type=Path, help="where the pictures are put")
    parser.add_argument(
        "parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}; without any, all of them"
    )
    given = parser.parse_args()
    if unknown := set(given.parts) - PARTS.keys():
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    given.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(given.folder, given.parts))
