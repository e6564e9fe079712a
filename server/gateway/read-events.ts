import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { ChoiceDelta } from "./chat.ts";
import { parseJson } from "./exact-json.ts";
import type { Answer } from "./exchange.ts";
import { Fault, faultOfConnection } from "./fault.ts";
import type { AnswerReader, Chunk } from "./providers/provider.ts";
import { sanitizeChunk } from "./sanitize.ts";
import type { TimeLimit } from "./time-limit.ts";

/** The largest event; a longer one is a fault. */
const eventMaxBytes = 8_000_000;
/** Ends a stream in OpenAI's format; some providers leave the connection open after it. */
const doneMark = "[DONE]";
const doneMs = 1_000;

/** Reads up to the first content. @throws Fault */
export async function readFirst(
	chunks: AsyncGenerator<Chunk, void>,
): Promise<Chunk> {
	const first: Chunk = { deltas: [] };
	while (!first.deltas.some(hasContent)) {
		const { value, done } = await chunks.next();
		if (done || !value)
			throw new Fault("server", "ended its stream without content");
		first.deltas.push(...value.deltas);
		first.usage = value.usage ?? first.usage;
	}
	return first;
}

function hasContent({ delta, finish }: ChoiceDelta): boolean {
	return (
		finish !== undefined ||
		Boolean(
			delta.content ||
				delta.reasoning_content ||
				delta.refusal ||
				delta.tool_calls,
		)
	);
}

/** Yields the events of a stream; events that arrived together come as one chunk. */
export async function* readEvents(
	answer: Answer,
	reader: AnswerReader,
	limit: TimeLimit,
	idleMs: number,
): AsyncGenerator<Chunk, void> {
	const decoder = new TextDecoder();
	const events: EventSourceMessage[] = [];
	const parser = createParser({
		onEvent: (event) => events.push(event),
		maxBufferSize: eventMaxBytes,
	});
	/** Whether each choice that has begun has also ended. */
	const choices = new Map<number, boolean>();
	let isDone = false;
	let isDamaged = false;
	let hasSpoken = false;
	let hasCalls = false;
	let failure: unknown;
	const isFinished = () =>
		choices.size > 0 && [...choices.values()].every((hasEnded) => hasEnded);

	/** @returns undefined for one event that a proxy damaged, unless it may be part of a call */
	function parseEvent(data: string): object | undefined {
		const value = parseJson(data);
		if (typeof value === "object" && value !== null) return value;
		if (isDamaged || hasCalls || !hasSpoken)
			throw new Fault("server", "sent an event that is not a JSON object");
		isDamaged = true;
		return undefined;
	}

	function readAll(): Chunk | undefined {
		const chunk: Chunk = { deltas: [] };
		for (const event of events.splice(0)) {
			if (event.data.startsWith(doneMark)) {
				isDone = true;
				continue;
			}
			try {
				const parsed = parseEvent(event.data);
				if (!parsed) continue;
				const { deltas, usage } = sanitizeChunk(() => reader.read(parsed));
				for (const choiceDelta of deltas) {
					hasSpoken ||= hasContent(choiceDelta);
					hasCalls ||= choiceDelta.delta.tool_calls !== undefined;
					if (choiceDelta.finish && isDamaged) choiceDelta.isUncertain = true;
					const hasEnded = choices.get(choiceDelta.index) === true;
					choices.set(
						choiceDelta.index,
						hasEnded || choiceDelta.finish !== undefined,
					);
					chunk.deltas.push(choiceDelta);
				}
				chunk.usage = usage ?? chunk.usage;
			} catch (error) {
				// Deliver the events before the fault first; before any content, fail over instead.
				if (!limit.hasContent || chunk.deltas.length === 0) throw error;
				failure = error;
				break;
			}
		}
		return chunk.deltas.length > 0 || chunk.usage ? chunk : undefined;
	}

	try {
		for (;;) {
			const bytes = await answer.read();
			if (!bytes) break;
			feed(decoder.decode(bytes, { stream: true }));
			const chunk = readAll();
			if (isDone) limit.restart(doneMs);
			if (!chunk) continue;
			if (limit.hasContent) limit.pause();
			yield chunk;
			if (failure !== undefined) throw failure;
			if (limit.hasContent) limit.restart(isDone ? doneMs : idleMs);
		}
		// Some providers omit the empty line after the last event.
		feed(`${decoder.decode()}\n\n`);
		const last = readAll();
		if (last) yield last;
	} catch (error) {
		// A break or silence after the last finish reason is a normal end.
		const { aborted, reason } = limit.signal;
		if (!isFinished() || (aborted && !isSilence(reason))) {
			limit.signal.throwIfAborted();
			throw error instanceof Fault ? error : faultOfConnection(error);
		}
	} finally {
		limit.end();
		answer.close();
	}
	if (!isFinished()) throw new Fault("server", "ended its stream mid-answer");

	function feed(text: string): void {
		try {
			parser.feed(text);
		} catch (cause) {
			throw new Fault("server", "sent an endless event", { cause });
		}
	}
}

function isSilence(reason: unknown): boolean {
	return reason instanceof Fault && reason.kind === "silent";
}
