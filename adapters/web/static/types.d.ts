// What the server sends (adapters/web/protocol.py, bot/live.py), and what the page keeps.

export interface Act {
  kind: string;
  press: string;
  tile: string;
  on: number;
  sure: "" | "finish" | "okey" | "joker_discard" | "playable_discard" | "fined";
  wild: boolean;
}

export interface LiveSeat {
  name: string;
  score: number;
  computer: boolean;
  face: string;
  stand_in: boolean;
  host: boolean;
  tiles: number;
  discard: string;
  shown: boolean;
  opened: string;
  fines: number;
}

export interface LiveMeld {
  by: number;
  kind: string;
  tiles: [string, string][];
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
  revision: number;
  moves: number;
  stage: string;
  game: string;
  preset: string;
  clockwise: boolean;
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
  outcome: LiveOutcome | null;
  winners: number[];
  practice: boolean;
  acts: Act[];
}

export interface LiveHint {
  kind: string;
  tile: string;
  missing: number;
}

export interface LiveRack {
  table: LiveTable;
  seat: number;
  places: string[];
  shelf: number;
  drawn: number;
  acts: Act[];
  wrap: boolean;
  hint: LiveHint | null;
  invitation: string;
  letters: boolean;
  contrast: boolean;
}

export type Told =
  | { kind: "norack" }
  | { kind: "welcome"; opens: boolean; table: string }
  | { kind: "words"; language: string; words: Record<string, string> }
  | { kind: "session"; token: string }
  | { kind: "gone"; table: string }
  | { kind: "open"; table: string }
  | { kind: "table"; live: LiveTable; spoken: string; now: number }
  | { kind: "rack"; live: LiveRack; spoken: string; notify: boolean; now: number }
  | { kind: "board"; table: string; html: string; spoken: string; over: boolean; now: number }
  | { kind: "reading"; html: string; spoken: string; series: Series | null }
  | { kind: "notice"; html: string; urgent: boolean }
  | { kind: "done"; id: string };

/** Which of several pages is read, from 0; `press` and a number ask for another. */
export interface Series {
  press: string;
  at: number;
  last: number;
}

/** How the viewer came here. */
export interface Door {
  name: string;
  /** Where the session's token is kept, and under which key; empty: a cookie tells. */
  storage: Storage;
  key: string;
  /** The table that they came for, or the invitation to one. */
  table: string;
  invitation?: string;
  /** Ready when the server can be told who they are. */
  start(events: DoorEvents): Promise<void>;
  /** What the server is told of them where it knows no session yet. */
  proof(): Promise<object>;
  /** Whether they have to press before they come in. */
  asks?(): boolean;
  /** They pressed; whether they are in. */
  enter?(): Promise<boolean>;
  /** Leave for the chat. */
  close?(): void;
  /** What the page shows: the words of its one big button, whether there is a way back within it, and whether
   * a match is played in it. */
  shows?(shown: { big: string; deep: boolean; playing: boolean }): void;
  /** Let them send an invitation to others. */
  share?(invitation: string): void;
  /** Fill the whole screen while a match is played, or no longer; whether it does. */
  fill?: { wanted: boolean; change(): void };
  /** What the hand is to feel. */
  feel?(what: "tile" | "turn"): void;
}

/** What people press outside the page, in the window round it. */
export interface DoorEvents {
  back(): void;
  main(): void;
}

/** A tile on the rack: `id` tells it from its twin. */
export interface RackTile {
  id: number;
  code: string;
}

export type Places = (RackTile | null)[];

/** The viewer's rack at one table, as their fingers have it. */
export interface Order {
  table: string;
  moves: number;
  places: Places;
  /** The tile that lies in the bay: drawn in this turn and not moved yet. */
  bay: number | null;
  /** Orders sent and not answered yet: until then the server's is older. */
  pending: number;
}

/** The top of a seat's discard pile; `n` counts them, `from` is where it came from. */
export interface Top {
  code: string;
  n: number;
  from: string;
}

export interface Lifted {
  id: number;
  /** Where it would go; the place at which it was lifted until then. */
  at: number;
  moved: boolean;
}

/** What a finger holds: a tile of the rack, the stock, or a discard. */
export interface Held {
  kind: "tile" | "draw" | "take";
  id: number;
  code: string;
  act: Act | null;
  /** Over what it is held: a place, or the name of a target. */
  over: number | string | null;
}

/** Something that is asked before it is done, with its answers; `none` does nothing. */
export interface Question {
  text: string;
  /** Tiles that it is about, or that an answer names. */
  tiles: string[];
  answers: Answer[];
  none: string;
}

export interface Answer {
  text: string;
  tiles: string[];
  does(): void;
}

export interface Note {
  id: number;
  html: string;
  urgent: boolean;
}

export interface Seen {
  live: LiveTable;
  spoken: string;
}

export interface State {
  online: boolean;
  welcomed: boolean;
  /** Whether tables can be opened from here. */
  opens: boolean;
  /** Whether they have to press before they come in, and whether they were not let in. */
  asks: boolean;
  shut: boolean;
  name: string;
  tables: Map<string, LiveTable>;
  racks: Map<string, LiveRack>;
  boards: Map<string, { html: string; spoken: string; over: boolean }>;
  selected: string;
  order: Order | null;
  tops: Map<string, Top>;
  lifted: Lifted | null;
  held: Held | null;
  cursor: number;
  question: Question | null;
  reading: string;
  series: Series | null;
  /** How fast the pages turn by themselves; 0: they do not. */
  autoplay: number;
  menu: boolean;
  sharing: boolean;
  notes: Note[];
  /** Presses and commands without an answer yet, by what they are about. */
  busy: Map<string, string>;
  goal: "" | "now" | "friends" | "learn";
  game: string;
  level: string;
  sound: boolean;
  result: boolean;
}

export interface VNode {
  tag: string;
  key: string | undefined;
  props: Record<string, unknown>;
  children: (VNode | string)[];
}
