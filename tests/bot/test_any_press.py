"""Whatever is pressed and typed, by whomever, at a table in whatever stage: the router answers with a
sentence or a screen, and the store holds nothing new that this person had no right to change."""

import random
import re
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from bot.callback_data import callback_text
from bot.i18n import plain, words_for
from bot.league import decide
from bot.league.model import Schedule
from bot.markup import Row
from bot.ports import Answer, Person
from bot.store import Store
from bot.tables.membership import tag
from bot.tables.table import Table
from engine.rules import PRESETS
from engine.tiles import FACES
from tests.bot.house import PLACE, House, open_house
from tests.bot.league.leagues import LeagueHouse, MovedClock, weekly
from tests.bot.rounds import begin, play_round
from tests.bot.store.waiting import ended
from tests.conftest import Until
from tests.fuzz import times
from tests.fuzz.deeds import Deed
from tests.fuzz.draws import strange_text
from tests.fuzz.quiet import quietly
from tests.fuzz.rights import trespasses
from tests.fuzz.stored import Facts, Stored, table_in
from tests.offered import BUTTONS, COMMANDS, NIGHTLY_VERBS

pytestmark = pytest.mark.long

YARD = "mem:yard"
AGAIN = 50
"""After so many deeds everything is as it was at the beginning: a table in each stage."""

_WORDS = (
    *("", "0", "1", "2", "3", "14", "15", "16", "99", "1000", "-1", "x", "R14", "F=R3", "R1-R2", "*R5-F"),
    *("quiet", "mention", "8-8", "23-8 +3", "on", "off", "me", "yes", "evet", "okey", "okey101", "words"),
    *("players", "teams", "penalties", "game", "true", "false", "-joker_left", "+5:30", "clock=5m", "5m"),
    *("players=9", "rounds=1", "start_points=1", "letters", "contrast", "plain", "2 quick", "week"),
    *PRESETS,
    *(face.name for face in FACES[:20]),
)

_OF_LEAGUES = (
    *("league", "league yes", "league substitute", "league late", "league leave", "league me", "league end"),
    *("league dispute 1.1 why", "league pause rain", "league go sun", "league void 1.1 wrong", "league skip"),
    *("league correct 1.1 3 2 1 0 so", "league penalty Ada 1 rude", "league away Can", "league replay 2.1 x"),
    *("league members Ada, Kim, -Can", "league pair Ada, Can", "league reminders off", "league invite"),
    *(
        "league join",
        "league withdraw",
        "league move 2026-03-20 20:00",
        "league extend 5 x",
        "league finish x",
    ),
)
_OF_NIGHTS = (
    *("pause", "go", "close", "cancel", "finish", "void.1_1", "void.2_1", "replay.2_1", "uphold.1_1"),
    *("extend.5", "away.m2", "put.m4.m5", "put.m1.m5", "move.m1.2_1", "move.m1.1_2", "penalty.m1.0,5"),
    *("correct.1_1.3.2.1.0", "reject.1_1", "m1", "m4", "1.1", "2", "on", "off", "1_1", "202603132000"),
)

_EVENINGS = tuple(sorted(NIGHTLY_VERBS))

_MOVES = ("draw", "take", "discard", "open_melds", "next")
"""What is pressed more often than other buttons, or nobody would ever be on turn."""


@dataclass
class Scene:
    """People, their tables, and what they have learned so far."""

    house: House
    people: list[Person]
    tables: list[str]
    evenings: list[str]
    """Leagues and nights."""
    codes: list[str]
    """Codes and tokens that are good, whoever they are for."""
    buttons: dict[str, deque[str]] = field(default_factory=lambda: defaultdict(lambda: deque(maxlen=12)))
    """What anybody was shown last, by verb."""

    def learn(self, rows: tuple[Row, ...]) -> None:
        """Somebody was shown these buttons."""
        for button in (button for row in rows for button in row):
            verb = button.press.split(".")[0]
            assert verb in BUTTONS
            self.buttons[verb].append(button.press)


async def a_scene(house: House, clock: MovedClock, until: Until) -> Scene:
    """A table in each stage: a lobby (from which Rex was removed), two that are played, one between two
    rounds, one over, one closed, one elsewhere. Ada is host, Can sits with her; Eve, Rex sit nowhere, Oya
    elsewhere and at one table under her other account; Org runs the place, Yun the yard."""
    names = ("Ada", "Can", "Eve", "Rex", "Oya", "Org", "Yun")
    ada, can, eve, rex, oya, org, yun = map(house.person, names)
    house.chat.private_everywhere = False
    house.chat.organisers |= {(org.key, PLACE), (yun.key, YARD)}
    house.chat.readers |= {(eve.key, PLACE), (can.key, YARD)}
    begun = []
    for words in ("2", "okey101 2", "okey-rounds 2", "okey-rounds 2 rounds=1"):
        begun.append(await house.open(ada, can, words=words))
        await begin(house, begun[-1], ada)
    playing, okey101, between, over = begun
    lobby = await house.open(ada, can, rex)
    await house.press(ada, f"remove_now.{lobby}.0.{tag(rex.key)}")
    for table in (between, over):
        await play_round(house, table)
    closed = await house.open(can)
    await house.press(can, f"cancel.{closed}.0", private=False)
    await house.type(oya, "play", "3", place=YARD)
    (elsewhere,) = await house.store.index.tables_at(YARD)
    others = Person("oth:oya", "Oya", "tr")
    theirs = await house.open(can, others)
    await house.store.people.link(oya.key, others.key)

    async def written() -> bool:
        return not await ended(house.store)

    await until(written)
    answers = [
        await house.type(ada, "invite"),
        await house.type(oya, "invite", place=YARD),
        await house.type(can, "link", place=None),
        await house.press(eve, f"join.{elsewhere}.0", private=False, place=YARD),
        await house.press(eve, f"leave.{elsewhere}.0", private=False, place=YARD),
    ]
    codes = [word for answer in answers for word in _codes(answer)]
    tables = [lobby, playing, okey101, between, over, closed, elsewhere, theirs]
    evenings, at_night = await leagues(house, clock, until)
    codes += [
        word
        for person, place in ((org, PLACE), (yun, YARD))
        for word in _codes(await house.type(person, "okey", "league invite", place=place))
    ]
    people = [ada, can, eve, rex, oya, org, yun]
    return Scene(house, people, [*tables, at_night], evenings, codes)


async def leagues(house: House, clock: MovedClock, until: Until) -> tuple[list[str], str]:
    """A league whose night is played, in its second round, in which a computer player keeps Rex's seat, and
    Oya would be a substitute; and one in the yard that waits for its first night, with room for one. Their
    ids, and that of the round's table."""
    played = LeagueHouse(house, clock, until)
    await house.app.leagues.create_league(weekly(rounds=3), "found")
    schedule = Schedule(start="2026-03-13T20:00", zone="UTC", rule="FREQ=WEEKLY;BYDAY=FR")
    in_yard = replace(weekly(cap=1), id="fghij", community=YARD, places=(YARD,), schedule=schedule)
    await house.app.leagues.create_league(in_yard, "found")
    await played.comes("announced")
    here = await played.signs_up("Ada", "Can", "Eve", "Rex")
    await played.signs_up("Oya", said="substitute")
    await played.at(-20 * 60, "check_in")
    await played.checks_in(*here)
    await played.at(-3 * 60, "ready")
    await played.at(0, "playing")
    await played.play_all()
    await played.comes("break")
    await played.at(5 * 60, "playing")
    (table,) = await played.tables()
    rex = (await house.app.leagues.load(played.league)).members[here[3]]
    await played.act(lambda night, now: decide.leave(night, now, rex, PLACE), by=rex.id)

    async def stored() -> bool:
        night = await played.night()
        assert night.round is not None
        return bool(night.round.tables[0].free)

    await until(stored)
    await LeagueHouse(house, clock, until, in_yard.id, f"{in_yard.id}-202603132000").comes("announced")
    return [played.league, in_yard.id, played.night_id, f"{in_yard.id}-202603132000"], table


def _codes(answer: Answer) -> Iterator[str]:
    yield from re.findall(r"\b[A-Z0-9]{3,4}-[A-Z0-9]{3,4}\b", plain(answer.notice, words_for("en")))
    if answer.open_private:
        yield answer.open_private


@pytest.mark.parametrize("seed", [1])
async def test_anything_is_answered_and_changes_only_what_it_may(
    store: Store, valkey_url: str, until: Until, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    dice = random.Random(seed)
    clock = MovedClock()
    async with open_house(store, clock=clock) as house:
        scene = await a_scene(house, clock, until)
    chat = house.chat
    stored = Stored(valkey_url)
    beginning = stored.copied()
    with quietly(caplog):
        for number in range(0, times(800), AGAIN):
            stored.put_back(beginning)
            # A process that goes on would take this for a store that lost moves.
            async with open_house(store, work=False, clock=clock) as house:
                house.chat.private_everywhere = False
                house.chat.organisers |= chat.organisers
                house.chat.readers |= chat.readers
                scene.house = house
                for _ in range(min(AGAIN, times(800) - number)):
                    await _one_deed(scene, stored, dice)
    stored.close()


async def _one_deed(scene: Scene, stored: Stored, dice: random.Random) -> None:
    person = _perhaps_strange(dice, *dice.choices(scene.people, weights=(3, 3, 1, 2, 1, 4, 1)))
    place = dice.choice((PLACE, PLACE, YARD, "mem:hall/7", None))
    before = stored.facts()
    if dice.random() < 0.7:
        did, typed = _press(scene, before, dice), ""
        private = place is None or dice.random() < 0.5
        answer = await scene.house.press(person, did, private=private, place=place or PLACE, id=_id(dice))
        place = None if private else place
    else:
        verb, argument = _command(scene, dice)
        did = typed = f"/{verb} {argument}"
        answer = await scene.house.type(person, verb, argument, place=place, id=_id(dice))
    deed = Deed(
        _accounts(person), place, person.name, typed, did, _organised(scene, person), _read(scene, person)
    )
    after = stored.facts()
    assert not (wrong := trespasses(before, after, deed)), (person, place, did, wrong)
    _look_at(scene, after, answer, person, deed, did)


def _look_at(scene: Scene, after: Facts, answer: Answer, person: Person, deed: Deed, did: str) -> None:
    """The answer says something, in words of their language, and shows nobody another one's rack."""
    words = words_for(person.language)
    assert not answer.code or plain(answer.notice, words), did
    if answer.private is not None:
        table = table_in(after, answer.private.table)
        assert table is not None, did
        if deed.seat_at(table) is None:  # then it says so, and shows no rack
            assert table.farewell_to(person.key) is not None, did
            assert not answer.private.buttons, did
            assert (answer.private.picture, answer.private.live) == (None, None), did
    for shown in (answer.private, answer.public, answer.page):
        if shown is not None:
            plain(shown.text, words)
            scene.learn(shown.buttons)
    if answer.open_private:
        scene.codes.append(answer.open_private)


def _press(scene: Scene, now: Facts, dice: random.Random) -> str:
    """A button that somebody was shown, one that might be, or no button."""
    id = dice.choice((*scene.tables, *scene.evenings))
    kind = dice.random()
    if kind < 0.1:
        return callback_text("rack", id)
    if kind < 0.2:
        return callback_text(dice.choice(("join", "join", "start", "computer")), scene.tables[0])
    if kind < 0.3:
        return strange_text(dice)
    if kind < 0.45:
        return _of_an_evening(scene, dice)
    if scene.buttons and kind < 0.75:
        moving = [verb for verb in _MOVES if verb in scene.buttons]
        verbs = moving if moving and kind < 0.55 else sorted(scene.buttons)
        return dice.choice(scene.buttons[dice.choice(verbs)])
    table = None if id in scene.evenings else table_in(now, id)
    moves = dice.choice((0, 1, 40, 10**9, *_counts(table)))
    arguments = [_argument(scene, dice) for _ in range(dice.randrange(4))]
    try:
        return callback_text(dice.choice(sorted(BUTTONS)), id, moves, *arguments)
    except ValueError:
        return ".".join((dice.choice(sorted(BUTTONS)), id, "0", *arguments))


def _of_an_evening(scene: Scene, dice: random.Random) -> str:
    """A button of a league or a night."""
    verb = dice.choice((*_EVENINGS, *(["night_do"] * 9)))
    wanted = [id for id in scene.evenings if ("-" in id) == verb.startswith("night")]
    argument = dice.choice((*_OF_NIGHTS, *_OF_NIGHTS, ""))
    why = f".{dice.choice(('agreed', 'other'))}" if verb == "night_do" else ""
    return f"{verb}.{dice.choice(wanted)}.0{argument and f'.{argument}'}{why}"


def _counts(table: Table | None) -> tuple[int, ...]:
    return () if table is None else (table.moment, table.turn_number, table.moment, table.turn_number)


def _argument(scene: Scene, dice: random.Random) -> str:
    if dice.random() < 0.2:
        return strange_text(dice)
    return dice.choice((*_WORDS, *(tag(person.key) for person in scene.people)))


def _command(scene: Scene, dice: random.Random) -> tuple[str, str]:
    verbs = sorted(COMMANDS)
    verb = strange_text(dice) if dice.random() < 0.1 else dice.choice((*verbs, "okey", "play"))
    if dice.random() < 0.2:
        return "okey", " ".join((dice.choice(_OF_LEAGUES), *dice.choices(("", *scene.codes), k=1)))
    drawn = (*_WORDS, *scene.tables, *scene.codes, *scene.codes, *verbs)
    argument = strange_text(dice) if dice.random() < 0.2 else dice.choice(drawn)
    return verb, f"{argument} {dice.choice(drawn)}" if dice.random() < 0.3 else argument


def _perhaps_strange(dice: random.Random, person: Person) -> Person:
    """The person, whose platform says strange things about them now and then."""
    if dice.random() < 0.9:
        return person
    return Person(person.key, strange_text(dice), strange_text(dice))


def _accounts(person: Person) -> frozenset[str]:
    return frozenset({person.key, "oth:oya"} if person.key == "mem:oya" else {person.key})


def _organised(scene: Scene, person: Person) -> frozenset[str]:
    return frozenset(place for who, place in scene.house.chat.organisers if who == person.key)


def _read(scene: Scene, person: Person) -> frozenset[str]:
    return frozenset(place for who, place in scene.house.chat.readers if who == person.key)


def _id(dice: random.Random) -> str:
    """Mostly a new one."""
    return f"d{dice.randrange(10**12)}" if dice.random() < 0.95 else "d1"
