"""Sessions: a tab's connection from its first message to its end, with its presses and commands."""

import logging
from dataclasses import replace
from typing import Final

import msgspec
from aiohttp import web

from adapters.web.headers import HostCheck, language_of
from adapters.web.protocol import At, Enter, Hello, PressSent, Rename, Sent, TypedSent, Welcome
from adapters.web.sockets import NotNow, Sockets, messages, sending, show_answer
from adapters.web.tabs import LOBBY, Tab, Tabs, person_of
from bot.markup import PublicScreen, SeatScreen
from bot.ports import Answer, DeliveryPort, Dispatcher, Press, TypedCommand

PLACE: Final = "web:local"

_NO_TABLE: Final = "no_table"
_STORE_AWAY: Final = "store_away"
_NOT_NOW: Final = {_STORE_AWAY, "too_fast", "overloaded"}

LOG: Final = logging.getLogger(__name__)


class Sessions(Sockets):
    """Serves the local page's tabs: it passes their acts to the router and shows the answers."""

    def __init__(self, router: Dispatcher, delivery: DeliveryPort, tabs: Tabs, hosts: HostCheck) -> None:
        super().__init__()
        self._router = router
        self._delivery = delivery
        self._tabs = tabs
        self._hosts = hosts

    async def _check(self, request: web.Request) -> None:
        self._hosts.check_host(request)
        self._hosts.check_origin(request)

    async def _serve(self, socket: web.WebSocketResponse, request: web.Request, first: Enter | Hello) -> None:
        if not isinstance(first, Hello):
            raise msgspec.ValidationError("the local page has no door")
        person = person_of(first.token, first.name, first.language or language_of(request))
        tab = Tab(person, self._delivery.clock, at=first.table)
        self._tabs.add(tab)
        try:
            async with sending(tab, socket):
                await self._welcome(tab, first.table)
                async for sent in messages(socket):
                    await self._act(tab, sent)
        finally:
            self._tabs.remove(tab)
            self._tabs.tell_company()

    async def _welcome(self, tab: Tab, table: str) -> None:
        """Show everything to a tab that has connected, perhaps again. Raises NotNow."""
        looked = await self._ask(tab, "look", table)
        seen = await self._see_racks(tab)
        if _NOT_NOW & {looked.code, seen.code}:
            raise NotNow
        self._tabs.tell_company()
        tab.tell(Welcome())

    async def _see_racks(self, tab: Tab) -> Answer:
        """Show the person's racks, and remove those that are no longer theirs. Return the answer about the
        liveliest."""
        answer = await self._ask(tab, "rack")
        if answer.code == _NO_TABLE:
            tab.drop_racks()
        elif answer.code not in _NOT_NOW:
            await self._show_racks(tab, answer.private)
        return answer

    async def _show_racks(self, tab: Tab, shown: SeatScreen | None = None) -> None:
        """Show the person's own screens at all their tables; one has just been shown."""
        screens = await self._router.racks(tab.person)
        if screens is None:
            return
        for screen in tab.show_racks(screens, "" if shown is None else shown.table):
            await self._delivery.note_shown(tab.person.key, screen, screen.table)

    async def show_table(self, screen: PublicScreen) -> None:
        """Show a table's screen in all tabs, and a lobby's people their seats, as delivery does from the deal
        on."""
        await self._tabs.show_table(screen)
        if screen.live is not None and screen.live.stage == LOBBY:
            for tab in self._tabs.with_rack(screen.table):
                await self._show_racks(tab)

    async def _ask(self, tab: Tab, verb: str, argument: str = "") -> Answer:
        """Carry out a command of the page itself. Its notices are not shown, nor the question which table is
        meant: all are shown."""
        answer = await self._router.command(_carry_out_typed(tab, verb, argument, tab.new_id()))
        await self._show(tab, replace(answer, page=None))
        return answer

    async def _act(self, tab: Tab, sent: Sent) -> None:
        match sent:
            case Rename(name):
                tab.rename(name)
            case At(table):
                tab.at = table
            case PressSent() | TypedSent():
                await show_answer(tab, sent.id, self._carry_out(tab, sent))
            case _:
                raise msgspec.ValidationError("a second hello")
        self._tabs.tell_company()

    async def _carry_out(self, tab: Tab, sent: PressSent | TypedSent) -> Answer:
        """Carry out a person's act, and show them the answer."""
        if isinstance(sent, PressSent):
            answer = await self._router.press(_press(tab, sent))
        else:
            answer = await self._router.command(_carry_out_typed(tab, sent.verb, sent.argument, sent.id))
        await self._show(tab, answer)
        # Another command would only delay the notice that they must read now.
        if not answer.private and answer.code not in _NOT_NOW:
            await self._see_racks(tab)
        return answer

    async def _show(self, tab: Tab, answer: Answer) -> None:
        """Show the answer's screens, and report them to delivery so that it does not send them again.

        The rack comes first: until the page has it, nobody is on turn for it at a newer table.
        """
        if private := answer.private:
            await self._tabs.show_rack(tab.person.key, private)
            await self._delivery.note_shown(tab.person.key, private, private.table)
        if public := answer.public:
            await self.show_table(public)
            await self._delivery.note_shown(PLACE, public, public.table)
        if page := answer.page:
            await tab.show_page(page)


def _press(tab: Tab, sent: PressSent) -> Press:
    return Press(
        by=tab.person,
        place=None if sent.private else PLACE,
        surface="private" if sent.private else "public",
        data=sent.data,
        id=f"{tab.person.key}:{sent.id}",
    )


def _carry_out_typed(tab: Tab, verb: str, argument: str, id: str) -> TypedCommand:
    return TypedCommand(by=tab.person, place=PLACE, verb=verb, argument=argument, id=f"{tab.person.key}:{id}")
