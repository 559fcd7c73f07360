"""Replaying: what a person asked for in a place goes on in their private chat, once they have opened it.

A page reaches people in private. Whoever has not opened that chat yet gets a link that opens it, and the link
carries out the same press or command there.
"""

from dataclasses import replace
from typing import Final

from bot.callback_data import read_callback
from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.declarations import BUTTONS, COMMANDS, check_chat
from bot.markup import Name
from bot.ports import Answer

_PRESS: Final = "press "
_TYPED: Final = "typed "
"""The beginnings of what such links lead to."""


async def make_replay_token(context: RequestContext, typed: str = "", *, press: str = "") -> str | None:
    """Return the start of a link that carries out this press in the private chat, another `press` than this
    one, or the command `typed`; None where none is needed."""
    return await context.opening_token(_TYPED + typed if typed else _PRESS + (press or context.press))


async def lead_to_private(context: RequestContext, answer: Answer, typed: str = "") -> Answer:
    """Return the answer to a request, with the way to the private chat in place of a page that cannot come
    there yet. `typed`: the verb of the command and its words; empty: a button was pressed."""
    if answer.page is None or answer.open_private is not None or context.place is None or context.private:
        return answer
    if typed and COMMANDS[typed.partition(" ")[0]].command.in_place:
        return answer
    token = await make_replay_token(context, typed)
    if token is None:
        return answer
    notice = context.words.say("notice.carries_on", who=Name(context.by.name[:32]))
    return replace(answer, page=None, notice=notice, open_private=token)


async def replay(context: RequestContext, asked: str) -> Answer | None:
    """Carry out the request that a link leads to; None: it leads elsewhere. Raises Refused."""
    if asked.startswith(_PRESS):
        data = read_callback(asked.removeprefix(_PRESS))
        if data is None or data.verb not in BUTTONS:
            raise Refused("expired_link")
        context.data, context.pressed = data, True
        check_chat(context, in_chat=BUTTONS[data.verb].in_chat)
        return await BUTTONS[data.verb].run(context)
    if asked.startswith(_TYPED):
        verb, _, context.text = asked.removeprefix(_TYPED).partition(" ")
        context.data = replace(context.data, verb=verb)
        return await COMMANDS[verb].run(context)
    return None
