"""The library's calls through aiohttp: what fails is told in the library's words, without the bot's token."""

import asyncio
import traceback
from collections.abc import AsyncIterator

import pytest
from aiohttp.test_utils import unused_port
from telegram import Bot
from telegram.error import NetworkError, TimedOut

from adapters.telegram_chat.http import AiohttpRequest

TOKEN = "123456:not-to-be-told"


@pytest.fixture
async def request_() -> AsyncIterator[AiohttpRequest]:
    async with AiohttpRequest(connections=1, patience=0.2) as request:
        yield request


def bot_at(port: int, request: AiohttpRequest) -> Bot:
    return Bot(TOKEN, base_url=f"http://127.0.0.1:{port}/bot", request=request)


async def test_a_server_that_cannot_be_reached_is_a_network_error(request_: AiohttpRequest) -> None:
    with pytest.raises(NetworkError) as failed:
        await bot_at(unused_port(), request_).get_me()
    assert not isinstance(failed.value, TimedOut)
    assert TOKEN not in "".join(traceback.format_exception(failed.value))


async def test_a_server_that_never_answers_is_given_up(request_: AiohttpRequest) -> None:
    asked = asyncio.Event()

    async def never_answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()

    async with await asyncio.start_server(never_answer, "127.0.0.1", 0) as server:
        with pytest.raises(TimedOut) as failed:
            await bot_at(server.sockets[0].getsockname()[1], request_).get_me()
    assert asked.is_set()
    assert TOKEN not in "".join(traceback.format_exception(failed.value))


async def test_nothing_is_asked_before_it_is_initialized() -> None:
    with pytest.raises(NetworkError):
        await bot_at(unused_port(), AiohttpRequest(connections=1, patience=0.2)).get_me()
