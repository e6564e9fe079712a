import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { type Arrivals, openArrivals } from "./arrivals.ts";
import { HttpError } from "./http-error.ts";

/** The most work that the server takes on at once. */
export interface OverloadLimits {
	/** Requests that wait for the database or their turn; a quarter of a second's work on two cores. */
	requests: number;
	/** Bytes of their bodies, which need several times as much memory while they are processed. */
	bodyBytes: number;
	/**
	 * Bytes of files to import or preview, of which each counts as a megabyte at least. They are processed one at a time, so
	 * they take no place of other requests while they wait.
	 */
	fileBytes: number;
	/** Bytes of bodies that have not arrived whole, or that wait for a model, however long that takes. */
	arrivingBytes: number;
}

export const overloadLimits: OverloadLimits = {
	requests: 256,
	bodyBytes: 32_000_000,
	fileBytes: 60_000_000,
	arrivingBytes: 128_000_000,
};

const fileMinBytes = 1_000_000;
const retryAfterSeconds = 1;
const toldEveryMs = 10_000;

/** The server refuses new work, because as much is waiting as the limits allow. */
class Overloaded extends HttpError {
	constructor() {
		super(503, "The server is busy", { retryAfterSeconds });
	}
}

/**
 * Counts the work in progress and refuses more than can be done soon, so that accepted requests stay fast and refused
 * clients retry later. Slow senders and readers aren't counted, or they could lock out all others; what senders have sent
 * of a body is.
 */
export interface Workload {
	arrivals: Arrivals;
	/** @throws Overloaded */
	assertRoom(): void;
	/**
	 * @returns a function to call when the work is done
	 * @throws Overloaded
	 */
	enter(bodyBytes?: number): () => void;
	/** Like `enter`, for a file, which has its own limit. */
	enterFile(fileBytes: number): () => void;
}

/** Refuses before reading anything of the request, since a refusal must cost less than an answer. */
export function refuseWhenFull(workload: Workload): RequestHandler {
	return (_request, _response, next) => {
		workload.assertRoom();
		next();
	};
}

export function openWorkload(limits: OverloadLimits, log: Logger): Workload {
	const under = { requests: 0, bodyBytes: 0, fileBytes: 0 };
	let toldAt = Number.NEGATIVE_INFINITY;

	/** Says so in the log, too. */
	function refusal(): Overloaded {
		// A log line for each refusal would cost more than the refusal.
		if (performance.now() - toldAt > toldEveryMs) {
			toldAt = performance.now();
			log.warn(under, "Overloaded: refusing new requests");
		}
		return new Overloaded();
	}

	function assertRoom(): void {
		const { requests, bodyBytes } = limits;
		if (under.requests >= requests || under.bodyBytes >= bodyBytes)
			throw refusal();
	}

	/** @returns a function to call when the work is done */
	function count(work: Partial<typeof under>): () => void {
		const { requests = 0, bodyBytes = 0, fileBytes = 0 } = work;
		const add = (sign: 1 | -1) => {
			under.requests += sign * requests;
			under.bodyBytes += sign * bodyBytes;
			under.fileBytes += sign * fileBytes;
		};
		add(1);
		let isUnderWay = true;
		return () => {
			if (isUnderWay) add(-1);
			isUnderWay = false;
		};
	}

	return {
		arrivals: openArrivals(limits.arrivingBytes, refusal),
		assertRoom,
		enter(bodyBytes = 0) {
			assertRoom();
			return count({ requests: 1, bodyBytes });
		},
		enterFile(bytes) {
			assertRoom();
			if (under.fileBytes >= limits.fileBytes) throw refusal();
			return count({ fileBytes: Math.max(bytes, fileMinBytes) });
		},
	};
}
