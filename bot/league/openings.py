"""With what a night's tables are opened, and whose their seats are: members become people here."""

from bot.communities import channel_of
from bot.league.clockwork import THERE_SECONDS
from bot.league.model import League
from bot.league.naming import table_id
from bot.league.night import Night, NightRound, NightTable
from bot.tables.at_night import Opening, Owner
from bot.tables.display import Display
from bot.tables.model import AtNight
from engine.rules import Rules, rules_from


def opening(league: League, night: Night, round: NightRound, table: NightTable, display: Display) -> Opening:
    """A table that is to be opened, in the places where its people signed up."""
    places = tuple(dict.fromkeys(_place(league, night, member) for member in table.members))
    return Opening(
        id=table_id(night.id, round.number, table.number, table.attempt),
        night=AtNight(
            night.id,
            round.number,
            table.number,
            last=round.soft_ended,
            paused=night.paused_at is not None,
        ),
        places=places,
        language=league.language,
        languages={place: league.languages[place] for place in places if place in league.languages},
        rules=table_rules(night, len(table.seats)),
        turn_seconds=night.format.turn_seconds,
        owners=owners(league, night, table, now=0.0),
        display=display,
        room=night.format.rooms,
    )


def table_rules(night: Night, players: int) -> Rules:
    """The rules of a table of so many: who sits where is the seating's affair, never drawn."""
    rules = rules_from({**night.format.rules, "players": players})
    if rules.first_dealer != "highest_tile":
        return rules
    return rules_from({**night.format.rules, "players": players, "first_dealer": "random"})


def owners(league: League, night: Night, table: NightTable, now: float) -> tuple[Owner, ...]:
    """Whose the seats of a table are now."""
    return tuple(_owner(league, night, table, seat, now) for seat in range(len(table.seats)))


def _owner(league: League, night: Night, table: NightTable, seat: int, now: float) -> Owner:
    id = table.seats[seat]
    member = league.members.get(id)
    if member is None:
        return Owner(member=id, person=None, taken=table.taken[seat])
    gone = seat in table.free and id not in night.playing
    return Owner(
        member=id,
        person=None if gone else account_of(night, id, member.accounts),
        name=member.name,
        language=member.language,
        taken=table.taken[seat],
        late=now >= table.since[seat] + THERE_SECONDS,
    )


def account_of(night: Night, member: str, accounts: tuple[str, ...]) -> str | None:
    """The account on whose platform he signed up; where it is none of them, the first."""
    entrant = night.entrant(member)
    chat = "" if entrant is None else _chat(entrant.place)
    return next((each for each in accounts if _chat(each) == chat), accounts[0] if accounts else None)


def _place(league: League, night: Night, member: str) -> str:
    """Which of the league's places shows a member's table: where he signed up, or one on his platform."""
    entrant, known = night.entrant(member), league.members.get(member)
    said = "" if entrant is None else entrant.place
    for place in (said, channel_of(said)):
        if place in league.places:
            return place
    chats = (_chat(said), *map(_chat, () if known is None else known.accounts))
    return next(
        (place for chat in chats for place in league.places if _chat(place) == chat), league.places[0]
    )


def _chat(key: str) -> str:
    return key.partition(":")[0]
