"""The platforms' limits for a screen's buttons (CHATS.md)."""

from adapters.discord_chat.emojis import TileEmojis
from adapters.discord_chat.rendering import MOST_COMPONENTS, Rendered
from adapters.telegram_chat.rendering import keyboard
from bot.markup import Page, PublicScreen

BUTTONS_OF_TELEGRAM = 100
BYTES_OF_A_PRESS = 64


def assert_fits(screen: PublicScreen | Page) -> None:
    """Assert that both chats show each of its buttons."""
    presses = [button.press for row in screen.buttons for button in row]
    assert all(len(press.encode()) <= BYTES_OF_A_PRESS for press in presses)
    markup = keyboard(screen.buttons)
    shown = [] if markup is None else [each for row in markup.inline_keyboard for each in row]
    assert len(shown) == len(presses) <= BUTTONS_OF_TELEGRAM
    message = Rendered(screen, None, TileEmojis())
    if not presses:
        return
    view = message.as_new()["view"]
    assert view.total_children_count <= MOST_COMPONENTS if message.needs_v2 else len(view.children) <= 25
