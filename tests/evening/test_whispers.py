"""Playing in the group without private messages, by a rack that only its player sees."""

from pathlib import Path

from engine.view import public_view
from tests.evening.bookkeeping import Books
from tests.evening.running_bot import RunningBot
from tests.evening.telegram_people import buttons_of, start
from tests.patience import PATIENCE
from tests.servers.telegram_api.client import (
    TOKEN,
    Group,
    Person,
    Shown,
    eventually,
    telegram,
)

TURNS = 2


def of_ada(message: Shown) -> bool:
    return "receiver_user" in message.raw


async def rack_with(ada: Person, group: Group, *verbs: str) -> Shown:
    """A person's rack in the group, once it offers one of these verbs."""
    return await ada.sees(
        lambda each: of_ada(each) and any(verb in buttons_of(each) for verb in verbs), group
    )


async def test_turns_are_played_in_the_group_and_nobody_else_sees_the_rack(
    telegram_url: str, tmp_path: Path
) -> None:
    async with telegram(telegram_url) as control:
        await control.ask("whispering", version="10.3")
        bot = RunningBot(
            tmp_path, TELEGRAM_TOKEN=TOKEN, TELEGRAM_API_URL=telegram_url, OKEY_COMPUTER_SECONDS="0.05"
        )
        await bot.start()
        try:
            ada, eve = await control.person("Ada", language="en"), await control.person("Eve", language="en")
            group = await control.group("Evening", ada, eve)
            await ada.write(group, "/okey 2")
            await start(ada, await ada.sees(lambda each: "unfold" in buttons_of(each), group))
            for _ in range(TURNS):
                await one_turn(ada, group, Books(tmp_path))
            public = [each for each in await eve.read(group) if each.from_bot]
            assert not any(of_ada(each) for each in public)
            # These people have buttons of their own, so the public table shows no numbered ones.
            assert not any("place" in buttons_of(each) for each in public)
        finally:
            assert await bot.stop() == 0
        assert await control.findings() == []
        assert "Traceback" not in bot.told()


async def her_turn(books: Books, group: Group) -> None:
    """Wait until it is Ada's turn in the store. The table in the group may show it later."""

    async def look() -> bool | None:
        table = (await books.read(f"tg:{group.id}")).table
        turn = public_view(table.match).turn
        return True if turn is not None and table.seats[turn].person == table.host else None

    await eventually(look, PATIENCE, "it was not Ada's turn")


async def one_turn(ada: Person, group: Group, books: Books) -> None:
    """Ask for the rack at the table, draw if necessary, discard."""
    table = await ada.sees(lambda each: "rack" in buttons_of(each), group)
    await her_turn(books, group)
    # The table may be posted anew at any moment, but this button still asks for the rack.
    await ada.press_old(table, buttons_of(table)["rack"][0])
    rack = await rack_with(ada, group, "draw", "ask_finish")
    if draw := buttons_of(rack).get("draw"):
        await ada.press(rack, draw[0])
        rack = await rack_with(ada, group, "ask_finish")
    await ada.press(rack, buttons_of(rack)["discard"][-1])
    rack = await rack_with(ada, group, "order", "look")
    if sure := buttons_of(rack).get("discard"):
        await ada.press(rack, sure[0])
        await rack_with(ada, group, "order")
