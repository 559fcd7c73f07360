"""Organisers on Discord, and what is typed in vain: the whole application behind the adapter, over Discord's
own protocol."""

import re
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

import pytest

from adapters.discord_chat import DiscordChat
from bot.ports import Person
from bot.store import Store
from bot.tables import lobby
from bot.tables.table import Change, Seat
from tests.adapters.discord_chat.scene import TILE_EMOJIS, playing
from tests.bot.house import House, open_house
from tests.evening.discord_people import start
from tests.servers.discord_api.client import Discord, Impossible, Seen, until
from tests.slash import slash

pytestmark = pytest.mark.long


@dataclass
class Server:
    """Two channels; Boss manages the server, Ada and Can play there."""

    discord: Discord
    house: House
    chat: DiscordChat
    guild: int
    hall: int
    cellar: int
    boss: int
    ada: int
    can: int

    async def okey(self, user: int, channel: int, text: str = "") -> str:
        """They type `/okey` with words behind it; what they are told."""
        return await self._told(user, channel, text)

    async def organise(self, user: int, channel: int, action: str, text: str = "") -> str:
        """They use the organisers' command; what they are told."""
        return await self._told(user, channel, f"{action} {text}")

    async def _told(self, user: int, channel: int, line: str) -> str:
        before = {seen.id for seen in await self.discord.sees(user, channel)}
        await self.discord.answered(await self.discord.command(user, channel, *slash(line)))

        async def told() -> list[Seen]:
            new = [seen for seen in await self.discord.sees(user, channel) if seen.id not in before]
            return [seen for seen in new if seen.ephemeral and not seen.loading]

        return "\n".join(seen.text for seen in await until(told))

    async def opens_rack(self, user: int) -> bool:
        """They press the button for their rack below the table, which may be shown anew meanwhile."""
        seen = [each for each in await self.discord.sees(user, self.hall) if not each.ephemeral]
        tables = [each for each in seen if "rack." in str(each.raw["components"])]
        if not tables:
            return False
        with suppress(Impossible):
            await self.discord.answered(await self.discord.press(user, tables[-1], "rack."))
            return True
        return False

    async def press(self, user: int, channel: int, *words: str) -> str:
        """They press these buttons of the newest message that they alone see; what it shows then."""
        for each in words:
            page = await self.page(user, channel)
            await self.discord.answered(await self.discord.press(user, page, each))
        return (await self.page(user, channel)).text

    async def page(self, user: int, channel: int) -> Seen:
        """The newest message of the organisers' page that they see."""

        async def pages() -> list[Seen]:
            seen = await self.discord.sees(user, channel)
            return [each for each in seen if each.ephemeral and "org." in str(each.raw["components"])]

        return (await until(pages))[-1]

    async def table(self, channel: int) -> str:
        """What a channel shows to all."""

        async def shown() -> str:
            seen = await self.discord.sees(self.ada, channel)
            return "\n".join(each.text for each in seen if not each.ephemeral)

        return await until(shown)


@pytest.fixture
async def server(discord: Discord, store: Store) -> AsyncIterator[Server]:
    await discord.emojis(*TILE_EMOJIS)
    guild = await discord.guild()
    hall, cellar = [await discord.channel(guild, name) for name in ("hall", "cellar")]
    boss, ada, can = [await discord.user(name, guild=guild) for name in ("Boss", "Ada", "Can")]
    await discord.manager(boss, guild)
    async with (
        open_house(store) as house,
        playing(discord, house.app.router, house.app.delivery) as chat,
    ):
        house.app.chats["dc"] = chat
        await until(lambda: _knows(chat, f"dc:{hall}", f"dc:{cellar}"))
        yield Server(discord, house, chat, guild, hall, cellar, boss, ada, can)


async def _knows(chat: DiscordChat, *places: str) -> bool:
    return all(chat.places.link(place) is not None for place in places)


async def test_a_page_sets_what_every_channel_plays(server: Server) -> None:
    page = await server.organise(server.boss, server.hall, "organise")
    assert "Settings here" in page
    page = await server.press(server.boss, server.hall, "Game", "Okey 101")
    assert "Last changed by" in page
    assert "Boss" in page
    await server.press(server.boss, server.hall, "Language", "Deutsch")
    await server.okey(server.ada, server.cellar)
    assert "Okey 101" in await server.table(server.cellar)
    assert "frei" in await server.table(server.cellar)


async def test_tables_are_opened_where_they_may_be_and_no_more_than_may_be(server: Server) -> None:
    await server.organise(server.boss, server.hall, "places", "on")
    told = await server.okey(server.ada, server.cellar)
    assert f"https://discord.com/channels/{server.guild}/{server.hall}" in told
    await server.organise(server.boss, server.hall, "tables", "1")
    await server.okey(server.ada, server.hall)
    assert "waiting for players here" in await server.okey(server.can, server.hall)

    await start(server.discord, server.ada, server.hall)
    assert "being played here" in await server.okey(server.can, server.hall)

    async def offers() -> list[Seen]:
        seen = await server.discord.sees(server.can, server.hall)
        return [each for each in seen if any("Open another table" in shown.label for shown in each.buttons)]

    asked = (await until(offers))[-1]
    await server.discord.answered(await server.discord.press(server.can, asked, "Open another table"))

    async def refused() -> bool:
        seen = await server.discord.sees(server.can, server.hall)
        return any("Only 1 table can be open here" in each.text for each in seen)

    await until(refused)


async def test_a_role_is_chosen_and_alone_is_mentioned_when_a_table_looks_for_players(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "CALL_SECONDS", 0.2)
    players = await server.discord.role(server.guild, "Okey players", mentionable=True)

    async def known() -> bool:
        return any(
            each.key == str(players) for each in await server.chat.list_callable_roles(f"dc:{server.hall}")
        )

    await until(known)
    await server.organise(server.boss, server.hall, "organise")
    page = await server.press(server.boss, server.hall, "Role to mention", "Okey players")
    assert "Mentioned when a table looks for players" in page
    assert "Okey players" in page
    await server.okey(server.ada, server.cellar)

    async def called() -> bool:
        return f"<@&{players}>: [Table 1](<https://" in await server.table(server.cellar)

    await until(called)
    calls = await server.discord.calls()
    assert [each for call in calls for each in call.notifies if each.startswith(("&", "@"))] == [
        f"&{players}"
    ]


async def test_who_is_blocked_gets_up_and_sits_down_no_more(server: Server) -> None:
    await server.okey(server.ada, server.hall)
    await server.okey(server.can, server.hall, "join")
    assert "Can" in await server.table(server.hall)
    await server.organise(server.boss, server.hall, "organise")
    await server.press(server.boss, server.hall, "People", "Can")

    async def gone() -> bool:
        return "Can" not in await server.table(server.hall)

    await until(gone)
    assert "organisers have blocked you" in await server.okey(server.can, server.hall, "join")


async def match_of(server: Server) -> None:
    """Ada and Can, and two computer players, in the middle of a match."""
    await server.okey(server.ada, server.hall)
    await server.okey(server.can, server.hall, "join")

    async def full() -> Seen | None:
        seen = await server.discord.sees(server.ada, server.hall)
        return next((each for each in seen if "unfold." in str(each.raw) and "Can" in each.text), None)

    await until(full)
    await start(server.discord, server.ada, server.hall)


async def replaced(server: Server) -> bool:
    """Return whether the third computer player sits there: a computer player may finish the round at once."""
    return "Karagöz" in await server.table(server.hall)


async def test_who_is_blocked_in_a_match_reads_it_in_place_of_their_rack(server: Server) -> None:
    await match_of(server)

    async def rack() -> Seen | None:
        racks = [seen for seen in await server.discord.direct(server.can) if seen.buttons]
        return racks[-1] if racks else None

    before = await until(rack)
    await server.organise(server.boss, server.hall, "block", str(server.can))

    async def after() -> Seen | None:
        seen = [each for each in await server.discord.direct(server.can) if each.id == before.id]
        return next((each for each in seen if "organisers have blocked you here" in each.text), None)

    shown = await until(after)
    assert (shown.buttons, shown.pictures) == ((), ())
    await until(lambda: replaced(server))


async def test_whose_messages_are_closed_reads_it_where_their_rack_was(server: Server) -> None:
    await server.discord.direct_messages(server.can, open=False)
    await match_of(server)

    async def own() -> Seen | None:
        seen = [each for each in await server.discord.sees(server.can, server.hall) if each.ephemeral]
        return seen[-1] if seen else None

    await until(lambda: server.opens_rack(server.can))

    async def rack() -> bool:
        seen = await own()
        return seen is not None and bool(seen.pictures)

    await until(rack)
    await server.organise(server.boss, server.hall, "block", str(server.can))

    async def told() -> bool:
        seen = await own()
        return seen is not None and "organisers have blocked you here" in seen.text and not seen.buttons

    await until(told)
    await until(lambda: replaced(server))


async def test_messages_found_closed_by_another_process_are_not_tried_again(server: Server) -> None:
    """What one process was refused is in the store for all, so the rack in the channel follows without it."""
    house, can = server.house, f"dc:{server.can}"
    await server.discord.direct_messages(server.can, open=False)
    other = DiscordChat(
        router=house.app.router,
        delivery=house.app.delivery,
        token=server.discord.token,
        api_url=server.discord.api_url,
    )
    await other.start()
    house.app.chats["dc"] = other
    await match_of(server)
    (table,) = await house.store.index.tables_at(f"dc:{server.hall}")

    async def stored() -> tuple[int, Seat]:
        held = await house.app.tables.load(table)
        assert held is not None
        number = held.value.seat_of(can)
        assert number is not None
        return number, held.value.seats[number]

    async def refused() -> int:
        calls = await server.discord.calls()
        return sum(call.method == "POST" and call.status == 403 for call in calls)

    async def noted() -> bool:
        return (await stored())[1].private_closed

    await until(noted)
    house.app.chats["dc"] = server.chat
    await other.stop()
    await until(lambda: server.opens_rack(server.can))
    await until(lambda: _shows_rack(server.chat, can, table))
    number, _ = await stored()
    changed = await house.app.tables.change(
        table, None, lambda held: Change(held.value.with_seat(number, language="ko"))
    )

    async def shown() -> bool:
        told = (await house.store.notes.load(table)).get(can)
        return told is not None and told.number >= changed.version

    await until(shown)
    assert await refused() == 1


async def _shows_rack(chat: DiscordChat, person: str, table: str) -> bool:
    return chat.shows_rack(person, table)


async def test_a_lobby_that_one_person_sees_says_that_they_left_it(server: Server) -> None:
    await server.okey(server.ada, server.hall)
    await server.okey(server.can, server.hall, "join")
    await server.okey(server.can, server.hall, "rack")
    own = [each for each in await server.discord.sees(server.can, server.hall) if each.ephemeral][-1]
    assert "You are at this table" in own.text
    await server.discord.answered(await server.discord.press(server.can, own, "leave."))
    told = [each for each in await server.discord.sees(server.can, server.hall) if each.ephemeral]
    assert [each.text for each in told if each.id == own.id] == ["You left the table."]
    assert [each.buttons for each in told if each.id == own.id] == [()]
    assert sum("You left the table." in each.text for each in told) == 1


async def test_a_table_gets_a_thread_and_is_ended(server: Server) -> None:
    await server.organise(server.boss, server.hall, "rooms", "on")
    await server.okey(server.ada, server.hall)
    line = await server.table(server.hall)
    found = re.search(
        rf"Table (\w+) is here: \[\\?#Okey \1\]\(<https://discord.com/channels/{server.guild}/(\d+)>\)", line
    )
    assert found is not None, line
    thread = int(found[2])
    assert "free" in await server.table(thread)
    await server.organise(server.boss, thread, "close", found[1])

    async def archived() -> bool:
        return any(
            call.method == "PATCH" and call.path == f"/channels/{thread}"
            for call in await server.discord.calls()
        )

    await until(archived)
    assert "closed" in await server.table(thread)


async def test_what_is_missing_for_threads_is_said(server: Server) -> None:
    await server.discord.deny(server.hall, "create_public_threads")
    await until(lambda: server.chat.lacks_for_rooms(f"dc:{server.hall}"))
    told = await server.organise(server.boss, server.hall, "rooms", "on")
    assert "Create Public Threads" in told
    await server.okey(server.ada, server.hall)
    assert "free" in await server.table(server.hall)


async def test_nobody_else_organises(server: Server) -> None:
    acts = {"organise": "", "language": "tr", "rooms": "on", "places": "on", "tables": "3", "close": "abc"}
    for action, text in {**acts, "block": str(server.boss)}.items():
        told = await server.organise(server.ada, server.hall, action, text)
        assert "Only organisers" in told


async def test_who_managed_the_server_and_does_no_longer_has_a_dead_page(server: Server) -> None:
    await server.organise(server.boss, server.hall, "organise")
    await server.discord.manager(server.boss, server.guild, manages=False)
    page = await server.page(server.boss, server.hall)
    await server.discord.answered(await server.discord.press(server.boss, page, "rooms"))

    async def refused() -> bool:
        seen = await server.discord.sees(server.boss, server.hall)
        return any("Only organisers" in each.text for each in seen)

    await until(refused)


async def test_a_game_that_nobody_knows_is_refused_where_there_is_no_table(server: Server) -> None:
    """In words that lead to no button, whether the bot can write to them or not."""
    await server.discord.direct_messages(server.can, open=False)
    for user in (server.ada, server.can):
        told = await server.okey(user, server.hall, "banana")
        assert "no game called “banana”" in told
        assert "My rack" not in told
    assert not [seen for seen in await server.discord.sees(server.ada, server.hall) if not seen.ephemeral]


async def test_who_joins_a_match_that_is_over_is_told_so(server: Server) -> None:
    ada, place = Person(f"dc:{server.ada}", "Ada", "en"), f"dc:{server.hall}"
    await server.house.type(ada, "play", "2 start_points=2", place=place)
    (table,) = await server.house.store.index.tables_at(place)
    for press in ("computer", "start"):
        await server.house.press(ada, f"{press}.{table}.0", private=False, place=place)
    await server.house.press(ada, f"step_out.{table}.0")

    async def over() -> bool:
        stored = await server.house.app.tables.load(table)
        return stored is not None and stored.value.stage == "over"

    await until(over)
    for user in (server.ada, server.can):
        assert "This match has ended." in await server.okey(user, server.hall, "join")
