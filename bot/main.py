"""Command `okey`: reads the command line. The only module that knows which chats there are."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.app import Application
from bot.cli.engine import (
    record_arguments,
    run_judge,
    run_replay,
    run_simulate,
    run_verify,
    simulate_arguments,
)
from bot.cli.league import league_arguments, run_league
from bot.logs import set_up_logging
from bot.run import Offer, Parts, RunningChat, run
from bot.settings import Secret, Settings, SettingsError, read_settings
from bot.store import NoStore

if TYPE_CHECKING:
    from adapters.web import WebServer


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit status: 0, 1 for what went wrong, 2 for wrong usage."""
    parser = argparse.ArgumentParser(prog="okey", description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.describe(commands.add_parser(command.name, help=command.help))
    chosen = parser.parse_args(arguments)
    try:
        return next(command for command in COMMANDS if command.name == chosen.command).run(chosen)
    except (SettingsError, NoStore) as error:
        print(f"okey: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _run(arguments: argparse.Namespace) -> int:
    settings = read_settings()
    set_up_logging(settings.log_level, settings.secrets)
    _greet(settings)
    return asyncio.run(run(settings, parts_of))


def _greet(settings: Settings) -> None:
    """Three lines for somebody who has just typed `make run`."""
    if settings.telegram_token is None and settings.discord_token is None:
        print(f"Okey runs here alone: open http://{settings.web_host}:{settings.web_port}/ and play.")
        store = "the server of REDIS_URL" if settings.redis_url else f"{settings.data_dir}/"
        print(f"Games are kept in {store}, and survive a restart. Stop with Ctrl-C.")
        print("For Telegram or Discord put TELEGRAM_TOKEN or DISCORD_TOKEN into .env (see README.md).")
        sys.stdout.flush()


def parts_of(app: Application, settings: Settings) -> Parts:
    """Every chat that has a token; with no token at all, the local page."""
    from adapters.web import LeaguePages, WebChat, WebServer, health

    server = WebServer(settings.web_host, settings.web_port)
    server.add_route("GET", "/healthz", health(app.healthy))
    LeaguePages(app.published, server)
    chats: list[Offer] = []
    if settings.telegram_token is not None:
        chats.append(_telegram(app, settings, settings.telegram_token, server))
    if settings.discord_token is not None:
        chats.append(_discord(app, settings, settings.discord_token))
    if not chats:
        page = WebChat(router=app.router, post=app.delivery, server=server)
        chats.append(Offer("The page", lambda: page))
    return Parts(server, chats)


def _telegram(app: Application, settings: Settings, token: Secret, server: "WebServer") -> Offer:
    from adapters.telegram_chat import TelegramChat

    chat = TelegramChat(
        router=app.router,
        post=app.delivery,
        token=token.reveal(),
        api_url=settings.telegram_api_url,
        webhook_url=settings.telegram_webhook_url,
    )
    route = chat.webhook_route()
    if route is not None:
        server.add_route("POST", *route)
    return Offer("Telegram", lambda: chat, "TELEGRAM_TOKEN", "TELEGRAM_API_URL")


def _discord(app: Application, settings: Settings, token: Secret) -> Offer:
    from adapters.discord_chat import DiscordChat

    def make() -> RunningChat:
        return DiscordChat(
            router=app.router, post=app.delivery, token=token.reveal(), api_url=settings.discord_api_url
        )

    return Offer("Discord", make, "DISCORD_TOKEN", "DISCORD_API_URL")


def _doctor(arguments: argparse.Namespace) -> int:
    from bot.doctor import run_doctor

    return run_doctor()


def _bench(arguments: argparse.Namespace) -> int:
    from bot.bench import run_bench

    return run_bench(arguments)


def _nothing_more(parser: argparse.ArgumentParser) -> None:
    pass


def _for_bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="how long to play at each number of tables (default: 5)"
    )


@dataclass(frozen=True, slots=True)
class Command:
    """One word after `okey`."""

    name: str
    help: str
    run: Callable[[argparse.Namespace], int]
    describe: Callable[[argparse.ArgumentParser], None] = _nothing_more


COMMANDS = (
    Command("run", "start every chat that has a token; with no token, the local page", _run),
    Command("doctor", "say what stands in the way of a game, and what to do about it", _doctor),
    Command("judge", "say what each rack on standard input is worth, JSON line by JSON line", run_judge),
    Command("replay", "play a record again and print its result", run_replay, record_arguments),
    Command("verify", "the same, and check every deal against its commitment", run_verify, record_arguments),
    Command("simulate", "let computer players play and print the figures", run_simulate, simulate_arguments),
    Command("league", "look into league nights: how they are seated", run_league, league_arguments),
    Command("bench", "measure what this machine gives and print it as JSON", _bench, _for_bench),
)

if __name__ == "__main__":
    sys.exit(main())
