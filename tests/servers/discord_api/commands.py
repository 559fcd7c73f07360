"""Slash commands: registrations that Discord would refuse, and values that its clients accept."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tests.servers.discord_api import shapes
from tests.servers.discord_api.world import Json, Refusal, World

SUBCOMMAND: Final = 1
GROUP: Final = 2
TEXT: Final = 3
INTEGER: Final = 4
BOOLEAN: Final = 5
USER: Final = 6
USER_MENU: Final = 2
"""The type of a command in the menu of a person's name."""

_NAME: Final = re.compile(r"[-_'\w]{1,32}")
_LONGEST_COMMAND: Final = 8000
_MOST_IN_MENU: Final = 15
_KINDS: Final = {TEXT: str, INTEGER: int, BOOLEAN: bool, USER: int}


def problems(registered: list[Json]) -> Iterator[str]:
    """The rules for commands that the description of Discord's API leaves out."""
    for command in registered:
        if command.get("type", 1) == USER_MENU:
            if command.get("description") or command.get("options"):
                yield f"{command['name']} of a person's menu has a description or options"
            if any(not 1 <= len(name) <= 32 for name in _all_said(command, "name")):
                yield f"{command['name']} of a person's menu has 1 to 32 characters"
        if command.get("type", 1) != 1:
            continue
        said = sum(_characters(command))
        if said > _LONGEST_COMMAND:
            yield f"/{command['name']} has {said} characters, {_LONGEST_COMMAND} at most"
        yield from _named_problems(command, f"/{command['name']}")
    if sum(command.get("type", 1) == USER_MENU for command in registered) > _MOST_IN_MENU:
        yield f"a person's menu holds {_MOST_IN_MENU} commands"
    for locale in {locale for each in registered for locale in each.get("name_localizations") or {}}:
        names = [(each.get("name_localizations") or {}).get(locale, each["name"]) for each in registered]
        if len({*names}) < len(names):
            yield f"two commands have one name in {locale}"


def _named_problems(named: Json, path: str) -> Iterator[str]:
    for name in _all_said(named, "name"):
        if not _NAME.fullmatch(name) or name != name.lower():
            yield f"{path} can't be called {name}"
    if any(not 1 <= len(text) <= 100 for text in _all_said(named, "description")):
        yield f"{path} is described in 1 to 100 characters"
    options = named.get("options") or []
    if len(options) > 25:
        yield f"{path} has {len(options)} options, 25 at most"
    below = {option["type"] in (SUBCOMMAND, GROUP) for option in options}
    if len(below) > 1:
        yield f"{path} has subcommands and options"
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        yield f"{path} has a required option behind an optional one"
    for locale in ("", *{each for option in options for each in option.get("name_localizations") or {}}):
        names = [(option.get("name_localizations") or {}).get(locale, option["name"]) for option in options]
        if len({*names}) < len(names):
            yield f"{path} has two options of one name in {locale or 'English'}"
    for option in options:
        if len(option.get("choices") or []) > 25 or (option.get("choices") and option.get("autocomplete")):
            yield f"{path} {option['name']} has too many choices, or completes them"
        yield from _named_problems(option, f"{path} {option['name']}")


def _all_said(named: Json, what: str) -> list[str]:
    return [named[what], *(named.get(f"{what}_localizations") or {}).values()]


def _characters(named: Json) -> Iterator[int]:
    """The lengths of names, descriptions and values, each in its longest language."""
    yield max(map(len, _all_said(named, "name")))
    yield max(map(len, _all_said(named, "description")), default=0)
    for choice in named.get("choices") or []:
        yield max(map(len, _all_said(choice, "name"))) + len(str(choice["value"]))
    for option in named.get("options") or []:
        yield from _characters(option)


@dataclass(frozen=True)
class Found:
    """The command that a person runs, and its groups."""

    path: tuple[Json, ...]
    """The registered command first, the subcommand last."""

    @property
    def options(self) -> dict[str, Json]:
        return {option["name"]: option for option in self.path[-1].get("options") or []}


def found(registered: list[Json], name: str, *, direct: bool) -> Found:
    """The command of this name, which includes its groups, if it may be used there."""
    first, *others = name.split()
    path = [_called([each for each in registered if each["type"] == 1], first, name)]
    for each in others:
        path.append(_called(path[-1].get("options") or [], each, name))
    if any(option["type"] in (SUBCOMMAND, GROUP) for option in path[-1].get("options") or []):
        raise Refusal(400, 0, f"/{name} has commands below it")
    contexts = path[0].get("contexts")
    if contexts is not None and (1 if direct else 0) not in contexts:
        raise Refusal(400, 0, f"/{name} is not offered here")
    return Found(tuple(path))


def of_user(registered: list[Json], name: str) -> Json:
    """The command of this name in the menu of a person's name."""
    for each in registered:
        if each["type"] == USER_MENU and name == each["name"]:
            return each
    raise Refusal(400, 0, f"no person's menu has {name}")


def data_of_user(world: World, command: Json, target: int) -> Json:
    """The data of an interaction from the menu of a person's name."""
    return {
        "id": command["id"],
        "name": command["name"],
        "type": USER_MENU,
        "target_id": str(target),
        "resolved": {
            "users": {str(target): shapes.user_json(world.users[target])},
            "members": {str(target): _member(world, target)},
        },
    }


def _called(among: list[Json], name: str, path: str) -> Json:
    for each in among:
        if name in (each["name"], *(each.get("name_localizations") or {}).values()):
            return each
    raise Refusal(400, 0, f"there is no command /{path}")


def checked_options(command: Found, given: Json) -> list[Json]:
    """The options as Discord sends them: only the command's own, with allowed values only."""
    missing = [name for name, each in command.options.items() if each.get("required") and name not in given]
    if missing:
        raise Refusal(400, 0, f"{missing[0]} is missing")
    return [_checked(command, name, value) for name, value in given.items()]


def _checked(command: Found, name: str, value: Any) -> Json:
    option = command.options.get(name)
    if option is None:
        raise Refusal(400, 0, f"/{command.path[-1]['name']} has no option {name}")
    if type(value) is not _KINDS[option["type"]]:
        raise Refusal(400, 0, f"{name} takes no {value!r}")
    choices = [choice["value"] for choice in option.get("choices") or []]
    if choices and value not in choices:
        raise Refusal(400, 0, f"{name} does not offer {value}")
    measure = len(value) if isinstance(value, str) else value
    least = option.get("min_value", option.get("min_length", 0))
    most = option.get("max_value", option.get("max_length", 6000))
    if option["type"] in (TEXT, INTEGER) and not least <= measure <= most:
        raise Refusal(400, 0, f"{name} is from {least} to {most}")
    sent = str(value) if option["type"] == USER else value
    return {"name": option["name"], "type": option["type"], "value": sent}


def focused(command: Found, name: str, typed: str) -> Json:
    """An option while a person types it."""
    option = command.options.get(name)
    if option is None or not option.get("autocomplete"):
        raise Refusal(400, 0, f"nothing is suggested for {name}")
    return {"name": name, "type": option["type"], "value": typed, "focused": True}


def data(world: World, command: Found, options: list[Json]) -> Json:
    """The data of a command's interaction."""
    first, *below = command.path
    for each in reversed(below):
        options = [{"name": each["name"], "type": each["type"], "options": options}]
    told: Json = {"id": first["id"], "name": first["name"], "type": 1, "options": options}
    users = [int(option["value"]) for option in _leaves(options) if option["type"] == USER]
    if users:
        told["resolved"] = {
            "users": {str(user): shapes.user_json(world.users[user]) for user in users},
            "members": {str(user): _member(world, user) for user in users},
        }
    return told


def _leaves(options: list[Json]) -> Iterator[Json]:
    for option in options:
        yield from _leaves(option["options"]) if "options" in option else [option]


def _member(world: World, user: int) -> Json:
    member = shapes.member_json(world.users[user], permissions=0)
    return {key: value for key, value in member.items() if key not in ("user", "deaf", "mute")}
