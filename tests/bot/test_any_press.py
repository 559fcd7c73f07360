"""Whatever is pressed and typed, by whomever, at a table in whatever stage: the desk answers with a
sentence or a screen, and the store holds nothing new that this person had no right to change."""

import random
import re
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from bot.chats import Answer, Person
from bot.desk.door import VERBS
from bot.presses import press_text
from bot.screens.model import Row
from bot.store import Store
from bot.tables.hosts import tag
from bot.tables.model import Table
from bot.words import plain, words_for
from engine.rules import PRESETS
from engine.tiles import FACES
from tests.bot.house import PLACE, House, open_house
from tests.bot.rounds import begin, play_round
from tests.conftest import Until
from tests.fuzz import times
from tests.fuzz.draws import strange_text
from tests.fuzz.quiet import quietly
from tests.fuzz.rights import Deed, trespasses
from tests.fuzz.stored import Facts, Stored, table_in

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

_MOVES = ("draw", "take", "discard", "let_go", "open_melds", "next")
"""What is pressed more often than other buttons, or nobody would ever be on turn."""


@dataclass
class Scene:
    """People, their tables, and what they have learned so far."""

    house: House
    people: list[Person]
    tables: list[str]
    codes: list[str]
    """Codes and tokens that are good, whoever they are for."""
    buttons: dict[str, deque[str]] = field(default_factory=lambda: defaultdict(lambda: deque(maxlen=12)))
    """What anybody was shown last, by verb."""

    def learn(self, rows: tuple[Row, ...]) -> None:
        """Somebody was shown these buttons."""
        for button in (button for row in rows for button in row):
            self.buttons[button.press.split(".")[0]].append(button.press)


async def a_scene(house: House, until: Until) -> Scene:
    """A table in each stage: a lobby (from which Rex was sent away), two that are played, one between two
    rounds, one over, one closed, one elsewhere. Ada is host, Can sits with her; Eve, Rex sit nowhere, Oya
    elsewhere and at one table under her other account; Org runs the place."""
    ada, can, eve, rex, oya, org = (house.person(name) for name in ("Ada", "Can", "Eve", "Rex", "Oya", "Org"))
    house.chat.private_everywhere = False
    house.chat.organisers.add((org.key, PLACE))
    lobby = await house.open(ada, can, rex)
    await house.press(ada, f"remove_now.{lobby}.0.{tag(rex.key)}")
    playing, yuzbir, between, over = [
        await house.open(ada, can, words=words)
        for words in ("2", "okey101 2", "okey-rounds 2", "okey-rounds 2 rounds=1")
    ]
    for table in (playing, yuzbir, between, over):
        await begin(house, table, ada)
    for table in (between, over):
        await play_round(house, table)
    closed = await house.open(can)
    await house.press(can, f"cancel.{closed}.0", private=False)
    await house.type(oya, "play", "3", place=YARD)
    (elsewhere,) = await house.store.tables_at(YARD)
    others = Person("oth:oya", "Oya", "tr")
    theirs = await house.open(can, others)
    await house.store.link(oya.key, others.key)

    async def written() -> bool:
        return not await house.store.ended(range(64), 9)

    await until(written)
    answers = [
        await house.type(ada, "invite"),
        await house.type(oya, "invite", place=YARD),
        await house.type(can, "link", place=None),
        await house.press(eve, f"join.{elsewhere}.0", private=False, place=YARD),
        await house.press(eve, f"leave.{elsewhere}.0", private=False, place=YARD),
    ]
    codes = [word for answer in answers for word in _codes(answer)]
    tables = [lobby, playing, yuzbir, between, over, closed, elsewhere, theirs]
    return Scene(house, [ada, can, eve, rex, oya, org], tables, codes)


def _codes(answer: Answer) -> Iterator[str]:
    yield from re.findall(r"\b[A-Z0-9]{3,4}-[A-Z0-9]{3,4}\b", plain(answer.notice, words_for("en")))
    if answer.open_private:
        yield answer.open_private


@pytest.mark.parametrize("seed", [1])
async def test_anything_is_answered_and_changes_only_what_it_may(
    store: Store, valkey_url: str, until: Until, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    dice = random.Random(seed)
    async with open_house(store) as house:
        scene = await a_scene(house, until)
    stored = Stored(valkey_url)
    beginning = stored.copied()
    with quietly(caplog):
        async with open_house(store, work=False) as house:
            house.chat.private_everywhere = False
            house.chat.organisers |= scene.house.chat.organisers
            scene.house = house
            for number in range(times(1500)):
                if number % AGAIN == 0:
                    stored.put_back(beginning)
                await _one_deed(scene, stored, dice)
    stored.close()


async def _one_deed(scene: Scene, stored: Stored, dice: random.Random) -> None:
    person = _perhaps_strange(dice, *dice.choices(scene.people, weights=(3, 3, 1, 2, 1, 1)))
    place = dice.choice((PLACE, PLACE, YARD, "mem:hall/7", None))
    before = stored.facts()
    if dice.random() < 0.7:
        did, typed = _press(scene, before, dice), ""
        private = place is None or dice.random() < 0.5
        answer = await scene.house.press(person, did, private=private, place=place or PLACE, id=_id(dice))
    else:
        verb, argument = _command(scene, dice)
        did = typed = f"/{verb} {argument}"
        answer = await scene.house.type(person, verb, argument, place=place, id=_id(dice))
    deed = Deed(_accounts(person), place, typed, _organised(scene, person))
    after = stored.facts()
    assert not (wrong := trespasses(before, after, deed)), (person, place, did, wrong)
    _look_at(scene, after, answer, person, deed, did)


def _look_at(scene: Scene, after: Facts, answer: Answer, person: Person, deed: Deed, did: str) -> None:
    """The answer says something, in words of his language, and shows nobody another one's rack."""
    words = words_for(person.language)
    assert not answer.code or plain(answer.notice, words), did
    if answer.private is not None:
        table = table_in(after, answer.private.table)
        assert table is not None, did
        assert deed.seat_at(table) is not None, did
    for shown in (answer.private, answer.public, answer.leaflet):
        if shown is not None:
            plain(shown.text, words)
            scene.learn(shown.buttons)
    if answer.open_private:
        scene.codes.append(answer.open_private)


def _press(scene: Scene, now: Facts, dice: random.Random) -> str:
    """A button that somebody was shown, one that might be, or no button."""
    id = dice.choice(scene.tables)
    kind = dice.random()
    if kind < 0.1:
        return press_text("rack", id)
    if kind < 0.2:
        return press_text(dice.choice(("join", "join", "start", "computer")), scene.tables[0])
    if kind < 0.3:
        return strange_text(dice)
    if scene.buttons and kind < 0.7:
        moves = [verb for verb in _MOVES if verb in scene.buttons]
        verbs = moves if moves and kind < 0.4 else sorted(scene.buttons)
        return dice.choice(scene.buttons[dice.choice(verbs)])
    table = table_in(now, id)
    moves = dice.choice((0, 1, 40, 10**9, *_counts(table)))
    arguments = [_argument(scene, dice) for _ in range(dice.randrange(4))]
    try:
        return press_text(dice.choice(sorted(VERBS)), id, moves, *arguments)
    except ValueError:
        return ".".join((dice.choice(sorted(VERBS)), id, "0", *arguments))


def _counts(table: Table | None) -> tuple[int, ...]:
    return () if table is None else (table.moves, table.turn_number, table.moves, table.turn_number)


def _argument(scene: Scene, dice: random.Random) -> str:
    if dice.random() < 0.2:
        return strange_text(dice)
    return dice.choice((*_WORDS, *(tag(person.key) for person in scene.people)))


def _command(scene: Scene, dice: random.Random) -> tuple[str, str]:
    verbs = sorted(scene.house.app.desk.commands.verbs())
    verb = strange_text(dice) if dice.random() < 0.1 else dice.choice((*verbs, "okey", "play"))
    drawn = (*_WORDS, *scene.tables, *scene.codes, *scene.codes, *verbs)
    argument = strange_text(dice) if dice.random() < 0.2 else dice.choice(drawn)
    return verb, f"{argument} {dice.choice(drawn)}" if dice.random() < 0.3 else argument


def _perhaps_strange(dice: random.Random, person: Person) -> Person:
    """The person, whose platform says strange things about him now and then."""
    if dice.random() < 0.9:
        return person
    return Person(person.key, strange_text(dice), strange_text(dice))


def _accounts(person: Person) -> frozenset[str]:
    return frozenset({person.key, "oth:oya"} if person.key == "mem:oya" else {person.key})


def _organised(scene: Scene, person: Person) -> frozenset[str]:
    return frozenset(place for who, place in scene.house.chat.organisers if who == person.key)


def _id(dice: random.Random) -> str:
    """Mostly a new one."""
    return f"d{dice.randrange(10**12)}" if dice.random() < 0.95 else "d1"
