"""Seating: who sits with whom, round after round of a night (the social golfer problem).

Pure: the same arguments give the same seating. What counts, in this order: nobody is seated with the same
partner twice (where partners change), nobody with somebody of the round before, nobody with somebody whom
they have met; everybody sits in each seat about as often as in the others. Plans give that for a whole night;
where people come and go, a search does from what was really played.
"""

from bot.league.seating.byes import CannotSeat, table_sizes
from bot.league.seating.encounters import Seated
from bot.league.seating.pairing import seat_round

__all__ = ["CannotSeat", "Seated", "seat_round", "table_sizes"]
