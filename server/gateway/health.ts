import type { Model } from "./catalogue.ts";
import type { Fault, FaultKind } from "./fault.ts";
import { retryPolicyByKind } from "./fault.ts";

/**
 * Tracks how well models and providers have worked lately. Each has a circuit breaker: closed while it works, open while
 * it gets no calls, half-open when one call may test it.
 */
export interface Health {
	/** Milliseconds until the model may be called; 0 for now. */
	waitMs(model: Model): number;
	/** Claims a call of the model; while half-open, only one caller gets it. */
	enter(model: Model): boolean;
	succeed(model: Model): void;
	/** @param begun when the failed call began, by `now` */
	fail(model: Model, fault: Fault, begun?: number): void;
	/** The caller gave up, so the call says nothing about the model's health. */
	abandon(model: Model): void;
	/** The fault that opened the circuit, while it is open. */
	openedBy(model: Model): FaultKind | undefined;
}

const failuresMax = 5;
const openMs = 5_000;
const openMaxMs = 300_000;
const overloadMs = 10_000;
const refusedMs = 600_000;
/** Some providers send the moment, in seconds since 1970, in place of the pause. */
const refusedMaxMs = 86_400_000;
/** Idle connections that a provider has closed break within this time. */
const burstMs = 250;

/** Faults of the whole provider, not of one model. */
const wholeProvider = new Set<FaultKind>(["connect", "auth", "quota"]);

/** Faults that a retry soon after doesn't change. */
const refusals = new Set<FaultKind>([
	"auth",
	"forbidden",
	"quota",
	"model_quota",
	"missing",
]);

interface Circuit {
	failures: number;
	/** When the last failure that counts was noted. */
	failedAt: number;
	/** How many times in a row the circuit has opened. */
	openings: number;
	openUntil: number;
	openedBy?: FaultKind;
	isProbed: boolean;
}

export function openHealth(
	now: () => number = () => performance.now(),
): Health {
	const circuits = new Map<string, Circuit>();
	/** By provider: the models that answered 403 since its last success. */
	const forbidden = new Map<string, Set<string>>();

	function circuit(name: string): Circuit {
		let found = circuits.get(name);
		if (!found) {
			found = {
				...{ failures: 0, failedAt: Number.NEGATIVE_INFINITY },
				...{ openings: 0, openUntil: 0, isProbed: false },
			};
			circuits.set(name, found);
		}
		return found;
	}
	// Callers can make up any number of unlisted models, so these have no circuit.
	const both = ({ provider, id, isUnlisted }: Model) => [
		circuit(provider),
		...(isUnlisted ? [] : [circuit(id)]),
	];
	const isHalfOpen = ({ openings }: Circuit) => openings > 0;

	function open(it: Circuit, forMs: number, by: FaultKind): void {
		it.openUntil = now() + forMs;
		it.openedBy = by;
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

		succeed(model) {
			forbidden.delete(model.provider);
			for (const it of both(model)) {
				it.failures = 0;
				it.openings = 0;
				it.openUntil = 0;
				it.isProbed = false;
			}
		},

		fail(model, { kind, retryAfterMs }, begun = now()) {
			for (const it of both(model)) it.isProbed = false;
			if (!retryPolicyByKind[kind].counts) return;
			if (model.isUnlisted && !wholeProvider.has(kind)) return;
			const it = circuit(wholeProvider.has(kind) ? model.provider : model.id);
			const isSameBurst =
				kind === "connect" &&
				begun < it.failedAt &&
				now() - it.failedAt < burstMs;
			if (isSameBurst && !isHalfOpen(it)) return;
			it.failures += 1;
			it.failedAt = now();
			if (refusals.has(kind))
				open(it, Math.min(retryAfterMs ?? refusedMs, refusedMaxMs), kind);
			else if (kind === "overload" && retryAfterMs !== undefined)
				open(it, Math.min(retryAfterMs, openMaxMs), kind);
			else if (it.failures >= failuresMax || isHalfOpen(it))
				open(
					it,
					kind === "overload"
						? overloadMs
						: Math.min(openMs * 2 ** it.openings, openMaxMs),
					kind,
				);
			if (kind !== "forbidden") return;
			// A second forbidden model means the key or the region, not the model.
			const others = forbidden.get(model.provider) ?? new Set();
			forbidden.set(model.provider, others.add(model.id));
			if (others.size > 1) open(circuit(model.provider), refusedMs, kind);
		},

		abandon(model) {
			for (const it of both(model)) it.isProbed = false;
		},

		openedBy: (model) =>
			both(model).find(({ openUntil }) => openUntil > now())?.openedBy,
	};
}
