"""The `okey` command. The only module of `bot` that knows which chats there are.

The modules of a command are imported when it is run: judging a rack must not wait for a chat's library.
"""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from bot.cli.arguments import (
    Parser,
    WrongUsage,
    bench_arguments,
    daily_arguments,
    league_arguments,
    my_data_arguments,
    person_argument,
    record_arguments,
    repair_arguments,
    simulate_arguments,
)
from bot.errors import CannotStart

if TYPE_CHECKING:
    from adapters.web import Door, WebServer
    from bot.app import Application
    from bot.run import Parts, RunningChat, ServedChat
    from bot.settings import Secret, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """One word after `okey`."""

    name: str
    help: str
    run: str = ""
    """The function that carries it out, as `module:function`: from the arguments to the exit status. It is
    imported when it is called. Empty if another word follows: then `arguments` names a function for each of
    those."""
    arguments: Callable[[Parser], None] | None = None
    """Adds the command's arguments to its parser."""
    examples: tuple[str, ...]


COMMANDS = (
    CommandLine(
        name="run",
        help="start every chat that has a token; with no token, the local page",
        run="bot.main:run",
        examples=("okey run", "WEB_PORT=8107 okey run"),
    ),
    CommandLine(
        name="doctor",
        help="check settings, tokens, permissions and the store, and say what to do",
        run="bot.doctor:run_doctor",
        examples=("okey doctor",),
    ),
    CommandLine(
        name="repair",
        help="cut a damaged store after its last whole write, and say what was lost",
        run="bot.cli.repair:run_repair",
        arguments=repair_arguments,
        examples=("okey repair", "okey repair /var/lib/okey/valkey"),
    ),
    CommandLine(
        name="judge",
        help="say what each rack on standard input is worth, one JSON object a line",
        run="bot.cli.offline:run_judge",
        examples=("okey judge < racks.jsonl > worth.jsonl",),
    ),
    CommandLine(
        name="replay",
        help="play a record again and print its result",
        run="bot.cli.offline:run_replay",
        arguments=record_arguments,
        examples=("okey replay match.json", "okey replay --json - < match.json"),
    ),
    CommandLine(
        name="verify",
        help="play a record again, and check every deal against its commitment",
        run="bot.cli.offline:run_verify",
        arguments=record_arguments,
        examples=("okey verify match.json",),
    ),
    CommandLine(
        name="simulate",
        help="let computer players play and print the figures",
        run="bot.cli.offline:run_simulate",
        arguments=simulate_arguments,
        examples=(
            "okey simulate --preset okey101 --rounds 200",
            "okey simulate --players steady,easy,easy,easy",
            "okey simulate --duel sharp steady --deals 200",
        ),
    ),
    CommandLine(
        name="daily",
        help="print the daily racks of some days with their answers",
        run="bot.cli.offline:run_daily",
        arguments=daily_arguments,
        examples=("okey daily 2026-11-22", "okey daily 2026-01-01 --days 3650 --check"),
    ),
    CommandLine(
        name="league",
        help="export a league, add members to it, measure how nights are seated",
        arguments=league_arguments,
        examples=("okey league export 99j9x --output league.json", "okey league export --help"),
    ),
    CommandLine(
        name="mydata",
        help="write everything that is stored about a person into a file, for them",
        run="bot.cli.people:run_my_data",
        arguments=my_data_arguments,
        examples=("okey mydata tg:4711 --output ada.json",),
    ),
    CommandLine(
        name="forget",
        help="delete everything that is stored about a person, as `/okey forget` does",
        run="bot.cli.people:run_forget",
        arguments=person_argument,
        examples=("okey forget tg:4711",),
    ),
    CommandLine(
        name="bench",
        help="measure how many moves and tables this machine can handle, as JSON",
        run="bot.bench:run_bench",
        arguments=bench_arguments,
        examples=("okey bench --seconds 1",),
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit status: 0, 1 for a failure, 2 for wrong usage."""
    _open_streams()
    try:
        try:
            return _run_command(sys.argv[1:] if arguments is None else arguments)
        finally:
            sys.stdout.flush()
    except CannotStart as error:
        return _went_wrong(str(error))
    except WrongUsage as error:
        return _went_wrong(str(error), status=2)
    except BrokenPipeError:  # nobody reads on, as in `okey daily --days 365 | head -1`, which is no error
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        where = f"{error.filename}: " if error.filename else ""
        return _went_wrong(f"{where}{error.strerror or error}.")
    except KeyboardInterrupt:
        return 130


def _run_command(given: Sequence[str]) -> int:
    chosen = _parser(given).parse_args(given)
    status: int = resolve_name(chosen.run)(chosen)
    return status


def _went_wrong(sentence: str, *, status: int = 1) -> int:
    print(f"okey: {sentence}", file=sys.stderr)
    return status


def _open_streams() -> None:
    """Replace a closed standard stream by an empty one, and escape letters that a terminal lacks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - open until the end
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Drop unwritten output, which would be tried once more at exit, and fail with a traceback."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(given: Sequence[str]) -> Parser:
    """Return the parser for these words; a command's arguments are added only when it is named in them."""
    parser = Parser(
        prog="okey",
        description="Okey, the Turkish tile game, in Telegram groups, Discord servers and on a local page.",
        examples=("okey run", "okey judge < racks.jsonl", "okey simulate --help"),
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        described = commands.add_parser(
            command.name,
            help=command.help,
            description=command.help[0].upper() + command.help[1:] + ".",
            examples=command.examples,
        )
        described.set_defaults(run=command.run)
        if command.arguments is not None and command.name in given:
            command.arguments(described)
    return parser


class _Version(argparse.Action):
    """Prints the version. It is looked up only when requested."""

    def __call__(self, parser: argparse.ArgumentParser, *given: Any) -> None:
        from importlib.metadata import version

        print(f"okey {version('okey-for-chat')}")
        parser.exit()


def run(arguments: argparse.Namespace) -> int:
    """Serve every chat until told to stop."""
    import asyncio
    import logging

    from bot.logs import set_up_logging
    from bot.run import run
    from bot.settings import misspelt_settings, read_settings

    settings = read_settings()
    set_up_logging(settings.log_level, settings.secrets)
    for sentence in misspelt_settings():
        logging.getLogger(__name__).warning(sentence)
    return asyncio.run(run(settings, parts_of))


def _greet(settings: "Settings", server: "WebServer") -> None:
    """Print three lines for somebody who has just typed `make run`."""
    print(f"Okey runs here alone: open {server.url} and play.")
    store = "the server of REDIS_URL" if settings.redis_url else f"{settings.data_dir}/"
    print(f"Games are kept in {store}, and survive a restart. Stop with Ctrl-C.")
    print("For Telegram or Discord put TELEGRAM_TOKEN or DISCORD_TOKEN into .env (see README.md).")
    sys.stdout.flush()


def parts_of(app: "Application", settings: "Settings") -> "Parts":
    """Return every chat that has a token; with no token at all, the local page."""
    from adapters.web import (
        Doors,
        FairPages,
        LeaguePages,
        LocalPage,
        PolicyPages,
        WebServer,
        health,
        measurements,
    )
    from bot.run import Parts, ServedChat

    server = WebServer(settings.web_host, settings.web_port, connections=settings.web_connections)
    server.add_route("GET", "/healthz", health(app.missing))
    server.add_route("GET", "/metrics", measurements(settings.web_host, app.measure))
    PolicyPages(app.policy, server)
    FairPages(app.fair, server)
    LeaguePages(app.published, app.delivery, server, settings.web_url or "")
    chats: list[ServedChat] = []
    if settings.telegram_token is not None:
        chats.append(_telegram(app, settings, settings.telegram_token, server))
    if settings.discord_token is not None:
        chats.append(_discord(app, settings, settings.discord_token, server))
    if chats and settings.web_url:
        doors = _doors(app, settings)
        Doors(apps=app.apps, shared=app.delivery, server=server, url=settings.web_url, doors=doors)
    if not chats:
        page = LocalPage(apps=app.apps, shared=app.delivery, server=server)
        offer = ServedChat("web", "The page", lambda: page.chat)
        return Parts(server, [offer], partial(_greet, settings, server))
    return Parts(server, chats)


def _doors(app: "Application", settings: "Settings") -> "dict[str, Door]":
    """Return the ways from each chat to the table as an app."""
    from adapters.web import DiscordDoor, TelegramDoor

    doors: dict[str, Door] = {}
    if settings.telegram_token is not None:
        doors["telegram"] = TelegramDoor(settings.telegram_token.reveal(), app.clock)
    if settings.discord_token is not None and settings.discord_client_secret is not None:
        doors["discord"] = DiscordDoor(
            token=settings.discord_token.reveal(),
            secret=settings.discord_client_secret.reveal(),
            api_url=settings.discord_api_url,
        )
    return doors


def _telegram(app: "Application", settings: "Settings", token: "Secret", server: "WebServer") -> "ServedChat":
    from adapters.telegram_chat import TelegramChat
    from bot.run import ServedChat

    chat = TelegramChat(
        router=app.router,
        delivery=app.delivery,
        token=token.reveal(),
        api_url=settings.telegram_api_url,
        webhook_url=settings.telegram_webhook_url,
        app_url=settings.web_url or "",
        app_name=settings.telegram_app or "",
    )
    route = chat.webhook_route()
    if route is not None:
        server.add_route("POST", *route)
    return ServedChat("tg", "Telegram", lambda: chat, "TELEGRAM_TOKEN", "TELEGRAM_API_URL")


def _discord(app: "Application", settings: "Settings", token: "Secret", server: "WebServer") -> "ServedChat":
    from adapters.discord_chat import DiscordChat
    from adapters.discord_chat.webhook import PATH, DiscordWebhook
    from bot.run import ServedChat

    key = settings.discord_public_key
    webhook = None if key is None else DiscordWebhook(key, app.clock)
    if webhook is not None:
        server.add_route("POST", PATH, webhook.handle)

    def make() -> "RunningChat":
        return DiscordChat(
            router=app.router,
            delivery=app.delivery,
            token=token.reveal(),
            api_url=settings.discord_api_url,
            webhook=webhook,
            app=settings.web_url is not None,
            activity=settings.web_url is not None and settings.discord_client_secret is not None,
        )

    return ServedChat("dc", "Discord", make, "DISCORD_TOKEN", "DISCORD_API_URL")


if __name__ == "__main__":
    sys.exit(main())
