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

/** How a tab opens the shop. */
export interface Tab {
	/** This tab's device before a reload, if known. */
	left: string | null;
	/** The days of sales that this browser keeps. Undefined for all. */
	windowDays: number | undefined;
}

/** A page's messages to its worker. */
export type FromPage =
	| ({ kind: "open"; member: Member; build: string } & Tab)
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
