"""Daily posts: each community that wants them gets the rack of the day at its hour."""

from bot.daily.board import DailyBoard, due, next_post
from bot.ids import DailyId
from bot.repository.daily import DailyBoards
from bot.repository.versioned import Versioned


class DailyPosts:
    """The schedule of the daily boards of one store."""

    def __init__(self, boards: DailyBoards) -> None:
        self._boards = boards

    async def look(self, id: DailyId) -> None:
        """Post the racks that are due, and set the moment of the next look. Raises as the repository does."""
        now = self._boards.clock()

        def function(held: Versioned[DailyBoard]) -> DailyBoard | None:
            after = due(held.value, now)
            return None if after == held.value else after

        held = await self._boards.change_if_there(id, None, function)
        at = None if held is None else next_post(held.value, now)
        await self._boards.put_down(id, 0 if held is None else held.version, at)
