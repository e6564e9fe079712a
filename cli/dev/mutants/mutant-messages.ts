/** Messages between the command and its workers. */

/** The parts that ran, by file below `sync/`. */
export type Ranges = Record<string, [start: number, end: number][]>;

/** A test, or the simulator's seeds together. */
interface Step {
	/** Below `sync/`, or "simulator". */
	file: string;
	index: number;
}

export interface CoveredTest extends Step {
	name: string;
	/** Processor time. */
	ms: number;
	ranges: Ranges;
}

export type WorkerRequest =
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
	/** The parts that run when modules are loaded. */
	| { kind: "loaded"; ranges: Ranges }
	| { kind: "coverage done" }
	| {
			kind: "killed";
			id: number;
			by: Step;
			why: string;
			/** Whether work of the mutant may still be running, so that the process can't be reused. */
			isSpoilt: boolean;
	  }
	| { kind: "survived"; id: number };
