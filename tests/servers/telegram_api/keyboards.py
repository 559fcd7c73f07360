"""Inline keyboards: the documented limits, and the links that a person may follow."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

_ACTIONS = (
    "callback_data", "url", "web_app", "login_url", "switch_inline_query", "copy_text", "callback_game",
    "pay", "switch_inline_query_current_chat", "switch_inline_query_chosen_chat",
)  # fmt: skip
_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
IN_A_ROW = 8
IN_ALL = 100


def faults(keyboard: list[list[dict[str, Any]]], bot_name: str, *, private: bool = True) -> list[str]:
    """Problems of an inline keyboard; empty when it may be sent."""
    buttons = [button for row in keyboard for button in row]
    found = [f"{len(row)} buttons in a row" for row in keyboard if len(row) > IN_A_ROW]
    if len(buttons) > IN_ALL:
        found.append(f"{len(buttons)} buttons on a message")
    for button in buttons:
        found += _button(button, bot_name)
        if "web_app" in button:
            found += app_faults(str(button["web_app"]["url"]), private=private)
    return found


def app_faults(url: str, *, private: bool) -> list[str]:
    """Problems of an app's address: it is allowed in private chats only, and over https only."""
    found = [] if private else ["BUTTON_TYPE_INVALID"]
    return found if urlsplit(url).scheme == "https" else [*found, f"BUTTON_URL_INVALID: {url!r}"]


def _button(button: dict[str, Any], bot_name: str) -> list[str]:
    found = []
    if not str(button.get("text", "")).strip():
        found.append("a button without words")
    actions = [name for name in _ACTIONS if name in button]
    if len(actions) != 1:
        found.append(f"a button with {len(actions)} actions")
    if "callback_data" in button and not 1 <= len(str(button["callback_data"]).encode()) <= 64:
        found.append("BUTTON_DATA_INVALID: callback_data must be 1 to 64 bytes")
    if "url" in button:
        found += link_faults(str(button["url"]), bot_name)
    return found


def link_faults(url: str, bot_name: str) -> list[str]:
    """A deep link's payload is at most 64 of A-Z a-z 0-9 _ -."""
    payload = start_payload(url, bot_name)
    if payload is not None and not _PAYLOAD.match(payload):
        return [f"a start payload that no link can carry: {payload!r}"]
    return [] if urlsplit(url).scheme in ("http", "https", "tg") else [f"a link that is none: {url!r}"]


def start_payload(url: str, bot_name: str) -> str | None:
    """The payload of a deep link to this bot, None for every other link."""
    parts = urlsplit(url)
    if parts.netloc != "t.me" or parts.path.strip("/") != bot_name:
        return None
    return parse_qs(parts.query, keep_blank_values=True).get("start", [None])[0]
