"""The local page: tables, racks and people in browser tabs; and the program's one web server."""

from adapters.web.chat import WebChat
from adapters.web.server import WebServer, health

__all__ = ["WebChat", "WebServer", "health"]
