"""The web adapter: the local page, public league pages, and the program's web server."""

from adapters.web.discord_door import DiscordDoor
from adapters.web.doors import Doors
from adapters.web.fair import FairPages
from adapters.web.league import LeaguePages
from adapters.web.local_page import LocalPage
from adapters.web.policies import PolicyPages
from adapters.web.ports import Door
from adapters.web.server import WebServer, health, measurements
from adapters.web.telegram_door import TelegramDoor

__all__ = [
    "DiscordDoor",
    "Door",
    "Doors",
    "FairPages",
    "LeaguePages",
    "LocalPage",
    "PolicyPages",
    "TelegramDoor",
    "WebServer",
    "health",
    "measurements",
]
