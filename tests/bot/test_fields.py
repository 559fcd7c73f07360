"""Values that everything is made of stay small enough to be read at once: more is told by values of their
own."""

from dataclasses import fields

import pytest
from msgspec.structs import fields as struct_fields

from bot.handlers.context import RequestContext
from bot.handlers.services import Services
from bot.screens.offer import Offer
from bot.tables.facts import RackFacts, SeatFacts, TableFacts

MOST = 20


@pytest.mark.parametrize("kind", [Services, RequestContext, RackFacts])
def test_no_value_has_more_than_twenty_fields(kind: type) -> None:
    assert len(fields(kind)) <= MOST


@pytest.mark.parametrize("kind", [TableFacts, SeatFacts, Offer])
def test_no_struct_has_more_than_twenty_fields(kind: type) -> None:
    assert len(struct_fields(kind)) <= MOST
