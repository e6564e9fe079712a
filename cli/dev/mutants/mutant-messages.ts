/** What the command and its workers say to each other. */

/** The parts of each file below `sync/` that ran. */
export type Ranges = Record<string, [start: number, end: number][]>;

/** A test, or the simulator's seeds together. */
interface Step {
	/** Below `sync/`, or "simulator". */
	file: string;
	index: number;
}

export interface CoveredTest extends Step {
	name: string;
	/** Of the processor. */
	ms: number;
	ranges: Ranges;
}

export type Asked =
	| { kind: "cover"; files: string[]; seeds: number }
	| {
			kind: "try";
			id: number;
			/** Below `sync/`. */
			file: string;
			source: string;
			plan: Step[];
			seeds: number;
	  };

export type Answer =
	| { kind: "ready" }
	| { kind: "beat" }
	| { kind: "covered"; test: CoveredTest }
	| { kind: "broken"; name: string; why: string }
	/** What runs when modules are loaded. */
	| { kind: "loaded"; ranges: Ranges }
	| { kind: "coverage done" }
	| {
			kind: "killed";
			id: number;
			by: Step;
			why: string;
			/** What it has begun may go on: the process is of no more use. */
			isSpoilt: boolean;
	  }
	| { kind: "survived"; id: number };
