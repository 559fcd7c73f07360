"""Help fits one screen and leads on; the guide comes once, to whoever sits down for the first time."""

import re
from collections import Counter
from unicodedata import east_asian_width

import pytest

from bot.commands import list_offered
from bot.i18n import LANGUAGES, plain, words_for
from bot.ids import TableId
from bot.markup import Link, Page, ResultPicture, RulesPicture, TablePicture, TileFace
from bot.ports import Person
from bot.screens.help import STEPS, HelpFacts, guide_page, help_page
from bot.store import Store
from engine.rules import rules_from
from tests.bot.house import PLACE, House, offers, open_house, page_of, said
from tests.offered import ORGANISERS

ENGLISH = words_for("en")
LINES_MOST = 11
PHONE = 46
"""About so many letters stand on a line of a phone."""

CAPTION = 1024
"""So long may the words under a picture be in Telegram."""


def read(shown_page: Page, language: str = "en") -> str:
    return plain(shown_page.text, words_for(language))


def width_of(line: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in line)


def verbs(shown_page: Page) -> list[str]:
    return [button.press.split(".")[0] for row in shown_page.buttons for button in row]


async def help_for(house: House, name: str, *, place: str | None = PLACE) -> Page:
    return page_of(await house.type(house.person(name), "help", place=place))


async def guide_for(house: House, who: Person) -> Page:
    return page_of(await house.type(who, "guide"))


async def test_help_begins_with_what_fits_the_one_who_asks(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        assert "No game here yet." in read(await help_for(house, "Deniz"))
        assert "You aren’t at a table." in read(await help_for(house, "Deniz", place=None))
        table = await house.open(ada, words="2")
        assert "Table 1 is yours." in read(await help_for(house, "Ada"))
        lobby = await help_for(house, "Deniz")
        assert "Table 1 is waiting for players" in read(lobby)
        assert verbs(lobby)[0] == "join"
        await house.press(can, f"join.{table}.0", private=False)
        assert "You are at table 1. The host starts the match: Ada" in read(await help_for(house, "Can"))
        await house.press(ada, f"start.{table}.0", private=False)
        on_turn = await house.on_turn(table, ada, can)
        asked = await help_for(house, on_turn.name, place=None)
        assert "It is your turn at table 1" in read(asked)
        assert verbs(asked)[0] == "rack"
        waiting = can if on_turn == ada else ada
        assert "You are playing at table 1." in read(await help_for(house, waiting.name))
        watching = await help_for(house, "Deniz")
        assert "A match is being played at table 1" in read(watching)
        assert not {"join", "rack"} & {*verbs(watching)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("private", [True, False])
def test_on_the_page_help_names_its_doors_and_nothing_that_is_typed(language: str, private: bool) -> None:
    words = words_for(language)
    shown_page = help_page(HelpFacts(None, None, private, "web"), words, turns=False)
    text = read(shown_page, language)
    assert words.plain("live.now") in text
    assert words.plain("live.friends") in text
    assert "/" not in text
    typed = [button.press for row in shown_page.buttons for button in row if button.press.startswith("help.")]
    assert [press.rsplit(".", 1)[1] for press in typed] == ["rules"]


async def test_help_says_that_the_computer_plays_for_who_is_away(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        on_turn = await house.on_turn(table, ada, can)
        await house.press(on_turn, f"step_out.{table}.0")
        asked = await help_for(house, on_turn.name)
        assert "The computer is playing for you at table 1." in read(asked)
        assert verbs(asked)[0] == "rack"


async def test_a_practice_round_does_not_hide_the_table_at_which_they_sit(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await house.press(ada, "practice.me.0")
        assert "You aren’t at a table." in read(await help_for(house, "Ada", place=None))
        assert (await house.type(ada, "word", "tulip")).code == "no_table"
        assert (await house.type(ada, "remove")).code == "no_table"
        table = await house.open(ada, can)
        assert "Table 1 is yours." in read(await help_for(house, "Ada", place=None))
        assert offers(page_of(await house.type(ada, "remove")), "remove_ask")
        await house.type(ada, "word", "tulip")
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        assert stored.value.seats[0].word == "tulip"


async def test_help_leads_on_and_back(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        first = await help_for(house, "Ada")
        assert {"guide", "help", "preferences"} <= {*verbs(first)}
        led = {
            button.press: page_of(await house.press(ada, button.press))
            for row in first.buttons
            for button in row
            if button.press.startswith("help.")
        }
        everybodys, organisers, rules = (
            read(led[f"help.me.0.{page}"]) for page in ("commands", "organisers", "rules")
        )
        offered_here = [command.verb for command in list_offered("everybody", app=False)]
        assert all(f"• {ENGLISH.type_command(verb).line}: " in everybodys for verb in offered_here)
        assert all(f"• {ENGLISH.type_command(verb).line}: " in organisers for verb in ORGANISERS)
        assert rules.startswith("How it is played here")
        for page in led.values():
            assert page.turns
            assert verbs(page) == ["help"]
            assert read(page_of(await house.press(ada, page.buttons[0][0].press))) == read(
                await help_for(house, "Ada", place=None)
            )


async def test_nobody_is_told_to_collect_pairs_where_pairs_do_not_win(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        assert "or collect seven pairs" in read(await help_for(house, "Ada"))
        assert "or collect seven pairs" in read(await guide_for(house, ada))
        table = await house.open(ada, can, words="okey-rounds 2")
        guide = await guide_for(house, ada)
        assert "Pairs don’t win here." in read(guide)
        assert "seven" not in read(guide)
        assert "Pair" not in guide.alt
        assert "14 tiles into sets and runs; pairs don’t win here" in read(await help_for(house, "Ada"))
        await house.press(ada, f"start.{table}.0", private=False)
        starter = await house.on_turn(table, ada, can)
        discard = offers(await house.rack(starter, table), "discard")[-1]
        refused = await house.press(starter, discard.press.replace("discard", "finish", 1))
        assert refused.code == "no_win"
        assert "Pairs don’t win here." in said(refused)


@pytest.mark.parametrize("press", ["help.me.0.secrets", "guide.me.0.0", "guide.me.0.9", "guide.me.0.x"])
async def test_what_no_page_is_behind_is_refused(store: Store, press: str) -> None:
    async with open_house(store, work=False) as house:
        assert (await house.press(house.person("Ada"), press)).code == "unknown_button"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("private", [True, False])
def test_help_fits_one_screen(language: str, private: bool) -> None:
    words = words_for(language)
    page = help_page(HelpFacts(None, None, private, "tg"), words, turns=False)
    lines = [-(-width_of(line) // PHONE) for line in plain(page.text, words).split("\n")]
    assert sum(lines) <= LINES_MOST
    assert len(page.buttons) <= 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_to_okey_101_speaks_of_its_own_tiles_and_its_table_s_opening(language: str) -> None:
    words, rules = (
        words_for(language),
        rules_from({"preset": "okey101", "opening_points": 81, "opening_pairs": 6}),
    )
    pages = [guide_page(number, words, turns=True, rules=rules) for number in range(1, STEPS + 1)]
    said = [plain(page.text, words) for page in pages]
    assert "21" in said[0]
    assert "81" in said[1]
    assert "6" in said[1]
    assert not re.search(r"\b1[45]\b|fifteen|on beş|fünfzehn", " ".join(said))
    assert all(len(text) + len(page.alt) < CAPTION for text, page in zip(said, pages, strict=True))
    assert words.plain("button.rack") in said[2]


def test_the_guide_to_okey_101_shows_a_finish_that_can_be() -> None:
    """The winner has laid all 21 tiles, and no tile is on the table more than twice."""
    rules = rules_from({"preset": "okey101"})
    page = guide_page(STEPS, ENGLISH, turns=True, rules=rules)
    assert isinstance(page.picture, ResultPicture)
    assert page.picture.finishing is not None
    mine, others = page.picture.melds[:3] + page.picture.melds[6:], page.picture.melds[3:6]
    assert sum(map(len, mine)) == 21
    laid = [face.code for meld in (*mine, *others) for face in meld]
    table = guide_page(2, ENGLISH, turns=True, rules=rules).picture
    assert isinstance(table, TablePicture)
    assert table.melds == page.picture.melds[:6]
    thrown = [seat.top.code for seat in table.seats if seat.top is not None]
    seen = Counter([*laid, *thrown, table.indicator.code, page.picture.finishing.code])
    assert max(seen.values()) <= 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_any_discard_may_be_taken_the_guide_names_them_all(language: str) -> None:
    words, rules = words_for(language), rules_from({"preset": "turkish-rummy"})
    page = guide_page(2, words, turns=False, rules=rules)
    told = read(page, language)
    assert told != read(guide_page(2, words, turns=False), language)
    assert {"11", "6", "9"} <= {*re.findall(r"\d+", told.split("\n")[2])}
    assert len(told) <= CAPTION


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_tells_what_the_indicator_s_twin_is_good_for(language: str) -> None:
    words = words_for(language)
    assert words.plain("button.show") in read(guide_page(2, words, turns=False), language)


@pytest.mark.parametrize(("platform", "where"), [("tg", "in a group"), ("dc", "in a channel")])
def test_help_names_the_public_places_of_the_reader_s_chat(platform: str, where: str) -> None:
    page = help_page(HelpFacts(None, None, True, platform), ENGLISH, turns=False)
    assert f"/okey opens one {where}." in read(page)


async def test_help_and_guide_are_of_the_game_at_the_reader_s_table(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        first = page_of(await house.type(ada, "play", "okey101"))
        assert "21 tiles" in read(first)
        assert "101 points" in read(page_of(await house.press(ada, "guide.me.0.2")))
        assert "21 tiles" in read(page_of(await house.type(ada, "help")))
        assert "14 tiles" in read(page_of(await house.type(house.person("Can"), "guide")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_of_the_guide_has_a_picture_and_says_it_in_words(language: str) -> None:
    words = words_for(language)
    pages = [guide_page(number, words, turns=True) for number in range(1, STEPS + 1)]
    assert [type(page.picture) for page in pages] == [RulesPicture, TablePicture, ResultPicture]
    for number, page in enumerate(pages, 1):
        assert plain(page.text, words).startswith(f"{number}/{STEPS}")
        assert len(plain(page.text, words)) + len(page.alt) < CAPTION
    assert words.plain("button.ask_finish") in plain(pages[2].text, words)
    for button in ("rack", "order", "sort_melds"):
        assert words.plain(f"button.{button}") in plain(pages[2].text, words)
    assert pages[1].alt.splitlines()[0] == words.plain("table.round", round=1)


LEAST = {"en": ("three or four", "three or more"), "tr": ("üç ya da dört", "en az üç")}
LEAST |= {"de": ("drei oder vier", "mindestens drei"), "ko": ("3~4개", "3개 이상")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", ["okey", "okey-rounds", "okey101"])
def test_the_guide_says_how_many_tiles_make_a_set_and_a_run(language: str, preset: str) -> None:
    page = guide_page(1, words_for(language), turns=True, rules=rules_from({"preset": preset}))
    for number in LEAST[language]:
        assert number in read(page, language)


def test_the_guide_says_why_the_first_player_does_not_draw_and_what_the_others_lose() -> None:
    pages = [read(guide_page(number, ENGLISH, turns=True)) for number in (2, 3)]
    assert "The player who begins the round has 15 from the start and only discards." in pages[0]
    assert "they lose 2 each" in pages[1]


def test_a_result_shows_an_okey_as_the_tile_it_stands_for() -> None:
    """In the guide's hand the okey, a 5, is played as a black 3."""
    page = guide_page(STEPS, words_for("en"), turns=True)
    assert isinstance(page.picture, ResultPicture)
    assert page.picture.melds[-1][2] == TileFace("K3", wild=True)
    assert "black 1, 2, okey for 3, 4" in page.alt


async def test_who_sits_down_for_the_first_time_is_guided_once(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        first = page_of(await house.type(ada, "play"))
        assert read(first).startswith("1/3")
        (table,) = await store.index.tables_at(PLACE)
        assert read(page_of(await house.press(can, f"join.{table}.0", private=False))).startswith("1/3")
        assert (await house.press(can, f"leave.{table}.0", private=False)).page is None
        assert (await house.press(can, f"join.{table}.0", private=False)).page is None
        await house.press(ada, f"start.{table}.0", private=False)
        assert (await house.type(ada, "play", place="mem:yard")).page is None
        assert read(page_of(await house.type(ada, "guide"))).startswith("1/3")


async def test_the_guide_turns_its_pages(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        page, seen = page_of(await house.type(ada, "guide")), []
        while True:
            seen.append(read(page)[:3])
            forward = [
                b.press for row in page.buttons for b in row if b.press == f"guide.me.0.{len(seen) + 1}"
            ]
            if not forward:
                break
            page = page_of(await house.press(ada, *forward))
            assert page.turns
        assert seen == ["1/3", "2/3", "3/3"]
        assert (await house.type(ada, "play")).page is None, "who has read it is not given it again"


async def test_the_guide_can_be_read_in_words_alone(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        await house.press(ada, "prefer.me.0.words.1")
        page = page_of(await house.type(ada, "play"))
        assert page.picture is None
        assert "Okey: red 5\n" in read(page)


async def test_the_guide_waits_until_it_can_be_read_in_private(store: Store) -> None:
    """A link leads them to their private chat first; there it comes with their seat."""
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        ada = house.person("Ada")
        opened = await house.type(ada, "play")
        assert opened.page is None
        assert opened.open_private is not None
        started = await house.type(ada, "start", opened.open_private, place=None)
        assert read(page_of(started)).startswith("1/3")


async def test_a_link_that_was_used_leads_to_the_private_chat_of_who_sits_at_the_table(store: Store) -> None:
    """It stands on a button in the group, which its person presses again to get there, and others try it."""
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        ada, can = house.person("Ada"), house.person("Can")
        opened = await house.type(ada, "play", "2")
        assert "Others press Join; you, its host, start the match." in said(opened)
        assert opened.open_private is not None
        refused = await house.type(can, "start", opened.open_private, place=None)
        assert refused.code == "expired_link"
        await house.type(ada, "start", opened.open_private, place=None)
        again = await house.type(ada, "start", opened.open_private, place=None)
        assert "Table 1 is yours." in read(page_of(again))
        (table,) = await store.index.tables_at(PLACE)
        await house.press(ada, f"start.{table}.0", private=False)
        playing = await house.type(ada, "start", opened.open_private, place=None)
        assert playing.private is not None
        assert playing.private.table == table


async def test_who_opens_the_private_chat_by_himself_gets_help(store: Store) -> None:
    async with open_house(store, work=False) as house:
        started = await house.type(house.person("Ada"), "start", place=None)
        assert "You aren’t at a table." in read(page_of(started))


async def test_in_private_it_offers_to_add_the_bot_and_other_languages(house: House) -> None:
    house.chat.bot_name = "okey_bot"
    ada = house.person("Ada")
    for verb in ("start", "help"):
        page = page_of(await house.type(ada, verb, place=None))
        (link,) = [part for part in page.text if isinstance(part, Link)]
        assert (link.text, link.url) == ("➕ Add me to a group", "https://chat.test/okey_bot?startgroup=okey")
        assert "practice.me.0" in [button.press for row in page.buttons for button in row]
    turkish = page_of(await house.press(ada, "speak.me.0.tr"))
    assert "Beni bir gruba ekle" in read(turkish, "tr")
    in_group = page_of(await house.type(ada, "help"))
    assert in_group.text[:2] == turkish.text[:2]
    assert [part for part in in_group.text if isinstance(part, Link)] == []
    assert (await house.press(ada, "speak.me.0.xx")).code == "unknown_button"


async def test_a_chosen_language_is_that_of_the_next_rack(house: House) -> None:
    ada = house.person("Ada")
    table = await house.open(ada)
    await house.press(ada, "speak.me.0.ko")
    stored = await house.app.tables.load(TableId(table))
    assert stored is not None
    assert stored.value.seats[0].language == "ko"
    refused = await house.type(ada, "dance")
    assert refused.notice == words_for("ko").say("refused.unknown_command", verb="dance")


async def test_in_the_group_to_which_it_was_just_added_it_explains_itself(house: House) -> None:
    assert (await house.type(house.person("Ada"), "start")).page is not None


async def test_a_chat_in_private_gets_one_kind_line(house: House) -> None:
    answer = await house.type(house.person("Ada"), "talk", place=None)
    assert read(page_of(answer)).startswith("Hello! /okey in a group opens a table.")
    sentence = await house.type(house.person("Ada"), "talk", "help me please", place=None)
    assert sentence == answer


async def test_a_command_s_name_in_private_is_understood_without_a_slash(house: House) -> None:
    ada = house.person("Ada")
    for typed in ("help", "Yardım?"):
        assert (await house.type(ada, "talk", typed, place=None)).page is not None
    assert "isn’t a command but a button" in said(await house.type(ada, "talk", "again", place=None))
    assert read(page_of(await house.type(ada, "talk", "join", place=None))).startswith("Hello!")


async def test_who_adds_the_bot_to_a_group_is_still_led_to_the_private_chat(house: House) -> None:
    house.chat.private_everywhere = False
    ada = house.person("Ada")
    await house.type(ada, "start", "okey")
    assert (await house.type(ada, "play")).open_private is not None


async def test_an_answer_tells_the_chat_in_which_language_its_person_reads(store: Store) -> None:
    """What a chat adds by itself was said in the language of the app."""
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        assert (await house.press(ada, "help.me.0")).language == "en"
        await house.press(ada, "speak.me.0.ko")
        pressed, typed = await house.press(ada, "help.me.0"), await house.type(ada, "rack")
        assert (pressed.code, typed.code) == ("", "no_table")
        assert [pressed.language, typed.language] == ["ko", "ko"]
