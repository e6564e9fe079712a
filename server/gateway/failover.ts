import { setTimeout as sleep } from "node:timers/promises";
import { type Model, promptMax } from "./catalogue.ts";
import { Fault, retryPolicyByKind } from "./fault.ts";
import type { Health } from "./health.ts";
import type { Internet } from "./internet.ts";
import type { Provider } from "./providers/provider.ts";

/** The answer, and the attempts that it took. */
interface FailoverResult<T> {
	model: Model;
	value: T;
	/** Calls to providers, the last one included. */
	attempts: number;
	/** Models that failed before, each with its kind of fault. */
	failed: string[];
}

/** All attempts failed. The fault is the last one's. */
export class Exhausted extends Error {
	override readonly name = "Exhausted";
	readonly model: Model;
	readonly fault: Fault;
	readonly attempts: number;

	constructor(model: Model, fault: Fault, attempts: number) {
		super(fault.message, { cause: fault });
		this.model = model;
		this.fault = fault;
		this.attempts = attempts;
	}
}

interface FailoverOptions {
	/** The gateway chose the model: what one provider won't take, another one may. */
	isRouted: boolean;
	providerById: ReadonlyMap<string, Provider>;
	health: Health;
	internet: Internet;
	/** Whether the budget has enough left after what failed attempts may be billed. */
	isAffordable(model: Model): Promise<boolean>;
	/** No new attempt after this, by `performance.now()`. */
	deadline: number;
	signal: AbortSignal;
}

const attemptsMax = 6;
const backoffMs = 250;
const backoffMaxMs = 4_000;
/** How long a provider's "later" is waited for where another could be asked, and where none can. */
const patienceMs = 1_500;
const lastPatienceMs = 10_000;

/**
 * Asks the candidates in their order until one answers: each again where that may help, the next one where it may not.
 *
 * @param attempt resolves with the first content: what fails later is not seen here
 * @throws Exhausted; the signal's reason where that aborted it
 */
export async function callWithFailover<T>(
	candidates: readonly Model[],
	attempt: (model: Model) => Promise<T>,
	{
		providerById,
		health,
		internet,
		isRouted: isChosen,
		isAffordable: mayAsk,
		deadline,
		signal,
	}: FailoverOptions,
): Promise<FailoverResult<T>> {
	const failed: string[] = [];
	let attempts = 0;
	let last: { model: Model; fault: Fault } | undefined;
	/** For what the prompt was too long. */
	let tooNarrow = 0;

	/** @returns true once the same model is to be called again; false where it is not */
	async function mayRetry(
		fault: Fault,
		tries: number,
		following: number,
	): Promise<boolean> {
		if (performance.now() > deadline) return false;
		const wait = retryWaitMs(fault, { tries, attempts, following });
		if (wait === undefined) return false;
		await sleep(wait, undefined, { signal }).catch(() =>
			signal.throwIfAborted(),
		);
		return true;
	}

	for (const [position, model] of candidates.entries()) {
		const following = candidates.length - 1 - position;
		const { isLocal } = providerById.get(model.provider) as Provider;
		if (promptMax(model) <= tooNarrow) continue;
		if (internet.isOffline && !isLocal) {
			last ??= { model, fault: new Fault("offline", "can't be reached") };
			continue;
		}
		if (!health.enter(model)) {
			last ??= { model, fault: circuitOpenFault(model, health) };
			continue;
		}
		for (let tries = 1; ; tries += 1) {
			const begun = performance.now();
			try {
				if (!(await mayAsk(model))) {
					health.abandon(model);
					break;
				}
				attempts += 1;
				const value = await attempt(model);
				health.succeed(model, performance.now() - begun);
				return { model, value, attempts, failed };
			} catch (error) {
				if (!(error instanceof Fault) || signal.aborted) {
					health.abandon(model);
					throw error;
				}
				if (error.kind === "connect" || error.kind === "offline")
					await refineConnectFault(error, internet);
				health.fail(model, error);
				failed.push(`${model.id}:${error.kind}`);
				last = { model, fault: error };
				if (error.kind === "context") tooNarrow = promptMax(model);
				const failsOver =
					retryPolicyByKind[error.kind].failsOver ||
					(isChosen && error.kind === "client");
				if (!failsOver) throw new Exhausted(model, error, attempts);
				if (!(await mayRetry(error, tries, following))) break;
			}
		}
		if (attempts >= attemptsMax || performance.now() > deadline) break;
	}
	if (!last) throw new TypeError("There was no candidate to ask");
	throw new Exhausted(last.model, last.fault, attempts);
}

/**
 * How long to wait before the same model is called again.
 *
 * @param tries calls of this model so far
 * @param attempts calls of all models so far
 * @param following candidates behind it, each of which is to have a try
 * @returns undefined where it is not to be called again
 */
export function retryWaitMs(
	{ kind, retryAfterMs }: Pick<Fault, "kind" | "retryAfterMs">,
	{
		tries,
		attempts,
		following,
	}: { tries: number; attempts: number; following: number },
	random: () => number = Math.random,
): number | undefined {
	if (attempts + following >= attemptsMax) return undefined;
	const isLast = following === 0;
	const { retries } = retryPolicyByKind[kind];
	// The next candidate answers sooner than this one recovers.
	if (tries > (isLast ? retries : Math.min(1, retries))) return undefined;
	const jittered = random() * Math.min(backoffMaxMs, backoffMs * 2 ** tries);
	const wait = retryAfterMs ?? (kind === "connect" ? 0 : jittered);
	return wait > (isLast ? lastPatienceMs : patienceMs) ? undefined : wait;
}

/** Whether it was the internet or the one provider is found out; an answer of "no such host" tells neither. */
async function refineConnectFault(
	fault: Fault,
	internet: Internet,
): Promise<void> {
	fault.kind = (await internet.check()) ? "offline" : "connect";
}

/** A refused key or a lack of credit is what it is; anything else is a pause. */
function circuitOpenFault(model: Model, health: Health): Fault {
	const kind = health.openedBy(model);
	return new Fault(
		kind === "auth" || kind === "quota" ? kind : "overload",
		"is being spared after several failures",
		{ retryAfterMs: health.waitMs(model) },
	);
}
