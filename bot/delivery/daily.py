"""Daily messages: the rack of the day, posted once in the place that a community chose."""

import asyncio
from collections.abc import Iterator

from bot.daily import is_late, week_table
from bot.delivery.items import Claim, Item, Rank
from bot.delivery.notes import Notes, screen_of
from bot.delivery.snapshot import DailyAsTold
from bot.i18n import words_for
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.screens.daily import daily_post
from bot.screens.display import adapt_to_display
from bot.store import ShownMessage


class DailyMessages:
    """Finds the post of a community's board that is still due."""

    def __init__(self, people: Profiles, communities: Communities) -> None:
        self._people = people
        self._communities = communities

    def items(self, snapshot: DailyAsTold) -> Iterator[Item]:
        """Yield the post of the day. It is noted before it is sent: sent twice, it would disturb people."""
        board, key = snapshot.board, screen_of(snapshot.board.place)
        chat = self._people.chat_of(board.place) if board.place else None
        earlier = snapshot.shown.get(board.place)
        is_posted = earlier is not None and earlier.version >= board.day
        if chat is None or is_posted or is_late(board, snapshot.now):
            return

        async def send() -> Notes:
            settings = await self._communities.around(board.place)
            words = words_for(settings.nearest(lambda each: each.language) or board.language)
            # On a Monday this is last week's table.
            standings = week_table(board, board.day - 1)
            screen = await asyncio.to_thread(daily_post, snapshot.id, board.day, standings, words)
            screen = adapt_to_display(screen, settings.display, words)
            message = await chat.show_table(board.place, screen, None, anew=True)
            return {key: ShownMessage(message, board.day)}

        claim, limits = Claim((key,), ShownMessage("-", board.day), earlier), chat.public_limits(board.place)
        yield Item(snapshot.id, key, board.place, Rank.NEWS, limits, send, claim=claim)
