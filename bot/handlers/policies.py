"""Policies: `/okey privacy`, and the terms behind a button."""

from typing import get_args

from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button, command
from bot.handlers.who import ANYBODY
from bot.ports import Answer
from bot.screens.policies import PARTS, PolicyName, policy_page


@command("privacy", who=ANYBODY, audience="everybody", order=226, group="my")
async def _privacy(context: RequestContext) -> Answer:
    """Tell what is kept about people. Whatever is typed behind it changes nothing."""
    return _page(context, "privacy", 1, turns=False)


@button("privacy", "terms", who=ANYBODY)
async def _turn(context: RequestContext) -> Answer:
    """Show a page of a policy. Raises Refused `unknown_button`."""
    for policy in get_args(PolicyName):
        if policy == context.verb and 1 <= context.number() <= len(PARTS[policy]):
            return _page(context, policy, context.number(), turns=True)
    raise Refused("unknown_button")


def _page(context: RequestContext, policy: PolicyName, number: int, *, turns: bool) -> Answer:
    here = context.services.installation
    page = policy_page(policy, number, here.operator, context.words, web_url=here.web_url, turns=turns)
    return Answer(page=page)
