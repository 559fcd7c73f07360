"""Engine: the rules of the game as pure functions. No I/O, no clock, no entropy.

What a program of your own needs stands here; `docs/engine.md` shows it at work.
"""

from engine.errors import EngineError, NotAllowed, Unreadable
from engine.match import Match, new_match, next_round, play
from engine.moves import Move
from engine.players import LEVELS, PlayerLevel, choose
from engine.record import action_of
from engine.replay import PlayedRound, Position, make_record, positions, replay
from engine.round import legal_moves
from engine.rules import PRESETS, Rules, rules_from
from engine.shuffle import SECRET_BYTES, Seed
from engine.tiles import Tile
from engine.verify import verify
from engine.view import PublicView, SeatView, public_view, seat_view

__all__ = [
    "LEVELS",
    "PRESETS",
    "SECRET_BYTES",
    "EngineError",
    "Match",
    "Move",
    "NotAllowed",
    "PlayedRound",
    "PlayerLevel",
    "Position",
    "PublicView",
    "Rules",
    "SeatView",
    "Seed",
    "Tile",
    "Unreadable",
    "action_of",
    "choose",
    "legal_moves",
    "make_record",
    "new_match",
    "next_round",
    "play",
    "positions",
    "public_view",
    "replay",
    "rules_from",
    "seat_view",
    "verify",
]
