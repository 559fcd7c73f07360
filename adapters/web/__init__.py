"""Web adapter: the local page, leagues to read, and the one web server of the program."""

from adapters.web.chat import WebChat
from adapters.web.doors import Doors
from adapters.web.league import LeaguePages
from adapters.web.server import WebServer, health, measurements

__all__ = ["Doors", "LeaguePages", "WebChat", "WebServer", "health", "measurements"]
