"""What only some platforms have is a protocol of its own: each chat has all of one, as the protocol says, or
nothing of it."""

from inspect import signature
from typing import Any

import pytest

from adapters.discord_chat.chat import DiscordChat
from adapters.telegram_chat.chat import TelegramChat
from adapters.web.local_chat import LocalChat
from bot.ports import Calendar, Chat, DirectChannels, EphemeralRacks, Pins, Roles, Rooms
from tests.bot.house import MemoryChat

CAPABILITIES: tuple[Any, ...] = (DirectChannels, EphemeralRacks, Rooms, Pins, Calendar, Roles)
HAVE: dict[type, set[Any]] = {
    DiscordChat: {DirectChannels, EphemeralRacks, Rooms, Calendar, Roles},
    TelegramChat: {EphemeralRacks, Rooms, Pins},
    LocalChat: set(),
    MemoryChat: {*CAPABILITIES},
}


def methods(protocol: type) -> set[str]:
    return {name for name in vars(protocol) if not name.startswith("_")}


@pytest.mark.parametrize("chat", HAVE, ids=lambda each: each.__name__)
def test_a_chat_has_a_whole_capability_or_nothing_of_it(chat: type) -> None:
    for capability in CAPABILITIES:
        has = capability in HAVE[chat]
        assert issubclass(chat, capability) == has
        for name in methods(capability):
            assert hasattr(chat, name) == has
            if has:
                theirs, ours = signature(getattr(chat, name)), signature(getattr(capability, name))
                assert list(theirs.parameters) == list(ours.parameters), name


def test_no_chat_has_a_silent_default_for_what_it_lacks() -> None:
    assert not {name for each in CAPABILITIES for name in methods(each)} & methods(Chat)
