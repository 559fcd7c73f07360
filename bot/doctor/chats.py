"""Chats: whether Telegram and Discord know the bot, and whether it is set up and allowed to play there."""

from typing import Final, TypeVar

import msgspec
from aiohttp import ClientSession
from msgspec import Struct

from bot.doctor.report import Finding, NoAnswer, advice, ask, good, printable, wrong
from bot.settings import Settings

ADMINISTRATOR: Final = 1 << 3
PERMISSIONS: Final = {
    "View Channels": 1 << 10,
    "Send Messages": 1 << 11,
    "Attach Files": 1 << 15,
    "Send Messages in Threads": 1 << 38,
}
"""The permissions that the bot needs on Discord, named as in the server settings. Its tiles are emojis of its
own and need none."""

EMBEDDED: Final = 1 << 17
"""Discord's flag of an application with Activities."""
INVITE: Final = "https://discord.com/oauth2/authorize?client_id={id}&scope=bot+applications.commands&permissions={permissions}"

T = TypeVar("T")


class _Bot(Struct):
    username: str
    can_join_groups: bool = True
    can_read_all_group_messages: bool = False


class _Me(Struct):
    result: _Bot


class _User(Struct):
    username: str


class _Application(Struct):
    id: str
    verify_key: str = ""
    interactions_endpoint_url: str | None = None
    bot_require_code_grant: bool = False
    flags: int | None = None
    redirect_uris: list[str] | None = None


class _Starts(Struct):
    remaining: int


class _Gateway(Struct):
    session_start_limit: _Starts


class _Server(Struct):
    name: str
    permissions: int
    """Discord writes it as text."""


async def examine_telegram(settings: Settings, web: ClientSession) -> list[Finding]:
    """Return the findings about Telegram; none without a token."""
    if settings.telegram_token is None:
        return []
    url = f"{settings.telegram_api_url}/bot{settings.telegram_token.reveal()}/getMe"
    try:
        status, answer = await ask(web, url)
    except NoAnswer:
        return [_unreachable("Telegram")]
    if status in (401, 404):
        asked = "ask @BotFather for it with /token and copy it again."
        return [wrong("telegram_token", f"Telegram refuses TELEGRAM_TOKEN: {asked}")]
    if status != 200:
        return [_bad_status("Telegram", status)]
    try:
        return _of_bot(msgspec.convert(answer, _Me).result)
    except msgspec.ValidationError:  # it is no Telegram that answers
        return [_bad_status("Telegram", status)]


async def examine_discord(settings: Settings, web: ClientSession) -> list[Finding]:
    """Return the findings about Discord; none without a token."""
    if settings.discord_token is None:
        return []
    try:
        user = await ask_discord(settings, web, "users/@me", _User)
        application = await ask_discord(settings, web, "applications/@me", _Application)
        gateway = await ask_discord(settings, web, "gateway/bot", _Gateway)
        return [
            good("discord_token", f"Discord knows the bot as {printable(user.username)}."),
            *_of_application(application, settings.discord_public_key),
            *([] if settings.discord_client_secret is None else _of_activity(application)),
            # With the key, people's acts are posted, and no gateway is opened.
            *([] if settings.discord_public_key else [_of_gateway(gateway)]),
            *await _of_servers(settings, web, application.id),
        ]
    except BadStatus as bad:
        if bad.status == 401:
            reset = "reset it in the developer portal, under Bot, and copy it again."
            return [wrong("discord_token", f"Discord refuses DISCORD_TOKEN: {reset}")]
        return [_bad_status("Discord", bad.status)]
    except NoAnswer:
        return [_unreachable("Discord")]
    except msgspec.ValidationError:  # it is no Discord that answers
        return [_bad_status("Discord", 200)]


async def ask_discord(settings: Settings, web: ClientSession, path: str, kind: type[T]) -> T:
    """Return Discord's answer at a path. Raises BadStatus, NoAnswer, msgspec.ValidationError."""
    assert settings.discord_token is not None
    headers = {"Authorization": f"Bot {settings.discord_token.reveal()}"}
    status, answer = await ask(web, f"{settings.discord_api_url}/{path}", headers)
    if status != 200:
        raise BadStatus(status)
    return msgspec.convert(answer, kind, strict=False)


class BadStatus(Exception):
    """Raised for an answer with another status than 200."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def _unreachable(chat: str) -> Finding:
    check = f"check this machine's network, and {chat.upper()}_API_URL if you set it."
    return wrong(f"{chat.lower()}_unreachable", f"{chat} gives no answer: {check}")


def _bad_status(chat: str, status: int) -> Finding:
    if status == 200:
        words = f"What answers is not {chat}: check {chat.upper()}_API_URL, and this machine's network."
        return wrong(f"{chat.lower()}_answer", words)
    return wrong(f"{chat.lower()}_answer", f"{chat} answers with status {status}: try again in some minutes.")


def _of_bot(bot: _Bot) -> list[Finding]:
    name = f"@{printable(bot.username)}"
    findings = [good("telegram_token", f"Telegram knows the bot as {name}.")]
    if bot.can_join_groups:
        findings.append(good("telegram_groups", f"{name} can be added to groups."))
    else:
        findings.append(
            wrong("telegram_groups", f"{name} can't be added to groups: send /setjoingroups to @BotFather.")
        )
    if bot.can_read_all_group_messages:
        findings.append(
            advice(
                "telegram_privacy",
                f"{name} is sent everything that its groups write, and needs none of it:"
                " send /setprivacy to @BotFather and choose Enable.",
            )
        )
    return findings


def _of_application(application: _Application, public_key: str | None) -> list[Finding]:
    findings = []
    endpoint = application.interactions_endpoint_url
    if public_key is not None and public_key.lower() != application.verify_key:
        words = "copy Public Key again from the developer portal, under General Information."
        findings.append(wrong("discord_key", f"DISCORD_PUBLIC_KEY is not this bot's: {words}"))
    elif public_key is not None and not endpoint:
        findings.append(
            wrong(
                "discord_endpoint",
                "Discord posts no press yet: in the developer portal, under General Information,"
                " set Interactions Endpoint URL to the public address of /discord/interactions.",
            )
        )
    if public_key is None and endpoint:
        findings.append(
            wrong(
                "discord_endpoint",
                "Discord sends every press elsewhere: in the developer portal, under General Information,"
                " empty Interactions Endpoint URL, or set DISCORD_PUBLIC_KEY.",
            )
        )
    if application.bot_require_code_grant:
        findings.append(
            wrong(
                "discord_code_grant",
                "The bot can't be invited: in the developer portal, under Bot,"
                " switch Requires OAuth2 Code Grant off.",
            )
        )
    return findings


def _of_gateway(gateway: _Gateway) -> Finding:
    if gateway.session_start_limit.remaining == 0:
        words = "The bot was started too often today: Discord lets it in again tomorrow."
        return wrong("discord_gateway", words)
    return good("discord_gateway", "Discord's gateway is open to the bot.")


async def _of_servers(settings: Settings, web: ClientSession, application: str) -> list[Finding]:
    try:
        servers = await ask_discord(settings, web, "users/@me/guilds", list[_Server])
    except BadStatus as bad:
        words = f"Discord doesn't say in which servers the bot is (status {bad.status})."
        return [advice("discord_servers", words)]
    if not servers:
        invite = INVITE.format(id=application, permissions=sum(PERMISSIONS.values()))
        return [advice("discord_servers", f"The bot is in no server yet; invite it: {invite}")]
    return [_of_server(server) for server in servers]


def _of_server(server: _Server) -> Finding:
    name = f"“{printable(server.name)}”"
    missing = [words for words, bit in PERMISSIONS.items() if not server.permissions & (bit | ADMINISTRATOR)]
    if missing:
        words = f"In {name} the bot's role lacks {', '.join(missing)}: add it under Roles."
        return wrong("discord_permissions", words)
    return good("discord_permissions", f"In {name} the bot may do all that it needs.")


def _of_activity(application: _Application) -> list[Finding]:
    """Return the obstacles to the Activity in Discord's description of an application."""
    findings = []
    if not (application.flags or 0) & EMBEDDED:
        words = "in the developer portal, under Activities, switch Enable Activities on."
        findings.append(wrong("discord_activity", f"Discord opens no Activity: {words}"))
    if not application.redirect_uris:
        words = "in the developer portal, under OAuth2, add any redirect address."
        findings.append(wrong("discord_redirect", f"The Activity can't ask who opened it: {words}"))
    return findings or [good("discord_activity", "Discord opens the table as an Activity.")]
