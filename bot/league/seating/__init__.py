"""Seating: who sits together in each round of a night (the social golfer problem).

Pure: the same arguments give the same seating. The aims, in this order: no two members are partners twice
(where partners change); none meets somebody from the round before; none meets anybody twice; everybody sits
in each seat about equally often. Plans achieve this for a whole night; when people come and go, a search
continues from the rounds as they were really played.
"""

from bot.league.seating.byes import CannotSeat, fill_up, leftovers, table_sizes
from bot.league.seating.encounters import Seated, partners_at
from bot.league.seating.pairing import seat_round

__all__ = ["CannotSeat", "Seated", "fill_up", "leftovers", "partners_at", "seat_round", "table_sizes"]
