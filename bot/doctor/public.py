"""Public bot: what somebody owes who runs a bot that anybody may use, as far as the platforms tell.

Telegram's terms ask each bot for a privacy policy, Discord asks public applications for a policy and terms,
and people want to know what the bot is and who answers for it. None of it prevents a game among friends.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from aiohttp import ClientSession
from msgspec import Struct

from bot.doctor.chats import BadStatus, ask_discord
from bot.doctor.report import Finding, NoAnswer, advice, ask, by_hand, good
from bot.i18n import LANGUAGES
from bot.settings import Settings

VERIFIED: Final = 1 << 16
"""Discord's public flag of a verified bot."""
UNVERIFIED_SERVERS: Final = 75
"""Servers from which an application can be verified; without that it is let into no more than 100."""
MANY_SERVERS: Final = 2000
"""Servers from which to prepare for 2500: from there on Discord refuses a gateway of one connection."""


class _Profile(Struct):
    public_flags: int = 0


class _Listing(Struct):
    bot_public: bool = True
    description: str = ""
    privacy_policy_url: str | None = None
    terms_of_service_url: str | None = None
    approximate_guild_count: int = 0


class _Described(Struct):
    description: str = ""
    short_description: str = ""


class _Answer(Struct):
    result: _Described


async def examine_public(settings: Settings, web: ClientSession) -> list[Finding]:
    """Return the findings about a bot for the public; none without a token."""
    findings: list[Finding] = []
    if settings.telegram_token is not None:
        findings += await _of_telegram(settings, settings.telegram_token.reveal(), web)
    if settings.discord_token is not None:
        findings += await _of_discord(settings, web)
    return [*_of_operator(settings), *findings] if findings else []


def _of_operator(settings: Settings) -> Iterator[Finding]:
    if settings.operator_name and settings.operator_contact:
        yield good("public_contact", "People are told who runs the bot, and how to reach them.")
    else:
        words = "set OPERATOR_NAME and OPERATOR_CONTACT, for /privacy and the terms."
        yield advice("public_contact", f"People aren't told who runs the bot, or how to reach them: {words}")


async def _of_telegram(settings: Settings, token: str, web: ClientSession) -> list[Finding]:
    """Return the findings about Telegram; none while it gives no answer, which others tell."""
    lacking = []
    try:
        for language in LANGUAGES:
            for method, field in (
                ("getMyDescription", "description"),
                ("getMyShortDescription", "short_description"),
            ):
                url = f"{settings.telegram_api_url}/bot{token}/{method}?language_code={language}"
                status, answer = await ask(web, url)
                if status != 200:
                    return []
                if not getattr(msgspec.convert(answer, _Answer).result, field):
                    lacking.append(f"{method} in {language}")
    except (NoAnswer, msgspec.ValidationError):
        return []
    words = (
        "at Telegram, open @BotFather, Edit Bot, Edit Privacy Policy: the address must be WEB_URL/privacy,"
    )
    privacy = by_hand("public_privacy", f"No program can ask for it: {words} or empty if /privacy is enough.")
    if lacking:
        told = f"Telegram has no text for {', '.join(lacking)}: start the program, which writes them."
        return [advice("public_descriptions", told), privacy]
    return [good("public_descriptions", "Telegram describes the bot in every language."), privacy]


async def _of_discord(settings: Settings, web: ClientSession) -> list[Finding]:
    """Return the findings about Discord; none while it gives no answer, which others tell."""
    try:
        listing = await ask_discord(settings, web, "applications/@me", _Listing)
        profile = await ask_discord(settings, web, "users/@me", _Profile)
    except (BadStatus, NoAnswer, msgspec.ValidationError):
        return []
    if not listing.bot_public:
        return [good("public_discord", "Only you can add the bot on Discord: it owes nothing to the public.")]
    return [
        *_of_listing(listing),
        *_of_size(settings, listing, verified=bool(profile.public_flags & VERIFIED)),
    ]


def _of_listing(listing: _Listing) -> Iterator[Finding]:
    fields = {
        "Privacy Policy URL (WEB_URL/privacy)": listing.privacy_policy_url,
        "Terms of Service URL (WEB_URL/terms)": listing.terms_of_service_url,
        "Description": listing.description,
    }
    lacking = [name for name, value in fields.items() if not value]
    if lacking:
        words = f"in the developer portal, under General Information, fill in {', '.join(lacking)}."
        yield advice("public_discord", f"Discord shows no policy, terms or description: {words}")
    else:
        yield good("public_discord", "Discord shows the policy, the terms and the description.")


def _of_size(settings: Settings, listing: _Listing, *, verified: bool) -> Iterator[Finding]:
    count = listing.approximate_guild_count
    if count >= UNVERIFIED_SERVERS and not verified:
        words = "Discord lets it into 100 at most: in the developer portal, under App Verification, apply."
        yield advice("public_verified", f"The bot is in about {count} servers and isn't verified. {words}")
    if count >= MANY_SERVERS and settings.discord_public_key is None:
        words = "from 2500 on Discord refuses the gateway. Set DISCORD_PUBLIC_KEY: docs/running.md, Discord"
        yield advice("public_servers", f"The bot is in about {count} servers: {words} without a gateway.")
    elif count < UNVERIFIED_SERVERS or verified:
        yield good("public_servers", f"The bot is in about {count} servers, which Discord allows.")
