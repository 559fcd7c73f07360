"""The end of a match: its winner, the same seats once more, and deals that anybody can check."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
from msgspec import structs

from bot.delivery.notes import NoteKind
from bot.i18n import LANGUAGES, plain, words_for
from bot.markup import PublicScreen, ResultPicture, StandingsPicture
from bot.ports import Person
from bot.repository.tables import StoredTable
from bot.screens.display import adapt_to_display
from bot.screens.fair import fair_page
from bot.screens.table import public_screen
from bot.store import Note, Store
from bot.tables.facts import table_facts
from bot.tables.membership import forget_person
from bot.tables.names import NOBODY
from bot.tables.play import Delays
from bot.tables.table import Change, Display, RoundResult, Table
from tests.bot.house import PLACE, House, offers, open_house, page_of, said
from tests.bot.rounds import begin, play_round
from tests.conftest import Until

ENGLISH = words_for("en")
ONE_ROUND = "okey-rounds 3 rounds=1"


@dataclass
class Over:
    """A match of one round that is over: Ada, Can and a computer player."""

    house: House
    ada: Person
    can: Person
    id: str

    async def table(self, id: str = "") -> Table:
        stored = await self.house.app.tables.load(id or self.id)  # type: ignore[arg-type]
        assert stored is not None
        return stored.value

    async def next(self) -> Table:
        """The lobby that was opened since."""
        ids = set(await self.house.store.index.tables_at(PLACE)) - {self.id}
        tables = [await self.table(id) for id in ids]
        (lobby,) = [table for table in tables if table.stage == "lobby"]
        return lobby

    async def change(self, **changes: object) -> None:
        """The table as it would be otherwise."""

        def act(stored: StoredTable) -> Change:
            return Change(structs.replace(stored.value, **changes))  # type: ignore[arg-type]

        await self.house.app.tables.change(self.id, None, act)  # type: ignore[arg-type]


@asynccontextmanager
async def a_match_that_is_over(store: Store) -> AsyncIterator[Over]:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words=ONE_ROUND)
        await begin(house, table, ada)
        await play_round(house, table)
        yield Over(house, ada, can, table)


async def shown(over: Over) -> PublicScreen:
    return await over.house.look()


async def test_a_match_s_end_begins_with_its_winner_and_offers_to_play_again(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        screen, table = await shown(over), await over.table()
        (winner,) = table.match.winners
        assert plain(screen.text, ENGLISH).startswith(f"🏆 {table.seats[winner].name} wins the match!\n")
        first, second = screen.buttons
        assert [button.press.split(".")[0] for button in first] == ["again"]
        assert [plain(button.label, ENGLISH) for button in second] == [
            "⏪ Replay",
            "🎬 Clip",
            "🔒 Fair deal?",
            "🔔 Tell me of tables",
        ]
        rack = await over.house.rack(over.can, over.id)
        won = table.seats[winner].person == over.can.key
        told = plain(rack.text, ENGLISH)
        assert ("🏆 You won!" in told) == won
        assert ("wins the match!" in told) != won
        assert ("You came " in told) != won
        assert " finished" not in told, "a match's end is no round's"
        assert offers(rack, "again")


async def test_of_two_winners_the_higher_score_stands_first(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        match = (await over.table()).match
        await over.change(match=replace(match, winners=(0, 2), scores=(1, -1, 2)))
        third = (await over.table()).seats[2].name
        screen = await shown(over)
        assert plain(screen.text, ENGLISH).startswith(f"🏆 {third}, Ada win the match!\n")
        told = [line.replace("\u00a0", " ") for line in screen.alt.splitlines()]
        assert [line.split(":")[0] for line in told[1:]] == [f"1. {third}", "1. Ada", "3. Can"]


async def test_a_match_s_end_tells_places_reasons_and_the_best_moment(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        await over.change(
            results=(
                RoundResult(winner=1, how=("color",), changes=(-4, 0, -4)),
                RoundResult(winner=None, changes=(0, 0, 0)),
                RoundResult(winner=0, how=(), changes=(0, -2, -2)),
            ),
            match=replace((await over.table()).match, winners=(0,), scores=(16, 18, 14)),
        )
        names = [seat.name for seat in (await over.table()).seats]
        screen = await shown(over)
        first, *lines = plain(screen.text, ENGLISH).splitlines()
        assert first == "🏆 Ada wins the match!"
        places = ["1. Ada: 16 (−4)", "2. Can: 18 (−2)", f"3. {names[2]}: 14 (−6)"]
        assert [line.replace("\u00a0", " ") for line in screen.alt.splitlines()] == [first, *places]
        assert lines == [
            f"Round 1: Can finished in one colour · Ada −4 · {names[2]} −4",
            "Round 2: nobody finished",
            f"Round 3: Ada finished · Can −2 · {names[2]} −2",
            "⭐ Best moment: Can finished in one colour",
        ]
        assert isinstance(screen.picture, StandingsPicture)
        assert (screen.picture.headline, screen.picture.title) == ("Ada", "3 rounds"), (
            "words say what she won"
        )
        assert [row.first for row in screen.picture.rows] == [True, False, False]
        for language in LANGUAGES:
            words = words_for(language)
            screen = public_screen(table_facts(await over.table(), None), words)
            assert "16 (−4)" not in plain(screen.text, words), "the picture says it"
            in_words = adapt_to_display(screen, Display(words=True), words)
            assert "16 (−4)" in plain(in_words.text, words)


async def test_the_end_of_a_match_of_one_round_tells_it_once(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        await over.change(
            results=(RoundResult(winner=1, how=("color",), changes=(-4, 0, -4)),),
            match=replace((await over.table()).match, winners=(1,), scores=(16, 20, 16)),
        )
        told = plain((await shown(over)).text, ENGLISH)
        assert told.count("Can finished in one colour") == 1


async def test_points_that_began_at_0_are_drawn_once(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        await over.change(
            results=(RoundResult(winner=0, how=(), changes=(-101, 57, 2)),),
            match=replace((await over.table()).match, winners=(0,), scores=(-101, 57, 2)),
        )
        picture = (await shown(over)).picture
        assert isinstance(picture, StandingsPicture)
        assert [(row.points, row.detail) for row in picture.rows] == [("−101", ""), ("57", ""), ("2", "")]


async def _begin_one_round(
    house: House, until: Until, ada: Person, can: Person
) -> tuple[str, Mapping[str, Note]]:
    """Begin a match of one round; return its table, and what is noted once its place and both see it."""
    table = await house.open(ada, can, words=ONE_ROUND)
    await begin(house, table, ada)
    notes: Mapping[str, Note] = {}

    async def shown() -> bool:
        nonlocal notes
        notes = await house.store.notes.load(table)
        seen = {PLACE, ada.key, can.key} <= notes.keys()
        return seen and house.chat.messages[notes[PLACE].text].picture is not None

    await until(shown)
    return table, notes


async def test_a_match_s_end_is_a_new_message_and_the_last_round_keeps_its_own(
    store: Store, until: Until
) -> None:
    async with open_house(store, turn=3600, next_round=3600) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table, notes = await _begin_one_round(house, until, ada, can)
        before = notes[PLACE].text
        await play_round(house, table)

        async def told() -> bool:
            return before in [message for _, _, message in house.chat.last]

        await until(told)
        place, screen, anew = house.chat.tables[-1]
        assert (place, anew) == (PLACE, True)
        assert plain(screen.text, ENGLISH).startswith("🏆")
        (last,) = [screen for _, screen, message in house.chat.last if message == before]
        assert "wins the match" not in plain(last.text, ENGLISH)
        assert isinstance(last.picture, ResultPicture)
        assert last.buttons == ()


async def test_each_player_hears_of_a_match_s_end_in_a_new_message_and_its_winner_celebrates(
    store: Store, until: Until
) -> None:
    async with open_house(store, turn=3600, next_round=3600) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table, before = await _begin_one_round(house, until, ada, can)
        await play_round(house, table)

        async def told() -> bool:
            kept = await store.notes.load(table)
            replaced = all(kept[each.key].text != before[each.key].text for each in (ada, can))
            return replaced and NoteKind.MATCH_END.of(PLACE) in kept

        await until(told)
        stored = await house.app.tables.load(table)  # type: ignore[arg-type]
        assert stored is not None
        ends = [each for each in house.chat.racks if "Play again" in str(each[1].buttons)]
        assert sorted((person, notify) for person, _, notify in ends) == [(ada.key, True), (can.key, True)]
        winners = {stored.value.seats[seat].person for seat in stored.value.match.winners}
        assert {person for person, screen, _ in ends if screen.celebrates} == winners & {ada.key, can.key}
        assert house.chat.celebrated == [(await store.notes.load(table))[PLACE].text]


async def test_a_chat_that_can_ask_takes_the_word_for_the_next_shuffle_by_a_button(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, eve = house.person("Ada"), house.person("Eve")
        table = await house.open(ada)
        house.reads(eve)
        asked = page_of(await house.press(ada, f"fair.{table}.0"))
        assert offers(asked, "add_word") == [], "it would have to be typed"
        house.chat.has_forms = True
        assert offers(page_of(await house.press(eve, f"fair.{table}.0")), "add_word") == []
        (add,) = offers(page_of(await house.press(ada, f"fair.{table}.0")), "add_word")
        assert (await house.press(ada, add.press)).code == "no_word"
        assert (await house.press(eve, add.press, typed="tulip")).code == "not_seated"
        assert not (await house.press(ada, add.press, typed=" tulip ")).code
        stored = await house.app.tables.load(table)  # type: ignore[arg-type]
        assert stored is not None
        assert stored.value.seats[0].word == "tulip"


async def test_everybody_has_their_seat_again_and_nobody_must_stay(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        before = await over.table()
        told = await over.house.press(over.can, f"again.{over.id}.0", private=False)
        assert said(told).startswith("Next match: everyone keeps their seat.")
        lobby = await over.next()
        assert [seat.person for seat in lobby.seats] == [over.ada.key, over.can.key, None]
        assert [seat.name for seat in lobby.seats] == [seat.name for seat in before.seats]
        assert lobby.seats[2].computer == before.seats[2].computer
        assert (lobby.host, lobby.places, lobby.match.rules) == (
            over.ada.key,
            before.places,
            before.match.rules,
        )
        assert (lobby.number_in(PLACE), lobby.clock.turn_seconds) == ("1", before.clock.turn_seconds)
        assert lobby.proof.sealed != before.proof.sealed
        await over.house.press(over.can, f"leave.{lobby.id}.0", private=False)
        assert (await over.next()).people() == (over.ada.key,)
        assert (await over.house.press(over.can, f"start.{lobby.id}.0", private=False)).code == "not_host"
        assert not (await over.house.press(over.ada, f"start.{lobby.id}.0", private=False)).code
        assert (await over.table(lobby.id)).stage == "playing"


async def test_pressed_by_everybody_it_opens_one_lobby_and_the_next_one_after_that(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        for person in (over.ada, over.can, over.ada):
            await over.house.press(person, f"again.{over.id}.0", private=False)
        lobby = await over.next()
        await over.house.press(over.ada, f"cancel.{lobby.id}.0", private=False)
        await over.house.press(over.can, f"again.{over.id}.0")
        assert (await over.next()).id != lobby.id


async def test_who_was_away_has_a_computer_player_on_their_seat_until_they_press(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        table = await over.table()
        await over.change(seats=(structs.replace(table.seats[0], computer="steady"), *table.seats[1:]))
        await over.house.press(over.can, f"again.{over.id}.0", private=False)
        lobby = await over.next()
        assert [seat.person for seat in lobby.seats] == [None, over.can.key, None]
        assert lobby.host == over.can.key  # the next person, as the old host is gone
        assert len({seat.name for seat in lobby.seats}) == 3
        assert not (await over.house.press(over.ada, f"again.{over.id}.0", private=False)).code
        assert set((await over.next()).people()) == {over.ada.key, over.can.key}


async def test_who_hosts_a_lobby_elsewhere_is_not_made_the_host_again(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        await over.house.type(over.ada, "okey", place="mem:yard")
        assert not (await over.house.press(over.can, f"again.{over.id}.0", private=False)).code
        assert (await over.next()).host == over.can.key


async def test_who_was_blocked_since_gets_no_seat_again(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        await over.house.open(over.can)
        await over.house.organise(over.ada, "block", "Can")
        again = f"again.{over.id}.0"
        assert (await over.house.press(over.can, again)).code == "blocked"
        assert not (await over.house.press(over.ada, again)).code
        assert (await over.next()).people() == (over.ada.key,)
        assert (await over.house.press(over.can, again)).code == "blocked"
        assert (await over.next()).people() == (over.ada.key,)


async def test_a_computer_player_has_the_seat_of_who_was_forgotten_since(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        change = forget_person(await over.table(), over.can.key, Delays(computer=0.0, next_round=1.0))
        assert change is not None
        await over.change(seats=change.table.seats)
        await over.house.press(over.ada, offers(await shown(over), "again")[0].press)
        lobby = await over.next()
        assert all(seat.person or seat.computer for seat in lobby.seats)
        assert NOBODY not in {seat.name for seat in lobby.seats}


async def test_only_who_sat_there_and_only_where_somebody_won(store: Store) -> None:
    async with a_match_that_is_over(store) as over:
        eve = over.house.person("Eve")
        assert (await over.house.press(eve, f"again.{over.id}.0", private=False)).code == "not_seated"
        match = (await over.table()).match
        await over.change(match=replace(match, winners=()), stopped=True)
        ended = await shown(over)
        assert not offers(ended, "again")
        assert ended.live is not None
        assert ended.live.ending == "stopped"
        refused = await over.house.press(over.ada, f"again.{over.id}.0", private=False)
        assert refused.code == "old_button"


async def test_finish_stands_out_only_when_it_finishes(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2 quick")
        await begin(house, table, ada)
        styles = [await finish_style(house, table, ada, can)]
        await play_round(house, table, leave=1)
        styles.append(await finish_style(house, table, ada, can))
        assert styles == ["plain", "good"]  # the starter's rack, and one that wins


async def finish_style(house: House, table: str, *people: Person) -> str:
    """How the rack of whoever is to discard shows that they could finish."""
    on_turn = await house.on_turn(table, *people)
    (finish,) = offers(await house.rack(on_turn, table), "ask_finish")
    return finish.style


# ------------------------------------------------------------------ fair deals


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_proof_of_a_deal_stands_behind_a_button(store: Store, language: str) -> None:
    words = words_for(language)
    async with a_match_that_is_over(store) as over:
        await over.house.press(over.ada, f"again.{over.id}.0", private=False)
        screen = public_screen(table_facts(await over.table(), None), words)
        assert re.search(r"[0-9a-f]{8}", plain(screen.text, words).replace(screen.table, "")) is None
        assert offers(screen, "fair")
        lobby = await over.next()
        told = plain(public_screen(table_facts(lobby, None), words).text, words)
        assert re.search(r"[0-9a-f]{8}", told.replace(lobby.id, "")) is None
        rules = page_of(await over.house.press(over.can, f"rules.{lobby.id}.0", private=False))
        assert offers(rules, "fair")


async def test_the_page_has_the_seals_and_the_secret_in_full(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2 quick")
        stored = await house.app.tables.load(table)  # type: ignore[arg-type]
        assert stored is not None
        secret, seal = stored.value.proof.sealed.secret.hex(), table_facts(stored.value, None).deal.commitment
        before = (await house.press(ada, f"fair.{table}.0", private=False)).page
        assert before is not None
        assert seal in plain(before.text, ENGLISH)
        assert secret not in plain(before.text, ENGLISH)
        assert "can’t rule out" in plain(before.text, ENGLISH), "it says what it can't prove"
        await house.type(ada, "word", "elma *")
        await house.press(ada, f"start.{table}.0", private=False)
        during = (await house.press(ada, f"fair.{table}.0", private=False)).page
        assert during is not None
        assert f"Round 1 · seal: {seal}" in plain(during.text, ENGLISH)
        assert "Round 1 · words: Ada: elma * · Nasreddin: (no word) · fingerprint: " in plain(
            during.text, ENGLISH
        )
        assert secret not in plain(during.text, ENGLISH)
        await play_round(house, table)
        stored = await house.app.tables.load(table)  # type: ignore[arg-type]
        assert stored is not None
        after = plain(fair_page(table_facts(stored.value, None), ENGLISH).text, ENGLISH)
        assert f"Round 1 · seal: {seal}" in after
        assert f"Round 1 · secret: {secret}" in after
        assert f"Round 2 · seal: {table_facts(stored.value, None).deal.commitment}" in after
        assert stored.value.proof.sealed.secret.hex() not in after
        (following,) = offers(await house.look(), "next")
        await house.press(ada, following.press, private=False)
        later = (await house.press(ada, f"fair.{table}.0", private=False)).page
        assert later is not None
        assert "Round 2 · nobody added a word" in plain(later.text, ENGLISH)
