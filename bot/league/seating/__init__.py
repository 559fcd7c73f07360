"""Who sits with whom, round after round of a night. Pure: the same arguments give the same seating.

What counts, in this order: nobody is seated with the same partner twice (where partners change), nobody with
somebody of the round before, nobody with somebody whom he has met; everybody sits in each seat about as often
as in the others. Plans give that for a whole night; where people come and go, a search does from what was
really played.
"""

from bot.league.seating.round import seat_round
from bot.league.seating.seated import CannotSeat, Seated

__all__ = ["CannotSeat", "Seated", "seat_round"]
