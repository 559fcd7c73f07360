"""The `okey` command. The only module of `bot` that knows which chats there are.

What a command needs is imported when it is run: judging a rack must not wait for a chat's library.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.errors import CannotStart
from bot.logs import set_up_logging
from bot.settings import Secret, Settings, read_settings

if TYPE_CHECKING:
    from adapters.web import WebServer
    from bot.app import Application
    from bot.run import Parts, RunningChat, ServedChat

RunCommand = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit status: 0, 1 for what went wrong, 2 for wrong usage."""
    given = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(prog="okey", description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        described = commands.add_parser(command.name, help=command.help)
        if command.name in given:
            described.set_defaults(run=command.load(described))
    chosen = parser.parse_args(given)
    try:
        status: int = chosen.run(chosen)
        return status
    except CannotStart as error:
        print(f"okey: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _run(arguments: argparse.Namespace) -> int:
    from bot.run import run

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


def parts_of(app: "Application", settings: Settings) -> "Parts":
    """Every chat that has a token; with no token at all, the local page."""
    from adapters.web import LeaguePages, WebChat, WebServer, health
    from bot.run import Parts, ServedChat

    server = WebServer(settings.web_host, settings.web_port)
    server.add_route("GET", "/healthz", health(app.healthy))
    LeaguePages(app.published, server)
    chats: list[ServedChat] = []
    if settings.telegram_token is not None:
        chats.append(_telegram(app, settings, settings.telegram_token, server))
    if settings.discord_token is not None:
        chats.append(_discord(app, settings, settings.discord_token))
    if not chats:
        page = WebChat(router=app.router, delivery=app.delivery, server=server)
        chats.append(ServedChat("The page", lambda: page))
    return Parts(server, chats)


def _telegram(app: "Application", settings: Settings, token: Secret, server: "WebServer") -> "ServedChat":
    from adapters.telegram_chat import TelegramChat
    from bot.run import ServedChat

    chat = TelegramChat(
        router=app.router,
        delivery=app.delivery,
        token=token.reveal(),
        api_url=settings.telegram_api_url,
        webhook_url=settings.telegram_webhook_url,
    )
    route = chat.webhook_route()
    if route is not None:
        server.add_route("POST", *route)
    return ServedChat("Telegram", lambda: chat, "TELEGRAM_TOKEN", "TELEGRAM_API_URL")


def _discord(app: "Application", settings: Settings, token: Secret) -> "ServedChat":
    from adapters.discord_chat import DiscordChat
    from bot.run import ServedChat

    def make() -> "RunningChat":
        return DiscordChat(
            router=app.router, delivery=app.delivery, token=token.reveal(), api_url=settings.discord_api_url
        )

    return ServedChat("Discord", make, "DISCORD_TOKEN", "DISCORD_API_URL")


def _load_run(parser: argparse.ArgumentParser) -> RunCommand:
    return _run


def _load_doctor(parser: argparse.ArgumentParser) -> RunCommand:
    from bot.doctor import run_doctor

    return lambda arguments: run_doctor()


def _load_judge(parser: argparse.ArgumentParser) -> RunCommand:
    from bot.cli.engine import run_judge

    return run_judge


def _load_replay(parser: argparse.ArgumentParser) -> RunCommand:
    from bot.cli.engine import record_arguments, run_replay

    record_arguments(parser)
    return run_replay


def _load_verify(parser: argparse.ArgumentParser) -> RunCommand:
    from bot.cli.engine import record_arguments, run_verify

    record_arguments(parser)
    return run_verify


def _load_simulate(parser: argparse.ArgumentParser) -> RunCommand:
    from bot.cli.engine import run_simulate, simulate_arguments

    simulate_arguments(parser)
    return run_simulate


def _load_league(parser: argparse.ArgumentParser) -> RunCommand:
    from bot.cli.league import league_arguments, run_league

    league_arguments(parser)
    return run_league


def _load_bench(parser: argparse.ArgumentParser) -> RunCommand:
    from bot.bench import run_bench

    parser.add_argument(
        "--seconds", type=float, default=5.0, help="how long to play at each number of tables (default: 5)"
    )
    return run_bench


@dataclass(frozen=True, slots=True)
class CommandLine:
    """One word after `okey`."""

    name: str
    help: str
    load: Callable[[argparse.ArgumentParser], RunCommand]
    """Imports what it needs and says which arguments it takes."""


COMMANDS = (
    CommandLine("run", "start every chat that has a token; with no token, the local page", _load_run),
    CommandLine("doctor", "say what stands in the way of a game, and what to do about it", _load_doctor),
    CommandLine(
        "judge", "say what each rack on standard input is worth, JSON line by JSON line", _load_judge
    ),
    CommandLine("replay", "play a record again and print its result", _load_replay),
    CommandLine("verify", "the same, and check every deal against its commitment", _load_verify),
    CommandLine("simulate", "let computer players play and print the figures", _load_simulate),
    CommandLine("league", "look into league nights: how they are seated", _load_league),
    CommandLine("bench", "measure what this machine gives and print it as JSON", _load_bench),
)

if __name__ == "__main__":
    sys.exit(main())
