import { toIso } from "../../sync/protocol/clock.ts";
import { type Env, newId } from "../../sync/protocol/ids.ts";
import type { Connection } from "../../sync/store/store.ts";
import { type CallRecord, emptyRecord } from "./call-record.ts";
import { GatewayError } from "./errors.ts";
import { freeOf, isDue, type Lease, readyFor } from "./lease.ts";
import {
	businessesWithLeases,
	type Calendar,
	calendarOf,
	dayOf,
	insertCall,
	type Months,
	monthOf,
	openMonths,
	settleInterrupted,
} from "./ledger.ts";
import type { Account } from "./limits.ts";
import type { Payer, Reservation } from "./meter.ts";
import { toDollars } from "./prices.ts";

type Held = NonNullable<Reservation["held"]>;

/** A call that waits for money from the ledger. */
export interface Ask {
	payer: Payer;
	/** The most that the call may cost with each candidate, in nanodollars. */
	bounds: number[];
	/** The lease of a running call that needs more. */
	lease?: Lease | undefined;
	resolve(held: Held): void;
	reject(error: unknown): void;
	/** It was refused once, and all leases of its business were closed since. */
	isLast: boolean;
}

export interface EndedCall {
	reservation: Reservation;
	record: CallRecord;
	at: number;
}

/** What one commit writes for all businesses. */
export interface Batch {
	ended: EndedCall[];
	asks: Ask[];
	leases: Map<string, Lease>;
}

/** What a lease will be once it is committed. */
interface Draft {
	lease: Lease;
	payer: Payer;
	amount: number;
	/** The sums of its calls that this batch records, and of those that it grants. */
	cost: number;
	granted: number;
	usual: number;
}

interface Outcome {
	day: string;
	drafts: Draft[];
	/** Errors of calls whose records could not be written, and whose costs alone were. */
	faults: unknown[];
	granted: { ask: Ask; lease: Lease; amount: number }[];
	refused: { ask: Ask; error: GatewayError }[];
}

/** The name of a payer's lease in a month. */
export function leaseName(
	{ businessId, accounts }: Payer,
	month: string,
): string {
	return `${businessId} ${accounts.at(-1)?.id} ${month}`;
}

/** What one business couldn't write, while the others' parts of the batch were. */
interface Failure extends Pick<Batch, "ended" | "asks"> {
	error: unknown;
}

/**
 * Changes nothing in memory but `calendars` and new, empty leases, since a store may run it twice.
 *
 * @param isCareful after a batch failed: what can't be written holds up nothing else
 */
export async function writeBatch(
	tx: Connection,
	env: Env,
	batch: Batch,
	calendars: Map<string, Calendar>,
	isCareful: boolean,
): Promise<(Outcome | Failure)[]> {
	const due = [...batch.leases.values()].filter(
		(it) => it.isClosed || isDue(it),
	);
	const payers = [...batch.ended.map((it) => it.reservation), ...batch.asks];
	const businesses = new Set(
		[...payers, ...due].map(({ payer }) => payer.businessId),
	);
	const outcomes: (Outcome | Failure)[] = [];
	// In one order everywhere, so that two servers don't wait for each other.
	for (const businessId of [...businesses].sort()) {
		const isTheirs = ({ payer }: { payer: Payer }) =>
			payer.businessId === businessId;
		const ended = batch.ended.filter((it) => isTheirs(it.reservation));
		const asks = batch.asks.filter(isTheirs);
		async function write(): Promise<Outcome> {
			const calendar = await calendarOf(tx, businessId);
			calendars.set(businessId, calendar);
			return writeBusiness(tx, env, calendar, {
				...{ ended, asks, leases: batch.leases, businessId, isCareful },
				due: due.filter(isTheirs),
			});
		}
		outcomes.push(
			await (isCareful
				? tx
						.savepoint(write)
						.catch((error: unknown) => ({ ended, asks, error }))
				: write()),
		);
	}
	return outcomes;
}

async function writeBusiness(
	tx: Connection,
	env: Env,
	calendar: Calendar,
	batch: Batch & { due: Lease[]; businessId: string; isCareful: boolean },
): Promise<Outcome> {
	const { ended, asks, due, leases, businessId, isCareful } = batch;
	const day = dayOf(calendar, env.now());
	const months = openMonths(tx, businessId);
	const drafts = openDrafts();
	const faults: unknown[] = [];
	for (const call of ended) {
		const { payer, held } = call.reservation;
		const { record } = call;
		const of = held?.day ?? dayOf(calendar, call.at);
		const isNew = isCareful
			? await insertCarefully(tx, call, of, faults)
			: await insertCall(tx, call.reservation, of, call.at, record);
		if (isNew) months.add(payer.accounts, monthOf(of), { spent: record.cost });
		if (held) drafts.of(held.lease).cost += record.cost;
	}
	for (const lease of due) drafts.of(lease);
	const asked = asks.map((ask) => ({
		ask,
		draft: drafts.of(ask.lease ?? leaseOf(leases, env, ask.payer, day)),
	}));
	for (const draft of drafts.all()) await beginDraft(tx, draft, months);
	await months.write();

	const outcome: Outcome = {
		...{ day, drafts: drafts.all(), faults, granted: [], refused: [] },
	};
	for (const { ask, draft } of asked) {
		const error = grant(ask, draft, months);
		if (error) outcome.refused.push({ ask, error });
		else outcome.granted.push({ ask, lease: draft.lease, amount: draft.usual });
	}
	// A call that cost nothing may end after its lease did.
	for (const draft of drafts.all())
		if (
			leases.get(leaseName(draft.payer, monthOf(draft.lease.day))) ===
			draft.lease
		)
			keepReady(draft, months);
	for (const { lease, payer, amount } of drafts.all())
		if (amount > 0)
			await insertCall(
				tx,
				{ id: lease.id, payer },
				rowDay(lease, day),
				env.now(),
				{
					...emptyRecord,
					...{ askedModel: "", status: "running", cost: amount },
				},
			);
	await months.write();
	await settleInterrupted(tx, businessId, env.now());
	await noteUse(tx, ended);
	return outcome;
}

/** Records at least what a call cost. @returns as insertCall */
async function insertCarefully(
	tx: Connection,
	{ reservation, record, at }: EndedCall,
	day: string,
	faults: unknown[],
): Promise<boolean> {
	try {
		return await tx.savepoint(() =>
			insertCall(tx, reservation, day, at, record),
		);
	} catch (error) {
		faults.push(error);
		return insertCall(tx, reservation, day, at, {
			...emptyRecord,
			...{ askedModel: "", status: "failed", cost: record.cost },
			error: "The record of this call could not be written",
		});
	}
}

function openDrafts() {
	const drafts = new Map<Lease, Draft>();
	return {
		all: () => [...drafts.values()],
		of(lease: Lease): Draft {
			const { payer, usual } = lease;
			const draft = drafts.get(lease) ?? {
				...{ lease, payer, usual, amount: 0, cost: 0, granted: 0 },
			};
			drafts.set(lease, draft);
			return draft;
		},
	};
}

function leaseOf(
	leases: Map<string, Lease>,
	env: Env,
	payer: Payer,
	day: string,
): Lease {
	const name = leaseName(payer, monthOf(day));
	const found = leases.get(name);
	if (found) return found;
	const now = performance.now();
	const made = {
		...{ id: newId(env), payer, day, isClosed: false },
		...{ amount: 0, running: 0, ended: 0, usual: 0 },
		...{ usedAt: now, writtenAt: now },
	};
	leases.set(name, made);
	return made;
}

/** The day of a lease's row, which names its month. */
function rowDay(lease: Lease, today: string): string {
	return monthOf(lease.day) === monthOf(today) ? today : lease.day;
}

/** Replaces what the ledger has reserved for a lease by what it needs without new calls. */
async function beginDraft(
	tx: Connection,
	draft: Draft,
	months: Months,
): Promise<void> {
	const { lease, payer, cost } = draft;
	const needed = Math.max(0, lease.running + lease.ended - cost);
	draft.amount = lease.isClosed
		? needed
		: Math.max(needed, lease.amount - cost);
	// What the row says holds, not the memory: a commit may have succeeded without an answer.
	const row = await tx.get(
		"DELETE FROM ai_calls WHERE business_id = ? AND id = ? RETURNING status, cost",
		payer.businessId,
		lease.id,
	);
	const before = (row?.cost ?? 0) as number;
	// This server was away for so long that another one counted the lease as spent.
	const isSpent = row?.status === "interrupted";
	const month = monthOf(lease.day);
	months.lock(payer.accounts, month);
	months.add(payer.accounts, month, {
		spent: isSpent ? -before : 0,
		reserved: draft.amount - (isSpent ? 0 : before),
	});
}

/** Reserves the dearest bound that all budgets allow. @returns the refusal if they allow none */
function grant(
	{ payer, bounds }: Ask,
	draft: Draft,
	months: Months,
): GatewayError | undefined {
	const month = monthOf(draft.lease.day);
	let affordable = bounds;
	for (const account of payer.accounts) {
		const left = leftOf(account, months.usedOf(account.id, month));
		// A local model costs nothing, even where the others charged more than was left.
		affordable = affordable.filter((bound) => bound <= Math.max(0, left));
		if (affordable.length === 0) return overBudget(account, left, bounds);
	}
	reserve(draft, Math.max(...affordable), months);
	draft.usual = Math.max(...affordable);
	draft.granted += draft.usual;
	draft.payer = payer;
	return undefined;
}

/** Reserves money for the next calls of an open lease, as far as its budgets have plenty. */
function keepReady(draft: Draft, months: Months): void {
	const { lease, payer, amount, cost, granted } = draft;
	if (lease.isClosed) return;
	const month = monthOf(lease.day);
	const left = payer.accounts.map((account) =>
		leftOf(account, months.usedOf(account.id, month)),
	);
	const free = amount - granted - (lease.running + lease.ended - cost);
	reserve(draft, readyFor(draft, free, Math.min(...left)), months);
}

function reserve(draft: Draft, amount: number, months: Months): void {
	draft.amount += amount;
	months.add(draft.payer.accounts, monthOf(draft.lease.day), {
		reserved: amount,
	});
}

function leftOf({ monthlyBudget }: Account, used: number): number {
	return monthlyBudget === null
		? Number.POSITIVE_INFINITY
		: monthlyBudget - used;
}

async function noteUse(tx: Connection, ended: EndedCall[]): Promise<void> {
	const lastUse = new Map<string, EndedCall>();
	for (const call of ended)
		if (call.reservation.payer.key)
			lastUse.set(call.reservation.payer.key.id, call);
	for (const [id, { reservation, at }] of lastUse)
		await tx.run(
			"UPDATE api_keys SET last_used_at = ? WHERE business_id = ? AND id = ?",
			toIso(at),
			reservation.payer.businessId,
			id,
		);
}

/**
 * Brings the leases in memory to what was committed, and answers the calls that waited.
 *
 * @returns the calls that may ask again, since other leases of their business give back what is free
 */
export function applyOutcome(
	{ day, drafts, granted, refused }: Outcome,
	leases: ReadonlyMap<string, Lease>,
): Ask[] {
	for (const { lease, payer, usual, amount, cost } of drafts) {
		Object.assign(lease, { payer, usual, amount, isClosed: false });
		lease.ended -= cost;
		lease.writtenAt = performance.now();
	}
	for (const { ask, lease, amount } of granted) {
		lease.running += amount;
		lease.usedAt = performance.now();
		ask.resolve({ amount, day: rowDay(lease, day), lease });
	}
	const again: Ask[] = [];
	for (const { ask, error } of refused) {
		const { businessId } = ask.payer;
		const free = [...leases.values()].filter(
			(it) => it.payer.businessId === businessId && freeOf(it) > 0,
		);
		if (ask.isLast || free.length === 0) ask.reject(error);
		else {
			for (const lease of free) lease.isClosed = true;
			again.push({ ...ask, isLast: true });
		}
	}
	return again;
}

/** Counts the leases of servers that died before this one started. */
export async function settleAllInterrupted(
	tx: Connection,
	env: Env,
): Promise<void> {
	for (const businessId of await businessesWithLeases(tx))
		await settleInterrupted(tx, businessId, env.now());
}

function overBudget(
	{ name, monthlyBudget }: Account,
	left: number,
	bounds: number[],
): GatewayError {
	const usd = (nanos: number) => `${toDollars(nanos).toFixed(6)} USD`;
	return new GatewayError(
		429,
		`${name} has ${usd(Math.max(0, left))} left of the budget of ${usd(monthlyBudget ?? 0)} for this month; this call may cost up to ${usd(Math.min(...bounds))}`,
		{ type: "insufficient_quota", code: overBudgetCode, shouldRetry: false },
	);
}

const overBudgetCode = "budget_exceeded";

export function isOverBudget(error: unknown): boolean {
	return error instanceof GatewayError && error.details.code === overBudgetCode;
}
