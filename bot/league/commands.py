"""`okey league`: what is to be asked about leagues at a terminal."""

from argparse import ArgumentParser, Namespace

from bot.league.files import export_arguments, members_arguments, run_export, run_members
from bot.league.seating.trial import run_seating, seating_arguments


def league_arguments(parser: ArgumentParser) -> None:
    """The words after `okey league`."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    seating = commands.add_parser("seating", help="seat nights of many sizes and measure how good that is")
    seating_arguments(seating)
    seating.set_defaults(act=run_seating)
    export = commands.add_parser("export", help="write a league into a file: JSON, CSV or a calendar")
    export_arguments(export)
    export.set_defaults(act=run_export)
    members = commands.add_parser("members", help="put the people of a file on a league's list of members")
    members_arguments(members)
    members.set_defaults(act=run_members)


def run_league(arguments: Namespace) -> int:
    """Do what the word after `okey league` says; its exit status."""
    status: int = arguments.act(arguments)
    return status
