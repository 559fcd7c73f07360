"""Values that everything is made of stay small enough to be read at once: more is told by values of their
own."""

from dataclasses import fields

import pytest
from msgspec.structs import fields as struct_fields

from bot.handlers.context import RequestContext
from bot.handlers.services import Services
from bot.ports import Chat, DeliveryPort, Dispatcher, Features, Limits, Links, Places, Timeline
from bot.screens.offer import Offer
from bot.tables.facts import RackFacts, SeatFacts, TableFacts

MOST = 20


@pytest.mark.parametrize("kind", [Services, RequestContext, RackFacts, Features])
def test_no_value_has_more_than_twenty_fields(kind: type) -> None:
    assert len(fields(kind)) <= MOST


@pytest.mark.parametrize("kind", [TableFacts, SeatFacts, Offer])
def test_no_struct_has_more_than_twenty_fields(kind: type) -> None:
    assert len(struct_fields(kind)) <= MOST


@pytest.mark.parametrize("port", [Chat, Limits, Links, Places, Timeline, Dispatcher, DeliveryPort])
def test_no_port_has_more_than_twenty_members(port: type) -> None:
    assert 0 < len(members(port)) <= MOST


def test_the_core_of_a_chat_has_about_ten_members() -> None:
    assert len(members(Chat)) <= 12


def members(port: type) -> set[str]:
    """Return the names of a protocol's own and inherited members."""
    classes = [each for each in port.__mro__ if each.__module__ == port.__module__]
    named = {name for each in classes for name in (*vars(each), *vars(each).get("__annotations__", {}))}
    return {name for name in named if not name.startswith("_")}
