"""The limits of a message that Discord's description leaves out: length of text, combinations of fields."""

from collections.abc import Iterator
from typing import Final

from tests.servers.discord_api.world import COMPONENTS_V2, Json

ACTION_ROW: Final = 1
BUTTON: Final = 2
SELECTS: Final = (3, 5, 6, 7, 8)
TEXT: Final = 10
GALLERY: Final = 12
LINK_STYLE: Final = 5

LONGEST_CONTENT: Final = 2000
LONGEST_EMBEDS: Final = 6000
LONGEST_V2_TEXT: Final = 4000
MOST_V2: Final = 40
LONGEST_CUSTOM_ID: Final = 64
"""Our own limit; Discord's is 100. A button's text is the same in every chat."""


def walk(components: object) -> Iterator[Json]:
    """All components, outer before inner."""
    for component in components if isinstance(components, list) else []:
        yield component
        yield from walk(component.get("components"))
        accessory = component.get("accessory")
        yield from walk([accessory] if accessory else [])


def message_problems(body: Json, filenames: list[str], flags: int, *, new: bool) -> list[str]:
    """Everything in a message, or in an edit's part of it, that Discord would refuse.

    `flags` are those of the message after the call, `filenames` its attachments after the call.
    """
    components = list(walk(body.get("components")))
    problems = list(_component_problems(components))
    if flags & COMPONENTS_V2:
        problems += _v2_problems(body, components, filenames)
    else:
        problems += _classic_problems(body, components, filenames, new=new)
    return problems


def _component_problems(components: list[Json]) -> Iterator[str]:
    ids = [c["custom_id"] for c in components if c.get("custom_id")]
    if len(set(ids)) != len(ids):
        yield "two components have the same custom_id"
    if any(len(id.encode()) > LONGEST_CUSTOM_ID for id in ids):
        yield f"a custom_id is longer than {LONGEST_CUSTOM_ID} bytes"
    for component in components:
        match component["type"]:
            case 1 if not _row_fits(component.get("components", [])):
                yield "an action row holds 1 to 5 buttons or one select"
            case 2:
                yield from _button_problems(component)
            case 3 if not 1 <= len(component.get("options", [])) <= 25:
                yield "a select has 1 to 25 options"


def _row_fits(items: list[Json]) -> bool:
    if any(item["type"] in SELECTS for item in items):
        return len(items) == 1
    return 1 <= len(items) <= 5


def _button_problems(button: Json) -> Iterator[str]:
    if not button.get("label") and not button.get("emoji"):
        yield "a button has neither label nor emoji"
    if button.get("style") == LINK_STYLE:
        if not button.get("url") or button.get("custom_id"):
            yield "a link button has an address and no custom_id"
    elif not button.get("custom_id") or button.get("url"):
        yield "a button has a custom_id and no address"


def _v2_problems(body: Json, components: list[Json], filenames: list[str]) -> Iterator[str]:
    for name in ("content", "embeds", "poll", "sticker_ids"):
        if body.get(name):
            yield f"a message of components has no {name}"
    if "components" not in body:
        return
    if not components:
        yield "a message of components is empty"
    if len(components) > MOST_V2:
        yield f"{len(components)} components, {MOST_V2} at most"
    if sum(len(c["content"]) for c in components if c["type"] == TEXT) > LONGEST_V2_TEXT:
        yield f"more than {LONGEST_V2_TEXT} characters of text"
    named = set(_attachments_named(body["components"]))
    yield from (f"attachment://{name} is not attached" for name in sorted(named - set(filenames)))
    yield from (f"{name} is attached and not shown" for name in sorted(set(filenames) - named))


def _attachments_named(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _attachments_named(item)
    elif isinstance(value, dict):
        url = value.get("url")
        if isinstance(url, str) and url.startswith("attachment://"):
            yield url.removeprefix("attachment://")
        for item in value.values():
            yield from _attachments_named(item)


def _classic_problems(
    body: Json, components: list[Json], filenames: list[str], *, new: bool
) -> Iterator[str]:
    if len(body.get("content") or "") > LONGEST_CONTENT:
        yield f"content of more than {LONGEST_CONTENT} characters"
    if len(body.get("components") or []) > 5:
        yield "more than 5 rows"
    if any(c["type"] > 8 for c in components):
        yield "such components need the components flag"
    if sum(_embed_size(embed) for embed in body.get("embeds") or []) > LONGEST_EMBEDS:
        yield f"embeds of more than {LONGEST_EMBEDS} characters"
    if new and not (body.get("content") or body.get("embeds") or filenames or components):
        yield "an empty message"


def _embed_size(embed: Json) -> int:
    texts = [embed.get("title"), embed.get("description")]
    texts += [embed.get("footer", {}).get("text"), embed.get("author", {}).get("name")]
    texts += [part for item in embed.get("fields", []) for part in (item["name"], item["value"])]
    return sum(len(text or "") for text in texts)
