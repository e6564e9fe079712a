import { cacheKeyOf } from "./answer-cache.ts";
import type { AnswerInfo, ChatAnswer, ChatCall } from "./call.ts";
import type { ChatRequest, Completion } from "./chat.ts";
import { replay } from "./chunk-collector.ts";
import { type Embed, openEmbeddings } from "./embeddings.ts";
import { execute } from "./execution.ts";
import { type Flight, openFlights } from "./flight.ts";
import { type Options, openParts, type Parts } from "./gateway-parts.ts";
import type { ListedModel } from "./known-models.ts";
import type { Chunk } from "./providers/provider.ts";
import { autoModel, describeAuto } from "./routing/auto-route.ts";
import { modelsNamed } from "./routing/named-route.ts";
import { freeRecord } from "./settlement.ts";
import { sizeOfPrompt } from "./tokens.ts";

/** Executes chat completions on the named model, or on one that fits. */
export interface Gateway {
	/**
	 * Resolves at the first content, so that an earlier failure can still set the response's status.
	 *
	 * @throws GatewayError
	 */
	complete(call: ChatCall): Promise<ChatAnswer>;
	/** Estimates a prompt's tokens, for the model that counts the most if the request leaves the choice. @throws GatewayError 404 */
	count(request: ChatRequest): Promise<number>;
	embed: Embed;
	/** The internet can't be reached. */
	readonly isOffline: boolean;
	/** All models: `gateway/auto` first, and last those that turn texts into vectors. */
	models(): Promise<ListedModel[]>;
	/** Writes pending records to the database. */
	flush(): Promise<void>;
	/** Aborts the running calls and records their costs. */
	close(): Promise<void>;
}

/** @throws SettingsError if the data directory's catalogue can't be read */
export function openGateway(options: Options): Gateway {
	const parts = openParts(options);
	const { models, internet, upstream, meter, cache, tokens } = parts;
	const flights = openFlights<AnswerInfo, Chunk | Completion>();
	return {
		embed: openEmbeddings({ ...parts, timings: parts.settings.timings }),

		get isOffline() {
			return internet.isOffline;
		},

		async complete(call) {
			const key = cacheKeyOf(call);
			const cached = await findCached(parts, call, key);
			if (cached) return cached;
			// Calls that aren't cacheable don't share: a client repeats them to get different answers.
			const name = key === undefined ? undefined : flightNameOf(call, key);
			const { flight, isShared } = flights.board(name, (signal) =>
				execute(parts, call, key, signal),
			);
			return {
				info: await waitForContent(parts, flight, isShared, call),
				parts: () => flight.parts(),
			};
		},

		async count(request) {
			const size = sizeOfPrompt(request);
			const { all, context } = await models.known();
			const choice =
				request.model === autoModel
					? all.filter((it) => it.isAvailable).map(({ model }) => model)
					: modelsNamed(request.model, context);
			return Math.max(
				0,
				...choice.map((model) => tokens.estimate(size, model)),
			);
		},

		async models() {
			const { all, embeddings } = await models.known();
			return [describeAuto(all), ...all, ...embeddings];
		},

		async flush() {
			await Promise.all([meter.flush(), cache.flush()]);
		},

		async close() {
			internet.close();
			// Ending the flights records their costs, so they close before the meter.
			await flights.close();
			await upstream.close();
			await Promise.all([meter.close(), cache.flush()]);
		},
	};
}

async function findCached(
	{ cache, meter }: Parts,
	call: ChatCall,
	key: string | undefined,
): Promise<ChatAnswer | undefined> {
	if (key === undefined || call.cache === "refresh") return undefined;
	const found = await cache.find(call.payer.businessId, key);
	if (!found) return undefined;
	const { answer, ageSeconds } = found;
	const info: AnswerInfo = {
		model: answer.model,
		route: answer.route,
		attempts: 0,
		failed: [],
		cache: "hit",
		ageSeconds,
		report: [],
	};
	meter.settle(meter.open(call.payer), freeRecord(call, info));
	return {
		info,
		parts: () => (call.request.stream === true ? replay(answer) : once(answer)),
	};
}

/**
 * Names the flight that equal calls share. A stream and a whole answer don't share one; nor do calls on different budgets,
 * since a budget limits the request and is named in the refusal.
 */
export function flightNameOf(
	{
		request,
		payer,
		rescue = "on",
	}: Pick<ChatCall, "request" | "payer" | "rescue">,
	key: string,
): string {
	const { businessId, accounts } = payer;
	const limited = accounts.findLast(
		({ monthlyBudget }) => monthlyBudget !== null,
	);
	return `${businessId} ${key} ${request.stream === true} ${rescue} ${limited?.id ?? ""}`;
}

/** Waits for the first content; leaves the flight when the client disconnects. */
async function waitForContent(
	{ meter }: Parts,
	flight: Flight<AnswerInfo, unknown>,
	isShared: boolean,
	call: ChatCall,
): Promise<AnswerInfo> {
	call.signal.addEventListener("abort", flight.leave, { once: true });
	if (call.signal.aborted) flight.leave();
	const info = await flight.head;
	if (!isShared) return info;
	const shared: AnswerInfo = { ...info, cache: "shared" };
	meter.settle(meter.open(call.payer), freeRecord(call, shared));
	return shared;
}

async function* once<T>(value: T): AsyncGenerator<T, void> {
	yield value;
}
