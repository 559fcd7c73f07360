"""What may be done is stated once, as offers: they are what the rules and the lobby accept, each has a
button in chats and an act in an app, and no question before one is passed over."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from adapters.web.markup import Renderer
from bot.errors import Refused
from bot.i18n import words_for
from bot.live import Act
from bot.markup import Button, PublicScreen, SeatScreen
from bot.screens.live import live_table
from bot.screens.lobby import lobby_screen
from bot.screens.offer import SURE, Offer, offers_of
from bot.screens.offers import list_number_offers, list_place_offers, list_rack_offers
from bot.screens.player import rack_screen
from bot.screens.table import public_screen
from bot.tables import lobby, play, turns
from bot.tables.facts import RackFacts, rack_facts, table_facts
from bot.tables.table import COMPUTER_LEVELS, Change, Seat, Table
from engine.errors import NotAllowed
from engine.moves import Call, Declare, Discard, Draw, Finish, Move, Take
from engine.round import legal_moves, step
from engine.rules import PRESETS, rules_from
from tests.bot.hands import DELAYS, NAMES, WORDS, Hands, a_match

HOST = f"mem:{NAMES[0]}"
IN_PLACES = {"join", "sit", "leave", "computer", "fewer", "players", "level", "shuffle", "start", "cancel"}
"""The acts of a lobby that change the table."""


def presses_of(screen: PublicScreen | SeatScreen) -> dict[str, Button]:
    return {button.press: button for row in screen.buttons for button in row}


def positions(preset: str, share: float) -> Iterator[Table]:
    """Some positions of some rounds."""
    for seed in range(3):
        chance = random.Random(f"{preset} {seed}")
        for table in a_match(rules_from({"preset": preset}), chance, steady=1 - seed / 20):
            if chance.random() < share:
                yield table


def on_turn(table: Table) -> int:
    round = table.match.round
    assert round is not None
    return round.turn


def rack_of(table: Table, seat: int) -> RackFacts:
    return rack_facts(table, seat, None, None)


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
def test_no_act_with_a_question_happens_without_an_answer(preset: str) -> None:
    async def ask_all() -> Counter[str]:
        asked: Counter[str] = Counter()
        for table in positions(preset, 1.0):
            seat = on_turn(table)
            for offer in list_rack_offers(rack_of(table, seat)):
                if offer.sure and asked[f"{offer.sure} {offer.wins}"] < 12:
                    await ask(Hands(table, seat), offer)
                    asked[f"{offer.sure} {offer.wins}"] += 1
        return asked

    async def ask(hands: Hands, offer: Offer) -> None:
        assert offer.press == f"{offer.asking}.{SURE}"
        shown = await hands.press(offer.asking)
        assert not hands.made
        if hands.refused:  # a rack that does not win may be tried: that is refused, and not asked about
            assert (hands.refused, offer.wins) == ({"no_win"}, False)
            return
        assert shown is not None
        assert presses_of(shown)[offer.press].style == "danger"
        await hands.press(offer.press)
        assert len(hands.made) == 1

    asked = asyncio.run(ask_all())
    rules = rules_from({"preset": preset})
    classic = {"okey False", "finish True", "finish False"}
    laying = {"fined False"} if rules.strict else {"joker_discard False", "playable_discard False"}
    assert asked.keys() >= (laying if "101" in preset else classic)


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
def test_a_refusal_that_an_app_is_told_is_the_engine_s_and_in_its_words(preset: str) -> None:
    known = Renderer("en").page_words
    moves: dict[str, Callable[[RackFacts], list[Move]]] = {
        "draw": lambda _: [Draw()],
        "take": lambda _: [Take()],
        "discard": lambda facts: [Discard(tile) for tile in facts.view.rack] if facts.view else [],
    }
    told = set()
    for table in positions(preset, 0.2):
        round = table.match.round
        assert round is not None
        for seat in round.seats:
            facts = rack_of(table, seat)
            for kind, all_of in moves.items():
                codes = set()
                for move in all_of(facts):
                    try:
                        step(table.match.rules, round, seat, move)
                    except NotAllowed as refusal:
                        codes.add(refusal.code)
                assert facts.refused.get(kind) in (codes or {None})
                told |= codes
    assert {f"refused.{code}" for code in told} <= known.keys()
    assert {"not_your_turn", "draw_first", "already_drawn"} <= told


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
def test_numbers_reach_what_may_be_discarded_and_nothing_else(preset: str) -> None:
    """One that costs something takes a second press; the numbers of whoever plays by alerts are all that the
    place's message tells."""

    async def press_all() -> int:
        pressed = 0
        for table in positions(preset, 0.05):
            seat, round = on_turn(table), table.match.round
            assert round is not None
            alerted = table.with_seat(seat, alerts_only=True, private_closed=True)
            facts = table_facts(alerted, None)
            offers = list_number_offers(facts)
            shown = presses_of(public_screen(facts, WORDS))
            assert {offer.press for offer in offers} <= shown.keys()
            questions = {offer.tile: offer.sure for offer in list_rack_offers(rack_of(table, seat))}
            hands = Hands(alerted, seat)
            for offer in offers_of(offers, "number"):
                before = len(hands.made)
                await hands.press(offer.press)
                if len(hands.made) == before:
                    await hands.press(offer.press)
            legal = legal_moves(table.match.rules, round, seat)
            last = (
                {move for move in legal if isinstance(move, Finish)} if len(round.racks[seat]) == 1 else set()
            )
            assert hands.made == {move for move in legal if isinstance(move, Discard)} | last
            assert questions
            pressed += len(hands.made)
        return pressed

    assert asyncio.run(press_all()) > 10


def test_whoever_may_call_or_declare_has_the_button_and_the_act() -> None:
    seen = set()
    for table in positions("okey101-tournament", 0.3):
        round = table.match.round
        assert round is not None
        for seat in round.seats:
            legal = legal_moves(table.match.rules, round, seat)
            offers = list_rack_offers(rack_of(table, seat))
            for kind, move in (("call", Call()), ("declare", Declare())):
                assert bool([offer for offer in offers if offer.kind == kind]) == (move in legal)
                seen |= {kind} if move in legal else set()
    assert seen == {"call", "declare"}


def lobbies() -> Iterator[Table]:
    """Lobbies of every size, with people and computer players on some of their seats."""
    for preset in ("okey", "okey-partners", "okey101"):
        for size in (2, 3, 4):
            rules = rules_from({"preset": preset} | ({} if "partners" in preset else {"players": size}))
            for people in range(1, rules.players + 1):
                for computers in range(rules.players - people + 1):
                    table = lobby.open_table(
                        table_id="tttttt",
                        place="mem:hall",
                        host=Seat(person=HOST, name=NAMES[0]),
                        rules=rules,
                        language="en",
                        turn_seconds=60,
                        secret=bytes(64),
                        now=0.0,
                    ).table
                    for name in NAMES[1:people]:
                        table = lobby.join(table, Seat(person=f"mem:{name}", name=name)).table
                    for _ in range(computers):
                        table = lobby.add_computer(table, HOST).table
                    yield table
                    if people == rules.players:
                        yield replace(table, clock=replace(table.clock, counts_down=True))


def accepted(table: Table) -> dict[str, bool]:
    """Whether a lobby accepts each act, from a newcomer or from its host; by the rest of its press."""
    newcomer = Seat(person="mem:Newcomer", name="Newcomer")
    acts: dict[str, Callable[[], Change]] = {
        "join": lambda: lobby.join(table, newcomer),
        "leave": lambda: lobby.leave(table, HOST),
        "computer": lambda: lobby.add_computer(table, HOST),
        "fewer": lambda: lobby.remove_computer(table, HOST),
        "shuffle": lambda: lobby.shuffle_seats(table, HOST, bytes(32)),
        "start": lambda: play.start(table, HOST, DELAYS),
        "cancel": lambda: lobby.cancel(table, HOST),
    }
    for seat in range(4):
        acts[f"sit {seat}"] = lambda seat=seat: lobby.sit(table, newcomer, seat)  # type: ignore[misc]
    for size in (2, 3, 4):
        acts[f"players {size}"] = lambda size=size: lobby.change_rules(table, HOST, players=size)  # type: ignore[misc]
    for level in COMPUTER_LEVELS:
        acts[f"level {level}"] = lambda level=level: lobby.change_level(table, HOST, level)  # type: ignore[misc]

    def accepts(act: Callable[[], Change]) -> bool:
        try:
            act()
        except Refused:
            return False
        return True

    return {name: accepts(act) for name, act in acts.items()}


def test_a_lobby_offers_exactly_what_it_accepts() -> None:
    for table in lobbies():
        offers = list_place_offers(table_facts(table, None))
        named = {
            " ".join([offer.kind, *offer.press.split(".")[3:]]) for offer in offers if offer.kind in IN_PLACES
        }
        assert named == {name for name, accepts in accepted(table).items() if accepts}


def test_a_lobby_shows_no_button_that_it_does_not_offer_and_an_app_every_act() -> None:
    for table in lobbies():
        facts = table_facts(table, None)
        offers = {offer.press: offer for offer in list_place_offers(facts)}
        screen = lobby_screen(
            table_facts(replace(table, postings=replace(table.postings, unfolded=True)), None),
            words_for("en"),
        )
        shown = {press for press in presses_of(screen) if press.split(".")[0] in IN_PLACES}
        assert shown <= offers.keys()
        elsewhere = {"players", "level", "join" if facts.rules.teams else "sit"}
        once = {offer.press for offer in offers.values() if offer.kind not in elsewhere}
        assert once <= presses_of(screen).keys()
        live = live_table(facts, words_for("en"))
        assert live.acts == tuple(offer.act for offer in offers.values())
        assert Act("leave", f"leave.{table.id}.{facts.moment:x}") in live.acts


def end_of_round(preset: str) -> tuple[Table, Table]:
    """A match before the last move of a round, and after it."""
    *_, last = a_match(rules_from({"preset": preset}), random.Random(preset), steady=1.0)
    legal = legal_moves(last.match.rules, last.match.round, on_turn(last)) if last.match.round else ()
    after = [play.move(last, on_turn(last), move, DELAYS, lambda: bytes(64)).table for move in legal]
    return last, next(table for table in after if table.stage == "between")


@pytest.mark.parametrize("preset", ["okey", "okey101"])
def test_who_leaves_between_rounds_may_come_back_before_the_next(preset: str) -> None:
    _, table = end_of_round(preset)
    assert table.stage == "between"
    for offered, not_offered in (("step_out", "back_in"), ("back_in", "step_out")):
        facts = rack_of(table, 0)
        kinds = {offer.kind: offer.press for offer in list_rack_offers(facts)}
        assert offered in kinds
        assert not_offered not in kinds
        assert kinds[offered] in presses_of(rack_screen(facts, WORDS))
        table = turns.step_out(table, HOST, "steady", DELAYS).table


def test_a_match_goes_on_or_again_by_one_button() -> None:
    for preset in ("okey", "okey101"):
        for table in end_of_round(preset):
            facts = table_facts(table, None)
            kinds = [offer.kind for offer in list_place_offers(facts)]
            assert kinds == ([] if table.stage == "playing" else ["next", "replay"])
