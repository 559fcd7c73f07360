"""Arguments that several commands share."""

from typing import Final

from bot.commands import Argument
from bot.i18n import LANGUAGES, own_name
from bot.people.notifications import WAYS
from bot.screens.parts import full_hour
from bot.tables.clocks import CHOICES, clock_word
from bot.tables.table import ON_TABLES
from engine.rules import PRESETS

_CODE_LONGEST: Final = 16

GAME: Final = Argument("game", choices=tuple(PRESETS), said="preset.{}")
PLAYERS: Final = Argument("players", "integer", least=2, most=4)
CLOCK: Final = Argument("clock", form="clock={}", choices=tuple(map(clock_word, CHOICES)))
SWITCHES: Final = Argument("switches")
CODE: Final = Argument("code", most=_CODE_LONGEST, required=True)
CODE_OR_NONE: Final = Argument("code", most=_CODE_LONGEST)
INVITED: Final = Argument("code", "table", most=_CODE_LONGEST)
"""A table of the place, or an invitation."""
NAMED_TABLE: Final = Argument("table", "table", most=32)
SOME_TABLE: Final = Argument("table", "table", most=32, required=True)
WORD: Final = Argument("word", most=64, required=True)
MINE: Final = Argument("me", "flag", form="me")
PERSON: Final = Argument("person", "person", required=True)
SOMEBODY: Final = Argument("person", "person")
PLAYER: Final = Argument("name", most=32)
BLOCKED: Final = Argument("name", "blocked", most=32, required=True)

EVERYWHERE: Final = Argument("everywhere", "flag", form="everywhere")
ON_OFF: Final = Argument("setting", choices=("on", "off"))
ON_OFF_ALL: Final = Argument("setting", choices=("on", "off", "all"))
LANGUAGE: Final = Argument(
    "language", choices=(*LANGUAGES, "off"), labels={each: own_name(each) for each in LANGUAGES}
)
HOUR: Final = Argument(
    "hour",
    choices=("off", *map(str, range(24))),  # as many as a chat can offer
    labels={str(hour): full_hour(hour) for hour in range(24)},
)
ZONE: Final = Argument("zone", "zone", most=40)
MOST_TABLES: Final = Argument("most", "integer", least=0, most=1000)
LOOKS: Final = tuple(Argument(name, "flag", form=name) for name in (*ON_TABLES, "plain"))

WAY: Final = Argument("way", choices=WAYS)
QUIET: Final = Argument("quiet", form="quiet {}", most=5)
OFFSET: Final = Argument("offset", most=6)

NAMED_LEAGUE: Final = Argument("league", "league", most=32)
RESULT: Final = Argument("result", "result", most=8, required=True)
WHY: Final = Argument("why")
NUMBER: Final = Argument("number", most=8, required=True)
SCORES: Final = Argument("scores", most=60, required=True)
MEMBER: Final = Argument("member", "member", most=32, required=True)
