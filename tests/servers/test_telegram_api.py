"""The tests' Telegram server: every rule that it checks, broken on purpose and noticed."""

import asyncio
import json
import struct
import time
import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests.patience import PATIENCE
from tests.servers.telegram_api.client import (
    BOT_NAME,
    TOKEN,
    Control,
    Impossible,
    Person,
    eventually,
    telegram_process,
)
from tests.servers.telegram_api.client import telegram as empty_telegram
from tests.servers.telegram_api.faults import Kind

pytestmark = pytest.mark.long

_OLD_AND_NEW = ("old_chat_member", "new_chat_member")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server with small limits, so that tests reach them."""
    options = ("--group-limit", "3/60", "--private-limit", "6/60", "--callback-seconds", "0.5")
    with telegram_process(*options) as address:
        yield address


@pytest.fixture
async def telegram(url: str) -> AsyncIterator[Control]:
    async with empty_telegram(url) as control:
        yield control


@dataclass(frozen=True)
class Bot:
    """A bot without a library, which can do everything wrong."""

    url: str
    session: aiohttp.ClientSession

    async def __call__(self, method: str, /, *, token: str = TOKEN, **parameters: Any) -> dict[str, Any]:
        """The whole JSON answer to a call; bytes are uploaded."""
        form = aiohttp.FormData()
        for name, value in parameters.items():
            if isinstance(value, bytes):
                form.add_field(name, value, filename=f"{name}.png")
            else:
                form.add_field(name, value if isinstance(value, str) else json.dumps(value))
        async with self.session.post(f"{self.url}/bot{token}/{method}", data=form) as answer:
            body: dict[str, Any] = await answer.json()
        assert body["ok"] == (answer.status == 200)
        return body


@pytest.fixture
async def bot(telegram: Control) -> AsyncIterator[Bot]:
    async with aiohttp.ClientSession() as session:
        yield Bot(telegram.url, session)


def png(width: int = 20, height: int = 10) -> bytes:
    """A black picture."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    )


def keyboard(*rows: list[dict[str, str]]) -> dict[str, Any]:
    """A reply markup."""
    return {"inline_keyboard": list(rows)}


GO = {"text": "Go", "callback_data": "go"}


async def test_only_the_token_opens(bot: Bot) -> None:
    assert (await bot("getMe"))["result"]["username"] == BOT_NAME
    assert (await bot("getMe", token="7000000001:wrong"))["error_code"] == 401


async def test_the_official_description_is_kept_where_it_is_to_be_had(telegram: Control, bot: Bot) -> None:
    if not await telegram.ask("checks_description"):
        pytest.skip("the official description of the Bot API is not beside this checkout")
    ada = await telegram.person("Ada", started=True)
    await bot("sendMessage", chat_id=ada.id)
    await bot("sendMessage", chat_id=ada.id, text="a", colour="red")
    await bot("sendMessage", chat_id=ada.id, text="a", disable_notification="perhaps")
    styled = keyboard([GO | {"style": "pink"}])
    await bot("sendMessage", chat_id=ada.id, text="a", reply_markup=styled)
    await bot("sendMessage", chat_id=ada.id, text="a", reply_markup=keyboard([GO | {"size": "7"}]))
    await bot("editMessageMedia", chat_id=ada.id, message_id=1, media={"type": "photo"})
    await bot("sendFireworks")
    found = "\n".join(await telegram.findings())
    for fault in (
        "sendMessage: text is missing",
        "sendMessage: unknown parameter colour",
        "sendMessage.disable_notification: 'perhaps' is no Boolean",
        "style: 'pink' is none of danger, success, primary",
        "unknown field size of InlineKeyboardButton",
        "editMessageMedia.media: field media of InputMediaPhoto is missing",
        "sendFireworks: no such method",
    ):
        assert fault in found


BROKEN: list[tuple[str, dict[str, Any], str]] = [
    ("sendMessage", {"text": ""}, "text is empty"),
    ("sendMessage", {"text": "a" * 4097}, "text is too long"),
    ("sendMessage", {"text": "🔴" * 2049}, "text is too long"),
    ("sendPhoto", {"photo": png(), "caption": "a" * 1025}, "caption is too long"),
    ("sendMessage", {"text": "1 < 2", "parse_mode": "HTML"}, "Unsupported start tag"),
    ("sendMessage", {"text": "<b>a", "parse_mode": "HTML"}, "Can't find end tag"),
    ("sendMessage", {"text": "<b>a</i></b>", "parse_mode": "HTML"}, "Unmatched end tag"),
    ("sendMessage", {"text": '<tg-time unix="soon">a</tg-time>', "parse_mode": "HTML"}, "Invalid date-time"),
    ("sendMessage", {"text": '<a href="x y">a</a>', "parse_mode": "HTML"}, "a link that is none"),
    ("sendMessage", {"reply_markup": keyboard([GO] * 9)}, "9 buttons in a row"),
    ("sendMessage", {"reply_markup": keyboard(*[[GO] * 8] * 13)}, "104 buttons on a message"),
    ("sendMessage", {"reply_markup": keyboard([GO | {"callback_data": "é" * 33}])}, "BUTTON_DATA_INVALID"),
    ("sendMessage", {"reply_markup": keyboard([GO | {"url": "https://example.org"}])}, "with 2 actions"),
    ("sendMessage", {"reply_markup": keyboard([GO | {"text": " "}])}, "without words"),
    (
        "sendMessage",
        {"reply_markup": keyboard([{"text": "a", "url": f"https://t.me/{BOT_NAME}?start=a.b"}])},
        "a start payload that no link can carry",
    ),
    (
        "sendMessage",
        {"reply_markup": keyboard([{"text": "a", "url": f"https://t.me/{BOT_NAME}?start={'a' * 65}"}])},
        "a start payload that no link can carry",
    ),
    ("sendPhoto", {"photo": b"no picture"}, "IMAGE_PROCESS_FAILED"),
    ("sendPhoto", {"photo": png(210, 10)}, "PHOTO_INVALID_DIMENSIONS"),
    ("setMyCommands", {"commands": [{"command": "katıl", "description": "a"}]}, "BOT_COMMAND_INVALID"),
]


@pytest.mark.parametrize(("method", "parameters", "fault"), BROKEN)
async def test_what_a_message_may_not_be_is_refused_and_found(
    telegram: Control, bot: Bot, method: str, parameters: dict[str, Any], fault: str
) -> None:
    ada = await telegram.person("Ada", started=True)
    target = {} if method == "setMyCommands" else {"chat_id": ada.id}
    given = {"text": "a"} if method == "sendMessage" else {}
    answer = await bot(method, **(target | given | parameters))
    assert answer["error_code"] == 400
    assert fault in "\n".join(await telegram.findings())
    assert [shown for shown in await ada.read() if shown.from_bot] == []


@pytest.mark.parametrize("text", ["Tom & Jerry", "2 > 1"])
async def test_what_is_swallowed_though_not_escaped_is_found(telegram: Control, bot: Bot, text: str) -> None:
    ada = await telegram.person("Ada", started=True)
    assert (await bot("sendMessage", chat_id=ada.id, text=text, parse_mode="HTML"))["ok"]
    assert len(await telegram.findings()) == 1


async def test_what_is_right_is_shown_and_nothing_is_found(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada", started=True)
    text = ' <b>1 &lt; 2</b> &amp; <a href="https://example.org/">more</a> '
    styled = keyboard([GO | {"style": "success"}] * 8, [GO | {"callback_data": "x" * 64}])
    sent = await bot("sendMessage", chat_id=ada.id, text=text, parse_mode="HTML", reply_markup=styled)
    assert sent["result"]["entities"] == [
        {"type": "bold", "offset": 0, "length": 5},
        {"type": "text_link", "offset": 8, "length": 4, "url": "https://example.org/"},
    ]
    shown = await ada.sees(lambda message: True)
    assert shown.words == "1 < 2 & more"
    assert [len(row) for row in shown.buttons] == [8, 1]
    assert await telegram.findings() == []


async def test_twenty_a_minute_or_so_in_a_group_topics_and_edits_included(
    telegram: Control, bot: Bot
) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada, topics=("A", "B"))
    other = await telegram.group("Other", ada)
    sent = await bot("sendMessage", chat_id=group.id, message_thread_id=group.topics["A"], text="1")
    message = sent["result"]["message_id"]
    await bot("sendMessage", chat_id=group.id, message_thread_id=group.topics["B"], text="2")
    await bot("editMessageText", chat_id=group.id, message_id=message, text="3")
    assert await telegram.findings() == []
    refused = await bot("editMessageText", chat_id=group.id, message_id=message, text="4")
    assert refused["error_code"] == 429
    assert 55 <= refused["parameters"]["retry_after"] <= 60
    assert (await bot("sendMessage", chat_id=other.id, text="1"))["ok"]
    assert await telegram.findings() == [f"more than 3 messages and edits in 60 s for chat {group.id}"]


async def test_who_was_told_to_wait_must_wait(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada", started=True)
    await telegram.fail("429", chat=ada.id, seconds=30)
    assert (await bot("sendMessage", chat_id=ada.id, text="1"))["parameters"] == {"retry_after": 30}
    assert await telegram.findings() == []
    while not await telegram.findings():  # a request that was already sent is no fault
        assert (await bot("sendMessage", chat_id=ada.id, text="2"))["error_code"] == 429
        await asyncio.sleep(0.1)
    assert "before retry_after was over" in (await telegram.findings())[0]


async def test_the_whole_bot_has_a_limit_too() -> None:
    with telegram_process("--whole-limit", "3/600") as url:
        async with empty_telegram(url) as telegram, aiohttp.ClientSession() as session:
            bot = Bot(url, session)
            people = [await telegram.person(str(n), started=True) for n in range(4)]
            answers = [await bot("sendMessage", chat_id=one.id, text="a") for one in people]
            assert [answer["ok"] for answer in answers] == [True, True, True, False]
            assert await telegram.findings() == ["more than 3 messages and edits in 600 s in all"]


async def test_a_bot_writes_to_those_who_let_it(telegram: Control, bot: Bot) -> None:
    never, ada = await telegram.person("Never"), await telegram.person("Ada", started=True)
    assert (await bot("sendMessage", chat_id=never.id, text="a"))["error_code"] == 403
    await ada.block()
    blocked = await bot("sendMessage", chat_id=ada.id, text="a")
    assert blocked["description"] == "Forbidden: bot was blocked by the user"
    await ada.start()
    assert (await bot("sendMessage", chat_id=ada.id, text="a"))["ok"]
    assert (await bot("sendMessage", chat_id=1, text="a"))["description"] == "Bad Request: chat not found"


async def test_a_supergroup_takes_the_place_of_its_group(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada")
    old = await telegram.group("Club", ada, kind="group")
    new = await telegram.migrate(old)
    refused = await bot("sendMessage", chat_id=old.id, text="a")
    assert (refused["error_code"], refused["parameters"]) == (400, {"migrate_to_chat_id": new.id})
    first, second = (await bot("getUpdates"))["result"]
    assert (first["message"]["chat"]["id"], first["message"]["migrate_to_chat_id"]) == (old.id, new.id)
    assert (second["message"]["chat"]["id"], second["message"]["migrate_from_chat_id"]) == (new.id, old.id)
    assert (await bot("sendMessage", chat_id=new.id, text="a"))["ok"]
    with pytest.raises(Impossible):
        await telegram.migrate(new)


async def test_the_general_topic_is_never_named(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada, topics=("A",))
    for thread in (group.topics["General"], 9999):
        refused = await bot("sendMessage", chat_id=group.id, message_thread_id=thread, text="a")
        assert refused["description"] == "Bad Request: message thread not found"
    await ada.write(group, "/okey", topic=group.topics["General"])
    await ada.write(group, "/okey", topic=group.topics["A"])
    general, topic = (await bot("getUpdates"))["result"]
    assert "message_thread_id" not in general["message"]
    assert (topic["message"]["message_thread_id"], topic["message"]["is_topic_message"]) == (
        group.topics["A"],
        True,
    )


async def test_an_edit_must_change_something_that_is_there(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada", started=True)
    sent = (await bot("sendMessage", chat_id=ada.id, text="a"))["result"]["message_id"]
    same = await bot("editMessageText", chat_id=ada.id, message_id=sent, text="a")
    assert same["description"].startswith("Bad Request: message is not modified")
    gone = await bot("editMessageText", chat_id=ada.id, message_id=999, text="a")
    assert gone["description"] == "Bad Request: message to edit not found"
    foreign = await bot("editMessageText", chat_id=ada.id, message_id=sent - 1, text="a")
    assert foreign["description"] == "Bad Request: message can't be edited"
    media = {"type": "photo", "media": "attach://new", "caption": "b"}
    shown = await bot("editMessageMedia", chat_id=ada.id, message_id=sent, media=media, new=png())
    assert shown["result"]["caption"] == "b"
    no_text = await bot("editMessageText", chat_id=ada.id, message_id=sent, text="c")
    assert no_text["description"] == "Bad Request: there is no text in the message to edit"
    # Six are the limit of a private chat here, so the seventh message or edit is one too many.
    assert (await bot("editMessageReplyMarkup", chat_id=ada.id, message_id=sent))["error_code"] == 429


async def test_a_picture_is_known_by_its_id(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada", started=True)
    first = (await bot("sendPhoto", chat_id=ada.id, photo=png()))["result"]["photo"][-1]
    second = (await bot("sendPhoto", chat_id=ada.id, photo=first["file_id"]))["result"]["photo"][-1]
    assert first == second
    assert (first["width"], first["height"]) == (20, 10)
    assert await telegram.picture(first["file_id"]) == png()
    assert (await bot("sendPhoto", chat_id=ada.id, photo="unknown"))["error_code"] == 400


async def _pressed(telegram: Control, bot: Bot, ada: Person) -> str:
    await bot("getUpdates", offset=-1)
    await bot("sendMessage", chat_id=ada.id, text="a", reply_markup=keyboard([GO]))
    return await ada.press_only(await ada.sees(lambda shown: bool(shown.labels)), "Go")


async def test_a_press_is_answered_once(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada", started=True)
    press = await _pressed(telegram, bot, ada)
    assert await telegram.findings() == []
    update = (await bot("getUpdates"))["result"][-1]["callback_query"]
    assert (update["id"], update["data"], update["from"]["id"]) == (press, "go", ada.id)
    assert await telegram.findings() == ["the press 'go' was never answered"]
    assert (await bot("answerCallbackQuery", callback_query_id=press, text="Hi", show_alert=True))["ok"]
    said = await ada.answered(press)
    assert (said.text, said.alert) == ("Hi", True)
    assert await telegram.findings() == []
    assert not (await bot("answerCallbackQuery", callback_query_id=press))["ok"]
    assert "answered twice" in (await telegram.findings())[0]


async def test_a_press_is_answered_in_time(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada", started=True)
    press = await _pressed(telegram, bot, ada)
    await bot("getUpdates")
    await asyncio.sleep(0.6)
    late = await bot("answerCallbackQuery", callback_query_id=press)
    assert "query is too old" in late["description"]
    assert "answered after" in (await telegram.findings())[0]


async def test_who_was_down_may_be_late(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada", started=True)
    press = await _pressed(telegram, bot, ada)
    await asyncio.sleep(0.6)
    await bot("getUpdates")
    assert "query is too old" in (await bot("answerCallbackQuery", callback_query_id=press))["description"]
    assert [found for found in await telegram.findings() if "never" not in found] == []


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ({"text": "a" * 201}, "at most 200"),
        ({"url": f"https://t.me/{BOT_NAME}?start=a%20b"}, "no link can carry"),
        ({"url": "https://example.org/"}, "only links that start this bot"),
    ],
)
async def test_an_answer_has_its_limits(
    telegram: Control, bot: Bot, answer: dict[str, str], fault: str
) -> None:
    ada = await telegram.person("Ada", started=True)
    press = await _pressed(telegram, bot, ada)
    await bot("getUpdates")
    assert not (await bot("answerCallbackQuery", callback_query_id=press, **answer))["ok"]
    assert fault in (await telegram.findings())[0]


async def test_people_do_only_what_their_app_offers(telegram: Control, bot: Bot) -> None:
    ada, can = await telegram.person("Ada", started=True), await telegram.person("Can", started=True)
    await bot("sendMessage", chat_id=ada.id, text="a", reply_markup=keyboard([GO]))
    shown = await ada.sees(lambda message: bool(message.labels))
    link = f"https://t.me/{BOT_NAME}?start=abc"
    for impossible in (
        can.press_only(shown, "Go"),
        ada.press_only(shown, "Stop"),
        can.read(ada.id),
        ada.follow(link),
        ada.follow("https://example.org/"),
    ):
        with pytest.raises(Impossible):
            await impossible
    await bot("editMessageText", chat_id=ada.id, message_id=shown.id, text="b")
    with pytest.raises(Impossible):
        await ada.press_only(shown, "Go")
    await bot("sendMessage", chat_id=ada.id, text="c", reply_markup=keyboard([{"text": "Come", "url": link}]))
    await ada.follow(link)
    assert (await bot("getUpdates"))["result"][-1]["message"]["text"] == "/start abc"


async def test_privacy_mode_is_on(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada")
    group = await telegram.group("Club", ada)
    for text in ("hello", "/okey@other_bot", "/okey@Okey_Bot 4", "/okey"):
        await ada.write(group, text)
    heard = [update["message"]["text"] for update in (await bot("getUpdates"))["result"]]
    assert heard == ["/okey@Okey_Bot 4", "/okey"]
    await telegram.ask("promote_bot", chat_id=group.id)
    await ada.write(group, "hello again")
    assert (await bot("getUpdates"))["result"][-1]["message"]["text"] == "hello again"


async def test_a_bot_hears_what_becomes_of_its_rights(telegram: Control, bot: Bot) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    for act in ("promote_bot", "promote_bot", "let_bot_pin", "demote_bot", "silence_bot", "remove_bot"):
        await telegram.ask(act, chat_id=group.id)
    heard = [update["my_chat_member"] for update in (await bot("getUpdates"))["result"]]
    rights = [
        tuple((each[key]["status"], each[key].get("can_pin_messages")) for key in _OLD_AND_NEW)
        for each in heard
    ]
    assert rights == [
        (("member", None), ("administrator", False)),
        (("administrator", False), ("administrator", True)),
        (("administrator", True), ("member", None)),
        (("member", None), ("restricted", False)),
        (("restricted", False), ("kicked", None)),
    ]


async def test_where_members_may_not_write_administrators_may(telegram: Control, bot: Bot) -> None:
    group = await telegram.group("Club", await telegram.person("Ada"))
    await telegram.ask("let_members_write", chat_id=group.id, may=False)
    refused = await bot("sendMessage", chat_id=group.id, text="a")
    assert (refused["error_code"], "not enough rights" in refused["description"]) == (400, True)
    await telegram.ask("promote_bot", chat_id=group.id)
    assert (await bot("sendMessage", chat_id=group.id, text="a"))["ok"]
    await telegram.ask("demote_bot", chat_id=group.id)
    assert not (await bot("sendMessage", chat_id=group.id, text="a"))["ok"]


async def test_an_update_is_told_until_it_is_confirmed(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada", started=True)
    first = (await bot("getUpdates"))["result"]
    assert (await bot("getUpdates"))["result"] == first
    waiting = asyncio.create_task(bot("getUpdates", offset=first[0]["update_id"] + 1, timeout=10))
    await asyncio.sleep(0.05)
    await ada.write(ada.id, "/help")
    assert [update["message"]["text"] for update in (await waiting)["result"]] == ["/help"]


async def test_two_cannot_poll_at_once(telegram: Control, bot: Bot) -> None:
    first = asyncio.create_task(bot("getUpdates", timeout=10))
    await _until_polled(telegram)
    second = asyncio.create_task(bot("getUpdates", timeout=10))
    assert (await first)["error_code"] == 409
    await telegram.person("Ada", started=True)
    assert len((await second)["result"]) == 1


async def _until_polled(telegram: Control) -> None:
    async def look() -> bool | None:
        return bool(await telegram.calls("getUpdates")) or None

    await eventually(look, PATIENCE, "nobody polled")


async def test_a_webhook_is_pushed_to_until_it_takes_the_update(telegram: Control, bot: Bot) -> None:
    got: list[tuple[str, str]] = []
    done = asyncio.Event()

    async def take(request: web.Request) -> web.Response:
        update = await request.json()
        got.append((update["message"]["text"], request.headers["X-Telegram-Bot-Api-Secret-Token"]))
        if len(got) == 3:
            done.set()
        return web.Response(status=500 if len(got) == 1 else 200)

    app = web.Application()
    app.router.add_post("/hook", take)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    hook = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    assert not (await bot("setWebhook", url=hook, secret_token="not allowed!"))["ok"]
    assert (await bot("setWebhook", url=hook, secret_token="secret_1"))["ok"]
    assert (await bot("getUpdates"))["error_code"] == 409
    ada = await telegram.person("Ada", started=True)
    await ada.write(ada.id, "/help")
    await asyncio.wait_for(done.wait(), PATIENCE)
    assert got == [("/start", "secret_1"), ("/start", "secret_1"), ("/help", "secret_1")]
    assert (await bot("deleteWebhook"))["ok"]
    assert (await bot("getWebhookInfo"))["result"]["url"] == ""
    await runner.cleanup()


@pytest.mark.parametrize(("kind", "arrives"), [("drop", 0), ("hang", 0), ("lost", 1)])
async def test_connections_break(telegram: Control, bot: Bot, kind: Kind, arrives: int) -> None:
    ada = await telegram.person("Ada", started=True)
    await telegram.fail(kind, method="sendMessage", seconds=0.1)
    with pytest.raises(aiohttp.ClientError):
        await bot("sendMessage", chat_id=ada.id, text="a")
    assert len([shown for shown in await ada.read() if shown.from_bot]) == arrives
    assert (await bot("sendMessage", chat_id=ada.id, text="a"))["ok"]


async def test_every_call_is_remembered(telegram: Control, bot: Bot) -> None:
    ada = await telegram.person("Ada", started=True)
    before = time.time()
    await bot("sendPhoto", chat_id=ada.id, photo=png(), caption="7")
    await bot("deleteMessage", chat_id=ada.id, message_id=99)
    sent, deleted = await telegram.calls()
    assert (sent.method, sent.status, sent.parameters["caption"]) == ("sendPhoto", 200, "7")
    assert sent.parameters["file:photo"] == len(png())
    assert before <= sent.at <= time.time()
    assert (deleted.status, deleted.description) == (400, "Bad Request: message to delete not found")
