"""Whether the Discord bot is known to Discord, set up to be pressed, and allowed to write."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from aiohttp import ClientSession

from bot.doctor.report import Finding, NoAnswer, advice, ask, good, printable, wrong
from bot.settings import Settings

Get = Callable[[str], Awaitable[Any]]
"""Asks Discord for a path; raises _Refused or NoAnswer."""

ADMINISTRATOR: Final = 1 << 3
PERMISSIONS: Final = {
    "View Channels": 1 << 10,
    "Send Messages": 1 << 11,
    "Attach Files": 1 << 15,
    "Send Messages in Threads": 1 << 38,
}
"""What the bot needs, as the server settings call it. Its tiles are emojis of its own and need nothing."""

INVITE: Final = "https://discord.com/oauth2/authorize?client_id={id}&scope=bot+applications.commands&permissions={permissions}"


class _Refused(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


async def examine_discord(settings: Settings, web: ClientSession) -> list[Finding]:
    """Nothing when there is no token."""
    if settings.discord_token is None:
        return []
    headers = {"Authorization": f"Bot {settings.discord_token.reveal()}"}

    async def get(path: str) -> Any:
        status, answer = await ask(web, f"{settings.discord_api_url}/{path}", headers)
        if status != 200 or answer is None:
            raise _Refused(status)
        return answer

    try:
        return await _examine(get)
    except _Refused as refused:
        return [_refusal(refused.status)]
    except NoAnswer:
        return [
            wrong(
                "discord_unreachable",
                "Discord gives no answer: check this machine's network, and DISCORD_API_URL if you set it.",
            )
        ]


async def _examine(get: Get) -> list[Finding]:
    user = await get("users/@me")
    application = await get("applications/@me")
    gateway = await get("gateway/bot")
    return [
        good("discord_token", f"Discord knows the bot as {printable(user['username'])}."),
        *_of_application(application),
        *_of_gateway(gateway),
        *await _of_servers(application["id"], get),
    ]


def _refusal(status: int) -> Finding:
    if status == 401:
        return wrong(
            "discord_token",
            "Discord refuses DISCORD_TOKEN: reset it in the developer portal, under Bot, and copy it again.",
        )
    return wrong("discord_answer", f"Discord answers with status {status}: try again in some minutes.")


def _of_application(application: dict[str, Any]) -> list[Finding]:
    findings = []
    if application.get("interactions_endpoint_url"):
        findings.append(
            wrong(
                "discord_endpoint",
                "Discord sends every press elsewhere: in the developer portal, under General Information,"
                " empty Interactions Endpoint URL.",
            )
        )
    if application.get("bot_require_code_grant"):
        findings.append(
            wrong(
                "discord_code_grant",
                "The bot can't be invited: in the developer portal, under Bot,"
                " switch Requires OAuth2 Code Grant off.",
            )
        )
    return findings


def _of_gateway(gateway: dict[str, Any]) -> list[Finding]:
    if gateway["session_start_limit"]["remaining"] == 0:
        return [
            wrong(
                "discord_gateway", "The bot was started too often today: Discord lets it in again tomorrow."
            )
        ]
    return [good("discord_gateway", "Discord's gateway is open to the bot.")]


async def _of_servers(application: str, get: Get) -> list[Finding]:
    try:
        servers = await get("users/@me/guilds")
    except _Refused as refused:
        words = f"Discord doesn't say in which servers the bot is (status {refused.status})."
        return [advice("discord_servers", words)]
    if not servers:
        invite = INVITE.format(id=application, permissions=sum(PERMISSIONS.values()))
        return [advice("discord_servers", f"The bot is in no server yet; invite it: {invite}")]
    return [_of_server(server) for server in servers]


def _of_server(server: dict[str, Any]) -> Finding:
    allowed = int(server["permissions"])
    name = f"“{printable(server['name'])}”"
    missing = [words for words, bit in PERMISSIONS.items() if not allowed & (bit | ADMINISTRATOR)]
    if missing:
        return wrong(
            "discord_permissions", f"In {name} the bot's role lacks {', '.join(missing)}: add it under Roles."
        )
    return good("discord_permissions", f"In {name} the bot may do all that it needs.")
