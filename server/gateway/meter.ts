import type { Role } from "../../sync/entities/entity.ts";
import { businessDay, toIso } from "../../sync/protocol/clock.ts";
import { type Env, newId } from "../../sync/protocol/ids.ts";
import type { Connection, Store } from "../../sync/store/store.ts";
import type { ApiKey } from "../accounts/api-keys.ts";
import { type Access, appAccount, businessAccount } from "./access.ts";
import { GatewayError } from "./errors.ts";
import { toDollars } from "./prices.ts";

/** Who pays for a call. */
export interface Payer {
	businessId: string;
	userId: string | null;
	/** The member's role for a call with an app token; null for an API key. */
	role: Role | null;
	key: ApiKey | null;
	access: Access;
	/** Every call counts against all of them. */
	budgets: Budget[];
}

/** A limit on one account's spending in a month by the shop's calendar. */
export interface Budget {
	account: string;
	/** Shown in error messages. */
	name: string;
	/** Nanodollars; null is no limit. */
	limit: number | null;
}

export type CacheUse = "hit" | "miss" | "shared" | "off";

/** A finished call as the database records it. */
export interface CallRecord {
	askedModel: string;
	/** The model that answered, if any. */
	model: string | null;
	route: string;
	cache: CacheUse;
	/** `running` is a reservation. */
	status: "ok" | "failed" | "cancelled" | "running";
	error: string | null;
	attempts: number;
	promptTokens: number;
	cachedTokens: number;
	completionTokens: number;
	/** Nanodollars. */
	cost: number;
	firstTokenMs: number | null;
	durationMs: number;
}

/** The record of a call that cost nothing, such as one answered from the cache. */
export const emptyRecord = {
	model: null,
	route: "",
	cache: "off",
	error: null,
	attempts: 0,
	promptTokens: 0,
	cachedTokens: 0,
	completionTokens: 0,
	cost: 0,
	firstTokenMs: null,
	durationMs: 0,
} as const satisfies Partial<CallRecord>;

/** The money held for a running call. */
export interface Reservation {
	id: string;
	payer: Payer;
	/** Nanodollars and the shop's day; undefined if no budget has a limit. */
	held?: { amount: number; day: string };
}

/**
 * Records each call's usage and cost, and enforces budgets: it reserves the most that a call can cost before the call, and
 * settles the real cost after it. If the server dies in between, the reservation counts as spent.
 */
export interface Meter {
	/**
	 * @param bounds the most that the call may cost with each candidate
	 * @returns a reservation for the dearest candidate that the budget allows
	 * @throws GatewayError 429 if it allows none
	 */
	reserve(
		payer: Payer,
		askedModel: string,
		bounds: () => number[],
	): Promise<Reservation>;
	/** Raises a running call's reservation. @returns whether the budget allows it */
	extend(reservation: Reservation, amount: number): Promise<boolean>;
	/** Makes an empty reservation for a call that costs nothing. */
	open(payer: Payer): Reservation;
	settle(reservation: Reservation, record: CallRecord): void;
	/** Writes pending records; call it before reading. */
	flush(): Promise<void>;
	close(): Promise<void>;
}

/** Calls without a budget are recorded in batches, so that no call waits for the disk. */
const flushMs = 1_000;
/** A call still running after this long belonged to a server that died. */
const interruptedMs = 20 * 60_000;

interface PendingRecord {
	reservation: Reservation;
	record: CallRecord;
	at: number;
}

export function openMeter(
	store: Store,
	env: Env,
	onFault: (error: unknown) => void,
): Meter {
	let waiting: PendingRecord[] = [];
	let timer: NodeJS.Timeout | undefined;
	let writing: Promise<void> = Promise.resolve();

	async function write(batch: PendingRecord[]): Promise<void> {
		if (batch.length === 0) return;
		await store.write(async (tx) => {
			const keysUsed = new Map<string, { key: ApiKey; at: number }>();
			const days = new Map<string, string>();
			for (const item of batch) {
				const { businessId } = item.reservation.payer;
				// One lookup for each business will do: the records came within a second.
				if (!days.has(businessId)) {
					days.set(businessId, await dayOf(tx, businessId, item.at));
					await settleInterrupted(tx, businessId, env.now());
				}
				await writeCall(tx, item, days.get(businessId) as string);
				const { key } = item.reservation.payer;
				if (key) keysUsed.set(key.id, { key, at: item.at });
			}
			for (const { key, at } of keysUsed.values())
				await tx.run(
					"UPDATE api_keys SET last_used_at = ? WHERE business_id = ? AND id = ?",
					toIso(at),
					key.businessId,
					key.id,
				);
		});
	}

	function flush(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		writing = writing.then(() => {
			// One commit covers all records that came during the previous write.
			const batch = waiting;
			waiting = [];
			return write(batch).catch((error) => {
				onFault(error);
				// Keep the records for the next write: a full disk must not make calls free.
				waiting = batch.concat(waiting);
				schedule();
			});
		});
		return writing;
	}

	function schedule(): void {
		timer ??= setTimeout(() => void flush(), flushMs).unref();
	}

	store
		.write(async (tx) => {
			const running = await tx.all(
				"SELECT DISTINCT business_id FROM ai_calls WHERE status = 'running'",
			);
			for (const { business_id } of running)
				await settleInterrupted(tx, business_id as string, env.now());
		})
		.catch(onFault);

	return {
		async reserve(payer, askedModel, boundsOf) {
			const { businessId, budgets } = payer;
			if (!hasLimit(payer)) return this.open(payer);
			const bounds = boundsOf();
			const id = newId(env);
			return store.write(async (tx) => {
				const day = await dayOf(tx, businessId, env.now());
				const month = monthOf(day);
				let affordable = bounds;
				for (const budget of budgets) {
					const used = await usedOf(tx, businessId, budget.account, month);
					const left = leftOf(budget, used);
					affordable = affordable.filter((bound) => bound <= left);
					if (affordable.length === 0) throw overBudget(budget, left, bounds);
				}
				const amount = Math.max(...affordable);
				await addToMonth(tx, businessId, accountsOf(payer), month, {
					spent: 0,
					reserved: amount,
				});
				await insertCall(tx, { id, payer }, day, env.now(), {
					...emptyRecord,
					askedModel,
					status: "running",
					cost: amount,
				});
				return { id, payer, held: { amount, day } };
			});
		},

		async extend({ id, payer, held }, amount) {
			if (!held) return true;
			const { businessId, budgets } = payer;
			const isAllowed = await store.write(async (tx) => {
				const month = monthOf(held.day);
				for (const budget of budgets) {
					const used = await usedOf(tx, businessId, budget.account, month);
					if (amount > leftOf(budget, used)) return false;
				}
				const extended = await tx.run(
					"UPDATE ai_calls SET cost = cost + ? WHERE business_id = ? AND id = ? AND status = 'running'",
					amount,
					businessId,
					id,
				);
				if (extended === 0) return false;
				await addToMonth(tx, businessId, accountsOf(payer), month, {
					spent: 0,
					reserved: amount,
				});
				return true;
			});
			if (isAllowed) held.amount += amount;
			return isAllowed;
		},

		open: (payer) => ({ id: newId(env), payer }),

		settle(reservation, record) {
			waiting.push({ reservation, record, at: env.now() });
			// Frees the reserved money for the next call as soon as possible.
			if (reservation.held) void flush();
			else schedule();
		},

		flush,

		async close() {
			await flush();
		},
	};
}

async function dayOf(
	tx: Connection,
	businessId: string,
	now: number,
): Promise<string> {
	const row = await tx.get(
		"SELECT time_zone, cut_off_hour FROM businesses WHERE business_id = ?",
		businessId,
	);
	if (!row) throw new Error(`No business ${businessId}`);
	return businessDay(
		toIso(now),
		row.time_zone as string,
		row.cut_off_hour as number,
	);
}

function monthOf(day: string): string {
	return day.slice(0, 7);
}

export function hasLimit({ budgets }: Pick<Payer, "budgets">): boolean {
	return budgets.some(({ limit }) => limit !== null);
}

function accountsOf({ budgets }: Payer): string[] {
	return budgets.map(({ account }) => account);
}

function leftOf({ limit }: Budget, used: number): number {
	return limit === null ? Number.POSITIVE_INFINITY : limit - used;
}

/** Locks the account's month, so that no other call can reserve the same money. */
async function usedOf(
	tx: Connection,
	businessId: string,
	account: string,
	month: string,
): Promise<number> {
	const row = await tx.get(
		`INSERT INTO ai_months (business_id, account, month, spent, reserved) VALUES (?, ?, ?, 0, 0)
     ON CONFLICT (business_id, account, month) DO UPDATE SET spent = ai_months.spent RETURNING spent + reserved AS used`,
		businessId,
		account,
		month,
	);
	return row?.used as number;
}

async function addToMonth(
	tx: Connection,
	businessId: string,
	accounts: readonly string[],
	month: string,
	{ spent, reserved }: { spent: number; reserved: number },
): Promise<void> {
	if (spent === 0 && reserved === 0) return;
	for (const account of accounts)
		await tx.run(
			`INSERT INTO ai_months (business_id, account, month, spent, reserved) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (business_id, account, month) DO UPDATE SET spent = ai_months.spent + excluded.spent, reserved = ai_months.reserved + excluded.reserved`,
			businessId,
			account,
			month,
			spent,
			reserved,
		);
}

async function writeCall(
	tx: Connection,
	{ reservation, record, at }: PendingRecord,
	today: string,
): Promise<void> {
	const { id, payer, held } = reservation;
	const { businessId } = payer;
	const day = held?.day ?? today;
	let counted = { spent: 0, reserved: 0 };
	if (held) {
		const running = await tx.get(
			"DELETE FROM ai_calls WHERE business_id = ? AND id = ? RETURNING status",
			businessId,
			id,
		);
		// The call ran so long that it already counts as spent.
		const isSpent = running?.status === "interrupted";
		counted = isSpent
			? { spent: held.amount, reserved: 0 }
			: { spent: 0, reserved: held.amount };
	}
	await insertCall(tx, reservation, day, at, record);
	await addToMonth(tx, businessId, accountsOf(payer), monthOf(day), {
		spent: record.cost - counted.spent,
		reserved: -counted.reserved,
	});
}

async function insertCall(
	tx: Connection,
	{ id, payer }: Reservation,
	day: string,
	at: number,
	record: CallRecord,
): Promise<void> {
	await tx.run(
		`INSERT INTO ai_calls (business_id, id, key_id, user_id, day, at, asked_model, model, route, cache, status, error, attempts,
       prompt_tokens, cached_tokens, completion_tokens, cost, first_token_ms, duration_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
}

/** Settles the calls of a server that died at their reservations, since their real cost is unknown. */
async function settleInterrupted(
	tx: Connection,
	businessId: string,
	now: number,
): Promise<void> {
	const rows = await tx.all(
		"SELECT id, key_id, day, cost FROM ai_calls WHERE business_id = ? AND status = 'running' AND at < ? LIMIT 100",
		businessId,
		toIso(now - interruptedMs),
	);
	for (const row of rows) {
		const cost = row.cost as number;
		const settled = await tx.run(
			"UPDATE ai_calls SET status = 'interrupted' WHERE business_id = ? AND id = ? AND status = 'running'",
			businessId,
			row.id as string,
		);
		// Another process settled it first.
		if (settled === 0) continue;
		await addToMonth(
			tx,
			businessId,
			[businessAccount, (row.key_id as string | null) ?? appAccount],
			monthOf(row.day as string),
			{ spent: cost, reserved: -cost },
		);
	}
}

function overBudget(
	{ name, limit }: Budget,
	left: number,
	bounds: number[],
): GatewayError {
	const usd = (nanos: number) => `${toDollars(nanos).toFixed(6)} USD`;
	return new GatewayError(
		429,
		`${name} has ${usd(Math.max(0, left))} left of its budget of ${usd(limit ?? 0)} for this month; this call may cost up to ${usd(Math.min(...bounds))}`,
		{
			type: "insufficient_quota",
			code: "budget_exceeded",
			shouldRetry: false,
		},
	);
}
