import type { Model } from "./catalogue.ts";
import type { Fault, FaultKind } from "./fault.ts";
import { retryPolicyByKind } from "./fault.ts";

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
	/** What closed it to callers, while it may not be asked. */
	openedBy(model: Model): FaultKind | undefined;
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

/** What asking again soon does not change. */
const refusals = new Set<FaultKind>([
	"auth",
	"forbidden",
	"quota",
	"model_quota",
	"missing",
]);

interface Circuit {
	failures: number;
	/** How often in a row it was opened. */
	openings: number;
	openUntil: number;
	openedBy?: FaultKind;
	isProbed: boolean;
}

export function openHealth(
	now: () => number = () => performance.now(),
): Health {
	const circuits = new Map<string, Circuit>();
	const latencies = new Map<string, number>();
	/** By provider: its models that were forbidden since one of them answered. */
	const forbidden = new Map<string, Set<string>>();

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

		succeed(model, firstTokenMs) {
			forbidden.delete(model.provider);
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
			if (!retryPolicyByKind[kind].counts) return;
			const it = circuit(wholeProvider.has(kind) ? model.provider : model.id);
			it.failures += 1;
			if (refusals.has(kind)) open(it, retryAfterMs ?? refusedMs, kind);
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
			// A second model that is forbidden too: it is the key, or this place.
			const others = forbidden.get(model.provider) ?? new Set();
			forbidden.set(model.provider, others.add(model.id));
			if (others.size > 1) open(circuit(model.provider), refusedMs, kind);
		},

		abandon(model) {
			for (const it of both(model)) it.isProbed = false;
		},

		openedBy: (model) =>
			both(model).find(({ openUntil }) => openUntil > now())?.openedBy,

		latencyMs: ({ id }) => latencies.get(id),
	};
}
