import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { HttpError } from "./http-error.ts";

/** How much may be under way at once. */
export interface OverloadLimits {
	/** Requests that wait for the database or for their turn; a quarter of a second's work on two cores. */
	requests: number;
	/** Of their bodies, which take some times as much memory while they are worked on. */
	bodyBytes: number;
	/** Of files that are imported or shown, which are worked on one at a time: they keep nobody else out. */
	fileBytes: number;
}

export const overloadLimits: OverloadLimits = {
	requests: 256,
	bodyBytes: 32_000_000,
	fileBytes: 60_000_000,
};

const retryAfterSeconds = 1;
const toldEveryMs = 10_000;

/** New work that finds as much before it as may wait. */
class Overloaded extends HttpError {
	constructor() {
		super(503, "The server is busy", { retryAfterSeconds });
	}
}

/**
 * Counts what is under way, and refuses more than can be done soon: whoever is refused comes back later, and whoever is
 * not is answered as fast as ever. Callers who only send slowly are not counted: they could keep all others out.
 */
export interface Workload {
	/** @throws Overloaded */
	assertRoom(): void;
	/**
	 * @returns a function to call when that is done
	 * @throws Overloaded
	 */
	enter(bodyBytes?: number): () => void;
	/** The same for a file, which has its room apart. */
	enterFile(fileBytes: number): () => void;
}

/** Refuses before anything is looked at: whoever is turned away must cost less than whoever is served. */
export function refuseWhenFull(workload: Workload): RequestHandler {
	return (_request, _response, next) => {
		workload.assertRoom();
		next();
	};
}

export function openWorkload(limits: OverloadLimits, log: Logger): Workload {
	const under = { requests: 0, bodyBytes: 0, fileBytes: 0 };
	let toldAt = Number.NEGATIVE_INFINITY;

	function refuse(): never {
		// A line for each would be more work than the answer.
		if (performance.now() - toldAt > toldEveryMs) {
			toldAt = performance.now();
			log.warn(under, "Overloaded: refusing what is new");
		}
		throw new Overloaded();
	}

	function assertRoom(): void {
		const { requests, bodyBytes } = limits;
		if (under.requests >= requests || under.bodyBytes >= bodyBytes) refuse();
	}

	/** @returns a function to call when it is done */
	function count(kind: "bodyBytes" | "fileBytes", bytes: number): () => void {
		under.requests += 1;
		under[kind] += bytes;
		let isUnderWay = true;
		return () => {
			if (!isUnderWay) return;
			isUnderWay = false;
			under.requests -= 1;
			under[kind] -= bytes;
		};
	}

	return {
		assertRoom,
		enter(bodyBytes = 0) {
			assertRoom();
			return count("bodyBytes", bodyBytes);
		},
		enterFile(fileBytes) {
			assertRoom();
			if (under.fileBytes >= limits.fileBytes) refuse();
			return count("fileBytes", fileBytes);
		},
	};
}
