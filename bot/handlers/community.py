"""The organisers' router: one page on which everything is set for a whole community, and the same in words.

Who organises is asked at each use; a page names the place in which it was asked for.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.errors import Refused
from bot.handlers.community_tables import OrganisingTables
from bot.handlers.defaults import Defaults, Meant, Setting, meant_by
from bot.handlers.request import RequestContext
from bot.i18n import LANGUAGES, Words, words_for
from bot.markup import Name, Page, Text
from bot.people.communities import Community
from bot.people.permissions import not_of_nights
from bot.ports import Answer, Person, TypedCommand
from bot.screens import community as pages
from bot.screens.rules import rules_lines
from bot.tables.clocks import read_clock
from engine.rules import PRESETS, rules_from, switches_of

COMMANDS: Final = ("organise", "language", "rooms", "places", "tables", "block", "unblock", "close", "evict")

ORGANISING: Final = frozenset({pages.VERB})
"""The button of the organisers' page: what it does stands behind the place."""

_PLACE: Final = re.compile(r"[a-z]+:[-\w]+(/[-\w]+)?", re.ASCII)

_TABLES_LIMIT: Final = 1000


@dataclass(frozen=True, slots=True)
class Organising:
    """The handlers of the organisers' commands and buttons. Refusals are raised as Refused."""

    setting: Setting
    defaults: Defaults
    tables: OrganisingTables

    async def command(self, verb: str, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The page; before it `language de`, `rooms on`, `tables 5`, `places off`, `block Ada` are carried
        out, for the whole community. Raises as `Organisers.check`."""
        meant = replace(meant_by(typed, argument), everywhere=True)
        await self.setting.organisers.check(typed.by.key, meant.place)
        if not meant.rest:
            return Answer(page=await self._page(meant.place, words, turns=False))
        notice = words.say("notice.organised")
        if verb == "places":
            await self._allow(typed.by, meant.place, meant.rest)
        elif verb in _READ:
            await self.setting.set(typed.by, meant, **_READ[verb](meant.rest))
        else:
            await self.tables.command(typed, meant, verb)
        if verb == "rooms":
            notice = await self._rooms(meant.place, words)
        return Answer(notice=notice, page=await self._page(meant.place, words, turns=False))

    async def anonymous(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Somebody gave a command in the name of a group: what to do instead, in the group's language."""
        if typed.place is None:
            raise Refused("here_only")
        language = await self.setting.language(typed.place, words)
        return Answer(notice=words_for(language).say("notice.anonymous"))

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """Carry out a button of the page."""
        place, what = context.request.table, context.argument(0)
        if not _PLACE.fullmatch(place):
            raise Refused("unknown_button")
        await self.setting.organisers.check(context.by.key, place)
        if (page := await self._led_to(place, what, context.words)) is not None:
            return Answer(page=page)
        if what == "here":
            await self._allow(context.by, place, "on" if context.argument(1) == "1" else "off")
        elif what in _PRESSED:
            meant = Meant(place, everywhere=True, rest="")
            await self.setting.set(context.by, meant, **_PRESSED[what](context.argument(1)))
        else:
            await self.tables.press(context, place, what, press_id)
        words = context.words
        told = await self._rooms(place, words) if what == "rooms" else words.say("notice.organised")
        return Answer(notice=told, page=await self._page(place, words, turns=True))

    async def _led_to(self, place: str, what: str, words: Words) -> Page | None:
        """The page to which a button leads; None for one that sets something."""
        communities = self.setting.communities
        match what:
            case "main":
                return await self._page(place, words, turns=True)
            case "games":
                return pages.games_page(place, words)
            case "clocks":
                return pages.clocks_page(place, await self.defaults.clock(place), words)
            case "langs":
                language = await communities.nearest(place, lambda each: each.language)
                return pages.languages_page(place, language, words)
            case "mosts":
                return pages.most_page(place, (await communities.of_whole(place)).tables_most, words)
            case "people":
                return await self.tables.people_page(place, words)
            case "tables":
                return await self.tables.tables_page(place, words)
        return None

    async def _allow(self, by: Person, place: str, word: str) -> None:
        """Tables may be opened in this place, or no longer; with `all` everywhere again."""
        if word not in ("on", "off", "all"):
            raise Refused("bad_setting")

        def change(now: Community) -> Community:
            others = () if word == "all" else tuple(each for each in now.places if each != place)
            return replace(now, places=(*others, place) if word == "on" else others)

        await self.setting.change_whole(by, place, change)

    async def _rooms(self, place: str, words: Words) -> Text:
        """What comes of the setting: whether there are rooms at all, and what the bot lacks to open them."""
        communities = self.setting.communities
        chat = communities.people.chat_of(place)
        if chat is None or not await communities.nearest(place, lambda each: each.rooms):
            return words.say("notice.organised")
        lacks = await chat.lacks_for_rooms(place)
        if lacks is None:
            return words.say("organise.no_rooms")
        if lacks:
            return words.say("organise.rooms_lack", permissions=", ".join(lacks))
        return words.say("notice.organised")

    async def _page(self, place: str, words: Words, *, turns: bool) -> Page:
        communities = self.setting.communities
        whole, around = await communities.of_whole(place), await communities.of(place)
        tables = await self.tables.admission.tables(place)
        opened = len(not_of_nights(tables))
        facts = pages.CommunityFacts(
            place=place,
            rules=rules_lines(await self.defaults.rules(place), words),
            turn_seconds=await self.defaults.clock(place),
            language=await communities.nearest(place, lambda each: each.language),
            rooms=bool(await communities.nearest(place, lambda each: each.rooms)),
            shared=all(each.invitations for each in around),
            where=self.tables.admission.ways_to(whole.places),
            here=place in whole.places,
            tables=opened,
            of_nights=len(tables) - opened,
            tables_most=whole.tables_most,
            blocked=[each.name for each in whole.blocked],
            set_by=await self._last_changed(whole, place, words),
        )
        return pages.settings_page(facts, words, turns=turns)

    async def _last_changed(self, whole: Community, place: str, words: Words) -> list[Text]:
        if whole.set_by:
            return [words.say("notice.set_by", who=Name(whole.set_by))]
        return await self.setting.set_by(place, words)


def _language(text: str) -> dict[str, object]:
    if text not in (*LANGUAGES, "off"):
        raise Refused("bad_setting")
    return {"language": "" if text == "off" else text}


def _rooms(text: str) -> dict[str, object]:
    if text not in ("on", "off"):
        raise Refused("bad_setting")
    return {"rooms": text == "on"}


def _most(text: str) -> dict[str, object]:
    most = 0 if text == "off" else int(text) if re.fullmatch("[0-9]{1,4}", text) else -1
    if not 0 <= most <= _TABLES_LIMIT:
        raise Refused("bad_setting")
    return {"tables_most": most}


def _game(tag: str) -> dict[str, object]:
    preset = next((each for each in PRESETS if pages.preset_tag(each) == tag), None)
    if preset is None:
        raise Refused("unknown_button")
    return {"rules": switches_of(rules_from({"preset": preset}))}


Read = Callable[[str], dict[str, object]]

_READ: Final[Mapping[str, Read]] = {"language": _language, "rooms": _rooms, "tables": _most}
"""What organisers set in words, by the verb."""

_PRESSED: Final[Mapping[str, Read]] = {
    "lang": _language,
    "clock": lambda text: {"turn_seconds": read_clock(text)},
    "game": _game,
    "rooms": lambda text: {"rooms": text == "1"},
    "share": lambda text: {"invitations": text == "1"},
    "most": _most,
}
"""What the page's buttons set."""
