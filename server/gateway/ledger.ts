import { businessDay, toIso } from "../../sync/protocol/clock.ts";
import type { Connection } from "../../sync/store/store.ts";
import type { CallRecord } from "./call-record.ts";
import { appAccount, businessAccount } from "./limits.ts";
import type { Reservation } from "./meter.ts";

/** A row without an end for this long belongs to a server that died. */
const interruptedMs = 20 * 60_000;

/** What decides which day it is in a shop. */
export interface Calendar {
	timeZone: string;
	cutOffHour: number;
}

export async function calendarOf(
	tx: Connection,
	businessId: string,
): Promise<Calendar> {
	const row = await tx.get(
		"SELECT time_zone, cut_off_hour FROM businesses WHERE business_id = ?",
		businessId,
	);
	if (!row) throw new Error(`No business ${businessId}`);
	return {
		timeZone: row.time_zone as string,
		cutOffHour: row.cut_off_hour as number,
	};
}

/** The days of the minutes asked for last: reading a calendar takes as long as writing a call's row. */
const days = new Map<string, string>();
const daysMax = 1_000;

export function dayOf({ timeZone, cutOffHour }: Calendar, now: number): string {
	const name = `${Math.floor(now / 60_000)} ${timeZone} ${cutOffHour}`;
	const found = days.get(name);
	if (found !== undefined) return found;
	if (days.size >= daysMax) days.clear();
	const day = businessDay(toIso(now), timeZone, cutOffHour);
	days.set(name, day);
	return day;
}

export function monthOf(day: string): string {
	return day.slice(0, 7);
}

/** Changes of accounts' months, added up before they are written. */
export interface Months {
	add(
		accounts: readonly { id: string }[],
		month: string,
		change: { spent?: number; reserved?: number },
	): void;
	/** Makes the next `write` lock these months too, so that no other call can reserve the same money. */
	lock(accounts: readonly { id: string }[], month: string): void;
	write(): Promise<void>;
	/** What is spent and reserved after all changes. */
	usedOf(account: string, month: string): number;
}

interface Month {
	account: string;
	month: string;
	spent: number;
	reserved: number;
	used: number;
	isWritten: boolean;
}

export function openMonths(tx: Connection, businessId: string): Months {
	const months = new Map<string, Month>();

	function monthOfAccount(account: string, month: string): Month {
		const name = `${account} ${month}`;
		const found = months.get(name);
		if (found) return found;
		const made = { account, month, spent: 0, reserved: 0, used: 0 };
		months.set(name, { ...made, isWritten: false });
		return months.get(name) as Month;
	}

	return {
		add(accounts, month, { spent = 0, reserved = 0 }) {
			if (spent === 0 && reserved === 0) return;
			for (const { id } of accounts) {
				const of = monthOfAccount(id, month);
				of.spent += spent;
				of.reserved += reserved;
				of.used += spent + reserved;
				of.isWritten = false;
			}
		},

		lock(accounts, month) {
			for (const { id } of accounts) monthOfAccount(id, month);
		},

		async write() {
			// In one order everywhere, so that two servers don't wait for each other.
			const names = [...months.keys()].sort();
			for (const name of names) {
				const of = months.get(name) as Month;
				if (of.isWritten) continue;
				const row = await tx.get(
					`INSERT INTO ai_months (business_id, account, month, spent, reserved) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (business_id, account, month) DO UPDATE
           SET spent = ai_months.spent + excluded.spent, reserved = ai_months.reserved + excluded.reserved
           RETURNING spent + reserved AS used`,
					businessId,
					of.account,
					of.month,
					of.spent,
					of.reserved,
				);
				of.used = row?.used as number;
				of.isWritten = true;
				of.spent = 0;
				of.reserved = 0;
			}
		},

		usedOf: (account, month) => monthOfAccount(account, month).used,
	};
}

/** @returns false if the call was recorded before, by a commit whose answer was lost */
export async function insertCall(
	tx: Connection,
	{ id, payer }: Pick<Reservation, "id" | "payer">,
	day: string,
	at: number,
	record: CallRecord,
): Promise<boolean> {
	const inserted = await tx.run(
		`INSERT INTO ai_calls (business_id, id, key_id, user_id, day, at, asked_model, model, route, cache, status, error, attempts,
       prompt_tokens, cached_tokens, completion_tokens, cost, first_token_ms, duration_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (business_id, id) DO NOTHING`,
		payer.businessId,
		id,
		payer.key?.id ?? null,
		payer.userId,
		day,
		toIso(at),
		record.askedModel,
		record.model,
		record.route,
		record.cache,
		record.status,
		record.error,
		record.attempts,
		record.promptTokens,
		record.cachedTokens,
		record.completionTokens,
		record.cost,
		record.firstTokenMs,
		record.durationMs,
	);
	return inserted > 0;
}

/** Counts the leases of servers that died as spent, since the real costs of their calls are unknown. */
export async function settleInterrupted(
	tx: Connection,
	businessId: string,
	now: number,
): Promise<void> {
	const rows = await tx.all(
		"SELECT id, key_id, user_id, day, cost FROM ai_calls WHERE business_id = ? AND status = 'running' AND at < ? LIMIT 100",
		businessId,
		toIso(now - interruptedMs),
	);
	const months = openMonths(tx, businessId);
	for (const row of rows) {
		const cost = row.cost as number;
		const settled = await tx.run(
			"UPDATE ai_calls SET status = 'interrupted' WHERE business_id = ? AND id = ? AND status = 'running'",
			businessId,
			row.id as string,
		);
		// Another process settled it first.
		if (settled === 0) continue;
		const own = row.key_id === null ? [appAccount, row.user_id] : [row.key_id];
		months.add(
			[businessAccount, ...own].flatMap((id) =>
				typeof id === "string" ? { id } : [],
			),
			monthOf(row.day as string),
			{ spent: cost, reserved: -cost },
		);
	}
	await months.write();
}

/** Every business that has leases, of this server or of others. */
export async function businessesWithLeases(tx: Connection): Promise<string[]> {
	const rows = await tx.all(
		"SELECT DISTINCT business_id FROM ai_calls WHERE status = 'running'",
	);
	return rows.map(({ business_id }) => business_id as string);
}
