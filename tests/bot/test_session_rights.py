"""A session of the app grants nothing that changes who a person is, or that outlives *Log out everywhere*."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import redis

from bot.handlers.apps import AppVisit
from bot.handlers.declarations import BUTTONS, COMMANDS
from bot.people.profiles import Profiles
from bot.people.tokens import HashedTokens
from bot.ports import Answer, Person
from bot.store import Store
from tests.bot.two_chats import code_for, two_chats

ADA = Person("dc:11", "Ada", "en")
ADA_TG = Person("tg:11", "Ada", "en")

COMMANDS_IN_CHAT = {"app", "forget", "link", "mydata", "start", "unlink"}
BUTTONS_IN_CHAT = {"forget_now", "league_page", "link_no", "link_yes"}


@asynccontextmanager
async def stolen_session(store: Store) -> AsyncIterator[tuple[AppVisit, str]]:
    """A page that a thief has opened by Ada's session, and a code that links to an account of the thief."""
    async with two_chats(store, web_url="https://okey.example.org") as house:
        apps = house.app.apps
        code = await code_for(house, ADA_TG)
        async with apps.visit(await apps.begin(ADA), "") as page:
            yield page, code


async def test_every_command_and_button_is_refused_that_changes_who_somebody_is(
    store: Store, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    put = HashedTokens.put

    async def noted(self: HashedTokens, kind: str, *rest: object, **more: object) -> None:
        made.append(kind)
        await put(self, kind, *rest, **more)  # type: ignore[arg-type]

    async def reached(self: Profiles, person: str, *, open: bool = True) -> None:
        raise AssertionError("a session is no private message")

    async with stolen_session(store) as (page, code):
        monkeypatch.setattr(HashedTokens, "put", noted)
        monkeypatch.setattr(Profiles, "note_reached", reached)
        asked: dict[str, Answer] = {}
        for verb in COMMANDS:
            for argument in ("", code):
                asked[f"/{verb}"] = await page.command(verb, argument, f"{verb} {argument}")
        for verb in sorted(BUTTONS, key=lambda verb: verb == "log_out"):  # the last: it ends the session
            asked[verb] = await page.press(f"{verb}.me.0.{code}", verb, public=False)
    refused = {verb for verb, answer in asked.items() if answer.code == "private_only"}
    assert refused == {f"/{verb}" for verb in COMMANDS_IN_CHAT} | BUTTONS_IN_CHAT
    assert not {"link", "personal", "session"} & {*made}
    with redis.Redis.from_url(valkey_url) as client:
        assert list(client.scan_iter("link:*")) == []


async def test_a_command_is_known_in_every_way_that_it_can_be_typed(store: Store) -> None:
    async with stolen_session(store) as (page, code):
        for verb, line in (
            ("okey", f"link {code}"),
            ("play", "forget"),
            ("talk", "unlink"),
            ("bağla", code),
            ("link", code.lower()),
            ("my", "app"),
        ):
            answer = await page.command(verb, line, f"{verb} {line}")
            assert answer.code in ("private_only", "unknown_command", "here_only"), verb
            assert answer.page is None
