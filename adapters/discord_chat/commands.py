"""The slash command `/okey`: how it is registered, and what a person typed with it."""

import logging
from collections.abc import Callable
from typing import Any, Final

import discord
from discord.http import Route

from adapters.discord_chat.patience import patiently
from adapters.discord_chat.phrases import ENGLISH, TRANSLATIONS, Phrases

LOG: Final = logging.getLogger(__name__)

ACTION: Final = "action"
TEXT: Final = "text"
LONGEST_TEXT: Final = 200

_STRING: Final = 3
_CHAT_INPUT: Final = 1

_CHOICES: Final[dict[str, Callable[[Phrases], str]]] = {
    "play": lambda words: words.play,
    "join": lambda words: words.join,
    "invite": lambda words: words.invite,
    "uninvite": lambda words: words.uninvite,
    "rack": lambda words: words.rack,
    "rules": lambda words: words.rules,
    "replay": lambda words: words.replay,
    "record": lambda words: words.record,
    "stats": lambda words: words.stats,
    "history": lambda words: words.history,
    "watch": lambda words: words.watch,
    "word": lambda words: words.word,
    "link": lambda words: words.link,
    "unlink": lambda words: words.unlink,
    "forget": lambda words: words.forget,
    "defaults": lambda words: words.defaults,
    "invitations": lambda words: words.invitations,
    "settings": lambda words: words.settings,
    "display": lambda words: words.display,
    "help": lambda words: words.help,
}
"""The verbs, and what each is called."""

Json = dict[str, Any]


def payload() -> list[Json]:
    """All commands as Discord takes them. Where they may be used follows the application's own settings."""
    options = [
        _named(lambda words: words.action, lambda words: words.action_describes)
        | {"type": _STRING, "choices": [_choice(verb, word) for verb, word in _CHOICES.items()]},
        _named(lambda words: words.text, lambda words: words.text_describes)
        | {"type": _STRING, "max_length": LONGEST_TEXT},
    ]
    command = _named(lambda words: words.okey, lambda words: words.describes)
    return [command | {"type": _CHAT_INPUT, "options": options}]


def _named(name: Callable[[Phrases], str], description: Callable[[Phrases], str]) -> Json:
    return {
        "name": name(ENGLISH),
        "name_localizations": _in_all_languages(name),
        "description": description(ENGLISH),
        "description_localizations": _in_all_languages(description),
    }


def _choice(verb: str, word: Callable[[Phrases], str]) -> Json:
    return {"name": word(ENGLISH), "name_localizations": _in_all_languages(word), "value": verb}


def _in_all_languages(word: Callable[[Phrases], str]) -> dict[str, str]:
    return {locale: word(phrases) for locale, phrases in TRANSLATIONS.items()}


async def sync(client: discord.Client) -> None:
    """Register the commands, unless they are registered just so: Discord counts registrations."""
    application = client.application_id
    assert application is not None
    route = Route("GET", "/applications/{application_id}/commands", application_id=application)
    params = {"with_localizations": "true"}
    registered = await patiently(lambda: client.http.request(route, params=params))
    if not _same(payload(), registered):
        await patiently(lambda: client.http.bulk_upsert_global_commands(application, payload()))
        LOG.info("the commands were registered with Discord")


def _same(ours: object, theirs: object) -> bool:
    """Whether theirs says all that ours says; Discord adds fields of its own."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return all(_same(value, theirs.get(key)) for key, value in ours.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return ours == theirs


def typed(data: Json) -> tuple[str, str]:
    """The verb and the argument of a command that was run; `/okey` alone is `play`."""
    given = {option["name"]: str(option.get("value", "")) for option in data.get("options", [])}
    return given.get(ACTION, "play"), given.get(TEXT, "").strip()
