"""The local page: tables, racks and people in browser tabs."""

from adapters.web.chat import WebChat

__all__ = ["WebChat"]
