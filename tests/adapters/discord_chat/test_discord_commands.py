"""Slash commands: what is registered, what people may type, and what the application hears."""

from typing import Any

import pytest

from adapters.discord_chat.commands import SlashCommands
from bot.commands import DECLARED_COMMANDS, ArgumentKind
from bot.i18n import LANGUAGES, words_for
from bot.markup import Typed
from bot.ports import Answer, Suggestion, TypedCommand
from tests.adapters.discord_chat.scene import Scene, playing, scene
from tests.adapters.scripted import ScriptedDelivery, ScriptedRouter
from tests.servers.discord_api.client import Discord, Impossible
from tests.slash import path, slash

GUILD, DIRECT = 0, 1


async def registered(discord: Discord) -> dict[str, dict[str, Any]]:
    return {command["name"]: command for command in (await discord.registered())["commands"]}


def below(command: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        command = next(option for option in command["options"] if option["name"] == name)
    return command


async def test_the_commands_are_registered_once_in_every_language(okey: Scene) -> None:
    async with playing(okey.discord, okey.router, okey.delivery):
        pass
    commands = await registered(okey.discord)
    alone = {"okey", "help", "guide", "practice", "leaderboard", "profile"}
    menu = {"Invite to Okey", "Okey profile"}
    assert {*commands} == {*alone, *menu, "table", "league", "organise", "my"}
    join = below(commands["table"], "join")
    assert (join["name_localizations"]["tr"], join["name_localizations"]["ko"]) == ("katıl", "참가")
    assert join["description_localizations"]["de"]
    assert below(commands["organise"], "night", "void")["name_localizations"]["tr"] == "sayma"
    assert await okey.calls("PUT", "/commands") == 1


async def test_what_an_option_no_longer_has_is_taken_from_it(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A registration of an older version, in which the number of players was chosen from a list."""
    payload = SlashCommands.payload

    async def older(self: SlashCommands) -> list[dict[str, Any]]:
        commands = await payload(self)
        players = below({"options": commands}, "okey", "players")
        players["choices"] = [{"name": "three", "value": 3}]
        return commands

    with monkeypatch.context() as patched:
        patched.setattr(SlashCommands, "payload", older)
        async with playing(discord, ScriptedRouter(), ScriptedDelivery()):
            assert "choices" in below((await registered(discord))["okey"], "players")
    async with playing(discord, ScriptedRouter(), ScriptedDelivery()):
        assert "choices" not in below((await registered(discord))["okey"], "players")


async def test_a_table_is_opened_with_typed_options(okey: Scene) -> None:
    game, players, clock, switches = (await registered(okey.discord))["okey"]["options"]
    assert "okey101" in [choice["value"] for choice in game["choices"]]
    assert (players["type"], players["min_value"], players["max_value"]) == (4, 2, 4)
    assert "5m" in [choice["value"] for choice in clock["choices"]]
    assert not any(option.get("required") for option in (game, players, clock, switches))
    chosen = {"game": "okey101", "players": 3, "clock": "5m", "switches": "rounds=3"}
    await okey.discord.answered(await okey.discord.command(okey.ada, okey.channel, "okey", chosen))
    (typed,) = okey.router.typed
    assert (typed.verb, typed.argument) == ("play", "okey101 3 clock=5m rounds=3")
    with pytest.raises(Impossible):
        await okey.discord.command(okey.ada, okey.channel, "okey", {"players": 5})


async def test_the_menu_of_a_name_invites_its_person_and_shows_their_profile(okey: Scene) -> None:
    can = await okey.discord.user("Can", guild=okey.guild)
    for name, verb in (("Invite to Okey", "invite"), ("Okey profile", "profile")):
        told = (await registered(okey.discord))[name]
        assert (told["type"], told["contexts"]) == (2, [GUILD])
        assert {*told["name_localizations"]} == {*LANGUAGES} - {"en"}
        await okey.discord.answered(await okey.discord.of_user(okey.ada, okey.channel, name, can))
        assert (okey.router.typed[-1].verb, okey.router.typed[-1].argument) == (verb, f"dc:{can} Can")


async def test_commands_are_offered_where_they_can_be_used(okey: Scene) -> None:
    commands = await registered(okey.discord)
    assert commands["organise"]["contexts"] == [GUILD]
    assert GUILD in commands["okey"]["contexts"], "and in private, for practice"
    assert len(commands["okey"]["contexts"]) == 2
    assert commands["table"]["contexts"] == commands["my"]["contexts"] == [GUILD, DIRECT]
    assert commands["organise"]["default_member_permissions"] == "32"
    assert {tuple(command["integration_types"]) for command in commands.values()} == {(0, 1)}
    await okey.discord.answered(await okey.discord.command(okey.ada, None, *slash("link")))
    with pytest.raises(Impossible, match="not offered here"):
        await okey.discord.command(okey.ada, None, *slash("organise"))


@pytest.mark.parametrize(
    ("line", "verb", "argument"),
    [
        ("", "play", ""),
        ("join KM7-4RT", "join", "KM7-4RT"),
        ("history me", "history", "me"),
        ("notify mention", "notify", "mention"),
        ("notify quiet 23-8", "notify", "quiet 23-8"),
        ("organise", "organise", ""),
        ("defaults everywhere okey101 clock=2m", "defaults", "everywhere okey101 clock=2m"),
        ("display letters contrast", "display", "letters contrast"),
        ("tables 5", "tables", "5"),
        ("tables 0", "tables", "0"),
        ("dailyhour 0", "dailyhour", "0"),
        ("dailyhour off", "dailyhour", "off"),
        ("dailyhour 20 Europe/Berlin", "dailyhour", "20 Europe/Berlin"),
        ("league", "league", ""),
        ("league yes", "league", "yes"),
        ("league dispute 1.3 it was mine", "league", "dispute 1.3 it was mine"),
        ("league correct 1.3 12 4 0 -2 typo", "league", "correct 1.3 12 4 0 -2 typo"),
        ("league pair Ada, Can", "league", "pair Ada, Can"),
        ("league new name=Tea start=2027-03-05 20:00", "league", "new name=Tea start=2027-03-05 20:00"),
    ],
)
async def test_the_application_hears_the_same_line_as_elsewhere(
    okey: Scene, line: str, verb: str, argument: str
) -> None:
    await okey.command(okey.ada, line)
    assert [(typed.verb, typed.argument) for typed in okey.router.typed] == [(verb, argument)]


async def test_a_reason_is_an_option_of_its_own_behind_a_name_of_several_words(okey: Scene) -> None:
    for chosen in ({"member": "Ada Lovelace", "why": "feels ill"}, {"member": "Can"}):
        away = await okey.discord.command(okey.ada, okey.channel, "organise night away", chosen)
        await okey.discord.answered(away)
    assert [typed.argument for typed in okey.router.typed] == ["away Ada Lovelace feels ill", "away Can"]


async def test_every_offered_command_can_be_found(okey: Scene) -> None:
    commands = await registered(okey.discord)
    for command in DECLARED_COMMANDS.values():
        if command.audience is not None and not command.for_app:
            first, *names = path(command).split()
            assert below(commands[first], *names)["description"]


async def test_a_person_is_named_by_account_and_name(okey: Scene) -> None:
    chosen = {"person": okey.can}
    block = await okey.discord.command(okey.ada, okey.channel, "organise block", chosen)
    await okey.discord.answered(block)
    (typed,) = okey.router.typed
    assert typed.argument == f"dc:{okey.can} Can"


class Suggesting(ScriptedRouter):
    """Suggests one table, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[TypedCommand, ArgumentKind]] = []

    async def suggest(self, typed: TypedCommand, kind: ArgumentKind) -> list[Suggestion]:
        self.asked.append((typed, kind))
        return [Suggestion("k7x3q", "Table 2: Ada, Can")]


async def test_a_table_is_suggested_while_it_is_typed(discord: Discord) -> None:
    router = Suggesting()
    async with scene(discord, router) as okey:
        found = await discord.suggested(okey.ada, okey.channel, "table replay", "table", "k7")
        assert found == [{"name": "Table 2: Ada, Can", "value": "k7x3q"}]
        ((typed, kind),) = router.asked
        assert (typed.place, typed.argument, kind) == (okey.place, "k7", "table")


async def test_the_command_that_discord_made_stays(discord: Discord) -> None:
    await discord.entry_point("launch")
    for _ in range(2):
        async with playing(discord, ScriptedRouter(), ScriptedDelivery()):
            pass
    commands = await registered(discord)
    assert commands["launch"]["handler"] == 2
    assert [call.method for call in await discord.calls() if "/commands" in call.path] == [
        "GET",
        "PUT",
        "GET",
    ]


async def test_a_text_mentions_a_command_so_that_a_tap_writes_it(okey: Scene) -> None:
    """One with values is written out, since a mention has none."""
    numbers = {name: command["id"] for name, command in (await registered(okey.discord)).items()}
    english = words_for("en")
    opens, joins = english.type_command("play"), english.type_command("rack")
    valued = Typed("/okey join KM7", "join", (("code", "KM7"),), "en")
    okey.router.answers["/help"] = Answer(notice=(opens, " ", joins, " ", valued))
    await okey.command(okey.can, "help")
    said = await okey.last(okey.can)
    assert said.raw["content"] == (
        f"</okey:{numbers['okey']}> </table rack:{numbers['table']}> `/table join code:KM7`"
    )
    assert said.text.startswith("/okey /table rack ")
