"""What people ask to read: a lobby's rules while they are set, rules explained, replays and records."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.errors import Refused
from bot.handlers.defaults import Defaults
from bot.handlers.lookup import Finder
from bot.handlers.removing import REMOVING, page_of_people, removing
from bot.handlers.request import Visit
from bot.handlers.statistics import LOOKING_BACK, LookingBack
from bot.handlers.table_rules import RULES_ACTS
from bot.handlers.watching import WATCHING, Watching
from bot.history.archive import Archive
from bot.history.records import Records, rounds_over
from bot.i18n import Words
from bot.markup import Attachment, Page
from bot.people.profiles import People
from bot.ports import Answer, TypedCommand
from bot.repository.tables import Keeper, Kept
from bot.screens.preferences import appearance_page
from bot.screens.replay import StepFacts, replay_page
from bot.screens.rules import rules_leaflet, switches_for
from bot.screens.rules_dialogue import clock_page, preset_page, switch_page, value_page
from bot.tables.facts import TableFacts, table_facts

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

    keeper: Keeper
    people: People
    finder: Finder
    records: Records
    defaults: Defaults
    archive: Archive
    looking_back: LookingBack
    watching: Watching

    async def press(self, visit: Visit, press_id: str) -> Answer:
        """Carry out one of the buttons of `READING`."""
        if visit.request.verb in REMOVING:
            return await removing(self.keeper, visit, press_id)
        if visit.request.verb in _REPLAYS:
            return Answer(page=await self._replay(visit))
        if visit.request.verb in LOOKING_BACK:
            return await self.looking_back.press(visit)
        if visit.request.verb in WATCHING:
            return await self.watching.press(visit)
        return await self._dialogue(visit, press_id)

    async def rules(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The rules of the place's table, of the person's own, or those that the place plays."""
        try:
            kept = await self._meant(typed, argument.lower(), lambda kept: kept.table.stage != "closed")
        except Refused:
            if argument:
                raise
            return Answer(page=rules_leaflet(await self.defaults.rules(typed.place), words))
        return Answer(page=_explained(kept, words))

    async def record(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The record of a match, to who sits or sat there, and to its places. Raises Refused `no_record`."""
        kept = await self._played(typed, argument)
        record = await self.records.record(kept)
        content = json.dumps(record, ensure_ascii=False).encode() + b"\n"
        text = words.say("record.text", table=kept.table.id.upper(), n=rounds_over(kept.table))
        return Answer(page=Page(text=text, file=Attachment(f"okey-{kept.table.id}.json", content)))

    async def replay(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The last round that is over, for the same people. Raises Refused `no_record`."""
        kept = await self._played(typed, argument)
        return Answer(page=await self._page(kept, words, rounds_over(kept.table), 0, turns=False))

    async def removal(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Whom the host of a table could remove. Raises Refused `no_table`."""
        kept = await self.finder.own(typed.by.key, lambda kept: kept.table.host == typed.by.key)
        return Answer(page=page_of_people(kept, words, turns=False))

    async def _played(self, typed: TypedCommand, argument: str) -> Kept:
        try:
            return await self._meant(typed, argument.lower(), lambda kept: rounds_over(kept.table) > 0)
        except Refused as refused:
            if not argument:
                raise Refused("no_record") from None
            kept = await self.archive.load(argument.lower())
            if kept is None or not _was_there(typed, kept):
                raise refused
            return kept

    async def _meant(self, typed: TypedCommand, table: str, wanted: Callable[[Kept], bool]) -> Kept:
        """A table of the place, or one at which the person sits."""
        if typed.place is not None:
            try:
                return await self.finder.at_place(typed.place, table, wanted)
            except Refused:
                pass
        return await self.finder.own(typed.by.key, lambda kept: wanted(kept) and table in ("", kept.table.id))

    async def _replay(self, visit: Visit) -> Page:
        """A step of a round that is over. Who has the button may look: nothing of it is secret any more."""
        kept = await self._kept(visit)
        turns = visit.request.verb != "replay"
        return await self._page(kept, visit.words, visit.number(0), _step(visit), turns=turns)

    async def _page(self, kept: Kept, words: Words, round: int, number: int, *, turns: bool) -> Page:
        step = await self.records.step(kept, round, number)
        facts = StepFacts(
            table=table_facts(step.table, None),
            racks=step.racks,
            step=step.number,
            last=step.last,
            rounds=rounds_over(kept.table),
        )
        return replay_page(facts, words, turns=turns)

    async def _dialogue(self, visit: Visit, press_id: str) -> Answer:
        """The rules dialogue is for the host of a lobby; whoever else asks is told the rules."""
        verb, words = visit.request.verb, visit.words
        kept = await self._kept(visit)
        if verb == "rules" and (kept.table.stage != "lobby" or visit.by.key != kept.table.host):
            return Answer(page=_explained(kept, words))
        if verb == "rules" and not visit.private:
            token = await self.people.invitation(visit.by.key, kept.table.id)
            if token is not None:
                return Answer(open_private=token)
        if verb in RULES_ACTS:
            act = RULES_ACTS[verb]
            kept = await self.keeper.change(
                kept.table.id, f"{visit.by.key} {press_id}", lambda now: act(visit, now)
            )
        facts = table_facts(kept.table, kept.deadline)
        if verb == "switch":
            return Answer(page=value_page(facts, words, _switch(visit, facts)))
        return Answer(page=_PAGES[verb](facts, words))

    async def _kept(self, visit: Visit) -> Kept:
        table = visit.request.table
        kept = await self.keeper.load(table) or await self.archive.load(table)
        if kept is None:
            raise Refused("unknown_table")
        return kept


def _was_there(typed: TypedCommand, kept: Kept) -> bool:
    return kept.table.seat_of(typed.by.key) is not None or typed.place in kept.table.places


def _step(visit: Visit) -> int:
    match visit.request.verb:
        case "replay_step":
            return visit.number(1)
        case "replay_last":
            return _LAST
    return 0


def _switch(visit: Visit, facts: TableFacts) -> str:
    switch = visit.argument()
    if switch not in switches_for(facts.rules):
        raise Refused("old_button")
    return switch


def _explained(kept: Kept, words: Words) -> Page:
    facts = table_facts(kept.table, None)
    return rules_leaflet(facts.rules, words, None if facts.view is None else facts.view.indicator)
