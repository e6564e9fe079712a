import { toIso } from "./clock.ts";
import { greetWindow } from "./devices.ts";
import { entitiesByName } from "./entities/index.ts";
import type { Entity } from "./entity.ts";
import { readDigest } from "./feed.ts";
import { readHistory } from "./history.ts";
import type { Caller } from "./log.ts";
import {
	assertSameBusiness,
	type Change,
	formatCursor,
	type MutationResult,
	mutationMessage,
	type Page,
	pageDefault,
	pageMax,
	parseCursor,
} from "./protocol.ts";
import type { RowKey } from "./rebase.ts";
import type { Replica } from "./replica.ts";
import { present, selectRows } from "./rows.ts";
import type { SyncServer } from "./shop.ts";
import type { Connection } from "./store/store.ts";

/**
 * A replica as the server of its own machine's window, which syncs with it as with any other: what the window made is
 * taken once, and what changed here, by a cashier or from the real server, is fed to it.
 *
 * A replica's rows have no versions of its own, since its unsent mutations are undone and done again. So which rows
 * changed is remembered in memory, by a count that begins anew with each start: a window that was in step with an
 * earlier start is sent everything that it keeps, and goes on from there.
 */
export async function openTillServer(replica: Replica): Promise<SyncServer> {
	const { store, env, businessId } = replica;
	const { epoch } = await store.read((tx) => readHistory(tx, env.now()));
	/** Beyond any count of an earlier start: no till makes a thousand changes a second. */
	const start = env.now();
	let count = start;
	let journal = new Map<string, { key: RowKey; version: number }>();
	/** What is older was forgotten. */
	let remembered = start;

	replica.onRows((rows) => {
		count += 1;
		for (const key of rows) {
			const name = `${key.entity} ${key.id}`;
			journal.delete(name);
			journal.set(name, { key, version: count });
		}
		if (journal.size <= journalMax) return;
		journal = new Map();
		remembered = count;
	});

	/** Without a proof: its versions are no log's. */
	function cursorAt(version: number): string {
		return formatCursor({ epoch, version, proof: "" });
	}

	async function readPage(
		tx: Connection,
		cursor: string | undefined,
		limit = pageDefault,
	): Promise<Page> {
		const from = parseCursor(cursor ?? "");
		const isInStep =
			from?.epoch === epoch &&
			from.version >= remembered &&
			from.version <= count;
		return isInStep
			? readChanges(tx, from.version, Math.min(limit, pageMax))
			: readAll(tx);
	}

	/** A version is never split: the window stores whole pages. */
	async function readChanges(
		tx: Connection,
		after: number,
		limit: number,
	): Promise<Page> {
		const wanted: { key: RowKey; version: number }[] = [];
		let upTo = count;
		for (const entry of journal.values()) {
			if (entry.version <= after) continue;
			if (wanted.length >= limit && entry.version !== wanted.at(-1)?.version) {
				upTo = wanted.at(-1)?.version ?? count;
				break;
			}
			wanted.push(entry);
		}
		return {
			changes: await readRows(tx, wanted),
			cursor: cursorAt(upTo),
			hasMore: upTo < count,
		};
	}

	async function readRows(
		tx: Connection,
		wanted: { key: RowKey; version: number }[],
	): Promise<Change[]> {
		const changes: Change[] = [];
		for (const { key, version } of wanted) {
			const entity = entitiesByName.get(key.entity);
			if (!entity) continue;
			const [found] = await selectRows(
				tx,
				entity,
				businessId,
				"AND id = ?",
				key.id,
			);
			const [row] =
				found && !found.deleted
					? await present(tx, entity, businessId, [found.row])
					: [];
			changes.push({ ...key, version, deleted: !row, row: row ?? null });
		}
		return changes;
	}

	/** All that a window keeps a copy of. */
	async function readAll(tx: Connection): Promise<Page> {
		const changes: Change[] = [];
		for (const name of kept) {
			const entity = entitiesByName.get(name) as Entity;
			const stored = await selectRows(tx, entity, businessId, "");
			const rows = await present(
				tx,
				entity,
				businessId,
				stored.map(({ row }) => row),
			);
			stored.forEach(({ row: { id }, deleted }, i) => {
				const row = deleted ? null : (rows[i] ?? null);
				changes.push({ entity: name, id, version: count, deleted, row });
			});
		}
		return { changes, cursor: cursorAt(count), hasMore: false };
	}

	const envelope = () => ({
		businessId,
		epoch,
		serverNow: toIso(env.now()),
		// What this machine's disk holds is no backup of what this machine's window holds.
		backedUpTo: 0,
	});

	async function take(
		caller: Caller,
		items: readonly unknown[],
	): Promise<MutationResult[]> {
		const read = items.map((item) => mutationMessage.safeParse(item));
		const taken = await replica.take(
			caller,
			read.flatMap(({ data }) => data ?? []),
		);
		return read.map(({ success }, i): MutationResult => {
			const result = success ? taken.shift() : undefined;
			if (result)
				return result.status === "applied"
					? { ...result, version: count }
					: result;
			const { id = null } = (items[i] ?? {}) as { id?: unknown };
			const error = {
				code: "invalid_args",
				message: "Not a mutation",
			} as const;
			return { id, status: "rejected", error };
		});
	}

	function assertOwn(
		caller: Caller,
		request: { businessId?: string | undefined },
	) {
		assertSameBusiness(businessId, caller.businessId);
		assertSameBusiness(businessId, request.businessId);
	}

	const wire: Pick<SyncServer, "push" | "pull"> = {
		async push(caller, request) {
			assertOwn(caller, request);
			const { mutations, deviceId, cursor, limit } = request;
			const results = mutations.length > 0 ? await take(caller, mutations) : [];
			const prefix =
				deviceId === undefined
					? undefined
					: await store.write((tx) =>
							greetWindow(tx, env, businessId, deviceId),
						);
			const page =
				cursor === undefined
					? {}
					: await store.read((tx) => readPage(tx, cursor, limit));
			return {
				results,
				...page,
				...envelope(),
				...(prefix === undefined ? {} : { prefix }),
			};
		},

		async pull(caller, request) {
			assertOwn(caller, request);
			const { cursor, limit } = request;
			return store.read(async (tx) => ({
				...(await readPage(tx, cursor, limit)),
				...envelope(),
			}));
		},
	};

	return {
		env,
		store,
		mutate: replica.mutate,
		ask: replica.ask,
		onHead: replica.onHead,

		async mutateAll(caller, made, onProgress) {
			let done = 0;
			await replica.mutateAll(caller, async (tx) => {
				const all = typeof made === "function" ? await made(tx) : made;
				done = all.length;
				return all;
			});
			onProgress?.(done);
		},

		// One window asks, and nothing is kept for others.
		wire,
		...wire,

		digest: () =>
			store.read(async (tx) => ({
				businessId,
				digest: await readDigest(tx, businessId),
				cursor: cursorAt(count),
				epoch,
			})),

		head: async () => cursorAt(count),
	};
}

/** More changes than these at once are a snapshot's. */
const journalMax = 20_000;
const kept = ["product", "category", "business"];
