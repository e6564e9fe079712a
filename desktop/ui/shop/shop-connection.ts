import { ShopError } from "../../../sync/protocol/errors.ts";
import {
	type ChangeKind,
	changeKinds,
	openTillApi,
	resultOf,
	type TillCall,
} from "../../../sync/protocol/till-api.ts";
import { ask } from "../api.ts";
import type { FromPage, Member, Tab, ToPage } from "../worker/messages.ts";
import type { OldStorage } from "./old-storage.ts";
import { takeWorker } from "./shop-worker.ts";

/** Carries a page's calls to the shop on its device. */
export interface ShopConnection {
	/** @throws ShopError if the call fails */
	call(call: TillCall): Promise<unknown>;
	/** Packs the shop's files into one, as they are. @throws ShopError if there are none */
	pack(): Promise<Blob>;
	/** @param remove see OpenTill. @returns whether the shop was removed from this browser */
	close(remove: boolean): Promise<boolean>;
}

/** Through a worker, in a browser: the shop is in the browser's files. @param member read at each call, since another member may sign in */
export function connectToWorker(
	member: () => Member,
	page: Tab & { build: string },
	onChange: (kind: ChangeKind) => void,
	onOtherBuild: () => void,
): ShopConnection {
	const worker = takeWorker();
	const waiting = new Map<number, PromiseWithResolvers<unknown>>();
	const closed = Promise.withResolvers<boolean>();
	let last = 0;
	let isMissing = false;
	const say = (message: FromPage) => worker.postMessage(message);

	worker.onmessage = ({ data }: MessageEvent<ToPage>) => {
		if (data.kind === "changed") onChange(data.change);
		else if (data.kind === "otherBuild") onOtherBuild();
		else if (data.kind === "closed") {
			worker.terminate();
			closed.resolve(data.isRemoved);
		} else {
			const asked = waiting.get(data.number);
			waiting.delete(data.number);
			try {
				asked?.resolve(resultOf(data.outcome));
			} catch (error) {
				asked?.reject(error);
			}
		}
	};
	// The worker reports its own errors; this event means that it couldn't be loaded.
	worker.onerror = (event) => {
		if (event instanceof ErrorEvent) return;
		isMissing = true;
		for (const asked of waiting.values()) asked.reject(missing);
		waiting.clear();
	};
	say({ kind: "open", member: member(), ...page });

	function ask(message: (number: number) => FromPage): Promise<unknown> {
		if (isMissing) return Promise.reject(missing);
		last += 1;
		const asked = Promise.withResolvers<unknown>();
		waiting.set(last, asked);
		say(message(last));
		return asked.promise;
	}

	return {
		call: (call) =>
			ask((number) => ({ kind: "call", number, member: member(), call })),
		pack: () => ask((number) => ({ kind: "pack", number })) as Promise<Blob>,
		async close(remove) {
			if (isMissing) return false;
			say({ kind: "close", remove });
			return closed.promise;
		},
	};
}

const missing = new ShopError(
	"unreachable",
	"A part of the app can't be loaded",
);

const listenAgainMs = 1_000;

/** Over local HTTP, in a desktop till's window: the shop runs in its own process. */
export function connectToTill(
	businessId: string,
	onChange: (kind: ChangeKind) => void,
): ShopConnection {
	let events: EventSource | undefined;
	let again: ReturnType<typeof setTimeout> | undefined;
	let old: OldStorage | undefined;
	const send = async (call: TillCall) =>
		resultOf(await ask("POST", "/api/till/calls", call));
	const opened = openOld().catch(console.error);
	listen();

	/** Moves the previous client's data first, since carts of closed windows are looked for only once. */
	async function openOld(): Promise<void> {
		// Load it on demand: few windows need it.
		const { openOldStorage } = await import("./old-storage.ts");
		old = openOldStorage(businessId, openTillApi(send));
		await old.move();
	}

	function told(kind: ChangeKind): void {
		// The server may have answered for the rest by now.
		if (kind === "standing") void old?.move().catch(console.error);
		onChange(kind);
	}

	function listen(): void {
		const source = new EventSource("/api/till/changes");
		events = source;
		// Read whatever changed while the stream was down.
		source.addEventListener("open", () => changeKinds.forEach(told));
		source.addEventListener("change", ({ data }) =>
			told(JSON.parse(data as string)),
		);
		// The browser itself would reopen it at once, without a wait.
		source.addEventListener("error", () => {
			source.close();
			again = setTimeout(listen, listenAgainMs);
		});
	}

	return {
		async call(call) {
			await opened;
			return send(call);
		},
		pack: () =>
			Promise.reject(
				new ShopError("not_found", "The shop has no files in this browser"),
			),
		async close() {
			clearTimeout(again);
			events?.close();
			return false;
		},
	};
}
