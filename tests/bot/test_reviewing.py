"""Reviews in a chat: to the player alone, once a round is over, with the way through the decisions."""

from bot.i18n import plain, words_for
from bot.markup import Page, ReplayPicture
from bot.pictures import draw
from bot.ports import Answer
from bot.store import Store, keys
from tests.bot.house import House, offers, open_house, said
from tests.bot.rounds import play_round
from tests.bot.test_history import ADA, CAN, begun
from tests.bot.test_looking_back import ECE

WORDS = words_for("en")


def page_of(answer: Answer) -> Page:
    assert answer.page is not None, said(answer)
    return answer.page


def ways(page: Page) -> list[str]:
    """What its buttons ask for."""
    return [each.press for row in page.buttons for each in row]


async def reviewed(house: House, store: Store) -> tuple[str, Page]:
    """A round between Ada and Can that is over, and what Ada is told of hers."""
    table = await begun(house, "2")
    await play_round(house, table)
    return table, page_of(await house.press(ADA, f"review.{table}.0.1"))


async def test_the_verdict_leads_through_every_decision(store: Store) -> None:
    async with open_house(store, work=False) as house:
        _, verdict = await reviewed(house, store)
        told = plain(verdict.text, WORDS)
        assert "Your play" in told
        assert "Accuracy: " in told
        assert "Luck in tiles: deal " in told
        page, seen = verdict, 0
        while (onward := ways(page)[2]) != ways(verdict)[0] and not onward.endswith(f".{seen}"):
            page, seen = page_of(await house.press(ADA, onward)), seen + 1
            text = plain(page.text, WORDS)
            assert f"Decision {seen} of " in text
            assert text.count("Nothing was better.") + text.count("Better: ") == 1
            assert isinstance(page.picture, ReplayPicture)
            assert page.turns
        assert seen > 5
        assert f"Decision {seen} of {seen}" in plain(page.text, WORDS)
        assert draw(page.picture).startswith(b"\x89PNG")


async def test_only_whoever_played_is_told_and_only_of_what_is_over(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house, "2")
        assert (await house.press(ADA, f"review.{table}.0.1")).code == "no_record"
        await play_round(house, table)
        assert (await house.press(ECE, f"review.{table}.0.1")).code == "not_seated"
        assert (await house.press(ADA, f"review.{table}.0.2")).code == "no_record"
        by_command = page_of(await house.type(CAN, "review"))
        assert "Your play" in plain(by_command.text, WORDS)
        assert offers(await house.rack(ADA, table), "review")


async def test_turning_pages_neither_plays_nor_judges_the_round_again(store: Store) -> None:
    """What was read once is all that is needed: the match is no longer to be found."""
    async with open_house(store, work=False) as house:
        table, verdict = await reviewed(house, store)
        await store._server.call("DEL", keys.log(table))
        page = page_of(await house.press(ADA, ways(verdict)[2]))
        assert "Decision 1 of " in plain(page.text, WORDS)
        replay = page_of(await house.press(ADA, f"replay_step.{table}.0.1.3"))
        assert isinstance(replay.picture, ReplayPicture)
    async with open_house(store, work=False) as house:
        assert (await house.press(ADA, f"review.{table}.0.1")).code == "no_record"


async def test_okey_101_has_none(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await house.open(ADA, CAN, words="okey101 2")
        await house.press(ADA, f"start.{table}.0", private=False)
        assert (await house.press(ADA, f"review.{table}.0.1")).code == "no_review"
