"""App: whether people reach the table as an app, and whether Discord has its Activity switched on."""

from typing import Any, Final

from aiohttp import ClientSession

from bot.doctor.report import Finding, NoAnswer, advice, ask, good, wrong
from bot.settings import Settings

EMBEDDED: Final = 1 << 17
"""Discord's flag of an application with Activities."""


async def examine_app(settings: Settings, web: ClientSession) -> list[Finding]:
    """The findings about the public address; none without one."""
    if settings.web_url is None:
        return []
    if not settings.web_url.startswith("https://"):
        return [wrong("web_url", "Telegram and Discord open no app at WEB_URL: it must begin with https://.")]
    findings = [await _of_page(settings.web_url, web)]
    if await _status(f"{settings.web_url}/metrics", web) == 200:
        words = (
            "Everybody can read /metrics under WEB_URL: let your proxy pass what deploy/app.Caddyfile lists."
        )
        findings.append(advice("web_metrics", words))
    return findings


async def _of_page(url: str, web: ClientSession) -> Finding:
    status = await _status(f"{url}/", web)
    if status == 200:
        return good("web_url", "People reach the app at WEB_URL.")
    answer = f"answers with status {status}" if status else "gives no answer"
    words = f"WEB_URL {answer}: start the program, and let your proxy pass the address to WEB_PORT."
    return wrong("web_url", words)


async def _status(url: str, web: ClientSession) -> int:
    """The status of an address's answer; 0: no answer."""
    try:
        status, _ = await ask(web, url)
    except NoAnswer:
        return 0
    return status


def of_activity(application: dict[str, Any]) -> list[Finding]:
    """The obstacles to the Activity in Discord's description of an application."""
    findings = []
    if not int(application.get("flags") or 0) & EMBEDDED:
        words = "in the developer portal, under Activities, switch Enable Activities on."
        findings.append(wrong("discord_activity", f"Discord opens no Activity: {words}"))
    if not application.get("redirect_uris"):
        words = "in the developer portal, under OAuth2, add any redirect address."
        findings.append(wrong("discord_redirect", f"The Activity can't ask who opened it: {words}"))
    return findings or [good("discord_activity", "Discord opens the table as an Activity.")]
