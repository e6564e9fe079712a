import { v7 as newId } from "uuid";
import { ShopError } from "../../../sync/protocol/errors.ts";
import type { Refusal } from "../../../sync/protocol/protocol.ts";
import {
	type CallResult,
	type ChangeKind,
	resultOf,
	type TillApi,
	type TillCall,
	toError,
} from "../../../sync/protocol/till-api.ts";
import { refusalOf, runCall } from "../../../sync/till/dispatch.ts";
import type { Till } from "../../../sync/till/till.ts";
import type { Member } from "./messages.ts";

/** How long to wait for the tab that holds the shop: a hidden tab may sleep. */
const patienceMs = 15_000;
/** A tab that couldn't open the shop retries after this, unless another tab has opened it. */
const openAgainMs = 2_000;

/** A shop that is open in this tab. */
export interface OpenTill extends Pick<Till, "onChange"> {
	as(member: Member): TillApi;
	close(): Promise<void>;
	/** After closing: removes the shop from this browser, if the server has all of it. @returns whether it was removed */
	remove(): Promise<boolean>;
}

/**
 * One shop for all tabs of a browser: one tab holds it and the others call that tab. If it closes or crashes, another tab
 * opens the shop and gets the unanswered calls again.
 */
export interface Tabs {
	/** @throws ShopError if the call fails; `storage_busy` if the tab that holds the shop doesn't answer */
	call(member: Member, call: TillCall): Promise<unknown>;
	/** @param remove also removes the shop, if this tab holds it. @returns whether it was removed */
	close(remove?: boolean): Promise<boolean>;
}

export interface TabsOptions {
	businessId: string;
	/** This page's build, to notice tabs of another build. */
	build: string;
	/** Opens the shop in this tab. @throws ShopError if it can't be opened, leaving its files as they were */
	open(): Promise<OpenTill>;
	onChange(kind: ChangeKind): void;
	/** Called if another tab has another build, possibly more than once. */
	onOtherBuild(): void;
}

/** Messages between tabs. */
type Message =
	| { kind: "leads" }
	| { kind: "changed"; change: ChangeKind }
	| {
			kind: "call";
			from: string;
			number: number;
			member: Member;
			call: TillCall;
	  }
	| { kind: "answer"; to: string; number: number; outcome: CallResult };

interface PendingCall {
	member: Member;
	call: TillCall;
	answered: PromiseWithResolvers<unknown>;
	timer: ReturnType<typeof setTimeout>;
}

export function openTabs({
	businessId,
	build,
	open,
	onChange,
	onOtherBuild,
}: TabsOptions): Tabs {
	const name = `counterfoil-till-${businessId}`;
	const own = newId();
	// On an insecure address a browser has no locks, and each tab has its own shop.
	const locks = navigator.locks as LockManager | undefined;
	const channel = new BroadcastChannel(locks ? name : `${name}-${own}`);
	const closing = new AbortController();
	let isToGo = false;
	let isGone = false;
	const asked = new Map<number, PendingCall>();
	let last = 0;
	let till: OpenTill | undefined;
	/** Why the shop can't be opened here. */
	let failure: unknown;

	const say = (message: Message) => channel.postMessage({ ...message, build });

	channel.onmessage = ({ data }: MessageEvent<Message & { build: string }>) => {
		if (data.build !== build) onOtherBuild();
		if (data.kind === "changed") onChange(data.change);
		else if (data.kind === "leads") {
			forgetFailure();
			// Ids show which of these calls the previous tab completed.
			for (const number of asked.keys()) askOthers(number);
		} else if (data.kind === "answer" && data.to === own)
			settle(data.number, data.outcome);
		else if (data.kind === "call" && till)
			void answer(till, data.member, data.call).then((outcome) =>
				say({ kind: "answer", to: data.from, number: data.number, outcome }),
			);
	};

	function settle(number: number, outcome: CallResult): void {
		const one = asked.get(number);
		if (!one) return;
		asked.delete(number);
		clearTimeout(one.timer);
		if ("answer" in outcome) one.answered.resolve(outcome.answer);
		else one.answered.reject(toError(outcome.refusal));
	}

	function askOthers(number: number): void {
		const one = asked.get(number);
		if (!one) return;
		const { member, call } = one;
		say({ kind: "call", from: own, number, member, call });
	}

	/** A page that was refused looks again, whatever it missed meanwhile. */
	function forgetFailure(): void {
		if (failure === undefined) return;
		failure = undefined;
		onChange("standing");
	}

	/** Holds the shop until this tab closes. */
	async function lead(): Promise<void> {
		till = await open();
		till.onChange((change) => {
			onChange(change);
			say({ kind: "changed", change });
		});
		forgetFailure();
		say({ kind: "leads" });
		for (const [number, { member, call }] of asked)
			void answer(till, member, call).then((outcome) =>
				settle(number, outcome),
			);
		await ended(closing.signal);
		const held = till;
		till = undefined;
		await held.close();
		// No other tab can open the shop before this ends.
		if (isToGo) isGone = await held.remove();
	}

	async function leadInTurn(): Promise<void> {
		const { signal } = closing;
		while (!signal.aborted)
			try {
				await (locks ? locks.request(name, { signal }, lead) : lead());
			} catch (error) {
				if (signal.aborted) return;
				failure = error;
				for (const number of [...asked.keys()])
					settle(number, { refusal: refusalOf(error, console.error) });
				await Promise.race([
					new Promise((resolve) => setTimeout(resolve, openAgainMs)),
					ended(signal),
				]);
			}
	}
	const leading = leadInTurn();

	return {
		async call(member, call) {
			if (closing.signal.aborted)
				throw new ShopError("storage_busy", "The shop is closed in this tab");
			if (till) {
				return resultOf(await answer(till, member, call));
			}
			if (failure) throw toError(refusalOf(failure, console.error));
			last += 1;
			const number = last;
			const answered = Promise.withResolvers<unknown>();
			const timer = setTimeout(
				() => settle(number, { refusal: silence }),
				patienceMs,
			);
			asked.set(number, { member, call, answered, timer });
			askOthers(number);
			return answered.promise;
		},
		async close(remove = false) {
			isToGo = remove;
			closing.abort();
			await leading;
			for (const number of [...asked.keys()])
				settle(number, { refusal: silence });
			channel.close();
			return isGone;
		},
	};
}

const answer = async (till: OpenTill, member: Member, call: TillCall) =>
	runCall(till.as(member), call, console.error);

const silence: Refusal = {
	code: "storage_busy",
	message: "The tab that holds this shop does not answer",
};

function ended(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener("abort", () => resolve(), { once: true });
	});
}
