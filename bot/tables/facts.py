"""Facts: the values for screens. What everybody may know about a table, and what one seat may know."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from bot.ids import TableId
from bot.tables import clocks, reactions
from bot.tables.lobby import can_be_played_again
from bot.tables.names import emote_at, face_of
from bot.tables.racks import Shelves
from bot.tables.reviews import find_shared
from bot.tables.table import (
    PLAIN,
    USUAL_LEVEL,
    AtNight,
    ComputerLevel,
    Display,
    FirstDraw,
    NamedRound,
    OpenedShuffle,
    RackDraft,
    Reaction,
    Recent,
    RoundResult,
    Table,
    TableStage,
)
from engine.hints import Hint
from engine.moves import Discard, Draw, Move, Take
from engine.round import find_refusal, legal_moves
from engine.rules import Rules
from engine.scoring import final_chips
from engine.shuffle import Beacon
from engine.state import Round
from engine.view import PublicView, SeatView, public_view, seat_view


class SeatFacts(Struct, frozen=True, kw_only=True):
    """One seat as everybody sees it."""

    name: str
    """Empty for a free seat, in a lobby."""
    score: int
    computer: bool
    """Whether a computer player plays it now."""
    stand_in: bool
    """Whether that computer player keeps the seat for a person."""
    host: bool
    word: bool
    """Whether they have added a word to the next shuffle."""
    level: ComputerLevel | None = None
    """The level of the computer player that plays the seat now."""
    face: str = ""
    """The face of a computer player with a seat of its own."""
    emote: str = ""
    """How a computer player looks after it won this round."""
    out: bool = False
    """Whether they have no points left where that puts them out of the match."""
    missing: bool = False
    """Whether a league night's table has begun and its player has not been seen there yet."""
    reaction: Reaction | None = None
    """Their last reaction, however long ago."""
    accuracy: int | None = None
    """How well they played the round that is over, in percent, if they have shown it to everybody."""

    @property
    def is_free(self) -> bool:
        """Return whether nobody has it, not even a computer player."""
        return not self.name

    @property
    def is_own(self) -> bool:
        """Return whether it belongs to a person, even one whose seat a computer player keeps."""
        return not self.is_free and (not self.computer or self.stand_in)


class SaidWord(Struct, frozen=True):
    """A seat's closed word, with the name that stood there; empty: none."""

    name: str
    word: str


class DealFacts(Struct, frozen=True, kw_only=True):
    """The proof of the deals: what was published before each, and opened after it."""

    commitment: str = ""
    """The published seal of the next shuffle, or of the one being played: hex."""
    opened: OpenedShuffle | None = None
    """The shuffle of the last round that is over."""
    closed_words: tuple[SaidWord, ...] = ()
    """The closed words of the current deal, or of the last one, of those who still have their seat."""
    context: str = ""
    """The digest of what that deal was bound to: hex; empty before the first."""
    beacon: Beacon | None = None
    """The public beacon's part in that deal."""
    awaited: NamedRound | None = None
    """The beacon's round that the next deal waits for."""
    awaited_words: tuple[SaidWord, ...] = ()
    """The closed words for that deal."""
    awaited_context: str = ""
    """The digest of what that deal is bound to: hex."""


class ClockFacts(Struct, frozen=True, kw_only=True):
    """The clock that people see."""

    deadline: float | None = None
    """The end of the clock that people see: seconds since the epoch."""
    turn_seconds: int = 60
    warned: bool = False
    """Whether the player on turn has been warned that the clock will end it."""
    moved: int = 0
    """When the clock was last put off: microseconds since the epoch; 0: never."""


class StandingFacts(Struct, frozen=True, kw_only=True):
    """How the match stands, or has ended."""

    winners: tuple[int, ...] = ()
    bowl: int = 0
    """The chips in the bowl; after the match, those that were left for its winners."""
    chips: tuple[int, ...] = ()
    """The balance of chips of every seat, after the match with their share of the bowl; empty: the table has
    no bowl."""
    scored: int = 0
    """Rounds that are over and counted; a cancelled one is not."""
    results: tuple[RoundResult, ...] = ()
    """The results of the match's rounds that are over."""
    stopped: bool = False
    """Whether an organiser of the place ended it."""
    playable_again: bool = False
    """Whether the match is over and can be played again with the same seats."""


class ChoiceFacts(Struct, frozen=True, kw_only=True):
    """What the host has chosen for the company at the table."""

    level: ComputerLevel = USUAL_LEVEL
    """The level of the computer players that have seats of their own here."""
    hints: bool = False
    """Whether everybody gets advice."""
    emotes: bool = True
    """Whether a computer player that wins shows an emote."""
    reactions: bool = False
    """Whether players may react."""
    counts_down: bool = False
    """Whether the lobby starts by itself at the end of its clock."""
    unfolded: bool = False
    """Whether the lobby shows the host's buttons."""


class PlaceFacts(Struct, frozen=True, kw_only=True):
    """The table in the place where it is shown."""

    called: str = ""
    """Its number, as the place calls it where it is shown."""
    numbered: bool = False
    """Whether numbered buttons stand for the tiles of the player on turn, whom only alerts can reach."""
    seat_kept: bool = False
    """Whether the computer keeps the seat of somebody who can only be reached by alerts in the place where
    the table is shown: the button to take it back stands there."""
    posted: float = 0.0
    """The last time that it was posted again: seconds since the epoch; 0: it never was."""


class NewsFacts(Struct, frozen=True, kw_only=True):
    """What everybody has seen happen in the round, and how much of it a message tells."""

    recent: tuple[Recent, ...] = ()
    first: tuple[FirstDraw, ...] = ()
    """How the starting seat was found."""
    openings: tuple[int, ...] = ()
    """Okey 101: with how many points or pairs each seat opened; 0: not yet."""
    board_told: Literal["tiles", "numbers", "nothing"] = "tiles"
    """Okey 101: how much of the table's melds fits into the message: every tile, the numbers, nothing."""


class TableFacts(Struct, frozen=True, kw_only=True):
    """A table as everybody may know it."""

    id: TableId
    version: int
    """The version of the table: of two screens in one message the one with the higher is newer."""
    moment: int
    """The round, turn and phase, which buttons carry."""
    turn_number: int
    """Used by the numbered buttons, which stay valid for a whole turn."""
    stage: TableStage
    rules: Rules
    seats: tuple[SeatFacts, ...]
    round_number: int
    view: PublicView | None
    """None before the first round."""
    display: Display = PLAIN
    """How the table looks in its places; in a rack's facts, how its reader wants to see it."""
    practice: bool = False
    """Whether somebody practises here alone."""
    night: AtNight | None = None
    """Which table of a league night it is."""
    recovered: int = 0
    """The last version of the table that the store has lost; 0: none."""
    deal: DealFacts = DealFacts()
    clock: ClockFacts = ClockFacts()
    standing: StandingFacts = StandingFacts()
    choices: ChoiceFacts = ChoiceFacts()
    place: PlaceFacts = PlaceFacts()
    news: NewsFacts = NewsFacts()

    @property
    def posted_again(self) -> bool:
        """Return whether it is a lobby that somebody asked to have posted again."""
        return self.stage == "lobby" and self.place.posted > 0

    @property
    def free(self) -> int:
        """The number of seats that nobody has."""
        return sum(seat.is_free for seat in self.seats)

    @property
    def is_match_won(self) -> bool:
        """Return whether it is the end of a match that people opened, which has a message of its own."""
        return self.standing.playable_again

    @property
    def has_room(self) -> bool:
        """Return whether one more person can sit down in the lobby: a computer player gives up its seat."""
        room = any(seat.is_free or seat.computer for seat in self.seats)
        return self.stage == "lobby" and self.deal.awaited is None and room

    @property
    def has_replay(self) -> bool:
        """Return whether the last round is over, so that everybody may read it again."""
        over = self.view is None or self.view.outcome is not None
        return self.round_number > 0 and self.stage in ("between", "over") and over

    @property
    def round_told(self) -> str:
        """The round's number; when the number of rounds is fixed, out of how many: `2/5`.

        A round that was cancelled is dealt again and does not count. One by which a close match is extended
        stands alone: `6`.
        """
        if self.rules.end != "rounds":
            return str(self.round_number)
        ended = self.stage in ("between", "over")
        cancelled = (
            self.view is not None and self.view.outcome is not None and self.view.outcome.kind == "cancelled"
        )
        number = self.standing.scored + (not ended or cancelled)
        return f"{number}/{self.rules.rounds}" if number <= self.rules.rounds else str(number)


@dataclass(frozen=True, slots=True, kw_only=True)
class RackFacts:
    """A table as one seated person may know it."""

    table: TableFacts
    seat: int
    view: SeatView | None
    """None before the first round."""
    shelves: Shelves = field(repr=False)
    link: str | None
    """The address of the table's public message."""
    where: str = ""
    """The name of the place as whose the table is called; empty: unknown."""
    dealt_in: bool = True
    """Whether they play the current round, or played the last one: who is out of the match does not."""
    draft: RackDraft = field(default=(), repr=False)
    """Okey 101: the melds that they are building."""
    legal: tuple[Move, ...] = field(default=(), repr=False)
    """Their legal moves now; in Okey 101 only the best of the openings and melds."""
    refused: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The codes of the refusals with which the engine answers now: to `draw`, to `take`, and to the `discard`
    of some tile of theirs."""
    hint: Hint | None = field(default=None, repr=False)
    """The advice, where help is allowed."""
    invitation: str = field(default="", repr=False)
    """The code that brings others to the table; empty: none has been made."""


def table_facts(
    table: Table, deadline: float | None, place: str | None = None, version: int = 0
) -> TableFacts:
    """Return a table as everybody may know it, called as in `place`; `deadline` in seconds since the
    epoch."""
    view = None if table.match.round is None else public_view(table.match)
    return _table_facts(table, view, deadline, place, table.choices.display, version)


def _table_facts(
    table: Table,
    view: PublicView | None,
    deadline: float | None,
    place: str | None,
    display: Display,
    version: int,
) -> TableFacts:
    context, beacon = table.proof.context, table.proof.beacon
    if table.stage != "playing":
        context, beacon = (
            (b"", None)
            if table.proof.opened is None
            else (table.proof.opened.context, table.proof.opened.beacon)
        )
    # The result of the last round stands in a message of its own, before the bowl is divided.
    shared = table.match.winners if table.is_over else ()
    return TableFacts(
        id=table.id,
        version=version,
        moment=table.moment,
        turn_number=table.turn_number,
        stage=table.stage,
        rules=table.match.rules,
        seats=tuple(_seat(table, i) for i in range(len(table.seats))),
        round_number=table.match.round_number,
        view=view,
        display=display,
        practice=table.practice,
        night=table.night,
        recovered=table.recovered,
        deal=DealFacts(
            commitment=table.proof.sealed.seal.hex(),
            opened=table.proof.opened,
            closed_words=_read_said_words(table, table.match.round_number),
            context=context.hex(),
            beacon=beacon,
            awaited=table.proof.awaited,
            awaited_words=_read_said_words(table, table.match.round_number + 1),
            awaited_context=table.proof.context.hex() if table.proof.awaited else "",
        ),
        clock=ClockFacts(
            deadline=None if table.practice else clocks.ends_at(table, deadline),
            turn_seconds=table.clock.turn_seconds,
            warned=table.stage == "playing" and table.clock.hurried == table.turn_number,
            moved=table.clock.moved,
        ),
        standing=StandingFacts(
            winners=table.match.winners,
            bowl=table.match.bowl,
            chips=final_chips(table.match.rules, table.match.chips, table.match.bowl, shared),
            scored=table.match.rounds_scored,
            results=table.results,
            stopped=table.stopped,
            playable_again=can_be_played_again(table),
        ),
        choices=ChoiceFacts(
            level=table.choices.level,
            hints=table.choices.hints,
            emotes=table.choices.emotes,
            reactions=reactions.are_possible(table),
            counts_down=table.clock.counts_down,
            unfolded=table.postings.unfolded,
        ),
        place=PlaceFacts(
            called=table.number_in(place),
            numbered=_needs_numbers(table, view),
            posted=table.postings.posted,
        ),
        news=NewsFacts(
            recent=table.news.recent,
            first=table.news.first,
            openings=table.news.openings,
        ),
    )


def rack_facts(
    table: Table,
    seat: int,
    deadline: float | None,
    link: str | None,
    place: str | None = None,
    hint: Hint | None = None,
    display: Display | None = None,
    version: int = 0,
    where: str = "",
) -> RackFacts:
    """Return a table as the person on `seat` may know it, called as in `place`, whose name is `where`, with
    this advice for them and their display; without one, the table's."""
    round = table.match.round
    view = None if round is None else seat_view(table.match, seat)
    legal = () if round is None else legal_moves(table.match.rules, round, seat)
    return RackFacts(
        table=_table_facts(
            table,
            None if view is None else view.public,
            deadline,
            place,
            display or table.choices.display,
            version,
        ),
        seat=seat,
        view=view,
        shelves=table.seats[seat].shelves,
        link=link,
        where=where,
        dealt_in=round is None or seat in round.seats,
        draft=table.seats[seat].draft,
        legal=legal,
        refused={} if round is None else dict(_list_refusals(table.match.rules, round, seat, legal)),
        hint=hint,
        invitation=table.calls.invitation,
    )


def _list_refusals(
    rules: Rules, round: Round, seat: int, legal: tuple[Move, ...]
) -> Iterator[tuple[str, str]]:
    drawn = round.drawn if seat == round.turn else None
    tile = drawn if drawn in round.racks[seat] else next(iter(round.racks[seat]), None)
    moves: tuple[tuple[str, Move], ...] = (("draw", Draw()), ("take", Take()))
    for kind, move in moves if tile is None else (*moves, ("discard", Discard(tile))):
        if move not in legal and (why := find_refusal(rules, round, seat, move)):
            yield kind, why


def _read_said_words(table: Table, deal: int) -> tuple[SaidWord, ...]:
    return tuple(SaidWord(each.name, each.word) for each in table.list_closed_words(deal).values())


def _seat(table: Table, number: int) -> SeatFacts:
    seat = table.seats[number]
    return SeatFacts(
        name=seat.name,
        score=table.match.scores[number],
        computer=seat.computer is not None,
        stand_in=seat.computer is not None and seat.person is not None,
        level=seat.computer,
        face=face_of(seat),
        emote=emote_at(table, number),
        host=seat.person == table.host,
        word=bool(seat.word),
        out=number not in table.match.seats,
        missing=bool(table.night and seat.person and seat.computer is None and not seat.seen),
        reaction=seat.reactions[-1] if seat.reactions else None,
        accuracy=find_shared(table, number),
    )


def _needs_numbers(table: Table, view: PublicView | None) -> bool:
    """Return whether the player on turn has no rack of their own to press."""
    if view is None or view.turn is None:
        return False
    seat = table.seats[view.turn]
    return seat.alerts_only and seat.private_closed and seat.computer is None
