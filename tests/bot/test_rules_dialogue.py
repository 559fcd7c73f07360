"""The rules of a table: set by dialogue, told in a line, explained, and a place's own defaults."""

from dataclasses import fields
from typing import get_type_hints

import pytest

from bot.i18n import LANGUAGES, plain, words_for
from bot.markup import Button, Page, RulesPicture, Strong, Text
from bot.ports import Person
from bot.screens.rules import rules_lines, rules_page
from bot.screens.switches import choices, difference, groups_of, setting, with_value
from bot.store import Store
from engine.errors import Unreadable
from engine.rules import PRESETS, Rules, rules_from, switches_for
from engine.tiles import Tile, okey_of
from tests.bot.house import PLACE, House, offers, open_house, page_of, said

pytestmark = pytest.mark.long

CAPTION = 1024
MOST_BUTTONS = 25


def told(shown_page: Page) -> str:
    return plain(shown_page.text, words_for("en"))


def labels(shown_page: Page) -> list[str]:
    return [str(button.label[0]) for row in shown_page.buttons for button in row]


def bold_line(shown_page: Page, switch: str) -> Text:
    """The line of a switch on the page of its group, with its bold parts."""
    parts = list(shown_page.text)
    (at,) = [at for at, part in enumerate(parts) if isinstance(part, Strong) and part.text.startswith(switch)]
    return tuple(parts[at - 1 : at + 1])


def button(shown_page: Page, label: str) -> Button:
    """The button whose label begins so."""
    found = [b for row in shown_page.buttons for b in row if str(b.label[0]).lstrip("✓ ").startswith(label)]
    assert found, (label, labels(shown_page))
    return found[0]


async def dialogue(house: House, host: Person, table: str) -> Page:
    """The first page, from the lobby's own button."""
    ask = offers(await house.look(table), "rules")[0]
    return page_of(await house.press(host, ask.press, private=False))


async def go(house: House, person: Person, page: Page, *ways: str) -> Page:
    """Press one button after the other."""
    for label in ways:
        page = page_of(await house.press(person, button(page, label).press))
        assert page.turns
    return page


async def lobby(house: House, person: Person) -> str:
    """What the lobby says of its rules."""
    return plain((await house.look()).text, words_for("en"))


async def test_a_preset_is_chosen_first_then_switches(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada)
        first = await dialogue(house, ada, table)
        assert not first.turns
        assert sum(b.press.startswith("preset.") for row in first.buttons for b in row) == len(PRESETS)
        assert "✓ Okey" in labels(first)
        second = await go(house, ada, first, "Okey 101, raising")
        assert "✓ Okey 101, raising" in labels(second)
        assert "Okey 101, raising · 4 players · 5 rounds" in await lobby(house, ada)
        values = await go(house, ada, second, "Individual rules", "Table and end", "Rounds")
        assert labels(values)[-1] == "◂ Table and end"
        page = await go(house, ada, values, "9")
        assert labels(page)[-1] == "◂ Individual rules"
        page = await go(house, ada, page, "◂ Individual rules", "Play", "Strict", "Points to open", "81")
        assert told(page).count("Points to open: 81") == 1
        assert "Okey 101, raising · 4 players · 9 rounds" in await lobby(house, ada)
        assert (
            "Different here: Points to open: 81 · No warnings before a penalty; an opening that"
            in await lobby(house, ada)
        )


async def test_a_chat_that_can_ask_takes_any_number_of_a_house_rule(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        first = await dialogue(house, ada, await house.open(ada, words="okey101"))
        page = await go(house, ada, first, "Individual rules", "Play", "Points to open")
        assert not offers(page, "set_number"), "it would have to be typed"
        house.chat.has_forms = True
        page = await go(house, ada, first, "Individual rules", "Play", "Points to open")
        (other,) = offers(page, "set_number")
        for typed in ("many", "9999", "", "8" * 20):
            refused = await house.press(ada, other.press, typed=typed)
            assert refused.code == "bad_rules"
            assert "51 to 201" in said(refused)
        assert "Different" not in await lobby(house, ada)
        page = page_of(await house.press(ada, other.press, typed=" 97 "))
        assert told(page).count("Points to open: 97") == 1
        assert "Different here: Points to open: 97" in await lobby(house, ada)
        page = await go(house, ada, first, "Individual rules", "Table and end", "Players")
        assert not offers(page, "set_number"), "each number has its button"


async def test_a_switch_of_two_values_is_thrown_by_one_press_and_back_by_another(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        page = await go(
            house, ada, await dialogue(house, ada, await house.open(ada)), "Individual rules", "Play"
        )
        page = await go(house, ada, page, "Seven pairs win")
        assert "Seven pairs win: no" in labels(page)
        assert ("• ", Strong("Seven pairs win: no")) == bold_line(page, "Seven pairs win")
        assert "Different here: Pairs don’t win" in await lobby(house, ada)
        page = await go(house, ada, page, "Seven pairs win")
        assert "Different" not in await lobby(house, ada)


async def test_penalties_are_taken_out_and_put_back_one_by_one(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="okey101")
        page = await go(
            house, ada, await dialogue(house, ada, table), "Individual rules", "Penalties", "Penalties"
        )
        assert all(label.startswith("✓") for label in labels(page)[:5])
        page = await go(house, ada, page, "tiles taken back", "Penalties", "okey discarded", "Penalties")
        told_now = "Different here: Penalties: okey left on the rack, playable tile discarded, failed opening"
        assert told_now in told(page)
        page = await go(house, ada, page, "tiles taken back", "Penalties", "okey discarded")
        assert "Different" not in await lobby(house, ada)


async def test_impossible_rules_are_refused_with_both_names_and_change_nothing(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="okey-partners")
        before = await lobby(house, ada)
        page = await go(
            house, ada, await dialogue(house, ada, table), "Individual rules", "Table and end", "Players"
        )
        answer = await house.press(ada, button(page, "3").press)
        assert said(answer) == "These two don’t go together: “Partners” and “Players”."
        assert (answer.code, answer.private, answer.page) == ("rules_clash", None, None)
        assert await lobby(house, ada) == before


async def test_only_the_host_sets_rules_and_only_in_the_lobby(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        page = await dialogue(house, ada, table)
        explained = page_of(await house.press(can, f"rules.{table}.0", private=False))
        assert told(explained).startswith("How it is played here")
        assert explained.picture is not None
        refused = await house.press(can, button(page, "Okey 101").press)
        assert said(refused) == "Only the host, Ada, can do that."
        await house.press(ada, f"start.{table}.0", private=False)
        late = await house.press(ada, button(page, "Okey 101").press)
        assert late.code == "already_started"
        assert told(page_of(await house.press(ada, f"rules.{table}.0"))).startswith("How it is played here")


async def test_the_host_finds_the_dialogue_in_their_private_chat_too(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        assert offers(await house.rack(ada, table), "rules")
        assert not offers(await house.rack(can, table), "rules")


async def test_who_cannot_be_written_to_is_led_to_their_private_chat(store: Store) -> None:
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        ada = house.person("Ada")
        table = await house.open(ada)
        answer = await house.press(ada, f"rules.{table}.0", private=False)
        assert answer.open_private
        assert answer.page is None


@pytest.mark.parametrize(
    "data",
    ["set.{table}.0", "set.{table}.0.players", "set.{table}.0.color.red", "preset.{table}.0.chess",
     "preset.{table}.0", "switch.{table}.0.game", "switch.{table}.0", "set.{table}.0.penalties.fire",
     "set.{table}.0.penalties.+fire",
     "set.{table}.0.penalties", "set.{table}.0.players.99999999999", "set.{table}.0.game.101"],
)  # fmt: skip
async def test_a_made_up_button_is_refused_and_changes_nothing(store: Store, data: str) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada)
        before = await lobby(house, ada)
        answer = await house.press(ada, data.format(table=table))
        assert answer.code
        assert await lobby(house, ada) == before


@pytest.mark.parametrize("preset", PRESETS)
async def test_everything_on_offer_can_be_pressed(store: Store, preset: str) -> None:
    """Each value of each switch is taken or clashes; every page is small enough for every chat."""
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words=preset)
        switches = page_of(await house.press(ada, f"switches.{table}.0"))
        groups = [button.press for row in switches.buttons for button in row if button.press[:6] == "group."]
        for group in groups:
            page = page_of(await house.press(ada, group))
            assert len(labels(page)) <= MOST_BUTTONS
            for row in page.buttons:
                for switch in row:
                    await _press_all(house, ada, switch)
                    await house.press(ada, f"preset.{table}.0.{preset}")


async def _press_all(house: House, person: Person, switch: Button) -> None:
    if not switch.press.startswith(("set.", "switch.")):
        return
    answer = await house.press(person, switch.press)
    assert answer.code in ("", "rules_clash")
    if switch.press.startswith("switch."):
        assert len(labels(page_of(answer))) <= MOST_BUTTONS
        for row in page_of(answer).buttons:
            for value in row:
                assert (await house.press(person, value.press)).code in ("", "rules_clash"), value.press


def test_the_dialogue_knows_every_switch() -> None:
    of_both = {name for preset in PRESETS for name in switches_for(rules_from({"preset": preset}))}
    every = {field.name for field in fields(Rules)}
    rest = every - of_both - {"game"}
    assert rest == set()
    for preset in PRESETS:
        rules = rules_from({"preset": preset})
        grouped = [switch for switches in groups_of(rules).values() for switch in switches]
        assert sorted(grouped) == sorted(switches_for(rules)), "each has one place in the dialogue"
    with_pot = rules_from({"preset": "turkish-rummy-fast-1"})
    assert {"pot", "stake"} <= set(switches_for(with_pot))
    assert not {"opening_points", "raising", "start_points"} & set(switches_for(with_pot))
    assert not {"show", "pairs_win", "scoring"} & set(switches_for(rules_from({"preset": "okey101"})))


def test_101_is_offered_in_the_lengths_of_its_matches() -> None:
    """RULES 5: 3, 5, 7, 9 or 11 rounds."""
    assert choices("rounds", rules_from({"preset": "okey101"})) == (3, 5, 7, 9, 11)
    assert 1 in choices("rounds", rules_from({"preset": "turkish-rummy"}))


def changed_rules(preset: str, switch: str, value: object) -> Rules | None:
    """A preset with one switch set, or with one penalty alone; None when that makes no sense."""
    try:
        rules = rules_from({"preset": preset})
        given = with_value(rules, switch, str(value)) if switch == "factors" else value
        return rules_from({"preset": preset, switch: [given] if switch == "penalties" else given})
    except Unreadable as error:
        if error.code != "rules_clash":
            raise
        return None


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_has_a_name_and_every_rule_its_sentence(preset: str, language: str) -> None:
    words, rules = words_for(language), rules_from({"preset": preset})
    for switch in switches_for(rules):
        for value in choices(switch, rules):
            changed = changed_rules(preset, switch, value)
            if changed is not None:
                shown_page = rules_page(changed, words)
                assert shown_page.alt
                assert plain(shown_page.text, words)
                assert len(rules_lines(changed, words)) in (1, 2)
    assert len(plain(rules_page(rules, words).text, words)) <= CAPTION


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_extra_round_is_not_one_within_nothing(language: str) -> None:
    assert not setting(words_for(language), "extend_within", 0).endswith("0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_differs_is_told_in_words_that_explain_it(language: str) -> None:
    words = words_for(language)
    for switch, kind in get_type_hints(Rules).items():
        if kind is bool:
            told = {difference(words, switch, value) for value in (True, False)}
            assert len(told) == 2
            assert not told & {setting(words, switch, value) for value in (True, False)}, "“Strict: yes”"


def test_a_switch_without_effect_is_no_difference() -> None:
    words, alone = (
        words_for("en"),
        rules_from({"preset": "okey101-tournament", "teams": False, "partner_penalties": "counted"}),
    )
    _, differs = (plain(line, words) for line in rules_lines(alone, words))
    assert "Everyone plays alone" in differs
    assert "partner" not in differs


def test_the_explanation_is_that_of_the_actual_rules() -> None:
    usual = told(rules_page(rules_from({}), words_for("en")))
    assert "collect seven pairs" in usual
    assert "13-1-2 isn’t a run" in usual
    assert "begins with 20" in usual
    other = {"pairs_win": False, "one_after_thirteen": False, "start_points": 7, "show": "off"}
    changed = told(rules_page(rules_from(other), words_for("en")))
    assert "Pairs don’t win" in changed
    assert "12-13-1 isn’t a run" in changed
    assert "begins with 7" in changed
    assert "with an okey discard, 4." in changed
    assert "with pairs, 4" in usual
    assert "twin" in usual
    assert "twin" not in changed
    assert "when the stock is empty" in told(rules_page(rules_from({"last_take": False}), words_for("en")))
    assert "when the stock is empty" not in usual
    assert "before your first draw. The others lose 1 point." in usual
    for preset, show, worth in (
        ("turkish-rummy", "automatic", "at the end of the round. The others get 10 penalty points."),
        ("turkish-rummy", "declared", "before your first draw. The others get 10 penalty points."),
        ("okey", "automatic", "at the end of the round. The others lose 1 point."),
        ("okey-rounds", "declared", "before your first draw. It scores no points here."),
    ):
        assert worth in told(rules_page(rules_from({"preset": preset, "show": show}), words_for("en")))
    uncombined = {"preset": "okey101", "openers_pay": "uncombined"}
    assert "only for tiles that form no set or run" in told(
        rules_page(rules_from(uncombined), words_for("en"))
    )
    strict = {"preset": "okey101", "opening_points": 121, "opening_pairs": 6, "penalties": ["takeback"]}
    explained = told(rules_page(rules_from(strict), words_for("en")))
    assert "worth 121 or more at once, or 6 pairs" in explained
    assert "101 penalty points each: tiles taken back." in explained


@pytest.mark.parametrize(
    ("language", "line", "of_league"),
    [
        ("en", "Turkish rummy, 3 rounds · 4 players", "Turkish rummy · 4 players · 3 deals a table"),
        ("tr", "Cezalı okey, üç el · 4 kişi", "Cezalı okey · 4 kişi · masa başına 3 el"),
        ("de", "Türkisches Rummy, 3 Runden · 4 Spieler", "Türkisches Rummy · 4 Spieler · 3 Spiele je Tisch"),
        ("ko", "튀르키예 러미 3라운드 · 4명", "튀르키예 러미 · 4명 · 테이블당 3판"),
    ],
)
def test_the_length_of_a_match_is_said_once(language: str, line: str, of_league: str) -> None:
    """By the preset's name if that tells it. The rounds of a league's night are others, so not there."""
    words, rules = words_for(language), rules_from({"preset": "turkish-rummy-fast-3"})
    assert [plain(each, words) for each in rules_lines(rules, words)] == [line]
    assert plain(rules_lines(rules, words, of_league=True)[0], words) == of_league


def test_a_name_never_hides_another_length() -> None:
    words = words_for("en")

    def line(**switches: object) -> str:
        return plain(rules_lines(rules_from({"preset": "turkish-rummy-fast-1", **switches}), words)[0], words)

    assert line(players=3) == "Turkish rummy, 1 round · 3 players"
    assert line(rounds=3) == "Turkish rummy, 3 rounds · 4 players"
    assert line(pot=False) == "Turkish rummy · 4 players · 1 round"
    assert line(pot=False, rounds=7) == "Turkish rummy · 4 players · 7 rounds"


def test_a_name_without_a_length_has_it_beside_it() -> None:
    words, rules = words_for("en"), rules_from({"preset": "okey101-tournament"})
    assert [plain(each, words) for each in rules_lines(rules, words)] == [
        "Okey 101, tournament · 4 players · 11 rounds"
    ]
    assert [plain(each, words) for each in rules_lines(rules, words, of_league=True)] == [
        "Okey 101, tournament · 4 players · 11 deals a table"
    ]
    shorter = rules_from({"preset": "okey101-tournament", "rounds": 3})
    assert [plain(each, words) for each in rules_lines(shorter, words)] == [
        "Okey 101, tournament · 4 players · 3 rounds"
    ]


@pytest.mark.parametrize("indicator", Tile)
def test_the_rules_show_any_round_s_own_indicator(indicator: Tile) -> None:
    picture = rules_page(rules_from({}), words_for("en"), indicator).picture
    assert isinstance(picture, RulesPicture)
    examples = {name: [face.code for face in faces] for name, faces in picture.examples}
    assert examples["Indicator"] == [indicator.name]
    assert examples["Okey"] == [okey_of(indicator).name]


async def test_okey_rules_explains_the_place_s_table_with_its_indicator(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        ece = Person("mem:ece", "Ece", "tr")
        table = await house.open(ada, can, words="2 okey-rounds")
        await house.press(ada, f"start.{table}.0", private=False)
        answer = page_of(await house.type(ece, "okey", "rules"))
        assert plain(answer.text, words_for("tr")).startswith(
            "Burada nasıl oynanır\nEl sayısıyla okey · 2 kişi"
        )
        seen = (await house.look()).picture
        assert seen is not None
        assert answer.picture is not None
        examples = dict(answer.picture.examples)  # type: ignore[union-attr]
        assert examples["Gösterge"] == (seen.indicator,)  # type: ignore[union-attr]
        assert examples["Okey"] == (seen.okey,)  # type: ignore[union-attr]
        assert {"Grup", "Seri"} < set(examples)
        assert "Çift" not in examples, "Pairs don't win here (RULES 3)."


async def test_without_a_table_the_place_s_own_rules_are_explained(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        assert "20 points each, over at 0" in told(page_of(await house.type(ada, "rules")))
        await house.organise(ada, "defaults", "okey101 3")
        assert "Okey 101 · 3 players" in told(page_of(await house.type(ada, "rules")))
        assert (await house.type(ada, "rules", "zzzzzz")).code == "unknown_table"
        page = (await house.type(ada, "rules", "okey101")).page
        assert page is not None
        assert "Okey 101" in str(page.text)


async def test_organisers_set_what_is_played_in_a_place(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        refused = await house.type(can, "okey", "defaults okey101")
        assert refused.code == "organisers_only"
        assert said(refused).startswith("Only organisers can do that here")
        answer = await house.organise(ada, "defaults", "turkish-rummy rounds=3")
        assert "Turkish rummy · 4 players · 3 rounds" in said(answer)
        assert "Turkish rummy · 4 players · 3 rounds" in said(await house.type(can, "defaults"))
        await house.open(can)
        assert "Turkish rummy · 4 players · 3 rounds" in await lobby(house, can)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("", "Okey 101 · 3 players · 5 rounds"),
        ("2 rounds=7", "Okey 101 · 2 players · 7 rounds"),
        ("okey", "Okey · 4 players · 20 points each, over at 0"),
        ("okey rounds=3", "Okey · 4 players · 3 rounds"),
        ("okey end=zero rounds=3", "Okey · 4 players · 20 points each, over at 0"),
    ],
)
async def test_a_command_changes_the_defaults_or_names_another_game(
    store: Store, words: str, line: str
) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        await house.organise(ada, "defaults", "okey101 3")
        await house.open(ada, words=words)
        assert line in await lobby(house, ada)


async def test_a_thread_has_the_defaults_of_its_channel_until_it_has_its_own(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        thread = f"{PLACE}/7"
        await house.organise(ada, "defaults", "okey101")
        assert "Okey 101 ·" in said(await house.type(ada, "defaults", place=thread))
        await house.organise(ada, "defaults", "okey 3", place=thread)
        assert "Okey · 3 players" in said(await house.type(ada, "defaults", place=thread))
        assert "Okey 101 ·" in said(await house.type(ada, "defaults"))


@pytest.mark.parametrize(
    ("words", "code"),
    [("chess", "unknown_preset"), ("players=9", "bad_rules"), ("3 teams=true", "rules_clash")],
)
async def test_wrong_defaults_are_refused_and_change_nothing(store: Store, words: str, code: str) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        assert (await house.organise(ada, "defaults", words)).code == code
        assert "Okey · 4 players" in said(await house.type(ada, "defaults"))


async def test_defaults_are_a_place_s_own_business(store: Store) -> None:
    async with open_house(store, work=False) as house:
        assert (await house.type(house.person("Ada"), "defaults", "3", place=None)).code == "here_only"
