import type { Payer } from "./meter.ts";

/**
 * Money that this server may spend for one key or member in one month. The ledger has it reserved before any call uses it,
 * so that calls need not wait for the disk, and a server that is killed has spent at most that.
 */
export interface Lease {
	/** Its row in `ai_calls`. */
	id: string;
	/** Whose limits it was granted under. */
	payer: Payer;
	/** The day on which it began; its month is the budgets'. */
	day: string;
	/** What the ledger has reserved for it, in nanodollars. */
	amount: number;
	/** The most that its running calls may cost. */
	running: number;
	/** The cost of calls that ended and aren't in the ledger yet. */
	ended: number;
	/** The most that its last call could cost. */
	usual: number;
	/** Closed while the ledger may take back what is free. */
	isClosed: boolean;
	/** Moments of `performance.now()`. */
	usedAt: number;
	writtenAt: number;
}

/** A lease keeps the price of this many calls ready for the next ones, */
const readyCalls = 2;
/** but at most this part of what the budget has left, since a kill counts it as spent. */
const readyPart = 1 / 16;
/** Free money goes back to the budget when no call has used the lease for this long. */
const idleMs = 30_000;
/** Sooner than other servers take it for that of a server that died. */
const renewMs = 5 * 60_000;

export function freeOf({ amount, running, ended }: Lease): number {
	return amount - running - ended;
}

/** Takes money for a call without asking the ledger. @returns false if the lease hasn't enough, or other limits */
export function takeFrom(lease: Lease, payer: Payer, amount: number): boolean {
	if (
		lease.isClosed ||
		amount > freeOf(lease) ||
		!hasSameBudgets(lease.payer, payer)
	)
		return false;
	lease.running += amount;
	lease.usual = amount;
	lease.usedAt = performance.now();
	return true;
}

function hasSameBudgets(one: Payer, other: Payer): boolean {
	return one.accounts.every(
		({ monthlyBudget }, i) =>
			monthlyBudget === other.accounts[i]?.monthlyBudget,
	);
}

/** Whether the ledger has to write it: to take back what is idle, or to show that this server lives. */
export function isDue(lease: Lease): boolean {
	const now = performance.now();
	return isIdle(lease) || (lease.amount > 0 && now - lease.writtenAt > renewMs);
}

function isIdle(lease: Lease): boolean {
	return freeOf(lease) > 0 && performance.now() - lease.usedAt > idleMs;
}

/** Whether its free money should go back to the budget: it is idle, or far more than what runs, as after a burst of calls. */
export function hasTooMuch(lease: Lease): boolean {
	const { running, usual } = lease;
	return (
		isIdle(lease) || freeOf(lease) > Math.max(running, 2 * readyCalls * usual)
	);
}

/** What the ledger should reserve besides the lease's calls, for its next ones. */
export function readyFor(
	{ usual }: Pick<Lease, "usual">,
	free: number,
	left: number,
): number {
	const missing = readyCalls * usual - free;
	return Math.max(0, Math.min(missing, Math.floor(left * readyPart)));
}
