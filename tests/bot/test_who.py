"""Who may press what: every declared button, command and league word, by everybody who might try.

The tables below are written from the meaning of each act, not taken from the declarations.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import product
from typing import Final

import pytest
from msgspec import structs

from bot.handlers.league.targets import WORDS
from bot.handlers.presence import new_table_id
from bot.handlers.statistics import ShownPage
from bot.ids import TableId
from bot.league.members import change_member
from bot.people.sessions import AppSessions, Watched
from bot.people.tokens import HashedTokens
from bot.ports import Answer, Person
from bot.store import Store
from bot.store.codec import Codec
from bot.tables import lobby
from bot.tables.table import Change, Seat
from engine.rules import Rules
from tests.bot.house import PLACE, House, open_house
from tests.bot.league.leagues import LeagueHouse, MovedClock, Until, league_house, weekly
from tests.offered import BUTTONS, COMMANDS

GARDEN: Final = "mem:garden"
"""Another place, whose people are outsiders here."""
CODE: Final = "HAPPY3"
OLD_CODE: Final = "FADED4"
PAGE: Final = "leaderboard"
"""Stands for the page with the leaders of the place that Rea has asked for."""

PEOPLE: Final = {
    "hal": "hosts the table",
    "sue": "sits there",
    "rea": "reads the table's place",
    "olga": "organises it",
    "bob": "reads it, and is blocked there",
    "tom": "sat there, and was thrown out of the group",
    "eli": "reads another place",
    "otto": "organises another place",
    "mia": "is on the list of the league's members",
    "ina": "came by the table's invitation",
    "sid": "came by an earlier invitation",
    "eve": "is a stranger",
}
INSIDE: Final = ("hal", "sue", "rea", "olga", "bob")
"""Those who can press in the table's place."""

MAY: Final = {
    "anybody": {*PEOPLE},
    "reader": {"hal", "sue", "rea", "olga", "ina"},
    "reader of the place": {"hal", "sue", "rea", "olga"},
    "seat": {"hal", "sue"},
    "host": {"hal"},
    "code": {"ina"},
    "member": {"hal", "sue", "rea", "olga", "mia"},
    "organiser": {"olga"},
    "draft": {"olga"},
    "asker": {"rea"},
    "organiser of their place": {"olga", "otto"},
}
"""Who may do what, by the word for it."""

BUTTONS_FOR: Final = {  # `forget_now` comes last: it unseats people
    "reader of the place": """
        another bell
    """,
    "reader": """
        app clip fair fair_check join more_rules replay replay_first replay_last replay_step rules
        sit
    """,
    "seat": """
        add add_word again arrange ask_finish ask_lay ask_lay_okey ask_stand back_in best_draft call declare
        declare_here discard draft draw draw_here drop finish finish_here give_back keep lay
        lay_here lay_wild leave look meld new_group next open_draft
        open_here open_melds open_pairs pick piles place practice_leave put put_down rack react reclaim
        order review review_share review_step show sort_melds sort_pairs sort_runs stand step_out take
        take_back take_here undo
    """,
    "host": """
        appear appearance cancel clock clocks computer emotes fewer group hints hold level players preset
        presets remove remove_ask remove_back remove_now set set_number shuffle start switch switches unfold
    """,
    "code": """
        watch watch_live
    """,
    "member": """
        league_dates league_hub league_me league_nights league_page league_prizes league_remind
        league_table night_complain night_dispute night_gone night_here night_late night_leave
        night_maybe night_no night_results night_sit night_substitute night_yes
    """,
    "organiser": """
        league_close league_end league_found league_invite league_places league_run league_skip
        league_skips league_visibility league_wall league_withdraw night_ask night_do night_people
        night_person night_replace night_reseat night_run night_scores night_table night_tables night_why org
        league_edit league_log league_next_season league_undo night_log night_undo
    """,
    "draft": """
        draft_name draft_start draft_zone league_choose league_draft league_drop league_save
    """,
    "asker": """
        leaderboard show_everyone
    """,
    "anybody": """
        daily forget_no guide help hide_profile history link_no link_yes log_out more_rules_of
        open_table notify notify_offset notify_quiet notify_way notify_zone practice prefer preferences
        privacy
        profile session_end sessions speak stand_in stats terms forget_now
    """,
}

COMMANDS_FOR: Final = {
    "anybody": """
        anonymous app daily defaults display forget guide help history invitations invite join leaderboard
        league leave link mention mydata notify play practice privacy profile rack record remove
        replay review
        rules settings start talk uninvite unlink watch word
    """,
    "organiser of their place": """
        block close dailyhour evict language organise places rooms tables unblock
    """,
}

WORDS_FOR: Final = {
    "anybody": """
        claim
    """,
    "member": """
        dates dispute here hub late maybe me nights no prizes reminders substitute table yes
    """,
    "organiser": """
        away bonus cancel close correct end extend finish go invite log members merge move pair pause
        penalty reject rename role
        replay run season skip uphold visibility void withdraw
    """,
    "organiser of their place": """
        join new
    """,
}

REFUSED: Final = {
    *("unknown_table", "unknown_league", "unknown_night", "not_seated", "not_host", "wrong_code", "blocked"),
    *("organisers_only", "league_organisers_only", "reads_no_place", "no_draft", "no_league", "here_only"),
    "page_expired",
}
"""The codes by which somebody is told that this is not for them. Other refusals come after that."""


@dataclass
class Scene:
    """The people, a table in the place, and a league with its night."""

    evening: LeagueHouse
    store: Store
    table: TableId = TableId("")  # noqa: RUF009 - it never changes
    draft: str = ""
    opened: int = 0

    @property
    def house(self) -> House:
        """The house in which they are."""
        return self.evening.house

    def person(self, name: str) -> Person:
        """One of them."""
        return self.house.person(name.capitalize())

    async def open(self) -> TableId:
        """Open a lobby of Hal's, at which Sue sits."""
        self.opened += 1
        id = await new_table_id(self.store, PLACE, "mem:hal", str(self.opened))
        made = lobby.open_table(
            table_id=id,
            place=PLACE,
            host=Seat(person="mem:hal", name="Hal"),
            rules=Rules(),
            language="en",
            turn_seconds=60,
            secret=bytes(64),
            now=self.store.clock(),
        ).table
        for name in ("sue", *(() if self.table else ("tom", "bob"))):
            made = lobby.join(made, Seat(person=f"mem:{name}", name=name.capitalize())).table
        invited = structs.replace(made, calls=structs.replace(made.calls, invitation=CODE))
        await self.house.app.tables.create(id, Change(invited, communities=(PLACE,)), f"open {id}")
        tokens = HashedTokens(self.store)
        await tokens.put("invitation", CODE, id.encode(), 3600.0)
        for name, code in (("ina", CODE), ("sid", OLD_CODE)):
            await AppSessions(self.store, tokens).watch(f"mem:{name}", Watched(id, code))
        return id

    async def begin_draft(self) -> None:
        """Begin Olga's draft of a league, or go on with it."""
        page = (await self.house.type(self.person("olga"), "okey", "league new")).page
        assert page is not None
        presses = [button.press for row in page.buttons for button in row]
        self.draft = next(press.split(".")[1] for press in presses if press.startswith("league_"))

    def button(self, verb: str, who: str, name: str, table: TableId) -> str:
        """A button of this kind, as this person may have seen it or made it up."""
        if verb == "org":
            return f"org.{PLACE}.0.main"
        if who == "draft":
            return f"{verb}.{self.draft}.0.summary"
        if who == "asker":
            return f"{verb}.me.0.{PAGE}.week"
        if who == "code":
            return f"{verb}.{table}.0.{OLD_CODE if name == 'sid' else CODE if name == 'ina' else 'TRUCE7'}"
        if verb.startswith("night_"):
            return f"{verb}.{self.evening.night_id}.0"
        if verb.startswith("league_"):
            return f"{verb}.{self.evening.league}.0"
        return f"{verb}.me.0" if who == "anybody" else f"{verb}.{table}.0.1"

    async def state(self) -> object:
        """What nobody from outside may change."""
        app = self.house.app
        table = await app.tables.load(self.table)
        assert table is not None
        seats = [structs.replace(seat, seen=0.0) for seat in table.value.seats]
        at_places = [{*await self.store.index.tables_at(place)} for place in (PLACE, GARDEN)]
        league = await app.leagues.load(self.evening.league)
        unseen = structs.replace(table.value, seats=tuple(seats))
        return unseen, league, await self.evening.night(), at_places


@asynccontextmanager
async def scene_of(store: Store, until: Until) -> AsyncIterator[Scene]:
    """The scene, in a house where no clock runs."""
    clock = MovedClock()
    async with league_house(store, until, weekly(), clock) as evening:
        await evening.comes("announced")
    async with open_house(store, work=False, clock=clock) as house:
        scene = Scene(LeagueHouse(house, clock, until), store)
        house.chat.readers |= {(f"mem:{name}", PLACE) for name in INSIDE}
        house.chat.readers |= {(f"mem:{name}", GARDEN) for name in ("eli", "otto")}
        asked = Codec(ShownPage, 1).encode(ShownPage("mem:rea", PLACE))
        await HashedTokens(store).put("shown", PAGE, asked, 3600.0, owner="mem:rea")
        house.chat.organisers |= {("mem:olga", PLACE), ("mem:otto", GARDEN)}
        mia, _ = await scene.evening.member("Mia"), await scene.evening.member("Tom")
        await house.app.leagues.change(
            scene.evening.league, None, lambda now: change_member(now, mia, listed=True)
        )
        scene.table = await scene.open()
        assert not (await house.type(scene.person("olga"), "block", "bob")).code
        await house.app.router.note_leaver("mem:tom", PLACE)
        yield scene


def told(what: dict[str, str]) -> dict[str, str]:
    """The word for who may, by the act."""
    return {verb: who for who, verbs in what.items() for verb in verbs.split()}


@pytest.mark.parametrize(
    ("declared", "written"),
    [(BUTTONS, BUTTONS_FOR), (COMMANDS, COMMANDS_FOR), (WORDS, WORDS_FOR)],
    ids=["buttons", "commands", "words"],
)
def test_the_tables_name_everything_that_is_declared(
    declared: dict[str, object], written: dict[str, str]
) -> None:
    assert {*told(written)} == {*declared}
    assert len(" ".join(written.values()).split()) == len(declared), "something is named twice"


async def press(scene: Scene, verb: str, who: str, name: str, *, private: bool) -> Answer:
    """Have a person press a button: at a table of its own where they may, since that may change it."""
    if who == "draft" and name == "olga":
        await scene.begin_draft()
    changes = name in MAY[who] and who in ("reader of the place", "reader", "seat", "host", "code")
    table = await scene.open() if changes else scene.table
    return await scene.house.press(
        scene.person(name),
        scene.button(verb, who, name, table),
        private=private or name == "ina",  # the app's surface, which is no place
        place=PLACE if name in INSIDE else GARDEN,
    )


def shows(answer: Answer, name: str, *, private: bool) -> bool:
    """Return whether a refusal shows anything but the public table to those who are there, their own rack to
    those who sit, and a farewell."""
    public = answer.public and (private or name not in INSIDE)
    if answer.page or answer.open_private or answer.launch or public:
        return True
    rack = None if name in MAY["seat"] else answer.private
    return rack is not None and bool(rack.picture or rack.buttons or rack.live)


@pytest.mark.long  # some seven thousand presses
async def test_every_button_by_everybody(store: Store, until: Until) -> None:
    async with scene_of(store, until) as scene:
        cells, wrong = 0, []
        for verb, who in told(BUTTONS_FOR).items():
            outside = [name for name in PEOPLE if name not in MAY[who]]
            before = await scene.state()
            for name, private in product(outside, (True, False)):
                answer = await press(scene, verb, who, name, private=private)
                cells += 1
                if answer.code not in REFUSED or shows(answer, name, private=private):
                    wrong.append((verb, who, name, private, answer.code))
            if await scene.state() != before:
                wrong.append((verb, who, "changed something"))
            for name, private in product(sorted(MAY[who]), (True, False)):
                answer = await press(scene, verb, who, name, private=private)
                cells += 1
                if (verb, name, private, answer.code) == ("open_table", "bob", False, "blocked"):
                    continue  # it is the place's table for who is there, and practice for anybody in private
                if answer.code in REFUSED:
                    wrong.append((verb, who, name, private, answer.code))
        assert wrong == []
        assert cells == len(BUTTONS) * len(PEOPLE) * 2
        print(f"{len(BUTTONS)} buttons, {len(PEOPLE)} kinds of people, {cells} cells")


async def type_it(scene: Scene, line: str, name: str, *, private: bool) -> Answer:
    """Have a person type a line: in private, or in the place where they are."""
    here = PLACE if name in INSIDE else GARDEN
    return await scene.house.type(scene.person(name), "okey", line, place=None if private else here)


async def test_every_organisers_command_by_everybody(store: Store, until: Until) -> None:
    """What else is typed is about the person, or about the place where they are."""
    async with scene_of(store, until) as scene:
        cells, wrong, may = 0, [], MAY["organiser of their place"]
        before = await scene.state()
        for verb, name in product(COMMANDS_FOR["organiser of their place"].split(), PEOPLE):
            answer = await type_it(scene, verb, name, private=name in ("mia", "ina"))
            cells += 1
            if (answer.code in REFUSED) == (name in may):
                wrong.append((verb, name, answer.code))
        assert wrong == []
        assert await scene.state() == before
        print(f"{cells} cells")


async def test_every_word_of_a_league_by_everybody(store: Store, until: Until) -> None:
    async with scene_of(store, until) as scene:
        cells, wrong = 0, []
        for word, who in told(WORDS_FOR).items():
            if word == "dispute":  # no night has been played
                continue
            before = await scene.state()
            for name in sorted(PEOPLE, key=lambda each: each in MAY[who]):
                if name in MAY[who] and before is not None:
                    if await scene.state() != before:
                        wrong.append((word, "changed something", ""))
                    before = None
                answer = await type_it(scene, f"league {word}", name, private=name not in (*INSIDE, "otto"))
                cells += 1
                if (answer.code in REFUSED - {"wrong_code"}) == (name in MAY[who]):  # they type none
                    wrong.append((word, name, answer.code))
        assert wrong == []
        print(f"{len(WORDS)} words, {cells} cells")
