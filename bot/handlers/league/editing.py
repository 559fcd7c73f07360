"""Editing a league: the dialogue by which it was founded once more, with a preview of what changes when."""

from dataclasses import replace
from typing import Final

from bot.handlers.context import RequestContext
from bot.handlers.declarations import button
from bot.handlers.league.founding import DRAFT, drop_draft, keep_draft, show_draft
from bot.handlers.league.targets import LEAGUE, LEAGUE_FOUNDER, check_role
from bot.handlers.who import ANYBODY
from bot.league.acts import list_changes, settings_of
from bot.league.founding import LeagueDraft, edit_settings
from bot.league.model import League, LeagueEvent, SettingsChanged
from bot.league.schedule import read_rule
from bot.league.seasons import coming
from bot.markup import Page
from bot.ports import Answer
from bot.screens.league.log import preview_lines
from bot.screens.league.parts import to_hub
from bot.screens.league.settings import EVERY

ONCE: Final = "once"


@button("league_edit", on=LEAGUE, who=LEAGUE_FOUNDER)
async def _edit(context: RequestContext, league: League) -> Answer:
    """Begin a draft with the league's settings."""
    draft = draft_of(league, context.services.leagues.clock())
    await keep_draft(context, draft)
    return await show_draft(context, draft, "summary")


@button("league_save", on=DRAFT, who=ANYBODY)
async def _save(context: RequestContext, draft: LeagueDraft) -> Answer:
    """Change the league as the draft says. Refused: as by `check_role` and `read_schedule`."""
    leagues, words = context.services.leagues, context.words
    if draft.edits is None:
        return await show_draft(context, draft, "summary")
    league = await leagues.load(draft.league)
    await check_role(context, league, "founder")
    by = (await leagues.organiser(league.id, context.by)).id

    def make(held: League, now: float) -> LeagueEvent:
        return change_of(held, draft, now)

    change = change_of(league, draft, leagues.clock())
    if list_changes(change):
        await leagues.carry_out(league.id, context.action, make, by=by)
    await drop_draft(context)
    lines = preview_lines(change, words)
    text = (*words.say("league.edit.saved"), *(part for line in lines for part in ("\n", *line)))
    return Answer(page=Page(text=text, buttons=((to_hub(league, words),),), turns=True))


def draft_of(league: League, now: float) -> LeagueDraft:
    """Return the draft that stands for a league's present settings. Its first night is the next one that is
    not announced yet."""
    announced = {ref.start for ref in league.nights if not ref.over}
    ahead = [each.original for each in coming(league, now, len(announced) + 1) if each.at not in announced]
    start = ahead[0] if ahead else ""
    settings, every = settings_of(league), _find_word(league, start)
    return LeagueDraft(
        league=league.id,
        place=league.places[0],
        language=league.language,
        name=league.name,
        start=start,
        zone=league.schedule.zone,
        every=every,
        format=settings.format,
        visibility=league.visibility,
        edits=replace(settings, start=start, rule=every),
    )


def change_of(league: League, draft: LeagueDraft, now: float) -> SettingsChanged:
    """Return the act that changes a league as a draft says. Raises as `read_schedule` does."""
    held = settings_of(league)
    return SettingsChanged(league.season, held, edit_settings(draft, held, now))


def _find_word(league: League, start: str) -> str:
    """Return the recurrence of a league as somebody could type it, in words if there are some: words follow
    the first night to another day."""
    rule = league.schedule.rule
    if not (rule and start):
        return rule or ONCE
    words = (each for each in EVERY if each != ONCE)
    return next((each for each in words if read_rule(each, start, league.schedule.zone) == rule), rule)
