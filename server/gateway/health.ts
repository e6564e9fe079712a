import type { Model } from "./catalogue.ts";
import type { Fault, FaultKind } from "./fault.ts";
import { conductByKind } from "./fault.ts";

/**
 * How models and providers have done lately. Each has a circuit: closed while it works, open while it is spared, half-open
 * when one call may find out whether it works again.
 */
export interface Health {
	/** When it may be asked again, in milliseconds from now; 0 for now. */
	waitMs(model: Model): number;
	/** Takes leave to ask it: of several while half-open, one gets it. */
	enter(model: Model): boolean;
	succeed(model: Model, firstTokenMs: number): void;
	fail(model: Model, fault: Fault): void;
	/** It was given up by the one who asked: nothing was learnt. */
	abandon(model: Model): void;
	/** The usual time until its first content, if it is known. */
	latencyMs(model: Model): number | undefined;
}

const failuresMax = 5;
const openMs = 5_000;
const openMaxMs = 300_000;
const overloadMs = 10_000;
const refusedMs = 600_000;
/** The share of the newest measurement in the average. */
const weight = 0.2;

/** What is wrong with a provider, and not with one model of it. */
const wholeProvider = new Set<FaultKind>(["connect", "auth", "quota"]);

interface Circuit {
	failures: number;
	/** How often in a row it was opened. */
	openings: number;
	openUntil: number;
	isProbed: boolean;
}

export function openHealth(
	now: () => number = () => performance.now(),
): Health {
	const circuits = new Map<string, Circuit>();
	const latencies = new Map<string, number>();

	function circuit(name: string): Circuit {
		let found = circuits.get(name);
		if (!found) {
			found = { failures: 0, openings: 0, openUntil: 0, isProbed: false };
			circuits.set(name, found);
		}
		return found;
	}
	const both = ({ provider, id }: Model) => [circuit(provider), circuit(id)];
	const isHalfOpen = ({ openings }: Circuit) => openings > 0;

	function open(it: Circuit, forMs: number): void {
		it.openUntil = now() + forMs;
		it.openings += 1;
		it.failures = 0;
	}

	return {
		waitMs(model) {
			const waits = both(model).map(({ openUntil, isProbed }) =>
				isProbed ? 1_000 : openUntil - now(),
			);
			return Math.max(0, ...waits);
		},

		enter(model) {
			if (this.waitMs(model) > 0) return false;
			for (const it of both(model)) if (isHalfOpen(it)) it.isProbed = true;
			return true;
		},

		succeed(model, firstTokenMs) {
			for (const it of both(model)) {
				it.failures = 0;
				it.openings = 0;
				it.openUntil = 0;
				it.isProbed = false;
			}
			const before = latencies.get(model.id) ?? firstTokenMs;
			latencies.set(model.id, before + (firstTokenMs - before) * weight);
		},

		fail(model, { kind, retryAfterMs }) {
			for (const it of both(model)) it.isProbed = false;
			if (!conductByKind[kind].counts) return;
			const it = circuit(wholeProvider.has(kind) ? model.provider : model.id);
			it.failures += 1;
			if (kind === "auth" || kind === "quota" || kind === "missing")
				open(it, retryAfterMs ?? refusedMs);
			else if (kind === "overload" && retryAfterMs !== undefined)
				open(it, Math.min(retryAfterMs, openMaxMs));
			else if (it.failures >= failuresMax || isHalfOpen(it))
				open(
					it,
					kind === "overload"
						? overloadMs
						: Math.min(openMs * 2 ** it.openings, openMaxMs),
				);
		},

		abandon(model) {
			for (const it of both(model)) it.isProbed = false;
		},

		latencyMs: ({ id }) => latencies.get(id),
	};
}
