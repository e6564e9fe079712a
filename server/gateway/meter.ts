import type { Role } from "../../sync/entities/entity.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import { type Env, newId } from "../../sync/protocol/ids.ts";
import type { Store } from "../../sync/store/store.ts";
import type { ApiKey } from "../accounts/api-keys.ts";
import type { Access } from "./access.ts";
import type { CallRecord } from "./call-record.ts";
import { hasTooMuch, isDue, type Lease, takeFrom } from "./lease.ts";
import { type Calendar, dayOf, monthOf } from "./ledger.ts";
import {
	type Ask,
	applyOutcome,
	type Batch,
	type EndedCall,
	isOverBudget,
	leaseName,
	settleAllInterrupted,
	writeBatch,
} from "./ledger-batch.ts";
import type { Account } from "./limits.ts";

/** Who pays for a call. */
export interface Payer {
	businessId: string;
	userId: string | null;
	/** The member's role for a call with an app token; null for an API key. */
	role: Role | null;
	key: ApiKey | null;
	access: Access;
	/** Every call counts against all of them. The last is the key's or the member's. */
	accounts: Account[];
}

/** The money held for a running call. */
export interface Reservation {
	id: string;
	payer: Payer;
	/** Nanodollars and the shop's day; undefined if no account has a budget. */
	held?: { amount: number; day: string; lease: Lease };
}

/**
 * Records each call's usage and cost, and enforces budgets: it holds the most that a call can cost before the call, and
 * settles the real cost after it. What it holds comes from leases, which are in the ledger before a call uses them; if the
 * server dies, they count as spent.
 */
export interface Meter {
	/**
	 * @param bounds the most that the call may cost with each candidate
	 * @returns a reservation for the dearest candidate that the budget allows
	 * @throws GatewayError 429 if it allows none
	 */
	reserve(payer: Payer, bounds: () => number[]): Promise<Reservation>;
	/** Raises a running call's reservation. @returns whether the budget allows it */
	extend(reservation: Reservation, amount: number): Promise<boolean>;
	/** Makes an empty reservation for a call that costs nothing. */
	open(payer: Payer): Reservation;
	settle(reservation: Reservation, record: CallRecord): void;
	/** Writes pending records and gives back what no call holds; call it before reading. */
	flush(): Promise<void>;
	close(): Promise<void>;
}

/** Ended calls are recorded in batches, so that none waits for the disk. */
const flushMs = 1_000;

export function openMeter(
	store: Store,
	env: Env,
	onFault: (error: unknown) => void,
): Meter {
	const leases = new Map<string, Lease>();
	/** What decides the days of the shops that have leases. */
	const calendars = new Map<string, Calendar>();
	let waiting: EndedCall[] = [];
	let asking: Ask[] = [];
	let timer: NodeJS.Timeout | undefined;
	let writing = store
		.write((tx) => settleAllInterrupted(tx, env))
		.catch(onFault);

	/** @param isGivingBack also writes the leases of which no call holds a part */
	function write(isGivingBack = false): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		// One commit covers all that came during the previous one.
		writing = writing.then(() => writeOnce(isGivingBack));
		return writing;
	}

	async function writeOnce(isGivingBack: boolean): Promise<void> {
		for (const lease of leases.values())
			if (
				hasTooMuch(lease) ||
				// What has ended uses nothing more either, once it is written.
				(isGivingBack && lease.amount > lease.running)
			)
				lease.isClosed = true;
		const batch: Batch = { ended: waiting, asks: asking, leases };
		waiting = [];
		asking = [];
		if (
			batch.ended.length > 0 ||
			batch.asks.length > 0 ||
			[...leases.values()].some((it) => it.isClosed || isDue(it))
		)
			try {
				await commit(batch, false).catch((error) => {
					// The store's failures are about no row.
					if (error instanceof ShopError) throw error;
					return commit(batch, true);
				});
			} catch (error) {
				fail({ ...batch, error });
			}
		for (const [name, it] of leases)
			if (!it.isClosed && it.amount + it.running + it.ended === 0)
				leases.delete(name);
		schedule();
	}

	async function commit(batch: Batch, isCareful: boolean): Promise<void> {
		const outcomes = await store.write((tx) =>
			writeBatch(tx, env, batch, calendars, isCareful),
		);
		for (const outcome of outcomes)
			if ("error" in outcome) fail(outcome);
			else {
				for (const fault of outcome.faults) onFault(fault);
				const again = applyOutcome(outcome, leases);
				asking = again.concat(asking);
				if (again.length > 0) void write();
			}
	}

	/** Keeps the records for the next write: a full disk must not make calls free. */
	function fail({
		ended,
		asks,
		error,
	}: Pick<Batch, "ended" | "asks"> & { error: unknown }): void {
		if (ended.length > 0) onFault(error);
		for (const { reject } of asks) reject(error);
		waiting = ended.concat(waiting);
		// The commit may have succeeded without an answer: what it reserved is in no call's hands.
		for (const lease of leases.values()) lease.isClosed = true;
	}

	function schedule(): void {
		if (waiting.length > 0 || leases.size > 0)
			timer ??= setTimeout(() => void write(), flushMs).unref();
	}

	function ask(
		payer: Payer,
		bounds: number[],
		lease?: Lease,
	): Promise<NonNullable<Reservation["held"]>> {
		const { promise, resolve, reject } =
			Promise.withResolvers<NonNullable<Reservation["held"]>>();
		const isLast = false;
		asking.push({ payer, bounds, lease, resolve, reject, isLast });
		void write();
		return promise;
	}

	return {
		async reserve(payer, boundsOf) {
			if (!hasBudget(payer)) return this.open(payer);
			const bounds = boundsOf();
			const id = newId(env);
			const calendar = calendars.get(payer.businessId);
			if (calendar) {
				const day = dayOf(calendar, env.now());
				const lease = leases.get(leaseName(payer, monthOf(day)));
				const amount = Math.max(...bounds);
				if (lease && takeFrom(lease, payer, amount))
					return { id, payer, held: { amount, day, lease } };
			}
			return { id, payer, held: await ask(payer, bounds) };
		},

		async extend({ payer, held }, amount) {
			if (!held) return true;
			if (!takeFrom(held.lease, payer, amount))
				try {
					await ask(payer, [amount], held.lease);
				} catch (error) {
					if (isOverBudget(error)) return false;
					throw error;
				}
			held.amount += amount;
			return true;
		},

		open: (payer) => ({ id: newId(env), payer }),

		settle(reservation, record) {
			const { held } = reservation;
			// A provider's usage can be anything.
			const isCost = Number.isSafeInteger(record.cost) && record.cost >= 0;
			const cost = isCost ? record.cost : (held?.amount ?? 0);
			waiting.push({ reservation, record: { ...record, cost }, at: env.now() });
			if (held) {
				held.lease.running -= held.amount;
				held.lease.ended += cost;
				held.lease.usedAt = performance.now();
			}
			schedule();
		},

		flush: () => write(true),
		close: () => write(true),
	};
}

function hasBudget({ accounts }: Pick<Payer, "accounts">): boolean {
	return accounts.some(({ monthlyBudget }) => monthlyBudget !== null);
}
