import type {
	Caller,
	CallResult,
	ChangeKind,
	TillCall,
} from "../../../sync/protocol/till-api.ts";

/** The member signed in on a page. */
export interface Member extends Caller {
	userId: string;
	name: string;
}

/** A page's messages to its worker. */
export type FromPage =
	/** `left`: this tab's device before a reload, if known. */
	| { kind: "open"; member: Member; build: string; left: string | null }
	| { kind: "call"; number: number; member: Member; call: TillCall }
	/** Asks for the shop's files as they are, also if the shop can't be opened. */
	| { kind: "pack"; number: number }
	/** Closes the shop. `remove`: someone has signed out, so what the server has need not stay here. */
	| { kind: "close"; remove: boolean };

/** A worker's messages to its page. */
export type ToPage =
	| { kind: "outcome"; number: number; outcome: CallResult }
	| { kind: "changed"; change: ChangeKind }
	| { kind: "otherBuild" }
	| { kind: "closed"; isRemoved: boolean };
