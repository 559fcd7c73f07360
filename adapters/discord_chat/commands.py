"""The slash commands: how they are registered, and what a person typed with one.

Everybody has `/okey`. What organisers set has a command of its own, which Discord shows to those who
manage the server; who may use it the router asks again.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

import discord
from discord.http import Route

from adapters.discord_chat.patience import patiently
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, Words, words_for
from bot.i18n.commands import about, name_of
from bot.ports import Dispatcher

LOG: Final = logging.getLogger(__name__)

ACTION: Final = "action"
TEXT: Final = "text"
LONGEST_TEXT: Final = 200

_STRING: Final = 3
_CHAT_INPUT: Final = 1
_MANAGERS: Final = discord.Permissions(manage_guild=True).value

Json = dict[str, Any]


def payload(router: Dispatcher) -> list[Json]:
    """All commands as Discord takes them. Where they may be used follows the application's own settings."""
    everybodys = _named("slash.okey", "command.okey") | {
        "type": _CHAT_INPUT,
        "options": [_action("slash.action_about", router.commands("everybody")), _text("slash.text_about")],
    }
    organisers = _named("slash.organise", "slash.organise_about") | {
        "type": _CHAT_INPUT,
        "default_member_permissions": _MANAGERS,
        "options": [
            _action("slash.organise_action_about", router.commands("organisers")) | {"required": True},
            _text("slash.organise_text_about"),
        ],
    }
    return [everybodys, organisers]


def _action(description: str, verbs: Sequence[str]) -> Json:
    return _named("slash.action", description) | {
        "type": _STRING,
        "choices": [_choice(verb) for verb in verbs],
    }


def _choice(verb: str) -> Json:
    return _localised("name", lambda words: f"{name_of(verb, words)} – {about(verb, words)}") | {
        "value": verb
    }


def _text(description: str) -> Json:
    return _named("slash.text", description) | {"type": _STRING, "max_length": LONGEST_TEXT}


def _named(name: str, description: str) -> Json:
    return _localised("name", lambda words: words.plain(name)) | _localised(
        "description", lambda words: words.plain(description)
    )


def _localised(field: str, say: Callable[[Words], str]) -> Json:
    """A field in the default language, and its translations."""
    said = {language: say(words_for(language)) for language in LANGUAGES}
    return {field: said.pop(DEFAULT_LANGUAGE), f"{field}_localizations": said}


async def sync(client: discord.Client, router: Dispatcher) -> None:
    """Register the commands, unless they are registered just so: Discord counts registrations."""
    application = client.application_id
    assert application is not None
    route = Route("GET", "/applications/{application_id}/commands", application_id=application)
    params = {"with_localizations": "true"}
    registered = await patiently(lambda: client.http.request(route, params=params))
    wanted = payload(router)
    if not _same(wanted, registered):
        await patiently(lambda: client.http.bulk_upsert_global_commands(application, wanted))
        LOG.info("the commands were registered with Discord")


def _same(ours: object, theirs: object) -> bool:
    """Whether theirs says all that ours says; it adds fields of its own, and writes permissions as text."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return all(_same(value, theirs.get(key)) for key, value in ours.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return ours == theirs or str(ours) == theirs


def typed(data: Json) -> tuple[str, str]:
    """The verb and the argument of a command that was run; `/okey` alone is `play`."""
    given = {option["name"]: str(option.get("value", "")) for option in data.get("options", [])}
    return given.get(ACTION, "play"), given.get(TEXT, "").strip()
