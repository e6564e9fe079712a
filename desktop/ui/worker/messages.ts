import type {
	Caller,
	CallResult,
	ChangeKind,
	TillCall,
} from "../../../sync/protocol/till-api.ts";

/** Who is signed in on a page. */
export interface Member extends Caller {
	userId: string;
	name: string;
}

/** What a page says to its worker. */
export type FromPage =
	/** `left`: the device that this tab was before it was reloaded, where that is known. */
	| { kind: "open"; member: Member; build: string; left: string | null }
	| { kind: "call"; number: number; member: Member; call: TillCall }
	/** It asks for the shop's files as they are, also where the shop can't be opened. */
	| { kind: "pack"; number: number }
	/** It lets go of the shop. `remove`: somebody has signed out, so that what the server has need not stay here. */
	| { kind: "close"; remove: boolean };

/** What a worker says to its page. */
export type ToPage =
	| { kind: "outcome"; number: number; outcome: CallResult }
	| { kind: "changed"; change: ChangeKind }
	| { kind: "otherBuild" }
	| { kind: "closed"; isRemoved: boolean };
