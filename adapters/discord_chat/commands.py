"""Slash commands: which there are, what they are called in each language, and how they are registered.

Everybody has `/okey`. What organisers set has a command of its own, which Discord shows to those who
manage the server; who may use it the application asks again.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

import discord
from discord import app_commands
from discord.app_commands import locale_str
from discord.http import Route

from adapters.discord_chat.responses import Interaction, is_understood
from adapters.discord_chat.retry import retried
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, Words, words_for
from bot.i18n.commands import about, name_of
from bot.logs import way_of
from bot.ports import Dispatcher

LOG: Final = logging.getLogger(__name__)

_ENTRY_POINT: Final = 4
"""The type of the command that Discord itself makes for an application with an activity."""

_SENT_BACK: Final = (
    *("id", "type", "name", "name_localizations", "description", "description_localizations"),
    *("handler", "contexts", "integration_types"),
)

Json = dict[str, Any]
F = TypeVar("F")
Argument = app_commands.Range[str, None, 200]
RunVerb = Callable[[Interaction, str, str], Awaitable[None]]
"""Carries out a verb with its argument, which may be empty."""


class SlashCommands(app_commands.CommandTree[discord.Client]):
    """All commands. Where they may be used follows the application's own settings."""

    def __init__(self, client: discord.Client, router: Dispatcher, run: RunVerb) -> None:
        super().__init__(client)

        @self.command(name=_said("slash.okey"), description=_said("command.okey"))
        @_with_options(router.commands("everybody"), action="slash.action_about", text="slash.text_about")
        async def okey(interaction: Interaction, action: str = "play", text: Argument = "") -> None:
            await run(interaction, action, text.strip())

        @self.command(name=_said("slash.organise"), description=_said("slash.organise_about"))
        @app_commands.default_permissions(manage_guild=True)
        @_with_options(
            router.commands("organisers"),
            action="slash.organise_action_about",
            text="slash.organise_text_about",
        )
        async def organise(interaction: Interaction, action: str, text: Argument = "") -> None:
            await run(interaction, action, text.strip())

    async def interaction_check(self, interaction: Interaction) -> bool:
        return is_understood(interaction)

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        LOG.warning("a command is not one of the application's: %s", way_of(error))

    async def payload(self) -> list[Json]:
        """All commands as Discord takes them, in every language."""
        said = [await command.get_translated_payload(self, _Translator()) for command in self.get_commands()]
        for command in said:
            del command["integration_types"]  # Discord fills in the application's own
        return said

    async def register(self) -> None:
        """Register the commands, unless they are registered just so: Discord counts registrations.

        `fetch_commands` leaves out translations and `sync` the command that Discord made, without which it
        takes no list; so both calls are made by hand. Raises RetryAfter, discord.HTTPException.
        """
        http, application = self.client.http, self.client.application_id
        assert application is not None
        route = Route("GET", "/applications/{application_id}/commands", application_id=application)
        found: list[Json] = await retried(lambda: http.request(route, params={"with_localizations": "true"}))
        ours, theirs = await self.payload(), [command for command in found if command["type"] != _ENTRY_POINT]
        if not _same(ours, theirs):
            ours += [_sent_back(command) for command in found if command["type"] == _ENTRY_POINT]
            await retried(lambda: http.bulk_upsert_global_commands(application, ours))
            LOG.info("the commands were registered with Discord")


def _with_options(verbs: Sequence[str], action: str, text: str) -> Callable[[F], F]:
    """The two options of a command: what is to be done, with the keys of what is said about both."""

    def decorated(callback: F) -> F:
        callback = app_commands.choices(action=[_choice(verb) for verb in verbs])(callback)
        callback = app_commands.describe(action=_said(action), text=_said(text))(callback)
        return app_commands.rename(action=_said("slash.action"), text=_said("slash.text"))(callback)

    return decorated


class _Translator(app_commands.Translator):
    async def translate(
        self, string: locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        language = locale.value
        if language == DEFAULT_LANGUAGE or language not in LANGUAGES:
            return None
        say: Callable[[Words], str] = string.extras["say"]
        return say(words_for(language))


def _said(key: str) -> locale_str:
    """A message of the catalogues, by its key."""
    return _translated(lambda words: words.plain(key))


def _choice(verb: str) -> app_commands.Choice[str]:
    return app_commands.Choice(
        name=_translated(lambda words: f"{name_of(verb, words)} – {about(verb, words)}"), value=verb
    )


def _translated(say: Callable[[Words], str]) -> locale_str:
    """What is said in the default language, with the way to say it in the others."""
    return locale_str(say(words_for(DEFAULT_LANGUAGE)), say=say)


def _sent_back(command: Json) -> Json:
    """A registered command as it may be registered again."""
    return {field: command[field] for field in _SENT_BACK if command.get(field) is not None}


def _same(ours: object, theirs: object) -> bool:
    """Whether theirs says all that ours says; it adds fields of its own, writes permissions as text, and
    leaves out what is empty."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return all(_same(value, theirs.get(key)) for key, value in ours.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return ours == theirs or str(ours) == theirs or not (ours or theirs)
