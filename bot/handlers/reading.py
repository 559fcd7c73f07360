"""What people ask to read: a lobby's rules while they are set, rules explained, replays and records."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.errors import Refused
from bot.handlers.defaults import Defaults
from bot.handlers.lookup import Finder
from bot.handlers.removing import REMOVING, page_of_people, removing
from bot.handlers.request import RequestContext
from bot.handlers.statistics import LOOKING_BACK, LookingBack
from bot.handlers.table_rules import RULES_ACTS
from bot.handlers.watching import WATCHING, Watching
from bot.history.archive import Archive
from bot.history.records import Records, rounds_over
from bot.i18n import Words
from bot.ids import TableId
from bot.markup import Attachment, Page
from bot.people.profiles import Profiles
from bot.ports import Answer, TypedCommand
from bot.repository.tables import StoredTable, TableRepository
from bot.screens.lobby import appearance_page, clock_page, preset_page, switch_page, value_page
from bot.screens.replay import StepFacts, replay_page
from bot.screens.rules import rules_page
from bot.tables.facts import TableFacts, table_facts
from engine.rules import switches_for

_LAST: Final = 10_000
"""More steps than any round has."""

_REPLAYS: Final = ("replay", "replay_first", "replay_step", "replay_last")

PageMaker = Callable[[TableFacts, Words], Page]
_PAGES: Final[Mapping[str, PageMaker]] = {
    "rules": lambda facts, words: preset_page(facts, words, turns=False),
    "presets": preset_page,
    "preset": preset_page,
    "switches": switch_page,
    "set": switch_page,
    "appearance": appearance_page,
    "appear": appearance_page,
    "clocks": clock_page,
    "clock": clock_page,
}
"""The page of the rules dialogue that answers each of its buttons."""

READING: Final = frozenset({*_REPLAYS, *_PAGES, *LOOKING_BACK, *WATCHING, *REMOVING, "switch"})
"""The buttons that are answered with a leaflet."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Answers with leaflets. Refusals are raised as Refused."""

    repository: TableRepository
    people: Profiles
    finder: Finder
    records: Records
    defaults: Defaults
    archive: Archive
    looking_back: LookingBack
    watching: Watching

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """Carry out one of the buttons of `READING`."""
        if context.request.verb in REMOVING:
            return await removing(self.repository, context, press_id)
        if context.request.verb in _REPLAYS:
            return Answer(page=await self._replay(context))
        if context.request.verb in LOOKING_BACK:
            return await self.looking_back.press(context)
        if context.request.verb in WATCHING:
            return await self.watching.press(context)
        return await self._dialogue(context, press_id)

    async def rules(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The rules of the place's table, of the person's own, or those that the place plays."""
        try:
            stored = await self._meant(typed, argument.lower(), lambda stored: stored.value.stage != "closed")
        except Refused:
            if argument:
                raise
            return Answer(page=rules_page(await self.defaults.rules(typed.place), words))
        return Answer(page=_explained(stored, words))

    async def record(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The record of a match, to who sits or sat there, and to its places. Raises Refused `no_record`."""
        stored = await self._played(typed, argument)
        record = await self.records.record(stored)
        content = json.dumps(record, ensure_ascii=False).encode() + b"\n"
        text = words.say("record.text", table=stored.value.id.upper(), n=rounds_over(stored.value))
        return Answer(page=Page(text=text, file=Attachment(f"okey-{stored.value.id}.json", content)))

    async def replay(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The last round that is over, for the same people. Raises Refused `no_record`."""
        stored = await self._played(typed, argument)
        return Answer(page=await self._page(stored, words, rounds_over(stored.value), 0, turns=False))

    async def removal(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Whom the host of a table could remove. Raises Refused `no_table`."""
        stored = await self.finder.own(typed.by.key, lambda stored: stored.value.host == typed.by.key)
        return Answer(page=page_of_people(stored, words, turns=False))

    async def _played(self, typed: TypedCommand, argument: str) -> StoredTable:
        try:
            return await self._meant(typed, argument.lower(), lambda stored: rounds_over(stored.value) > 0)
        except Refused as refused:
            if not argument:
                raise Refused("no_record") from None
            stored = await self.archive.load(TableId(argument.lower()))
            if stored is None or not _was_there(typed, stored):
                raise refused
            return stored

    async def _meant(
        self, typed: TypedCommand, table: str, wanted: Callable[[StoredTable], bool]
    ) -> StoredTable:
        """A table of the place, or one at which the person sits."""
        if typed.place is not None:
            try:
                return await self.finder.at_place(typed.place, table, wanted)
            except Refused:
                pass
        return await self.finder.own(
            typed.by.key, lambda stored: wanted(stored) and table in ("", stored.value.id)
        )

    async def _replay(self, context: RequestContext) -> Page:
        """A step of a round that is over. Who has the button may look: nothing of it is secret any more."""
        stored = await self._kept(context)
        turns = context.request.verb != "replay"
        return await self._page(stored, context.words, context.number(0), _step(context), turns=turns)

    async def _page(self, stored: StoredTable, words: Words, round: int, number: int, *, turns: bool) -> Page:
        step = await self.records.step(stored, round, number)
        facts = StepFacts(
            table=table_facts(step.table, None),
            racks=step.racks,
            step=step.number,
            last=step.last,
            rounds=rounds_over(stored.value),
        )
        return replay_page(facts, words, turns=turns)

    async def _dialogue(self, context: RequestContext, press_id: str) -> Answer:
        """The rules dialogue is for the host of a lobby; whoever else asks is told the rules."""
        verb, words = context.request.verb, context.words
        stored = await self._kept(context)
        if verb == "rules" and (stored.value.stage != "lobby" or context.by.key != stored.value.host):
            return Answer(page=_explained(stored, words))
        if verb == "rules" and not context.private:
            token = await self.people.invitation(context.by.key, stored.value.id)
            if token is not None:
                return Answer(open_private=token)
        if verb in RULES_ACTS:
            act = RULES_ACTS[verb]
            stored = await self.repository.change(
                stored.value.id, f"{context.by.key} {press_id}", lambda now: act(context, now)
            )
        facts = table_facts(stored.value, stored.deadline)
        if verb == "switch":
            return Answer(page=value_page(facts, words, _switch(context, facts)))
        return Answer(page=_PAGES[verb](facts, words))

    async def _kept(self, context: RequestContext) -> StoredTable:
        table = context.table
        stored = await self.repository.load(table) or await self.archive.load(table)
        if stored is None:
            raise Refused("unknown_table")
        return stored


def _was_there(typed: TypedCommand, stored: StoredTable) -> bool:
    return stored.value.seat_of(typed.by.key) is not None or typed.place in stored.value.places


def _step(context: RequestContext) -> int:
    match context.request.verb:
        case "replay_step":
            return context.number(1)
        case "replay_last":
            return _LAST
    return 0


def _switch(context: RequestContext, facts: TableFacts) -> str:
    switch = context.argument()
    if switch not in switches_for(facts.rules):
        raise Refused("old_button")
    return switch


def _explained(stored: StoredTable, words: Words) -> Page:
    facts = table_facts(stored.value, None)
    return rules_page(facts.rules, words, None if facts.view is None else facts.view.indicator)
