"""Slash commands: built from the handlers' declarations, in groups, and registered when they have changed.

`/okey` alone opens a table. Discord takes no command that is both used alone and has subcommands, so the
others are in groups by subject: a table, a person's own settings, the league, and organising. Discord shows
the last group to people who manage the server; the application checks their right again. What can be said of
a person is also in the menu that their name opens.
"""

import logging
from collections.abc import Callable, Coroutine, Mapping
from inspect import Parameter, Signature
from typing import Any, Final, Protocol

import discord
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType, Choice, Group, Range, locale_str
from discord.http import Route

from adapters.discord_chat.addresses import person_key
from adapters.discord_chat.command_names import argument_name, choice_name, command_name, group_name
from adapters.discord_chat.responses import Interaction, is_understood
from adapters.discord_chat.retry import retry
from bot.commands import DECLARED_COMMANDS, Argument, ArgumentKind, Command
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, Words, words_for
from bot.i18n.commands import about
from bot.logs import way_of
from bot.ports import Suggestion

LOG: Final = logging.getLogger(__name__)

_ENTRY_POINT: Final = 4
"""The type of the command that Discord itself creates for an application with an activity."""

_SENT_BACK: Final = (
    *("id", "type", "name", "name_localizations", "description", "description_localizations"),
    *("handler", "contexts", "integration_types"),
)

_LEFT_OUT: Final = frozenset(
    ("choices", "autocomplete", "min_value", "max_value", "min_length", "max_length")
)
"""The fields that the library leaves out where an option has none."""

_ORGANISERS: Final = "organise"
"""The group for people who manage the server."""
_SUGGESTED: Final = ("table", "league", "member", "result", "blocked", "zone")
_MOST_SUGGESTED: Final = 25
_LONGEST_CHOICE: Final = 100

_EVERYWHERE: Final = AppCommandContext(guild=True, dm_channel=True, private_channel=False)
_ON_SERVERS: Final = AppCommandContext(guild=True, dm_channel=False, private_channel=False)

Json = dict[str, Any]
Callback = Callable[..., Coroutine[Any, Any, Any]]


class CommandHandler(Protocol):
    """The interface that carries commands out."""

    async def run(self, interaction: Interaction, verb: str, argument: str) -> None:
        """Carry a command out."""
        ...

    async def suggest(self, interaction: Interaction, kind: ArgumentKind, typed: str) -> list[Suggestion]:
        """Return the suggestions for an argument."""
        ...


class SlashCommands(app_commands.CommandTree[discord.Client]):
    """All commands."""

    def __init__(self, client: discord.Client, handler: CommandHandler, *, app: bool = False) -> None:
        """`app`: the table can be opened as an app."""
        super().__init__(client)
        self.mentions: dict[str, str] = {}
        """How a text mentions the registered commands, by their names."""
        groups: dict[str, Group] = {}
        for command in DECLARED_COMMANDS.values():
            if command.audience is None or (command.for_app and not app):
                continue
            made = _make(command, handler)
            if command.group:
                self._group(command.group, groups).add_command(made)
            else:
                made.allowed_contexts = _ON_SERVERS if command.in_place else _EVERYWHERE
                self.add_command(made)
            if command.audience == "everybody" and [each.kind for each in command.arguments] == ["person"]:
                self.add_command(_make_user_menu(command, handler))

    def _group(self, path: str, groups: dict[str, Group]) -> Group:
        """Return the group of this path, created at its first use."""
        if path in groups:
            return groups[path]
        parent, _, last = path.rpartition(" ")
        name = _translate(lambda words: group_name(last, words))
        described = _translate(lambda words: words.plain(f"group.{path.replace(' ', '_')}.about"))
        if parent:
            made = Group(name=name, description=described, parent=self._group(parent, groups))
        else:
            theirs = path == _ORGANISERS
            made = Group(
                name=name,
                description=described,
                allowed_contexts=_ON_SERVERS if theirs else _EVERYWHERE,
                default_permissions=discord.Permissions(manage_guild=True) if theirs else None,
            )
            self.add_command(made)
        groups[path] = made
        return made

    async def interaction_check(self, interaction: Interaction) -> bool:
        return await is_understood(interaction)

    async def _call(self, interaction: Interaction) -> None:
        """Carry out what Discord sent. The library does this in a task, which handles no errors but the
        library's own. It reads there, too, who is mentioned: data that nobody has validated."""
        try:
            await super()._call(interaction)
        except app_commands.AppCommandError:
            raise
        except Exception as error:
            raise app_commands.AppCommandError from error

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        LOG.warning("a command is not one of the application's: %s", way_of(error.__cause__ or error))

    async def payload(self) -> list[Json]:
        """Return all commands in Discord's format, in every language, for servers and, where the application
        can be installed by users, for them."""
        application = self.client.application
        for_people = application is not None and application.user_integration_config is not None
        for command in self.get_commands():
            assert isinstance(command, app_commands.Command | Group | app_commands.ContextMenu)
            command.allowed_installs = AppInstallationType(guild=True, user=for_people)
        return [await command.get_translated_payload(self, _Translator()) for command in self.get_commands()]

    async def register(self) -> None:
        """Register the commands, unless the same ones are registered: Discord counts registrations.

        `fetch_commands` leaves out translations, and `sync` leaves out the command that Discord created,
        without which Discord refuses the list. So both calls are made by hand. Raises RetryAfter,
        discord.HTTPException.
        """
        http, application = self.client.http, self.client.application_id
        assert application is not None
        route = Route("GET", "/applications/{application_id}/commands", application_id=application)
        found: list[Json] = await retry(lambda: http.request(route, params={"with_localizations": "true"}))
        ours, theirs = await self.payload(), [command for command in found if command["type"] != _ENTRY_POINT]
        if not _same(_by_name(ours), _by_name(theirs)):
            ours += [_send_back(command) for command in found if command["type"] == _ENTRY_POINT]
            theirs = list(map(dict, await retry(lambda: http.bulk_upsert_global_commands(application, ours))))
            LOG.info("the commands were registered with Discord")
        typed = [command for command in theirs if command["type"] == discord.AppCommandType.chat_input.value]
        self.mentions = _list_mentions({command["name"]: command["id"] for command in typed})


# Commands from declarations


def _make(command: Command, handler: CommandHandler) -> app_commands.Command[Any, Any, Any]:
    async def callback(interaction: Interaction, **given: object) -> None:
        # Not by comparison: a number may be 0.
        chosen = {name: value for name, value in given.items() if value is not None and value is not False}
        texts = {name: _text(value) for name, value in chosen.items()}
        await handler.run(interaction, command.verb, command.line(texts))

    parameters = [_parameter(argument) for argument in command.arguments]
    first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction)
    vars(callback)["__signature__"] = Signature([first, *parameters])
    return app_commands.Command(
        name=_translate(lambda words: command_name(command, words)),
        description=_translate(lambda words: about(command.name, words)),
        callback=_describe(callback, command.arguments, handler),
    )


def _make_user_menu(command: Command, handler: CommandHandler) -> app_commands.ContextMenu:
    """Return a command about a person in the menu of their name."""

    async def callback(interaction: Interaction, person: discord.Member | discord.User) -> None:
        await handler.run(interaction, command.verb, _text(person))

    made = app_commands.ContextMenu(
        name=_translate(lambda words: words.plain(f"menu.{command.name}")), callback=callback
    )
    made.allowed_contexts = _ON_SERVERS
    return made


def _parameter(argument: Argument) -> Parameter:
    kind: Any = {"integer": int, "flag": bool, "person": discord.User}.get(argument.kind, str)
    if kind is int or (kind is str and not argument.choices):
        kind = Range[kind, argument.least, argument.most]
    if argument.required:
        return Parameter(argument.name, Parameter.KEYWORD_ONLY, annotation=kind)
    return Parameter(argument.name, Parameter.KEYWORD_ONLY, default=None, annotation=kind | None)


def _describe(callback: Callback, arguments: tuple[Argument, ...], handler: CommandHandler) -> Callback:
    """Return the callback with the names and choices of its options."""
    for argument in arguments:
        callback = app_commands.rename(**{argument.name: _name(argument)})(callback)
        callback = app_commands.describe(**{argument.name: _about(argument)})(callback)
        if argument.choices:
            offered = [_choice(argument, value) for value in argument.choices]
            callback = app_commands.choices(**{argument.name: offered})(callback)
        if argument.kind in _SUGGESTED:
            suggesting = _suggesting(argument.kind, handler)
            callback = app_commands.autocomplete(**{argument.name: suggesting})(callback)
    return callback


def _suggesting(
    kind: ArgumentKind, handler: CommandHandler
) -> Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[str]]]]:
    async def suggest(interaction: Interaction, current: str) -> list[Choice[str]]:
        found = await handler.suggest(interaction, kind, current)
        return [
            Choice(name=each.words[:_LONGEST_CHOICE], value=each.value[:_LONGEST_CHOICE])
            for each in found[:_MOST_SUGGESTED]
        ]

    return suggest


def _text(value: object) -> str:
    """Return an option's value as part of a line. A person is given by key and name."""
    if isinstance(value, discord.User | discord.Member):
        return f"{person_key(value.id)} {value.display_name}"
    return str(value).strip()


# Words


class _Translator(app_commands.Translator):
    async def translate(
        self, string: locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        language = locale.value
        if language == DEFAULT_LANGUAGE or language not in LANGUAGES:
            return None
        say: Callable[[Words], str] = string.extras["say"]
        return say(words_for(language))


def _name(argument: Argument) -> locale_str:
    return _translate(lambda words: argument_name(argument, words))


def _about(argument: Argument) -> locale_str:
    return _translate(lambda words: words.plain(f"argument.{argument.name}.about"))


def _choice(argument: Argument, value: str) -> Choice[str]:
    return Choice(name=_translate(lambda words: choice_name(argument, value, words)), value=value)


def _translate(say: Callable[[Words], str]) -> locale_str:
    """Return a text in the default language, which can be translated to the others."""
    return locale_str(say(words_for(DEFAULT_LANGUAGE)), say=say)


# Registered commands


def _list_mentions(registered: Mapping[str, str]) -> dict[str, str]:
    """Return how a text mentions each command, from the numbers of those that are registered. Each client
    shows the names of its own language."""
    words, mentions = words_for(DEFAULT_LANGUAGE), dict[str, str]()
    for name, command in DECLARED_COMMANDS.items():
        if command.audience is None:
            continue
        groups = [group_name(group, words) for group in command.group.split()]
        root, *path = *groups, command_name(command, words)
        if root in registered:
            mentions[name] = f"</{' '.join((root, *path))}:{registered[root]}>"
    return mentions


def _by_name(commands: list[Json]) -> Mapping[str, Json]:
    return {f"{command['type']} {command['name']}": command for command in commands}


def _send_back(command: Json) -> Json:
    """Return a registered command in the form of a registration."""
    return {field: command[field] for field in _SENT_BACK if command.get(field) is not None}


def _same(ours: object, theirs: object) -> bool:
    """Return whether a registered command equals ours. Discord adds fields of its own, writes permissions as
    text, and leaves out what is empty."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        compared = ours.keys() | (theirs.keys() & _LEFT_OUT)
        return all(_same(ours.get(key), theirs.get(key)) for key in compared)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return ours == theirs or str(ours) == theirs or not (ours or theirs)
