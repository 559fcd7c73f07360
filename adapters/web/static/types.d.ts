// The server's messages (adapters/web/protocol.py, bot/live.py), and the page's own state.

export interface Act {
  kind: string;
  press: string;
  tile: string;
  on: number;
  sure: "" | "finish" | "okey" | "joker_discard" | "playable_discard" | "playable_called" | "fined" | "declare";
  wild: boolean;
  wins: boolean;
}

export interface LiveSeat {
  name: string;
  score: number;
  computer: boolean;
  stand_in: boolean;
  host: boolean;
  tiles: number;
  discard: string;
  shown: boolean;
  opened: string;
  declared: boolean;
  fines: number;
  reaction: string;
  reacted: number;
  accuracy: number | null;
}

export interface LiveMeld {
  by: number;
  kind: string;
  tiles: [string, string][];
}

export interface Happening {
  kind: string;
  seat: number;
  tile: string;
  source: number;
  count: number;
}

export interface LiveOutcome {
  kind: string;
  winner: number | null;
  how: string[];
  changes: number[];
  melds: [string, string][][];
  finishing: string;
  emote: string;
  fines: number[];
}

export interface LiveTable {
  id: string;
  version: number;
  turns: number;
  moment: number;
  stage: string;
  game: string;
  preset: string;
  rules: string[];
  clockwise: boolean;
  teams: boolean;
  players: number;
  level: string;
  round: string;
  seats: LiveSeat[];
  turn: number | null;
  phase: string;
  indicator: string;
  okey: string;
  stock: number;
  deadline: number | null;
  turn_seconds: number;
  sources: number[];
  melds: LiveMeld[];
  needed: [number, number];
  happened: Happening[];
  first: { seat: number; die: number; tile: string }[];
  outcome: LiveOutcome | null;
  rounds: { winner: number | null; changes: number[] }[];
  fewest_win: boolean;
  winners: number[];
  ending: string;
  practice: boolean;
  hints: boolean;
  acts: Act[];
  riziko: boolean;
  factor: number;
  bowl: number;
  chips: number[];
}

export interface LiveHint {
  kind: string;
  tile: string;
  missing: number | null;
  move: string;
  why: string;
}

export interface LiveRack {
  table: LiveTable;
  seat: number;
  places: string[];
  shelf: number;
  drawn: number;
  acts: Act[];
  refused: Record<string, string>;
  piles: string[][];
  wrap: boolean;
  hint: LiveHint | null;
  own_pile: string[];
  left_pile: string[];
  invitation: string;
  letters: boolean;
  contrast: boolean;
}

export type Told =
  | { kind: "norack"; table: string }
  | { kind: "welcome"; opens: boolean; table: string }
  | { kind: "words"; language: string; words: Record<string, string> }
  | { kind: "session"; token: string }
  | { kind: "gone"; table: string }
  | { kind: "open"; table: string }
  | { kind: "table"; live: LiveTable; spoken: string; now: number }
  | { kind: "rack"; live: LiveRack; spoken: string; now: number }
  | { kind: "board"; table: string; html: string; spoken: string; over: boolean; now: number }
  | { kind: "reading"; html: string; spoken: string; series: Series | null; puzzle: Puzzle | null; replay: LiveReplay | null }
  | { kind: "notice"; html: string; urgent: boolean }
  | { kind: "here"; tables: Record<string, Company> }
  | { kind: "alive"; now: number }
  | { kind: "done"; id: string };

/** A rack and a question about it; `chosen` and `best` are -1 until it is answered. */
export interface Puzzle {
  kind: "discard" | "finish" | "open";
  title: string;
  question: string;
  rack: string[];
  indicator: string;
  okey: string;
  choices: { press: string; tile: string; text: string }[];
  chosen: number;
  best: number;
}

/** A move that is marked on a replay: `draw`, `take` of a seat's discard, or `tiles` of the rack. */
export interface LiveMove {
  kind: string;
  tiles: string[];
  on: number;
}

/** A table at a moment of a round that is over, with every rack. */
export interface LiveReplay {
  table: LiveTable;
  racks: string[][];
  seat: number;
  made: LiveMove | null;
  best: LiveMove | null;
}

/** The people at a table who have a page open: their seats, and how many look on. */
export interface Company {
  seats: number[];
  watchers: number;
}

/** A page's position in a series, from 0. `press` with a number is the press of another page. */
export interface Series {
  press: string;
  at: number;
  last: number;
}

/** The way in that the viewer took. */
export interface Door {
  name: string;
  /** Whether the page has a browser's window to itself, with its Back. */
  windowed?: boolean;
  /** The storage of the session's token, and its key there; empty: it is in a cookie. */
  storage: Storage;
  key: string;
  /** What their link asks for: a table, or the invitation to one. */
  wish: string;
  /** Resolves when the viewer can be identified to the server. */
  start(events: DoorEvents): Promise<void>;
  /** The viewer's proof for a server without a session of theirs. */
  proof(): Promise<object>;
  /** Whether they must press a button to enter. */
  asks?(): boolean;
  /** Enter after the press. Resolves to whether they were admitted; calls `wait` whenever that takes longer. */
  enter?(wait: () => void): Promise<boolean>;
  /** Return to the chat. */
  close?(): void;
  /**
   * Report the state of the page: the words of its one big button, whether it has a way back, and whether a
   * match is being played.
   */
  shows?(shown: { big: string; deep: boolean; playing: boolean }): void;
  /** Open the chat's dialogue to send a text with a link to the app: by the invitation to a table; empty: to none. */
  share?(text: string, invitation: string): void;
  /** Put the app on the home screen: offered at one result in all. */
  home?: { offered(): boolean; add(): void };
  /** The setting to fill the whole screen during a match, and its switch. */
  fill?: { wanted: boolean; change(): void };
  /** Give haptic feedback. */
  feel?(what: "tile" | "turn"): void;
}

/** Buttons of the surrounding window. */
export interface DoorEvents {
  back(): void;
  main(): void;
}

/** The melds of Okey 101, with what each seat has opened, and its score. */
export interface Shown {
  melds: LiveMeld[];
  opened: string[];
  scores: number[];
}

/** A tile on the rack. `id` distinguishes it from its twin. */
export interface RackTile {
  id: number;
  code: string;
}

export type Places = (RackTile | null)[];

/** The viewer's own order of their rack at one table. */
export interface Order {
  table: string;
  places: Places;
  /** The tile in the bay, drawn in this turn and not moved yet. */
  bay: number | null;
  /** Whether the server is still to be sent it. */
  unsent: boolean;
}

/** The top of a seat's discard pile. `n` is the number of tops so far, `from` the source of this one. */
export interface Top {
  code: string;
  n: number;
  from: string;
}

/** A tile that the viewer has put on their pile, the indicator or a meld: it lies there until the server refuses it. */
export interface Leaving extends RackTile {
  on: string;
  /** The face as which it is laid on a meld. */
  as?: string;
}

/** A tile that the viewer draws, or takes from a seat's pile: it is theirs until the server refuses it. */
export interface Coming {
  kind: string;
  code: string;
  from: number;
}

export interface Lifted {
  id: number;
  /** The moment of the tap, in milliseconds. */
  since: number;
  /** The place it would go to; at first, the place it was lifted from. */
  at: number;
  moved: boolean;
}

/** The thing under the finger: a tile of the rack or the meld around it, the stock, or a discard. */
export interface Held {
  kind: "tile" | "meld" | "draw" | "take";
  /** The tile that was touched. */
  id: number;
  code: string;
  /** All tiles that are held. */
  ids: number[];
  act: Act | null;
  /** The target below it: a place, or the name of a target. */
  over: number | string | null;
}

/** Something that is asked before it is done, with its answers; `none` does nothing. */
export interface Question {
  /** Whether it is about a move: it closes when its moment is over. */
  move: boolean;
  text: string;
  /** Tiles that it is about, or that an answer names. */
  tiles: string[];
  answers: Answer[];
  none: string;
  /** Rows of tiles to look at, each with its heading. */
  rows?: { text: string; tiles: string[] }[];
  /** Whether it shows all rounds of the match. */
  scores?: boolean;
  /** What is to be filled in, as the server's HTML. */
  fields?: string;
}

export interface Answer {
  text: string;
  /** Whether it costs the viewer something. */
  costs?: boolean;
  tiles: string[];
  does(): void;
}

/** The last reaction at a seat, with its moment. */
export interface Reaction {
  at: number;
  /** Its kind. */
  emote: string;
  /** Its name; empty for a computer player's. */
  name: string;
  over: boolean;
}

export interface Note {
  id: number;
  html: string;
  urgent: boolean;
  /** Whether it says why something can't be done now, or how: true until the viewer's next act. */
  advice: boolean;
}

/** How the viewer likes the page, as this browser keeps it. */
export interface Settings {
  sound: boolean;
  /** Whether reactions are seen and can be shown. */
  reactions: boolean;
  /** Whether a double tap discards. */
  double_tap: boolean;
  /** Whether each discard is asked for. */
  confirm: boolean;
  /** Whether *Finish* is offered for every tile, also where it does not win. */
  always_finish: boolean;
  /** Whether hints and tasks are told. */
  hints: boolean;
  /** Whether the page is laid out for the left hand. */
  left: boolean;
  cloth: "green" | "blue" | "red";
  tiles: "ivory" | "night" | "contrast";
  /** How fast tiles move. */
  motion: "calm" | "normal" | "quick" | "none";
}

export interface State {
  online: boolean;
  welcomed: boolean;
  /** Whether tables can be opened from here. */
  opens: boolean;
  /** Whether the viewer must press a button to enter, and whether they were not admitted. */
  asks: boolean;
  shut: boolean;
  /** Whether the server asked the page to try again in a moment, which it does by itself. */
  wait: boolean;
  name: string;
  tables: Map<string, LiveTable>;
  racks: Map<string, LiveRack>;
  /** Who is at each table of the local page. */
  here: Record<string, Company>;
  boards: Map<string, { html: string; spoken: string; over: boolean }>;
  selected: string;
  /** Whether the viewer has gone to a table or the first page since the page was loaded. */
  switched: boolean;
  order: Order | null;
  /** The last sorting of the rack, the order before it, when it was asked for, and for how many rows. */
  sorted: { kind: string; before: Places; at: number; rows: number } | null;
  tops: Map<string, Top>;
  lifted: Lifted | null;
  held: Held | null;
  leaving: Leaving | null;
  coming: Coming | null;
  /** The tiles that left the rack last: where they lie now they have come from it. */
  gone: RackTile[];
  /** What piles show while moves about them are still to be shown, by seat. */
  masks: Map<number, string>;
  /** What the table shows while moves are still to be shown. */
  shown: Shown | null;
  /** A word at a seat about its last move. */
  badges: Map<number, string[]>;
  /** Whether a round's tiles are being dealt. */
  dealing: boolean;
  cursor: number;
  question: Question | null;
  reading: string;
  series: Series | null;
  /** The puzzle of the open page, and the tile that is lifted there: the number of the answer, and where it lies. */
  puzzle: Puzzle | null;
  picked: { choice: number; at: string } | null;
  /** The replay on the table: the table before it, the seat whose rack is seen, and what is said of it as HTML. */
  replay: { of: string; live: LiveReplay; seat: number; html: string } | null;
  /** The speed at which pages turn by themselves; 0: they do not. */
  autoplay: number;
  menu: boolean;
  sharing: boolean;
  notes: Note[];
  /** The subjects of presses and commands without an answer yet, by their ids. */
  busy: Map<string, string>;
  /** Those of them that take long. */
  late: Set<string>;
  goal: "" | "now" | "friends" | "learn";
  game: string;
  level: string;
  /** How long the match of *Play now* is. */
  length: string;
  /** What was pressed before the welcome; it is done then. */
  wanted: "" | "now" | "friends";
  /** Whether the door knows who the viewer is, or must ask. */
  entered: boolean;
  /** The lesson: its step, how much of that is done, and what was said last. */
  lesson: { step: number; done: number; said: string } | null;
  settings: Settings;
  /** Whether the settings lie over the page. */
  setting: boolean;
  /** The players whose reactions alone they do not see, as `table.name`. */
  hidden: Set<string>;
  /** Whether the viewer chooses a reaction. */
  reacting: boolean;
  /** The last reaction at each table and seat. */
  reactions: Map<string, Reaction>;
  result: boolean;
}

export interface VNode {
  tag: string;
  key: string | undefined;
  props: Record<string, unknown>;
  children: (VNode | string)[];
}
