"""Profile: the application's description, which people read on the bot's page, in their own language.

Only an empty description, or an older one of ours, is replaced: what the operator wrote stays.
"""

import logging
from typing import Final

import discord
from discord.http import Route

from adapters.discord_chat.command_names import type_in_discord
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, Words, plain, words_for
from bot.markup import Typed

LOG: Final = logging.getLogger(__name__)


def description(words: Words) -> str:
    """Return our description, with its commands as people type them in Discord. It is plain text, at most 400
    characters."""
    said = words.say("profile.description_dc")
    return plain(tuple(type_in_discord(part) if isinstance(part, Typed) else part for part in said), words)


async def fill_profile(client: discord.Client) -> None:
    """Fill the profile. The library waits as long as Discord wants, and nobody waits for this."""
    ours = {language: description(words_for(language)) for language in LANGUAGES}
    text = ours[DEFAULT_LANGUAGE]
    others = {language: ours[language] for language in LANGUAGES if language != DEFAULT_LANGUAGE}
    try:
        known = (await client.application_info()).description
        if known != text and known in {"", *ours.values()}:
            described = {"description": {"default": text, "localizations": others}}
            await client.http.request(Route("PATCH", "/applications/@me"), json=described)
            LOG.info("Discord: the application's description is filled")
    except (discord.DiscordException, OSError) as error:
        LOG.warning("Discord: the application's description could not be filled: %s", type(error).__name__)
