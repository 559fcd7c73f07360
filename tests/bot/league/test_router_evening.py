"""A night through the router: people press on the board, organisers on pages; each press counts once."""

import random
from dataclasses import replace

import pytest

from bot.callback_data import callback_text
from bot.commands import DECLARED_FORMS
from bot.i18n import plain, words_for
from bot.league.events import SeatTaken, TilesPlayed, TilesRound
from bot.league.model import League
from bot.markup import Button, Page, PublicScreen
from bot.ports import Answer, Person, RetryAfter
from bot.repository.leagues import LeagueRepository
from bot.store import Store
from bot.worker import worker
from tests.bot.house import PLACE, MemoryChat, said
from tests.bot.league.leagues import START, LeagueHouse, MovedClock, Until, league_house, weekly
from tests.bot.two_chats import link_accounts
from tests.offered import LEAGUE_VERBS

pytestmark = pytest.mark.long

EN = words_for("en")
FOUR = ("Ada", "Can", "Eve", "Bob")


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker looks more often: no test here is about how long it takes."""
    for often in ("TICK_SECONDS", "PLAYED_SECONDS"):
        monkeypatch.setattr(worker, often, 0.02)


def shown(answer: Answer) -> PublicScreen:
    """The board that an answer brings."""
    assert answer.public is not None, said(answer)
    return answer.public


def words(page: PublicScreen | Page | None) -> str:
    assert page is not None
    return plain(page.text, EN)


def labels(page: PublicScreen | Page) -> list[str]:
    return ["".join(map(str, each.label)) for row in page.buttons for each in row]


def button(page: PublicScreen | Page | None, label: str) -> Button:
    """The one button with these words."""
    assert page is not None
    found = [each for row in page.buttons for each in row if label in "".join(map(str, each.label))]
    assert len(found) == 1, (label, labels(page))
    return found[0]


async def on_board(evening: LeagueHouse, name: str, verb: str, *, id: str = "") -> Answer:
    """Somebody presses a button of the board."""
    house = evening.house
    return await house.press(house.person(name), f"night_{verb}.{evening.night_id}.0", private=False, id=id)


async def gathered(evening: LeagueHouse, *names: str) -> None:
    """These people sign up and check in by pressing on the board, and sit at tables."""
    await evening.comes("announced")
    for name in names:
        assert not (await on_board(evening, name, "yes")).code
    await evening.at(-20 * 60, "check_in")
    for name in names:
        assert not (await on_board(evening, name, "here")).code
    await evening.at(-3 * 60, "ready")
    await evening.at(0, "playing")


async def posted(evening: LeagueHouse) -> PublicScreen:
    """The board as the place sees it once the post has brought it up to date."""
    found: list[PublicScreen] = []

    async def newest() -> bool:
        revision = (await evening.night()).revision
        boards = [board for _, board, _ in evening.house.chat.tables if board.table == evening.night_id]
        found[:] = [board for board in boards if board.version == revision]
        return bool(found)

    await evening.until(newest)
    return found[-1]


async def may_come_late(evening: LeagueHouse, name: str) -> bool:
    """Return whether the league's page offers somebody to say that they are late."""
    house = evening.house
    house.reads(house.person(name))
    page = (await house.press(house.person(name), "league_hub.abcde.0")).page
    assert page is not None
    return any("late" in label for label in labels(page))


async def organise(evening: LeagueHouse, line: str, *, name: str = "Olga", id: str = "") -> Answer:
    """The organiser types it."""
    house = evening.house
    with house.runs(house.person(name)):
        return await house.type(house.person(name), "okey", f"league {line}".strip(), id=id)


async def asked_why(evening: LeagueHouse, line: str) -> Page:
    """The question that answers an organiser's act without a reason."""
    answer = await organise(evening, line)
    assert answer.page is not None, (line, said(answer))
    assert button(answer.page, "All agreed"), line
    assert not answer.page.turns, "nothing was pressed on: no page is there to be turned"
    return answer.page


async def page_of(evening: LeagueHouse, press: str, *, name: str = "Olga", id: str = "") -> Page:
    """The page that an organiser's press brings."""
    answer = await pressed(evening, press, name=name, id=id)
    assert answer.page is not None, said(answer)
    return answer.page


async def pressed(
    evening: LeagueHouse, press: str, *, name: str = "Olga", id: str = "", typed: str = ""
) -> Answer:
    house = evening.house
    with house.runs(house.person(name)):
        return await house.press(house.person(name), press, id=id, typed=typed)


async def test_the_board_says_who_comes_and_each_press_brings_it_up_to_date(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(cap=3), MovedClock()) as evening:
        await evening.comes("announced")
        await posted(evening)
        for name in ("Ada", "Can", "Eve"):
            await on_board(evening, name, "yes")
        fourth = await on_board(evening, "Bob", "yes")
        assert "number 1 on the waiting list" in said(fourth)
        await on_board(evening, "Han", "substitute")
        board = shown(await on_board(evening, "Kim", "maybe"))
        for line in (
            "Coming (3): Ada, Can, Eve",
            "Waiting list (1): Bob",
            "Maybe (1): Kim",
            "Substitutes (1): Han",
        ):
            assert line in words(board)
        board = shown(await on_board(evening, "Ada", "no"))
        assert "Coming (3): Can, Eve, Bob" in words(board)
        assert "Waiting" not in words(board)


async def test_a_press_that_arrives_twice_counts_once(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        await on_board(evening, "Ada", "yes", id="first")
        await on_board(evening, "Ada", "no", id="second")
        again = await on_board(evening, "Ada", "yes", id="first")
        assert not again.code
        night = await evening.night()
        assert [each.reply for each in night.entrants] == ["no"]


async def test_no_answer_takes_the_place_of_a_board_that_is_to_come_anew(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        for name in FOUR:
            await on_board(evening, name, "yes")
        await evening.at(-20 * 60, "check_in")
        for name in FOUR:
            await on_board(evening, name, "here")
        await evening.at(-3 * 60, "ready")
        await posted(evening)
        evening.house.chat.refuse += [RetryAfter(60)] * 20
        await evening.at(0, "playing")
        answer = await on_board(evening, "Zoe", "late")
        assert "from the next round" in said(answer)
        assert answer.public is None


async def test_check_in_has_its_time_and_shows_who_is_there(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        early = await on_board(evening, "Ada", "here")
        assert early.code == "check_in_not_open"
        await on_board(evening, "Ada", "yes")
        await on_board(evening, "Can", "yes")
        await evening.at(-20 * 60, "check_in")
        await posted(evening)
        board = shown(await on_board(evening, "Ada", "here"))
        assert "✓ Ada, Can" in words(board)
        assert labels(board)[0] == "✋ I’m here"


async def test_who_is_signed_up_on_one_platform_cannot_sign_up_again_on_another(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        house = evening.house
        house.app.chats["oth"] = MemoryChat(name="oth")
        await evening.comes("announced")
        here, there = house.person("Ada"), Person("oth:ada", "Ada", "en")
        await link_accounts(house, here, there)
        await on_board(evening, "Ada", "yes")
        press = f"night_yes.{evening.night_id}.0"
        await house.app.leagues.change("abcde", None, lambda now: _also_at(now, "oth:hall"))
        answer = await house.press(there, press, private=False, place="oth:hall")
        assert answer.code == "signed_up_elsewhere"
        assert (await evening.night()).signed_up == ("m1",)


def _also_at(league: League, place: str) -> League:
    return replace(league, places=(*league.places, place))


async def test_who_signs_up_in_private_plays_where_their_own_chat_has_a_place(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        house = evening.house
        house.app.chats["oth"] = MemoryChat(name="oth", readers={("oth:zoe", "oth:hall")})
        house.chat.readers.add(("mem:ada", PLACE))
        await evening.comes("announced")
        await house.app.leagues.change("abcde", None, lambda now: _also_at(now, "oth:hall"))
        there = Person("oth:zoe", "Zoe", "en")
        await house.press(there, f"night_yes.{evening.night_id}.0")
        await house.press(house.person("Ada"), f"night_yes.{evening.night_id}.0")
        assert [each.place for each in (await evening.night()).entrants] == ["oth:hall", PLACE]


async def test_who_is_blocked_signs_up_to_nothing_but_may_go(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        house = evening.house
        await on_board(evening, "Ada", "yes")
        await on_board(evening, "Can", "yes")
        await house.open(house.person("Ada"))
        with house.runs(olga := house.person("Olga")):
            await house.type(olga, "block", "Ada")
        for verb in ("yes", "maybe", "substitute", "here"):
            assert (await on_board(evening, "Ada", verb)).code == "blocked"
        assert not (await on_board(evening, "Ada", "no")).code
        assert (await evening.night()).signed_up == ("m2",)
        await house.type(house.person("Zoe"), "okey", "3")
        with house.runs(olga):
            await house.type(olga, "block", "Zoe")
        assert (await on_board(evening, "Zoe", "yes")).code == "blocked"
        members = (await house.app.leagues.load("abcde")).members.values()
        assert {member.name for member in members} == {"Ada", "Can", "Olga"}, "she took Ada out of the night"


async def test_two_people_make_no_table_and_are_told_so(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        for name in ("Ada", "Can"):
            await on_board(evening, name, "yes")
        await evening.at(-20 * 60, "check_in")
        for name in ("Ada", "Can"):
            await on_board(evening, name, "here")
        early = await organise(evening, "close agreed by both")
        assert early.code == "too_few"
        await evening.at(-3 * 60, "ready")
        await evening.at(0, "cancelled")
        board = await posted(evening)
        assert "too few people came for a table" in words(board)
        assert (await on_board(evening, "Ada", "yes")).code == "night_over"


async def test_the_board_of_a_round_says_who_sits_where_until_when(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        board = await posted(evening)
        told = words(board)
        assert "Round 1 of 2" in told
        assert "▶ Table 1: " in told
        assert all(name in told for name in FOUR)
        clocks = [part.at for part in board.text if type(part).__name__ == "Clock"]
        assert clocks == [START + 1800, START + 2400]
        assert {"🏃 I’m late, let me in", "⚠ Dispute…", "Leave the night"} <= set(labels(board))


async def test_who_leaves_is_asked_once(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        asked = await on_board(evening, "Ada", "leave")
        assert "m1" in (await evening.night()).playing
        await evening.house.press(evening.house.person("Ada"), button(asked.page, "Yes").press)
        assert "m1" not in (await evening.night()).playing


async def test_a_substitute_takes_the_seat_of_who_left(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        assert (await on_board(evening, "Han", "sit")).code == "no_free_seat"
        await on_board(evening, "Ada", "gone")

        async def free() -> bool:
            return any(table.free for table in (await evening.night()).rounds[0].tables)

        await until(free)
        await posted(evening)
        answer = await on_board(evening, "Han", "sit")
        assert "The seat is yours" in said(answer)
        assert "Han" in words(shown(answer))


async def test_a_substitute_is_not_promised_a_seat_in_a_full_night(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(cap=4), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        await on_board(evening, "Han", "substitute")
        assert "You are a substitute" in said(await on_board(evening, "Han", "late"))


async def test_who_takes_a_free_seat_while_their_own_is_free_gets_their_own(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        own = (await evening.night()).rounds[0].tables[0].seats
        league = await evening.house.app.leagues.load("abcde")
        first, last = (league.members[own[seat]].name for seat in (0, 3))
        for name in (first, last):
            await on_board(evening, name, "gone")

        async def free() -> bool:
            return (await evening.night()).rounds[0].tables[0].free == (0, 3)

        await until(free)
        assert "The seat is yours" in said(await on_board(evening, last, "sit"))
        table = (await evening.night()).rounds[0].tables[0]
        assert (table.seats, table.free) == (own, (0,))


async def test_who_comes_back_has_their_seat_again(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        assert not await may_come_late(evening, "Ada")
        assert await may_come_late(evening, "Zoe")
        await on_board(evening, "Ada", "gone")

        async def free() -> bool:
            return any(table.free for table in (await evening.night()).rounds[0].tables)

        await until(free)
        assert await may_come_late(evening, "Ada")
        back = await on_board(evening, "Ada", "late")
        assert "The seat is yours again" in said(back)
        assert not await may_come_late(evening, "Ada")
        assert not (await evening.night()).rounds[0].tables[0].free
        new = await on_board(evening, "Zoe", "late")
        assert "from the next round" in said(new)


async def test_a_dispute_is_decided_by_an_organiser_with_a_reason(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        assert (await on_board(evening, "Ada", "dispute")).code == "nothing_to_dispute"
        await evening.play_all()
        await evening.comes("break")
        asked = await on_board(evening, "Ada", "dispute")
        answer = await evening.house.press(
            evening.house.person("Ada"), button(asked.page, "Round 1, table 1").press
        )
        assert "until an organiser decides" in said(answer)
        assert (await evening.night()).rounds[0].tables[0].disputed

        assert "the dispute is upheld" in words(await asked_why(evening, "uphold 1.1"))
        assert "the result stands" in words(await asked_why(evening, "reject 1.1"))
        correcting = await asked_why(evening, "correct 1.1 0 0 0 0")
        assert "the scores are 0 · 0 · 0 · 0" in words(correcting)
        table = (await evening.night()).rounds[0].tables[0]
        assert (table.disputed, table.corrected) == (True, None)
        page = await page_of(evening, f"night_table.{evening.night_id}.0.1.1")
        why = await page_of(evening, button(page, "Uphold").press)
        done = await pressed(evening, button(why, "A wrong result").press)
        assert "upheld" in said(done)
        await pressed(evening, button(correcting, "A wrong result").press)
        assert (await evening.night()).rounds[0].tables[0].corrected == (0, 0, 0, 0)
        corrected = await organise(evening, "correct 1.1 9 0 0 0 the record says so")
        assert "the scores were corrected to 9 · 0 · 0 · 0" in said(corrected)
        night = await evening.night()
        assert night.rounds[0].tables[0].corrected == (9, 0, 0, 0)
        log = await LeagueRepository(store, evening.clock).log(evening.night_id)
        olga = (await evening.house.app.leagues.load("abcde")).member_of("mem:olga")
        assert olga is not None
        told = [(each.by, each.why) for each in log if each.why]
        reasons = ("A wrong result", "A wrong result", "the record says so")
        assert told == [(olga.id, why) for why in reasons]


async def test_whoever_played_at_a_table_may_dispute_its_result_though_another_has_their_seat(
    store: Store, until: Until
) -> None:
    clock = MovedClock()
    async with league_house(store, until, weekly(), clock) as evening:
        await gathered(evening, *FOUR)
    # Without work: else the real table, at which nobody has played, tells the night so.
    async with league_house(store, until, weekly(), clock, work=False) as evening:
        seats = (await evening.night()).rounds[0].tables[0].seats
        zoe = await evening.member("Zoe")
        scores = (1, 0, 0, 0)
        begun, ended = TilesRound(seats, scores, 0), TilesRound((zoe, *seats[1:]), scores, 0)
        replaced = (SeatTaken(1, 1, 0, zoe), TilesPlayed(1, 1, (begun, ended), (2, 0, 0, 0), over=True))
        await evening.act(lambda night, now: replaced)
        league = await evening.house.app.leagues.load("abcde")
        for member in (seats[0], zoe):
            asked = await on_board(evening, league.members[member].name, "dispute")
            assert button(asked.page, "Round 1, table 1")


async def test_only_organisers_act_on_a_night_and_rights_are_asked_at_each_press(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        house, night = evening.house, evening.night_id
        presses = ["night_run", "night_tables", "night_table.0.1.1", "night_people", "night_person.0.m1"]
        presses += ["night_replace.0.m1", "night_reseat.0.m1", "night_ask.0.pause", "night_do.0.pause.agreed"]
        for press in presses:
            verb, _, rest = press.partition(".")
            answer = await house.press(house.person("Ada"), f"{verb}.{night}.{rest or '0'}")
            assert answer.code == "league_organisers_only", press
        for press in ("league_run", "league_skips", "league_invite", "league_close", "league_end"):
            refused = await house.press(house.person("Ada"), f"{press}.abcde.0")
            assert refused.code == "league_organisers_only"
            assert "Only organisers of Thursday can do that" in said(refused)
        for line in ("pause x", "penalty Ada 1 x", "members Zoe", "pair Ada, Can", "skip", "end", "move 1"):
            refused = await house.type(house.person("Ada"), "okey", f"league {line}")
            assert refused.code == "league_organisers_only"
        why = await page_of(evening, f"night_ask.{night}.0.pause")
        lost = await house.press(house.person("Olga"), button(why, "All agreed").press)
        assert lost.code == "league_organisers_only"
        assert (await evening.night()).paused_at is None


async def test_pausing_stops_the_round_clock_and_going_on_moves_its_ends(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        why = await page_of(evening, f"night_ask.{evening.night_id}.0.pause")
        reason = button(why, "Technical trouble").press
        await pressed(evening, reason, id="pause")
        await pressed(evening, reason, id="pause")
        board = await posted(evening)
        assert "Paused" in words(board)
        assert "Paused" in words(await page_of(evening, f"night_run.{evening.night_id}.0"))
        going_on = button(await asked_why(evening, "go"), "All agreed").press
        assert (await evening.night()).paused_at is not None
        await pressed(evening, going_on)
        assert (await evening.night()).paused_at is None
        assert not (await organise(evening, "pause dark again")).code
        evening.clock.now += 600
        assert not (await organise(evening, "go the lights are back")).code
        night = await evening.night()
        assert night.rounds[0].soft_end == START + 1800 + 600
        assert not (await organise(evening, "extend 10 they are slow")).code
        assert (await evening.night()).rounds[0].soft_end == START + 1800 + 600 + 600


async def test_a_typed_act_without_a_reason_asks_for_one(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        asked = await asked_why(evening, "penalty Ada 1,5")
        assert "Ada: a penalty of 1.5 points." in words(asked)
        assert (await evening.night()).penalties == ()
        assert (await organise(evening, "go")).code == "not_paused", "nobody is asked why for what cannot be"
        reason = button(asked, "Conduct").press
        for line in ("void 1.1", "replay 1.1", "pause", "away Ada", "extend 5", "finish"):
            await asked_why(evening, line)
        done = await pressed(evening, reason, id="twice")
        assert said(done) == "✓ Ada got a penalty of 1.5 points."
        await pressed(evening, reason, id="twice")
        assert (await evening.night()).penalties == (("m1", 1.5),)


async def test_a_chat_that_can_ask_takes_complaints_reasons_and_scores_in_people_s_own_words(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        evening.house.chat.has_forms = True
        await gathered(evening, *FOUR)
        await evening.play_all()
        await evening.comes("break")
        asked = await on_board(evening, "Ada", "dispute")
        complain = button(asked.page, "Round 1, table 1").press
        answer = await evening.house.press(evening.house.person("Ada"), complain, typed="they laid two tiles")
        assert "until an organiser decides" in said(answer)
        (dispute,) = (await evening.night()).rounds[0].tables[0].open_disputes
        assert dispute.words == "they laid two tiles"

        page = await page_of(evening, f"night_table.{evening.night_id}.0.1.1")
        assert "correct" not in words(page), "nobody need type a line"
        scores = button(page, "Correct the scores").press
        assert (await pressed(evening, scores, typed="a lot")).code == "bad_league_act"
        assert (await pressed(evening, scores, typed="9 0 0 0 because")).code == "bad_league_act"
        why = (await pressed(evening, scores, typed="9 0 0 −2")).page
        assert "the scores are 9 · 0 · 0 · -2" in words(why)
        own = button(why, "own words").press
        assert words((await pressed(evening, own, typed=" ")).page) == words(why), "a reason is needed"
        done = await pressed(evening, own, typed="the record says so", id="twice")
        assert "the scores were corrected to 9 · 0 · 0 · -2" in said(done)
        await pressed(evening, own, typed="the record says so", id="twice")
        assert (await evening.night()).rounds[0].tables[0].corrected == (9, 0, 0, -2)

        person = await page_of(evening, f"night_person.{evening.night_id}.0.m1")
        penalty = await page_of(evening, button(person, "−1").press)
        fined = await pressed(evening, button(penalty, "own words").press, typed="looked at a rack" * 20)
        assert said(fined) == "✓ Ada got a penalty of 1 point."
        log = await LeagueRepository(store, evening.clock).log(evening.night_id)
        told = [each.why for each in log if each.why]
        assert told == ["the record says so", ("looked at a rack" * 20)[:200]]


async def test_where_a_chat_cannot_ask_a_line_is_typed_as_ever(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        await evening.play_all()
        await evening.comes("break")
        page = await page_of(evening, f"night_table.{evening.night_id}.0.1.1")
        assert "correct" in words(page)
        why = await asked_why(evening, "void 1.1")
        asked = await on_board(evening, "Ada", "dispute")
        for shown_page in (page, why, asked.page):
            assert shown_page is not None
            verbs = {each.press.split(".")[0] for row in shown_page.buttons for each in row}
            assert not verbs & DECLARED_FORMS.keys()


async def test_an_act_without_any_words_offers_what_it_may_be_about(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        before = (await organise(evening, "extend")).page
        assert before is not None
        assert f"night_ask.{evening.night_id}.0.cancel" in {
            each.press for row in before.buttons for each in row
        }
        await gathered(evening, *FOUR)
        for act in ("void", "replay", "correct", "uphold", "reject"):
            page = (await organise(evening, act)).page
            assert button(page, "Round 1, table 1").press.startswith("night_table.")
        for act in ("penalty", "bonus", "away"):
            page = (await organise(evening, act)).page
            assert button(page, "Ada").press.startswith("night_person.")
        longer = (await organise(evening, "extend")).page
        assert button(longer, "10").press.startswith("night_ask.")
        assert (await organise(evening, "void the last")).code == "bad_league_act"


async def test_whoever_is_sent_away_may_have_a_name_of_several_words_and_a_reason(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, "Ada", "Ada Lovelace", "Eve", "Bob")
        assert "Ada Lovelace was removed" in said(await organise(evening, "away ada lovelace feels ill"))
        assert "Ada was removed" in said(await organise(evening, "away Ada left, too"))
        assert (await organise(evening, "away Zoe is not here")).code == "unknown_member"
        log = await LeagueRepository(store, evening.clock).log(evening.night_id)
        assert [each.why for each in log if each.why] == ["feels ill", "left, too"]


async def test_a_voided_table_takes_no_result_and_no_dispute(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        await evening.play_all()
        await evening.comes("break")
        await organise(evening, "void 1.1 wrong tiles")
        corrected = await organise(evening, "correct 1.1 1 2 3 4 again")
        assert corrected.code == "table_void"
        assert said(corrected)
        assert (await on_board(evening, "Ada", "dispute")).code == "nothing_to_dispute"
        board = await posted(evening)
        assert "✖ Table 1 (does not count)" in words(board)


async def test_an_organiser_replaces_somebody_and_seats_them_elsewhere(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR, "Gül", "Han", "Ida", "Jon")
        await on_board(evening, "Kim", "substitute")
        night = evening.night_id
        replaced = await page_of(evening, f"night_replace.{night}.0.m1")
        why = await page_of(evening, button(replaced, "Kim").press)
        assert "Kim plays instead of Ada." in words(why)
        await pressed(evening, button(why, "Was not there").press)
        round = (await evening.night()).rounds[0]
        assert round.seat_of("m1") is None
        assert round.seat_of("m9") is not None

        elsewhere = next(table for table in round.tables if "m2" not in table.seats)
        reseat = await page_of(evening, f"night_reseat.{night}.0.m2")
        told = f"Table {elsewhere.number}:"
        seats = zip(reseat.buttons[0], labels(reseat), strict=False)
        why = await page_of(evening, next(seat.press for seat, label in seats if told in label))
        await pressed(evening, button(why, "All agreed").press)
        moved = (await evening.night()).rounds[0].seat_of("m2")
        assert moved is not None
        assert moved[0].number == elsewhere.number


async def test_the_night_is_ended_at_once_and_what_was_played_counts(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        await evening.play_all()
        await evening.comes("break")
        await organise(evening, "finish it is late")
        await evening.comes("over")
        board = await posted(evening)
        assert "The night is over" in words(board)
        assert board.picture is not None
        assert board.over


async def test_who_signs_up_is_led_to_the_private_chat_where_their_rack_will_be(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await evening.comes("announced")
        house = evening.house
        house.chat.private_everywhere = False
        answer = await on_board(evening, "Ada", "yes")
        assert answer.open_private is not None
        assert "private chat" in said(answer)
        opened = await house.type(house.person("Ada"), "start", answer.open_private, place=None)
        assert "your rack and reminders come here" in said(opened)
        again = await on_board(evening, "Ada", "yes")
        assert again.open_private is None


ARGUMENTS = ("", "0", "1", "2", "99", "x", "m1", "m2", "m99", "1_1", "9_9", "_", "pause", "penalty", "1,5")
MORE = (
    "move",
    "put",
    "correct",
    "void",
    "extend",
    "agreed",
    "on",
    "off",
    "202603192000",
    "rounds",
    "day",
    "night",
)


async def test_any_button_of_a_league_is_answered_whatever_it_holds(store: Store, until: Until) -> None:
    dice = random.Random(4)
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await gathered(evening, *FOUR)
        house = evening.house
        verbs = sorted(LEAGUE_VERBS - {"league_end", "night_gone"})
        with house.runs(olga := house.person("Olga")):
            for _ in range(300):
                by = dice.choice((olga, house.person("Ada"), house.person("Zoe")))
                about = dice.choice((evening.night_id, "abcde", "nowhere"))
                arguments = [dice.choice(ARGUMENTS + MORE) for _ in range(dice.randrange(5))]
                data = callback_text(dice.choice(verbs), about, 0, *arguments)
                answer = await house.press(by, data, private=dice.random() < 0.5)
                assert answer.code != "failed", data
                assert answer.notice or answer.page or answer.public, data
        assert await evening.night()
