"""Whether the Telegram bot is known to Telegram and set up for groups."""

from typing import Any

from aiohttp import ClientSession

from bot.doctor.report import Finding, NoAnswer, advice, ask, good, printable, wrong
from bot.settings import Settings


async def examine_telegram(settings: Settings, web: ClientSession) -> list[Finding]:
    """Nothing when there is no token."""
    if settings.telegram_token is None:
        return []
    url = f"{settings.telegram_api_url}/bot{settings.telegram_token.reveal()}/getMe"
    try:
        status, answer = await ask(web, url)
    except NoAnswer:
        return [
            wrong(
                "telegram_unreachable",
                "Telegram gives no answer: check this machine's network, and TELEGRAM_API_URL if you set it.",
            )
        ]
    if status in (401, 404):
        return [
            wrong(
                "telegram_token",
                "Telegram refuses TELEGRAM_TOKEN: ask @BotFather for it with /token and copy it again.",
            )
        ]
    if status != 200 or not isinstance(answer, dict) or not isinstance(answer.get("result"), dict):
        return [
            wrong("telegram_answer", f"Telegram answers with status {status}: try again in some minutes.")
        ]
    return _of_bot(answer["result"])


def _of_bot(bot: dict[str, Any]) -> list[Finding]:
    name = f"@{printable(bot.get('username'))}"
    findings = [good("telegram_token", f"Telegram knows the bot as {name}.")]
    if bot.get("can_join_groups", True):
        findings.append(good("telegram_groups", f"{name} can be added to groups."))
    else:
        findings.append(
            wrong("telegram_groups", f"{name} can't be added to groups: send /setjoingroups to @BotFather.")
        )
    if bot.get("can_read_all_group_messages", False):
        findings.append(
            advice(
                "telegram_privacy",
                f"{name} is sent everything that its groups write, and needs none of it:"
                " send /setprivacy to @BotFather and choose Enable.",
            )
        )
    return findings
