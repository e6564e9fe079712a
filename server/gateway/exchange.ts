import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";

/** A provider's answer whose headers have arrived. */
export interface Answer {
	status: number;
	headers: IncomingHttpHeaders;
	/**
	 * Waits for more of the body.
	 *
	 * @returns all that has arrived since the last call; undefined at the end
	 * @throws what broke the connection; the signal's reason if it aborted
	 */
	read(): Promise<Buffer | undefined>;
	/** Leaves the rest of the body. */
	close(): void;
}

/** How much of a body may wait for its reader. */
const waitingMaxBytes = 64_000;

/**
 * Sends a request and waits for the answer's headers. It reads the body without Node's streams, since most chunks of an
 * answer are smaller than what a stream costs.
 */
export function exchange(
	dispatcher: Dispatcher,
	request: Dispatcher.DispatchOptions,
	signal: AbortSignal,
): Promise<Answer> {
	// It would tell no listener any more, and so nothing would end the exchange.
	if (signal.aborted) return Promise.reject(signal.reason);
	const { promise, resolve, reject } = Promise.withResolvers<Answer>();
	let controller: Dispatcher.DispatchController | undefined;
	let waiting: Buffer[] = [];
	let waitingBytes = 0;
	let end: { error?: Error } | undefined;
	let wake = () => {};

	function finish(how: { error?: Error }): void {
		end ??= how;
		signal.removeEventListener("abort", abort);
		if (end.error) reject(end.error);
		wake();
	}

	function stop(error: Error): void {
		waiting = [];
		finish({ error });
		controller?.abort(error);
	}

	function abort(): void {
		stop(signal.reason);
	}

	async function read(): Promise<Buffer | undefined> {
		if (waiting.length === 0 && !end)
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		const [first] = waiting;
		if (!first) {
			if (end?.error) throw end.error;
			return undefined;
		}
		const bytes = waiting.length === 1 ? first : Buffer.concat(waiting);
		waiting = [];
		waitingBytes = 0;
		// It may bring more at once.
		if (controller?.paused) controller.resume();
		return bytes;
	}

	signal.addEventListener("abort", abort);
	dispatcher.dispatch(request, {
		onRequestStart(given) {
			controller = given;
			if (end?.error) given.abort(end.error);
		},
		onResponseStart(_controller, status, headers) {
			const close = () => {
				if (!end) stop(new Error("The rest is not wanted"));
			};
			// Others only say that the answer will come.
			if (status >= 200) resolve({ status, headers, read, close });
		},
		onResponseData(given, bytes) {
			if (end) return;
			waiting.push(bytes);
			waitingBytes += bytes.length;
			if (waitingBytes > waitingMaxBytes) given.pause();
			wake();
		},
		onResponseEnd: () => finish({}),
		onResponseError: (_controller, error) => finish({ error }),
	});
	return promise;
}

/**
 * Reads a whole body, and leaves the rest of one that is too large.
 *
 * @returns undefined if it is
 * @throws what broke the connection; the signal's reason if it aborted
 */
export async function readBody(
	answer: Answer,
	maxBytes: number,
): Promise<Buffer | undefined> {
	const parts: Buffer[] = [];
	let length = 0;
	for (let part = await answer.read(); part; part = await answer.read()) {
		length += part.length;
		if (length > maxBytes) {
			answer.close();
			return undefined;
		}
		parts.push(part);
	}
	return Buffer.concat(parts);
}
