"""Rules: every switch of RULES 8 and 9 as a field, the presets of RULES 6, and switches that clash."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from engine.errors import Unreadable
from engine.melds import MeldRules
from engine.tiles import COLOURS, Tile

GameName = Literal["classic", "101"]
Direction = Literal["counterclockwise", "clockwise"]
Deal = Literal["stacks", "quick"]
DieCountsFrom = Literal["bottom", "top"]
FalseJokerIndicator = Literal["reroll", "false_jokers_wild", "next_tile"]
FirstDealer = Literal["random", "highest_die", "highest_tile"]
Starter = Literal["after_dealer", "dealer"]
DiscardSources = Literal["left", "any"]
Showing = Literal["declared", "automatic", "off"]
Scoring = Literal["countdown", "penalty", "rounds"]
OneColorDouble = Literal["off", "any", "red_black"]
End = Literal["zero", "elimination", "rounds"]
ReturnTaken = Literal["free", "penalty"]
OpenersPay = Literal["rack", "uncombined"]
PairsLayOff = Literal["any", "2"]
LayPairs = Literal["own", "once_opened"]
PartnerPenalties = Literal["counted", "wiped"]
Penalty = Literal[
    "joker_left", "joker_discard", "playable_discard", "failed_opening", "takeback", "fed_opening"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one table. The defaults are those of RULES 8 for a classic game.

    Build them with `rules_from`, which knows presets and the defaults of each game, and refuses combinations
    that make no sense.
    """

    game: GameName = "classic"
    players: int = 4
    teams: bool = False
    direction: Direction = "counterclockwise"
    deal: Deal = "stacks"
    die_counts_from: DieCountsFrom = "bottom"
    false_joker_indicator: FalseJokerIndicator = "reroll"
    first_dealer: FirstDealer = "random"
    starter: Starter = "after_dealer"
    discard_sources: DiscardSources = "left"
    indicator_last_draw: bool = False
    one_after_thirteen: bool = True
    pairs_win: bool = True
    last_take: bool = True
    show: Showing = "declared"
    rethrow: bool = False
    scoring: Scoring = "countdown"
    start_points: int = 20
    stack_doublings: bool = True
    one_color_double: OneColorDouble = "off"
    end: End = "zero"
    rounds: int = 5
    pot: bool = False
    stake: int = 100
    opening_points: int = 101
    opening_pairs: int = 5
    raising: bool = False
    reclaim_joker: bool = False
    strict: bool = False
    return_taken: ReturnTaken = "free"
    openers_pay: OpenersPay = "rack"
    penalties: tuple[Penalty, ...] = (
        "joker_left",
        "joker_discard",
        "playable_discard",
        "failed_opening",
        "takeback",
    )
    bowl: int = 0
    show_spares: int = 0
    riziko: bool = False
    factors: tuple[int, int, int, int] = (1, 1, 1, 1)
    """For an okey that is red, yellow, blue, black."""
    last_factor: int = 1
    extend_within: int = 0
    declare_pairs: bool = False
    pairs_lay_off: PairsLayOff = "any"
    lay_pairs: LayPairs = "own"
    elden_below: bool = False
    playable_called: bool = False
    partner_penalties: PartnerPenalties = "counted"

    def meld_rules(self, okey: Tile) -> MeldRules:
        """Return the rules for melds in a round with this okey."""
        return MeldRules(okey, wrap=self.one_after_thirteen, pairs=self.pairs_win)

    def same_side(self, seat: int, other: int) -> bool:
        """Return whether two seats are one player or partners: 0 and 2, 1 and 3."""
        return seat == other or (self.teams and seat % 2 == other % 2)

    def multiply(self, times: int) -> int:
        """Return the factor of this many doublings (`stack_doublings`)."""
        return 1 << (times if self.stack_doublings else min(times, 1))

    def factor(self, okey: Tile, *, last_round: bool) -> int:
        """Return what multiplies the changes by a round with this okey (`factors`, `last_factor`).

        Wild false jokers have no colour, so that only `last_factor` counts.
        """
        by_colour = 1 if okey.colour is None else self.factors[COLOURS.index(okey.colour)]
        return by_colour * (self.last_factor if last_round else 1)


_COMMON_101: Final = {"game": "101"}
_TURKISH_RUMMY: Final = {
    "deal": "quick",
    "first_dealer": "highest_tile",
    "discard_sources": "any",
    "show": "automatic",
    "scoring": "penalty",
}

PRESETS: Final[Mapping[str, Mapping[str, object]]] = MappingProxyType(
    {
        "okey": {},
        "okey-partners": {"teams": True},
        "okey-elimination": {"end": "elimination"},
        "turkish-rummy": _TURKISH_RUMMY,
        "turkish-rummy-fast-1": _TURKISH_RUMMY | {"rounds": 1, "pot": True},
        "turkish-rummy-fast-3": _TURKISH_RUMMY | {"rounds": 3, "pot": True},
        "okey-rounds": {
            "die_counts_from": "top",
            "false_joker_indicator": "false_jokers_wild",
            "first_dealer": "highest_die",
            "direction": "clockwise",
            "pairs_win": False,
            "show": "off",
            "scoring": "rounds",
        },
        "okey101": _COMMON_101,
        "okey101-raise": _COMMON_101 | {"raising": True, "reclaim_joker": True},
        "okey101-partners": _COMMON_101 | {"teams": True},
        "okey-bowl": {"bowl": 100},
        "okey101-tournament": _COMMON_101
        | {
            "teams": True,
            "rounds": 11,
            "starter": "after_dealer",
            "strict": True,
            "return_taken": "penalty",
            "reclaim_joker": True,
            "false_joker_indicator": "next_tile",
            "declare_pairs": True,
            "pairs_lay_off": "2",
            "lay_pairs": "once_opened",
            "elden_below": True,
            "playable_called": True,
            "partner_penalties": "wiped",
        },
    }
)
"""The presets of RULES 6, each by its differences from the defaults of its game and scoring."""

LENGTH_TOLD: Final = ("turkish-rummy-fast-1", "turkish-rummy-fast-3")
"""The presets whose names tell the length of a match, so that they name none of another."""

_RANGES: Final = {
    "players": (2, 4),
    "start_points": (1, 1000),
    "rounds": (1, 50),
    "stake": (1, 1_000_000),
    "opening_points": (51, 201),
    "opening_pairs": (4, 10),
    "bowl": (0, 1000),
    "show_spares": (0, 20),
    "factors": (1, 10),
    "last_factor": (1, 10),
    "extend_within": (0, 500),
}
_ONLY_CLASSIC: Final = (
    "discard_sources",
    "indicator_last_draw",
    "pairs_win",
    "last_take",
    "show",
    "rethrow",
    "scoring",
    "one_color_double",
    "pot",
    "bowl",
    "show_spares",
)
_ONLY_101: Final = (
    "opening_points",
    "opening_pairs",
    "raising",
    "reclaim_joker",
    "strict",
    "return_taken",
    "openers_pay",
    "penalties",
    "declare_pairs",
    "pairs_lay_off",
    "lay_pairs",
    "elden_below",
    "playable_called",
    "partner_penalties",
)
_OF_OTHER_GAMES: Final[Mapping[GameName, tuple[str, ...]]] = MappingProxyType(
    {"classic": _ONLY_101, "101": _ONLY_CLASSIC}
)
"""The switches that must keep their classic defaults, by game, because the game does not have them."""
_APPLIES: Final[Mapping[str, Callable[[Rules], bool]]] = MappingProxyType(
    {
        "game": lambda rules: False,
        "die_counts_from": lambda rules: rules.deal == "stacks",
        "start_points": lambda rules: rules.game == "classic" and rules.scoring == "countdown",
        "end": lambda rules: rules.game == "classic" and rules.scoring == "countdown",
        "rounds": lambda rules: rules.end == "rounds",
        "pot": lambda rules: rules.scoring == "penalty",
        "stake": lambda rules: rules.pot,
        "bowl": lambda rules: not rules.pot,
        "show_spares": lambda rules: rules.scoring == "countdown" and rules.show != "off",
        "riziko": lambda rules: rules.false_joker_indicator != "false_jokers_wild",
        "last_factor": lambda rules: rules.end == "rounds",
        "extend_within": lambda rules: rules.end == "rounds" and not rules.pot,
        "playable_called": lambda rules: "playable_discard" in rules.penalties,
        "partner_penalties": lambda rules: rules.teams,
    }
)
"""The condition under which a switch has an effect, if that is not always so in its games; the game itself is
chosen by a preset."""
_CLASHES: Final[Mapping[tuple[str, str], Callable[[Rules], bool]]] = MappingProxyType(
    {
        ("pot", "scoring"): lambda rules: rules.pot and rules.scoring != "penalty",
        ("pot", "rounds"): lambda rules: rules.pot and rules.rounds not in (1, 3),
        ("bowl", "pot"): lambda rules: rules.bowl > 0 and rules.pot,
        ("show_spares", "scoring"): lambda rules: rules.show_spares > 0 and rules.scoring != "countdown",
        ("show_spares", "show"): lambda rules: rules.show_spares > 0 and rules.show == "off",
        ("riziko", "false_joker_indicator"): lambda rules: (
            rules.riziko and rules.false_joker_indicator == "false_jokers_wild"
        ),
        ("last_factor", "end"): lambda rules: rules.last_factor > 1 and rules.end != "rounds",
        ("extend_within", "end"): lambda rules: rules.extend_within > 0 and rules.end != "rounds",
        ("extend_within", "pot"): lambda rules: rules.extend_within > 0 and rules.pot,
        ("playable_called", "penalties"): lambda rules: (
            rules.playable_called and "playable_discard" not in rules.penalties
        ),
        ("partner_penalties", "teams"): lambda rules: rules.partner_penalties == "wiped" and not rules.teams,
    }
)
"""Switches that make no sense together, and when."""
_KINDS: Final[Mapping[str, Any]] = MappingProxyType(get_type_hints(Rules))
_CLASSIC: Final = Rules()


def rules_from(switches: Mapping[str, object]) -> Rules:
    """Return the rules for `{"preset": name, switch: value, …}`; every key may be missing.

    Raises Unreadable `bad_rules` (`switch`) for an unknown preset or switch, or a value it cannot have, and
    `rules_clash` (`first`, `second`) for two switches that make no sense together.
    """
    switches = dict(switches)
    preset = switches.pop("preset", None)
    if preset is None:
        base: Mapping[str, object] = {}
    elif isinstance(preset, str) and preset in PRESETS:
        base = PRESETS[preset]
    else:
        raise Unreadable("bad_rules", switch="preset")
    chosen = {name: _check(name, value) for name, value in switches.items()}
    rules = _complete({**base, **chosen})
    for first, second in _clashes(rules):
        raise Unreadable("rules_clash", first=first, second=second)
    return rules


@lru_cache(maxsize=256)
def _shortest(rules: Rules, presets: tuple[str, ...]) -> tuple[tuple[str, object], ...]:
    every = {field.name: getattr(rules, field.name) for field in fields(rules)}
    best: dict[str, object] | None = None
    for preset in presets:
        base, changed = PRESETS[preset], dict(every)
        if not _may_name(preset, rules):
            continue
        for name in every:
            fewer = {key: value for key, value in changed.items() if key != name}
            if _complete({**base, **fewer}) == rules:
                changed = fewer
        if best is None or len(changed) + 1 < len(best):
            best = {"preset": preset, **changed}
    assert best is not None
    return tuple(best.items())


def _may_name(preset: str, rules: Rules) -> bool:
    """Return whether a preset is of the same game, and if it tells the length of a match, of that length."""
    usual = _complete(PRESETS[preset])
    return usual.game == rules.game and (
        preset not in LENGTH_TOLD or (usual.end, usual.rounds) == (rules.end, rules.rounds)
    )


def switches_of(rules: Rules, presets: Iterable[str] = PRESETS) -> dict[str, object]:
    """Return the shortest `{"preset": …, changed switches}`, with one of `presets`, from which `rules_from`
    makes these rules. The preset is of their game; one that tells the length of a match names none of
    another."""
    shortest = _shortest(rules, tuple(presets))
    return {name: list(value) if isinstance(value, tuple) else value for name, value in shortest}


def every_switch(rules: Rules) -> dict[str, object]:
    """Return the nearest preset's name as `preset`, and every switch with its value. `rules_from` makes these
    rules from it."""
    told = {field.name: getattr(rules, field.name) for field in fields(rules)}
    named = {"preset": switches_of(rules)["preset"], **told}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in named.items()}


def switches_for(rules: Rules) -> tuple[str, ...]:
    """Return the switches that have an effect at such a table, in the order of RULES 8."""
    foreign = _OF_OTHER_GAMES[rules.game]
    return tuple(
        field.name
        for field in fields(rules)
        if field.name not in foreign and (field.name not in _APPLIES or _APPLIES[field.name](rules))
    )


def _complete(given: Mapping[str, object]) -> Rules:
    """Rules with the defaults that depend on the game and the scoring (RULES 8)."""
    defaults: dict[str, Any] = {}
    if given.get("game") == "101":
        defaults = {"starter": "dealer", "one_after_thirteen": False, "end": "rounds"}
    elif given.get("scoring", "countdown") != "countdown":
        defaults = {"end": "rounds"}
    return Rules(**{**defaults, **given})


def _check(name: str, value: object) -> object:
    """Return the value in the form of its field. Raises Unreadable `bad_rules`, with the range of a
    number."""
    kind = _KINDS.get(name)
    if kind is bool and isinstance(value, bool):
        return value
    if kind is int and type(value) is int:
        low, high = _RANGES[name]
        if low <= value <= high:
            return value
    if get_origin(kind) is Literal and isinstance(value, str) and value in get_args(kind):
        return value
    if name == "pairs_lay_off" and type(value) is int and value == 2:  # a record may write it as a number
        return "2"
    if name == "factors" and _are_factors(value):
        return tuple(value)  # type: ignore[arg-type]
    if name == "penalties" and isinstance(value, list | tuple):
        every = get_args(Penalty)
        if all(isinstance(penalty, str) and penalty in every for penalty in value):
            return tuple(penalty for penalty in every if penalty in value)
    raise Unreadable("bad_rules", switch=str(name)[:40], **_range_of(name))


def _are_factors(value: object) -> bool:
    """Return whether a value holds a factor for each colour."""
    low, high = _RANGES["factors"]
    return (
        isinstance(value, list | tuple)
        and len(value) == len(COLOURS)
        and all(type(factor) is int and low <= factor <= high for factor in value)
    )


def _range_of(name: str) -> dict[str, int]:
    """Return the parameters `least` and `most` of an error about a switch that is a number; empty for
    others."""
    return dict(zip(("least", "most"), _RANGES[name], strict=True)) if name in _RANGES else {}


def _clashes(rules: Rules) -> list[tuple[str, str]]:
    """Pairs of switches that make no sense together."""
    clashes = []
    if rules.teams and rules.players != 4:
        clashes.append(("teams", "players"))
    foreign = _OF_OTHER_GAMES[rules.game]
    clashes += [("game", name) for name in foreign if getattr(rules, name) != getattr(_CLASSIC, name)]
    if rules.game == "101" and rules.end != "rounds":
        clashes.append(("game", "end"))
    if rules.scoring != "countdown" and rules.end != "rounds":
        clashes.append(("scoring", "end"))
    clashes += [pair for pair, clash in _CLASHES.items() if clash(rules)]
    return clashes
