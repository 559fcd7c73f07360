"""How many tables there are, and how many sit at each. Whoever finds no room there sits out."""

from bot.league.model import Fill, Seating
from bot.league.seating.seated import CannotSeat


def table_sizes(people: int, fill: Fill) -> tuple[int, ...]:
    """The members of each table of four, or of three where `fill` says so; the larger ones first.

    - `three`: as few three-player tables as do; five people are the only number that cannot be parted into
      threes and fours: four of them play, and one sits out, which is less than two beside a table of three.
    - `computers`: as many tables as seat everybody, people spread evenly over them. Nobody sits alone.
    - `byes`: tables of four only.

    Raises `too_few`.
    """
    needed = 4 if fill == "byes" else 3
    if people < needed:
        raise CannotSeat("too_few", people=people, needed=needed)
    if fill == "byes" or (fill == "three" and people == 5):
        return (4,) * (people // 4)
    return _spread(people, -(-people // 4))


def sizes_in_units(people: int, units: int, fill: Fill, mode: Seating) -> tuple[int, ...]:
    """The same in units. Partners play at tables of four alone: what `three` leaves over sits out."""
    if mode != "pairs":
        return table_sizes(people, "byes" if mode == "partners" and fill == "three" else fill)
    if units < 2:
        raise CannotSeat("too_few", people=people, needed=3 if fill == "computers" else 4)
    return (2,) * (units // 2)


def _spread(people: int, tables: int) -> tuple[int, ...]:
    size, more = divmod(people, tables)
    return (size + 1,) * more + (size,) * (tables - more)
