import { ask, type Execution, prepareFor } from "./asking.ts";
import type { AnswerInfo } from "./call.ts";
import type { Model } from "./catalogue.ts";
import type { Usage } from "./chat.ts";
import { openCollector } from "./chunk-collector.ts";
import { GatewayError } from "./errors.ts";
import { Exhausted } from "./failover.ts";
import { Fault } from "./fault.ts";
import type { Parts } from "./gateway-parts.ts";
import { keep } from "./keep-answer.ts";
import type { Chunk } from "./providers/provider.ts";
import { askOn, openJoint, openTold, wayOf } from "./resumption.ts";
import { textOfChunk } from "./settlement.ts";
import { sizeOfPrompt } from "./tokens.ts";
import type { UpstreamStream } from "./upstream.ts";

/** One model's stream, and how its chunks become the caller's. */
interface Source {
	model: Model;
	stream: UpstreamStream;
	/** Who may go on if it breaks off, in order. */
	others: readonly Model[];
	join?: (chunk: Chunk) => Chunk;
}

/** How many further calls may go on with one answer. */
const resumptionsMax = 2;

/**
 * Passes on a streamed answer. One that breaks off goes on with another call where the two can be joined.
 *
 * @throws GatewayError if it breaks off for good
 */
export async function* readStream(
	parts: Parts,
	execution: Execution,
	begun: Source,
	info: AnswerInfo,
): AsyncGenerator<Chunk, void> {
	const { call, key, signal, settlement } = execution;
	const told = openTold(call);
	const collector = key === undefined ? undefined : openCollector();
	let source = begun;
	let resumptions = 0;
	let usage: Usage | undefined;
	/** All that the model said, since its bytes count where its provider counts no tokens. */
	let said = "";
	const bytes = () => Buffer.byteLength(said);
	let isOver = false;
	let failure: { model: Model; fault: Fault } | undefined;

	/** @throws the fault if another call can't go on; Exhausted if none does */
	async function resume(fault: Fault): Promise<void> {
		const { model, others } = source;
		failure ??= { model, fault };
		await source.stream.rest.return();
		parts.health.fail(model, fault);
		parts.log.warn({ err: fault, model: model.id }, "A stream broke off");
		settlement.brokeOff(usage, bytes());
		usage = undefined;
		said = "";
		resumptions += 1;
		const canResume = told.isResumable && others.length > 0;
		if (!canResume || resumptions > resumptionsMax) throw fault;
		source = await askOthers(parts, execution, others, told.text);
	}

	try {
		for (let isWhole = false; !isWhole; )
			try {
				const { first, rest } = source.stream;
				let next: IteratorResult<Chunk, void> = { value: first };
				for (; !next.done; next = await rest.next()) {
					const chunk = next.value;
					usage = chunk.usage ?? usage;
					said += textOfChunk(chunk);
					const passed = source.join?.(chunk) ?? chunk;
					told.add(passed);
					collector?.add(passed);
					yield passed;
				}
				isWhole = true;
			} catch (error) {
				if (signal.aborted || !(error instanceof Fault)) throw error;
				await resume(error);
				yield { deltas: [], resumedBy: source.model.id };
			}
		isOver = true;
		const counted = settlement.completed(usage, bytes());
		if (usage === undefined || failure) yield { deltas: [], usage: counted };
		if (collector && !failure)
			keep(
				parts,
				call,
				key,
				{ ...collector.completion(), usage: counted },
				info,
			);
	} catch (error) {
		isOver = true;
		settlement.interrupted(usage, bytes(), signal.aborted ? null : error);
		const isFault = error instanceof Fault || error instanceof Exhausted;
		if (signal.aborted || !isFault || !failure) throw error;
		const { name } = parts.providerById.get(failure.model.provider) ?? {};
		throw new GatewayError(
			502,
			`${name}: ${failure.fault.message}; the answer is incomplete`,
			{ code: "upstream_stream_interrupted" },
			{ cause: failure.fault },
		);
	} finally {
		await source.stream.rest.return();
		if (!isOver) settlement.interrupted(usage, bytes(), null);
	}
}

/** Asks the others for the rest of an answer. @throws as `ask` */
async function askOthers(
	parts: Parts,
	execution: Execution,
	others: readonly Model[],
	told: string,
): Promise<Source> {
	const { call, prepared, settlement } = execution;
	const { request } = call;
	for (const model of others) {
		const asked = askOn(request, wayOf(request, model, told), told);
		const size = sizeOfPrompt(asked);
		prepared.set(
			model.id,
			prepareFor(parts, { ...call, request: asked }, size, model),
		);
	}
	const begun = performance.now();
	const { model, value, attempts } = await ask(parts, execution, others, {
		...{ begun, isRouted: true },
	});
	settlement.resumed(model, attempts);
	return {
		model,
		stream: value as UpstreamStream,
		others: others.slice(others.indexOf(model) + 1),
		join: openJoint(told, wayOf(request, model, told)),
	};
}
