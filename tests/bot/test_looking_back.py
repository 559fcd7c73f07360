"""What people are told of the past: their figures, who leads, and the last matches with their replays."""

import json
from dataclasses import replace

import pytest

from bot.history.archive import ARCHIVE_SECONDS
from bot.i18n import plain, words_for
from bot.markup import FiguresPicture, Page, PublicScreen, ReplayPicture, StandingsPicture
from bot.pictures import draw
from bot.ports import Person
from bot.store import Store
from bot.tables.table import RoundResult
from engine.verify import verify
from tests.bot.house import PLACE, House, offers, open_house, page_of, said
from tests.bot.rounds import begin, play_round
from tests.bot.test_history import ADA, CAN, begun, written
from tests.bot.two_chats import CHANNEL, GROUP, code_of, link_accounts, two_chats
from tests.conftest import Until

ECE = Person("mem:ece", "Ece", "en")


async def lines(
    house: House, person: Person, verb: str, argument: str = "", **where: str | None
) -> list[str]:
    """What a command's page says and shows, line by line."""
    return told_by(page_of(await house.type(person, verb, argument, **where)))  # type: ignore[arg-type]


async def figures(house: House, person: Person) -> list[str]:
    """The same of a person's own figures."""
    return told_by(page_of(await house.press(person, "stats.me.0")))


def told_by(shown: Page | PublicScreen) -> list[str]:
    return [*plain(shown.text, words_for("en")).split("\n"), *shown.alt.split("\n")]


async def played(
    house: House, store: Store, words: str = "2 quick start_points=2"
) -> tuple[str, RoundResult]:
    """A match of one round between Ada and Can, in the books; its table and the winner's result."""
    table = await begun(house, words)
    await play_round(house, table)
    await written(store)
    stored = await house.app.tables.load(table)
    assert stored is not None
    return table, stored.value.results[-1]


async def winner_of(house: House, table: str) -> tuple[Person, Person]:
    """Who won a table's last round, and who did not."""
    stored = await house.app.tables.load(table)
    assert stored is not None
    winner = stored.value.results[-1].winner
    assert winner is not None
    return (ADA, CAN) if stored.value.seat_of(ADA.key) == winner else (CAN, ADA)


async def test_a_place_is_told_who_won_most_there(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, _ = await played(house, store)
        winner, other = await winner_of(house, table)
        board = [f"1. {winner.name}: 1 of 1", f"2. {other.name}: 0 of 1"]
        page = page_of(await house.type(ECE, "leaderboard"))
        assert told_by(page) == ["🏆 Who wins here", "Rounds won in the last 7 days", *board]
        periods = {"month": "Rounds won in the last 30 days", "ever": "Rounds won ever"}
        for button, said_there in zip(page.buttons[0][1:], periods.values(), strict=True):
            other_period = page_of(await house.press(ECE, button.press))
            assert told_by(other_period) == ["🏆 Who wins here", said_there, *board]
            assert other_period.turns
        assert (await house.type(ECE, "leaderboard", place="mem:cellar")).code == "no_stats"
        assert (await house.type(ECE, "leaderboard", place=f"{PLACE}/17")).page is not None


async def test_a_person_is_told_their_own_figures(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, result = await played(house, store)
        winner, other = await winner_of(house, table)
        told = await figures(house, winner)
        assert {"Okey", "Rounds played: 1", "Rounds won: 1", "Matches played: 1", "Matches won: 1"} <= set(
            told
        )
        kinds = {"plain": "Won normally", "joker": "Won by discarding an okey", "pairs": "Won with pairs"}
        how = set(result.how or ("plain",))
        assert {f"{words}: {int(kind in how)}" for kind, words in kinds.items()} <= set(told)
        assert "Most matches won in a row: 1" in told
        assert f"Often played with: {other.name}: 1 match" in told
        assert {"Rounds won: 0", "Most matches won in a row: 0"} <= set(await figures(house, other))
        assert (await house.press(ECE, "stats.me.0")).code == "no_stats"


async def test_okey_101_has_figures_of_its_own(store: Store) -> None:
    async with open_house(store, work=False) as house:
        _, result = await played(house, store, "okey101 2 quick rounds=1")
        stored = await house.app.tables.load((await house.look()).table)
        assert stored is not None
        seat = stored.value.seat_of(ADA.key)
        assert seat is not None
        fines = result.fines[seat] if result.fines else 0
        told = await figures(house, ADA)
        assert "Okey 101" in told
        assert f"Rounds opened: {int(seat in result.opened)}" in told
        assert f"Penalties: {fines}" in told
        assert result.opened
        assert result.opened == tuple(i for i, worth in enumerate(stored.value.news.openings) if worth)


async def test_rounds_against_computer_players_alone_do_not_count(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await house.open(ADA, words="2 quick start_points=2")
        await begin(house, table, ADA)
        await play_round(house, table)
        await written(store)
        own = page_of(await house.type(ADA, "profile", place=None))
        assert "After your first match, this shows" in told_by(own)[2]
        assert [button.press for row in own.buttons for button in row] == ["history.me.0"]
        refused = await house.type(ADA, "leaderboard")
        assert refused.code == "no_stats"
        assert "/okey review shows how well you played" in said(refused)
        assert any("Ada" in line for line in await lines(house, ADA, "history"))


async def test_who_left_their_seat_to_a_computer_player_neither_wins_nor_loses(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house, "3 quick start_points=2", ECE)
        await house.press(ECE, f"step_out.{table}.0")
        await play_round(house, table)
        await written(store)
        assert "Nothing here yet." in (await lines(house, ECE, "profile", place=None))[2]
        assert not [line for line in await lines(house, ADA, "leaderboard") if "Ece" in line]
        assert "Rounds played: 1" in await figures(house, ADA)


async def test_linked_accounts_have_one_set_of_figures(store: Store) -> None:
    ada, ada_tg = Person("dc:11", "Ada", "en"), Person("tg:2", "Ada T", "en")
    async with two_chats(store) as house:
        for person, place in ((ada, CHANNEL), (ada_tg, GROUP)):
            await house.type(person, "play", "2 quick start_points=2", place=place)
            (table,) = await store.index.tables_at(place)
            await house.press(CAN, f"join.{table}.0", private=False, place=place)
            await begin(house, table, person)
            await play_round(house, table)
        await written(store)
        assert "Rounds played: 1" in await figures(house, ada)
        await link_accounts(house, ada, ada_tg)
        for person in (ada, ada_tg):
            assert "Rounds played: 2" in await figures(house, person)
        told = await figures(house, ada)
        assert f"Often played with: {CAN.name}: 2 matches" in told


async def test_a_picture_says_it_once_and_its_alternative_says_it_all(store: Store) -> None:
    async with open_house(store, work=False) as house:
        await played(house, store)
        for verb in ("leaderboard", "profile"):
            shown_page = page_of(await house.type(ADA, verb))
            assert "\n" not in plain(shown_page.text, words_for("en"))
            match shown_page.picture:
                case FiguresPicture(sections=sections):
                    figures = [each for section in sections for row in section.rows for each in row]
                    drawn = [*(section.title for section in sections), *figures]
                case StandingsPicture(title=title, subtitle=subtitle, rows=rows):
                    drawn = [title, subtitle, *(each for row in rows for each in (row.name, row.points))]
                case _:
                    raise AssertionError(verb)
            caption = plain(shown_page.text, words_for("en")).partition(" ")[2]
            assert caption not in drawn
            assert [each for each in drawn if each not in shown_page.alt] == []
            assert draw(shown_page.picture).startswith(b"\x89PNG")


async def test_who_wants_words_reads_them_all(store: Store) -> None:
    async with open_house(store, work=False) as house:
        await played(house, store)
        await house.press(ADA, "prefer.me.0.words.1")
        page = page_of(await house.type(ADA, "profile"))
        assert page.picture is None
        assert "Matches won: " in plain(page.text, words_for("en"))


async def test_every_match_is_listed_and_opens_its_replay(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, _ = await played(house, store)
        winner, _ = await winner_of(house, table)
        going_on = await begun(house, "2 quick start_points=20")
        await play_round(house, going_on)
        await written(store)
        for place, person in ((PLACE, ECE), (None, ADA)):
            page = page_of(await house.type(person, "history", place=place))
            told = plain(page.text, words_for("en")).split("\n")
            assert [line[:2] for line in told[1:]] == ["1.", "2."]
            assert told[1].endswith("(goes on)")
            assert f"🏆 {winner.name}" in told[2]
            buttons = [button for row in page.buttons for button in row]
            assert [button.press.split(".")[1] for button in buttons] == [going_on, table]
            answer = await house.press(person, buttons[1].press)
            assert isinstance(page_of(answer).picture, ReplayPicture)


async def test_a_match_is_dated_by_the_clock_of_whoever_asks(store: Store) -> None:
    async with open_house(store, work=False) as house:
        await played(house, store)
        dated = set()
        for clock in ("+14", "-12"):  # never on the same day
            await house.type(ADA, "notify", clock)
            dated.add((await lines(house, ADA, "history"))[1].partition(" · ")[0])
        assert len(dated) == 2


async def test_a_match_is_replayed_and_recorded_when_its_table_is_long_gone(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, _ = await played(house, store)
        house.reads(ECE)
        first, last = f"replay_first.{table}.0.1", f"replay_last.{table}.0.1"
        before = [page_of(await house.press(ECE, press)) for press in (first, last)]
        stored = await house.app.tables.load(table)
        assert stored is not None
        await house.app.tables.forget(stored.value)
        assert [page_of(await house.press(ECE, press)) for press in (first, last)] == before
        file = page_of(await house.type(ADA, "record", table.upper(), place=None)).file
        assert file is not None
        assert verify(json.loads(file.content))["finished"]
        assert (await house.type(ECE, "record", table, place="mem:cellar")).code


async def test_what_is_too_old_to_be_replayed_has_no_button(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(store, work=False) as house:
        await played(house, store)
        monkeypatch.setattr("bot.handlers.statistics.ARCHIVE_SECONDS", -1)
        page = page_of(await house.type(ADA, "history"))
        assert page.buttons == ()
        assert "too old" in plain(page.text, words_for("en"))
        assert 150 < ARCHIVE_SECONDS / 86400 < 200


async def test_the_buttons_of_a_profile_are_always_about_who_presses_them(store: Store) -> None:
    async with open_house(store, work=False) as house:
        await played(house, store)
        buttons = page_of(await house.type(ADA, "profile", place=None)).buttons[-1]
        assert [button.press for button in buttons] == ["stats.me.0", "history.me.0"]
        for press in (*(button.press for button in buttons), "profile.me.0"):
            own = page_of(await house.press(CAN, press, private=False))
            assert own.turns
            others = await house.press(ECE, press)
            empty = others.code in ("no_stats", "no_matches")
            assert empty or "Nothing here yet." in told_by(page_of(others))[2]
        page = page_of(await house.press(CAN, "profile.me.0"))
        assert "Canan" in plain(page.text, words_for("en"))


async def test_a_profile_is_that_of_the_place_for_others_and_of_all_places_for_oneself(store: Store) -> None:
    async with open_house(store, work=False) as house:
        await played(house, store)
        for argument in ("Canan", "@canan", "mem:can Whoever"):
            told = await lines(house, ECE, "profile", argument)
            assert told[:2] == ["👤 Canan", "Here"]
            assert "Rating: after 9 more matches" in told
            assert not [line for line in told if "Often" in line]
        assert (await lines(house, CAN, "profile", place=None))[:2] == ["👤 Canan", "In total"]
        assert (await house.type(ECE, "profile", "Canan", place="mem:cellar")).code == "nobody_played"
        refused = await house.type(ECE, "profile", "Nobody")
        assert (refused.code, "“Nobody”" in said(refused)) == ("nobody_played", True)


async def test_a_profile_names_the_luck_of_the_deals_beside_chance(store: Store) -> None:
    async with open_house(store, work=False) as house:
        _, result = await played(house, store)
        stored = await house.app.tables.load((await house.look()).table)
        assert stored is not None
        seat = stored.value.seat_of(ADA.key)
        assert seat is not None
        rack = result.dealt[seat]
        assert rack is not None
        tiles = int(rack.kind.split("-")[1])
        told = await lines(house, ADA, "profile")
        assert f"Okey: okeys dealt: {rack.okeys} ({round(2 * tiles / 105, 1)})" in told
        assert f"Okey: tiles missing at first: {rack.start} ({3.71 if tiles == 15 else 4.06})" in told


async def test_who_hides_their_profile_is_seen_by_nobody_else(store: Store) -> None:
    async with open_house(store, work=False) as house:
        await played(house, store)
        page = page_of(await house.type(ADA, "profile"))
        (hide,) = offers(page, "hide_profile")
        assert said(await house.press(ADA, hide.press)).startswith("Nobody else sees")
        assert (await house.type(CAN, "profile", "Adalet")).code == "profile_hidden"
        assert not [line for line in await lines(house, CAN, "leaderboard") if "Adalet" in line]
        own = page_of(await house.type(ADA, "profile"))
        assert not offers(own, "show_everyone")
        assert told_by(own)[0] == "👤 Adalet"
        (show,) = offers(page, "show_everyone")
        await house.press(ADA, show.press)
        (unhide,) = offers(own, "hide_profile")
        await house.press(ADA, unhide.press)
        assert (await house.type(CAN, "profile", "Adalet")).code == ""
        assert [line for line in await lines(house, CAN, "leaderboard") if "Adalet" in line]


async def test_what_somebody_asked_for_is_shown_to_everybody_once_and_only_by_them(
    store: Store, until: Until
) -> None:
    async with open_house(store, work=False) as house:
        await played(house, store)
        asked = [
            ("leaderboard", "", "Who wins here"),
            ("profile", "Canan", "Canan"),
            ("profile", "", "Adalet"),
        ]
        for verb, argument, title in asked:
            page = page_of(await house.type(ADA, verb, argument))
            (show,) = offers(page, "show_everyone")
            assert (await house.press(CAN, show.press)).code == "page_expired"
            house.chat.tables.clear()
            assert said(await house.press(ADA, show.press)).startswith("Everyone here")

            async def posted() -> bool:
                return bool(house.chat.tables)

            await until(posted)
            assert (await house.press(ADA, show.press)).code == "shown_already"
            ((place, screen, anew),) = house.chat.tables
            assert (place, anew, screen.buttons) == (PLACE, True, ())
            assert title in told_by(screen)[0]
            assert screen.alt == page.alt
        assert (await house.press(ADA, "show_everyone.me.0.nothing.week")).code == "page_expired"


async def test_in_another_language_me_is_another_word(store: Store) -> None:
    async with open_house(store, work=False) as house:
        await played(house, store)
        turk = Person(ADA.key, ADA.name, "tr")
        told = page_of(await house.type(turk, "okey", "profil ben")).alt
        assert "Kazanılan oyun" in told


async def test_onlookers_see_the_table_elsewhere_and_afterwards_all_racks(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house)
        code = code_of(await house.type(ADA, "invite"))
        answer = await house.type(ECE, "okey", f"watch {code}", place="mem:cellar")
        assert said(answer).startswith("You are watching")
        assert (answer.private, answer.public) == (None, None)
        seen = await house.look(place="mem:cellar")
        assert seen.table == table
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert ECE.key not in stored.value.people()
        assert (
            await house.press(ECE, f"rack.{table}.0", private=False, place="mem:cellar")
        ).code == "not_seated"
        assert (await house.press(ECE, f"replay.{table}.0.1", private=False, place="mem:cellar")).code
        await play_round(house, table)
        seen = await house.look(place="mem:cellar")
        (replay,) = offers(seen, "replay")
        page = page_of(await house.press(ECE, replay.press, private=False, place="mem:cellar"))
        assert isinstance(page.picture, ReplayPicture)
        assert len(page.picture.racks) == 2


async def test_watching_takes_no_seat_in_a_lobby_and_needs_a_good_code(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await house.open(ADA)
        code = code_of(await house.type(ADA, "invite"))
        await house.type(ECE, "watch", code, place="mem:cellar")
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.people() == (ADA.key,)
        assert "mem:cellar" in stored.value.places
        assert (await house.type(ECE, "watch", "AAAAAA", place="mem:attic")).code == "wrong_code"


@pytest.mark.parametrize("place", [PLACE, None])
async def test_who_watches_without_a_code_is_told_where_tables_are_seen(
    store: Store, place: str | None
) -> None:
    async with open_house(store, work=False) as house:
        answer = await house.type(ECE, "watch", "", place=place)
        assert "To watch one from elsewhere, write its code: /okey watch …" in said(answer)


async def test_in_private_one_looks_on_page_by_page(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house)
        code = code_of(await house.type(ADA, "invite"))
        page = page_of(await house.type(ECE, "watch", code, place=None))
        shown = await house.look()
        assert (page.text, page.picture) == (shown.text, shown.picture)
        ((refresh,),) = page.buttons
        assert (await house.press(ECE, refresh.press)).page == replace(page, turns=True)
        await play_round(house, table)
        ended = page_of(await house.press(ECE, refresh.press))
        ((replay,),) = ended.buttons
        assert isinstance(page_of(await house.press(ECE, replay.press)).picture, ReplayPicture)
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.places == (PLACE,)


async def test_nobody_looks_on_who_is_not_invited_any_more(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house, "2 quick start_points=20")

        async def refresh() -> str:
            code = code_of(await house.type(ADA, "invite"))
            ((button,),) = page_of(await house.type(ECE, "watch", code, place=None)).buttons
            return button.press

        first = await refresh()
        assert (await house.press(ECE, first)).page is not None
        assert (await house.press(ECE, f"watch.{table}.0")).code == "wrong_code"
        assert (await house.press(ECE, f"watch.{table}.0.")).code == "wrong_code"
        await house.type(ADA, "uninvite")
        assert (await house.press(ECE, first)).code == "wrong_code"
        assert (await house.press(ECE, f"watch.{table}.0.")).code == "wrong_code"
        second = await refresh()
        assert (await house.press(ECE, first)).code == "wrong_code", "they were invited by an earlier code"
        await house.organise(ADA, "invitations", "off")
        assert (await house.press(ECE, second)).code == "no_sharing"
        assert (await house.press(ECE, "watch.zzzzzz.0")).code == "wrong_code"
