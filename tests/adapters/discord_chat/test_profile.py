"""The application's description on Discord: filled in the background, if the operator wrote none."""

from adapters.discord_chat.profile import description
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, words_for
from tests.adapters.discord_chat.scene import Scene, scene
from tests.servers.discord_api.client import Discord

PATCH = ("PATCH", "/applications/@me")


async def filled(okey: Scene) -> str:
    """The description once the chat has looked at it."""
    await okey.chat._loading[1]
    told: str = (await okey.chat._client.application_info()).description
    return told


async def test_it_is_filled_once(discord: Discord) -> None:
    async with scene(discord) as okey:
        shown = await filled(okey)
        assert shown == description(words_for(DEFAULT_LANGUAGE))
        assert shown.endswith(": /my privacy"), "as people type it in Discord"
        assert await okey.calls(*PATCH) == 1
    async with scene(discord) as okey:
        await filled(okey)
        assert await okey.calls(*PATCH) == 1, "nothing has changed"


async def test_what_the_operator_wrote_stays(discord: Discord) -> None:
    own = "Okey at the Kahvehane"
    await discord.describe(own)
    async with scene(discord) as okey:
        assert await filled(okey) == own
        assert await okey.calls(*PATCH) == 0


async def test_the_line_below_its_name_says_how_to_begin(discord: Discord) -> None:
    async with scene(discord):
        assert "/okey" in await discord.presence()


def test_it_is_short_enough_in_every_language() -> None:
    for language in LANGUAGES:
        assert len(description(words_for(language))) <= 400
