"""A league's boards and pages within the limits of each platform (CHATS.md), however many people come."""

from collections.abc import Iterator

import pytest

from adapters.discord_chat.emojis import TileEmojis
from adapters.discord_chat.rendering import LONGEST_TEXT, LONGEST_V2_TEXT, Rendered
from adapters.telegram_chat.rendering import CAPTION_LIMIT, TEXT_LIMIT, as_html
from bot.handlers.league.founding import likely_zones_of
from bot.i18n import LANGUAGES, words_for
from bot.league.events import CheckInClosed, Ended, RoundEnded
from bot.league.founding import LeagueDraft
from bot.league.results import result_of
from bot.league.standings import night_standings, season_standings
from bot.markup import Page, PublicScreen
from bot.screens.league.board import night_board
from bot.screens.league.organising import (
    night_run_page,
    people_page,
    reason_page,
    replace_page,
    reseat_page,
    tables_page,
)
from bot.screens.league.results import results_page, round_page, table_page
from bot.screens.league.settings import GROUPS, day_page, option_page, summary_page, time_page, zone_page
from tests.adapters.limits import assert_fits
from tests.bot.league.evenings import START, checked_in, evening, league, played, replied, seated
from tests.bot.league.test_screens_league import crowd, facts

pytestmark = pytest.mark.long


def boards(people: int, language: str) -> Iterator[PublicScreen]:
    """A night's board at each of its stages."""
    held, words = crowd(people), words_for(language)
    members = [f"m{n}" for n in range(1, people + 1)]
    tables = [members[at : at + 4] for at in range(0, people, 4)]
    parts = [replied(members), checked_in(members), [CheckInClosed(playing=tuple(members))], seated(*tables)]
    parts += [played(1, n, table, (-100, 20, 30, 9999)) for n, table in enumerate(tables, start=1)]
    for some in (0, 1, 2, 3, 4, len(parts)):
        yield night_board(facts(held, evening(held, *parts[:some])), words)
    parts.append([RoundEnded(round=1)])
    yield night_board(facts(held, evening(held, *parts)), words)
    yield night_board(facts(held, evening(held, *parts, [Ended()])), words)


def pages(people: int, language: str) -> Iterator[Page]:
    """The pages that grow with the people."""
    held, words = crowd(people), words_for(language)
    members = [f"m{n}" for n in range(1, people + 1)]
    tables = [members[at : at + 4] for at in range(0, people, 4)]
    parts = [replied(members), [CheckInClosed(playing=tuple(members))], seated(*tables)]
    night = evening(held, *parts)
    over = evening(held, *parts, *[played(1, n, t, (4, 3, 2, 1)) for n, t in enumerate(tables, start=1)])
    standings = night_standings(result_of(over), held.format.ties)
    yield results_page(held, over, standings, {}, words, turns=False)
    yield table_page(held, 1, season_standings([result_of(over)], held.format, 1), words, turns=False)
    yield round_page(held, over, 1, 0, words)
    yield night_run_page(held, night, words, turns=False)
    yield tables_page(night, 0, words)
    yield people_page(held, night, members, 0, words)
    yield replace_page(held, night, "m1", members[1:], 0, words)
    yield reseat_page(held, night, "m1", 0, words)
    yield reason_page(night, ("?",), ("move", f"m{people}", f"{people // 4}_3"), words, asks=True)
    draft = LeagueDraft(league="abcde", place="mem:hall", language=language, name="W" * 32)
    likely = [zone for each in LANGUAGES for zone in likely_zones_of(words_for(each))]
    yield zone_page(draft, likely, START, words, asks=True)
    yield from (each(draft, words, asks=True) for each in (day_page, time_page))
    yield summary_page(draft, league().schedule, words, asks=True)
    yield from (option_page(draft, option, words) for options in GROUPS.values() for option in options)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("people", [8, 64, 300])
def test_every_board_fits_discord_and_telegram(people: int, language: str) -> None:
    for screen in boards(people, language):
        assert_fits(screen)
        page = Rendered(screen, b"png" if screen.picture else None, TileEmojis())
        assert page._text(LONGEST_V2_TEXT) == page._text(10**6), "nothing is cut off"
        if screen.picture is not None:
            assert len(page._text(LONGEST_TEXT)) < LONGEST_TEXT
        limit = CAPTION_LIMIT if screen.picture else TEXT_LIMIT
        assert as_html(screen.text, limit) == as_html(screen.text, 10**6)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("people", [8, 64, 300])
def test_every_page_fits_discord_and_telegram(people: int, language: str) -> None:
    for page in pages(people, language):
        assert_fits(page)
        sheet = Rendered(page, None, TileEmojis())
        assert sheet._text(LONGEST_V2_TEXT) == sheet._text(10**6)
        assert as_html(page.text, TEXT_LIMIT) == as_html(page.text, 10**6)
