import { setTimeout as sleep } from "node:timers/promises";
import { type Model, promptMax } from "./catalogue.ts";
import { Fault, retryPolicyByKind } from "./fault.ts";
import type { Health } from "./health.ts";
import type { Internet } from "./internet.ts";
import type { Provider } from "./providers/provider.ts";

/** The answer and the attempts that it took. */
interface FailoverResult<T> {
	model: Model;
	value: T;
	/** Calls to providers, the last one included. */
	attempts: number;
	/** The models that failed before, each with its kind of fault. */
	failed: string[];
}

/** All attempts failed; the fault is the last attempt's. */
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
	/** The gateway chose the model, so another may take a request that one provider refuses. */
	isRouted: boolean;
	providerById: ReadonlyMap<string, Provider>;
	health: Health;
	internet: Internet;
	/** Whether the budget can pay for this model besides the failed attempts that may be billed. */
	isAffordable(model: Model): Promise<boolean>;
	/** The time by `performance.now()` after which no attempt starts. */
	deadline: number;
	signal: AbortSignal;
}

const attemptsMax = 6;
const backoffMs = 250;
const backoffMaxMs = 4_000;
/** The longest wait for a provider's Retry-After while other candidates remain, and for the last one. */
const patienceMs = 2_500;
const lastPatienceMs = 10_000;

/**
 * Tries the candidates in order until one answers, and retries a candidate where that may help.
 *
 * @param attempt resolves with the first content; later failures aren't seen here. Another model may answer if this one
 *   is slow, unless it is the last.
 * @throws Exhausted; the signal's reason if it aborted
 */
export async function callWithFailover<T>(
	candidates: readonly Model[],
	attempt: (model: Model, isLast: boolean) => Promise<T>,
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
	/** The widest context window that the prompt exceeded. */
	let tooNarrow = 0;

	/** @returns true when it is time to call the same model again; false to move on */
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

	function isOutOfReach({ provider }: Model): boolean {
		return internet.isOffline && !providerById.get(provider)?.isLocal;
	}

	function isClosed(model: Model): boolean {
		return isOutOfReach(model) || health.waitMs(model) > 0;
	}

	/** Claims a call of the model. @returns what is in its way */
	function enter(model: Model): Fault | undefined {
		if (isOutOfReach(model)) return new Fault("offline", "can't be reached");
		return health.enter(model) ? undefined : circuitOpenFault(model, health);
	}

	async function noteFault(
		model: Model,
		fault: Fault,
		begun: number,
	): Promise<void> {
		if (fault.kind === "connect" || fault.kind === "offline")
			await refineConnectFault(fault, internet);
		health.fail(model, fault, begun);
		failed.push(`${model.id}:${fault.kind}`);
		last = { model, fault };
		if (fault.kind === "context") tooNarrow = promptMax(model);
	}

	for (const [position, model] of candidates.entries()) {
		const others = candidates.slice(position + 1);
		const following = others.length;
		if (promptMax(model) <= tooNarrow) continue;
		const obstacle = enter(model);
		if (obstacle) {
			last ??= { model, fault: obstacle };
			continue;
		}
		for (let tries = 1; ; tries += 1) {
			const begun = performance.now();
			try {
				if (!(await mayAsk(model))) {
					last ??= { model, fault: new Fault("quota", "is over budget") };
					health.abandon(model);
					break;
				}
				attempts += 1;
				const value = await attempt(model, others.every(isClosed));
				health.succeed(model);
				return { model, value, attempts, failed };
			} catch (error) {
				if (!(error instanceof Fault) || signal.aborted) {
					health.abandon(model);
					throw error;
				}
				await noteFault(model, error, begun);
				const failsOver =
					retryPolicyByKind[error.kind].failsOver ||
					(isChosen && error.kind === "client");
				if (!failsOver) throw new Exhausted(model, error, attempts);
				if (!(await mayRetry(error, tries, following))) break;
			}
		}
		if (attempts >= attemptsMax || performance.now() > deadline) break;
	}
	if (!last) throw new TypeError("No candidates");
	throw new Exhausted(last.model, last.fault, attempts);
}

/**
 * Computes the wait before the same model is called again.
 *
 * @param tries calls of this model so far
 * @param attempts calls of all models so far
 * @param following candidates behind it, each of which needs time for one attempt
 * @returns undefined if it must not be called again
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

/** Finds out whether the internet or only the provider is down; "no such host" could mean either. */
async function refineConnectFault(
	fault: Fault,
	internet: Internet,
): Promise<void> {
	fault.kind = (await internet.check()) ? "offline" : "connect";
}

/** Names a refused key or missing credit as such; every other open circuit is only a pause. */
function circuitOpenFault(model: Model, health: Health): Fault {
	const kind = health.openedBy(model);
	return new Fault(
		kind === "auth" || kind === "quota" ? kind : "overload",
		"is paused after several failures",
		{ retryAfterMs: health.waitMs(model) },
	);
}
