"""RULES 9, worked out on paper: records made by hand, replayed by the library and by `okey replay`.

They stand in `records/*.toml`. A record has `rules` (of Okey 101 without a preset: `okey101`), `rounds`, and
what comes of them: `changes` and `how` of each round that ends, `bowl`, and of the match `scores`, `winners`
and `chips`; or the code of an `error`, and where `at`. In a round, `racks` and `stock` name the tiles that
matter, and any others fill the rest; `@name` stands for a hand or an opening from the head of the file,
`R2..R5` for four tiles. `play` has the actions, one after the other: `pass all` has everybody draw and
discard what they drew.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.main import main
from engine.errors import EngineError, Unreadable
from engine.record import FORMAT, deal_to_json
from engine.replay import replay
from engine.rules import Rules, rules_from
from tests.engine.laid_out import dealt

FOLDER = Path(__file__).parent / "records"
NAMES = ["Ada", "Can", "Ece", "Ali"]

Data = dict[str, Any]


def spread(text: str) -> list[str]:
    """The tiles of a text, with ranges written out."""
    words = []
    for word in text.split():
        if found := re.fullmatch(r"([RYBK])(\d+)\.\.\1(\d+)", word):
            colour, first, last = found.groups()
            words += [f"{colour}{number}" for number in range(int(first), int(last) + 1)]
        else:
            words.append(word)
    return words


def named(text: str, names: Mapping[str, str]) -> str:
    """The text with what each `@name` stands for."""
    return re.sub(r"@(\w+)", lambda found: names[found[1]], text)


class Script:
    """The actions of a round, in the form of FORMATS, from their words."""

    def __init__(self, rules: Rules, starter: int, stock: list[str]) -> None:
        self.players = rules.players
        self.turn = starter
        self.stock = stock
        self.actions: list[Data] = []

    def add(self, text: str) -> None:
        if text == "pass all":
            while self.stock:
                self._does(self.turn, "draw", "")
                self._does(self.turn, "discard", self.drawn)
            return
        seat, verb, *rest = text.split(maxsplit=2)
        self._does(int(seat), verb, rest[0] if rest else "")

    def _does(self, seat: int, verb: str, rest: str) -> None:
        action: Data = {"seat": seat, "do": verb}
        match verb:
            case "draw" if self.stock:
                self.drawn = self.stock.pop(0)
            case "discard" | "finish":
                action["tile"] = rest
                self.turn = (seat + 1) % self.players
            case "open":
                action["melds"] = [spread(meld) for meld in rest.split("|")]
            case "pairs":
                action |= {"do": "open", "pairs": [spread(pair) for pair in rest.split("|")]}
            case "meld":
                action["tiles"] = spread(rest)
            case "lay":
                tile, on = rest.split()
                action |= {"tile": tile, "on": int(on)}
            case "takeback":
                action["count"] = int(rest)
        self.actions.append(action)


def record_from(told: Data, hands: Mapping[str, str], melds: Mapping[str, str]) -> Data:
    """The record that a hand-made one describes."""
    record: Data = {"format": FORMAT, "rules": told["rules"], "rounds": []}
    try:
        rules = rules_from(told["rules"])
    except Unreadable:  # which the replay is to find
        return {**record, "seats": NAMES}
    for laid_out in told.get("rounds", []):
        dealer = laid_out.get("dealer", 0)
        racks = {int(seat): " ".join(spread(named(rack, hands))) for seat, rack in laid_out["racks"].items()}
        made = dealt(
            rules,
            racks,
            indicator=laid_out.get("indicator", "K13"),
            dealer=dealer,
            stock=laid_out.get("stock", ""),
        )
        deal = deal_to_json(made) | ({"riziko": True} if "riziko" in laid_out else {})
        script = Script(rules, made.starter, list(deal["stock"]))
        for words in filter(None, map(str.strip, named(laid_out["play"], melds).split(";"))):
            script.add(words)
        record["rounds"].append({"dealer": dealer, "deal": deal, "actions": script.actions})
    return {**record, "seats": NAMES[: rules.players]}


def on_paper() -> Iterator[tuple[Data, Data]]:
    """Each hand-made record with the one that it describes."""
    for path in sorted(FOLDER.glob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        for told in data["record"]:
            told["rules"] = ({"preset": "okey101"} if path.stem == "okey101" else {}) | told["rules"]
            yield told, record_from(told, data["hands"], data.get("melds", {}))


RECORDS = list(on_paper())
EACH = pytest.mark.parametrize(("told", "record"), RECORDS, ids=[told["name"] for told, _ in RECORDS])


def expected(told: Data) -> list[Data]:
    """What each round that ends comes to."""
    return [
        {
            "outcome": round.get("outcome", "win"),
            "how": round.get("how", []),
            "changes": round["changes"],
            **({"bowl": round["bowl"]} if "bowl" in round else {}),
        }
        for round in told.get("rounds", [])
        if "changes" in round
    ]


def assert_comes_out(told: Data, result: Data) -> None:
    """The result of a replay is that of the paper."""
    rounds = [
        {key: round[key] for key in round if key not in ("winner", "scores")} for round in result["rounds"]
    ]
    assert rounds == expected(told), told["paper"]
    for key in ("scores", "winners", "chips"):
        if key in told:
            assert result[key] == told[key], told["paper"]
    if "winners" in told:
        assert result["finished"] == bool(told["winners"])
    assert ("chips" in result) == ("chips" in told)


@EACH
def test_a_record_comes_to_what_was_worked_out_on_paper(told: Data, record: Data) -> None:
    if "error" not in told:
        assert_comes_out(told, replay(record))
        return
    with pytest.raises(EngineError) as refused:
        replay(record)
    assert refused.value.code == told["error"], told["paper"]
    assert {key: refused.value.parameters[key] for key in told.get("at", {})} == told.get("at", {})


def test_there_are_a_hundred_and_each_has_its_arithmetic() -> None:
    assert len(RECORDS) >= 100
    assert all(told["paper"] for told, _ in RECORDS)
    assert len({told["name"] for told, _ in RECORDS}) == len(RECORDS)


def test_every_switch_is_tried() -> None:
    tried = {switch for told, _ in RECORDS for switch in told["rules"]}
    named = {"bowl", "show_spares", "riziko", "factors", "last_factor", "extend_within", "declare_pairs",
             "pairs_lay_off", "lay_pairs", "elden_below", "playable_called", "partner_penalties",
             "false_joker_indicator"}  # fmt: skip
    assert named <= tried


@EACH
def test_the_command_replays_it(
    told: Data, record: Data, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), "utf-8")
    status = main(["replay", str(file), "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert status == ("error" in told)
    if "error" in told:
        assert answer["error"]["code"] == told["error"]
    else:
        assert_comes_out(told, answer)
