import {
	answerOf,
	type Call,
	type Caller,
	type ChangeKind,
	changeKinds,
} from "../../../sync/till/calls.ts";
import { ask } from "../api.ts";
import type { FromPage, ToPage } from "../worker/messages.ts";

/** How a page reaches the shop on its device. */
export interface Way {
	/** @throws ShopError as the call says */
	call(call: Call): Promise<unknown>;
	close(): void;
}

/** By a worker, in a browser: the shop is in the browser's own files. @param caller asked each time, as others may sign in */
export function openWorkerWay(
	caller: () => Caller,
	page: { build: string; left: string | null },
	onChange: (kind: ChangeKind) => void,
	onOtherBuild: () => void,
): Way {
	const worker = new Worker(new URL("../worker/worker.ts", import.meta.url), {
		type: "module",
		name: "shop",
	});
	const waiting = new Map<number, PromiseWithResolvers<unknown>>();
	let last = 0;
	const say = (message: FromPage) => worker.postMessage(message);

	worker.onmessage = ({ data }: MessageEvent<ToPage>) => {
		if (data.kind === "changed") onChange(data.change);
		else if (data.kind === "otherBuild") onOtherBuild();
		else if (data.kind === "closed") worker.terminate();
		else {
			const asked = waiting.get(data.number);
			waiting.delete(data.number);
			try {
				asked?.resolve(answerOf(data.outcome));
			} catch (error) {
				asked?.reject(error);
			}
		}
	};
	say({ kind: "open", caller: caller(), ...page });

	return {
		call(call) {
			last += 1;
			const asked = Promise.withResolvers<unknown>();
			waiting.set(last, asked);
			say({ kind: "call", number: last, caller: caller(), call });
			return asked.promise;
		},
		close: () => say({ kind: "close" }),
	};
}

const listenAgainMs = 1_000;

/** By this computer's own address, in a till's window: the shop is in a process of its own. */
export function openWindowWay(onChange: (kind: ChangeKind) => void): Way {
	let events: EventSource | undefined;
	let again: ReturnType<typeof setTimeout> | undefined;
	listen();

	function listen(): void {
		const opened = new EventSource("/api/till/changes");
		events = opened;
		// Whatever changed before is looked at now.
		opened.addEventListener("open", () => changeKinds.forEach(onChange));
		opened.addEventListener("change", ({ data }) =>
			onChange(JSON.parse(data as string)),
		);
		// The browser would open it again by itself, and at once.
		opened.addEventListener("error", () => {
			opened.close();
			again = setTimeout(listen, listenAgainMs);
		});
	}

	return {
		call: async (call) => answerOf(await ask("POST", "/api/till/calls", call)),
		close() {
			clearTimeout(again);
			events?.close();
		},
	};
}
