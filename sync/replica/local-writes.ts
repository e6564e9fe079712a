import type * as z from "zod";
import type { Mutation } from "../entities/entity.ts";
import { parseArgs } from "../entities/parse-args.ts";
import { assertAllowed } from "../entities/permission.ts";
import { type Caller, progressEvery } from "../log/log.ts";
import type { ProofKeyring } from "../log/proof.ts";
import { findRecorded } from "../log/recorded.ts";
import type { Env } from "../protocol/ids.ts";
import type { MutationResult } from "../protocol/protocol.ts";
import type { MadeMutation, MutateOptions } from "../shop.ts";
import type { Connection, Store } from "../store/store.ts";
import * as outbox from "./outbox.ts";
import type { RowKey } from "./rebase.ts";
import type { Replica } from "./replica.ts";
import { readState } from "./replica-state.ts";
import type { RowNotifier } from "./row-notifier.ts";
import { openTillLog, type TillLog } from "./till-log.ts";

interface LocalWritesOptions {
	store: Store;
	businessId: string;
	env: Env;
	keyring: ProofKeyring;
	notifier: RowNotifier;
}

type LocalWrites = Pick<
	Replica,
	"mutate" | "mutateAll" | "take" | "retry" | "discard" | "restore"
>;

/** Opens the writes that a replica makes without its server, each one transaction that notifies listeners of its rows. */
export function openLocalWrites({
	store,
	businessId,
	env,
	keyring,
	notifier,
}: LocalWritesOptions): LocalWrites {
	/** Runs one transaction, and notifies listeners of the rows that it touched if it changed anything. */
	async function write<T>(
		run: (tx: Connection, touched: RowKey[]) => Promise<T>,
		isNews: (result: T) => boolean = () => true,
	): Promise<T> {
		const { result, touched } = await store.write(async (tx) => {
			// A transaction may run twice; the rows of the first attempt were rolled back.
			const touched: RowKey[] = [];
			return { result: await run(tx, touched), touched };
		});
		if (isNews(result)) notifier.notify(touched);
		return result;
	}

	/** Runs one transaction of this till's own mutations. */
	function writeLog<T>(
		run: (log: TillLog, tx: Connection) => Promise<T>,
		isNews?: (result: T) => boolean,
	): Promise<T> {
		return write(async (tx, touched) => {
			const state = await readState(tx, businessId);
			const till = { ...state, proofKey: keyring.read() };
			return run(openTillLog(tx, env, businessId, till, touched), tx);
		}, isNews);
	}

	async function mutate<Args extends z.ZodType>(
		caller: Caller,
		mutation: Mutation<Args>,
		args: z.input<Args>,
		{ alongside, ...options }: MutateOptions = {},
	): Promise<MadeMutation<Args>> {
		assertAllowed(mutation, caller.role);
		parseArgs(mutation, args);
		return writeLog(async (log, tx) => {
			const { id } = options;
			const known =
				id !== undefined &&
				(await findRecorded(tx, businessId, id, mutation.name));
			if (known) return known as MadeMutation<Args>;
			await alongside?.(tx);
			return log.make(caller, mutation, args, options);
		});
	}

	return {
		mutate,
		mutateAll: (caller, batch, onProgress) =>
			writeLog(async (log, tx) => {
				const all = typeof batch === "function" ? await batch(tx) : batch;
				for (const { mutation, args } of all) {
					assertAllowed(mutation, caller.role);
					parseArgs(mutation, args);
				}
				for (const [i, { mutation, args }] of all.entries()) {
					await log.make(caller, mutation, args);
					if ((i + 1) % progressEvery === 0) onProgress?.(i + 1);
				}
			}),
		take: (caller, messages) =>
			writeLog(async (log) => {
				const results: MutationResult[] = [];
				for (const message of messages)
					results.push(await log.take(caller, message));
				return results;
			}, hasNew),
		retry: (mutationId) => writeLog((log) => log.retry(mutationId)),
		restore: (mutationId) =>
			write((tx) => outbox.restore(tx, businessId, mutationId)),
		async discard(mutationId) {
			await store.write((tx) =>
				outbox.discard(tx, businessId, mutationId, env.now()),
			);
		},
	};
}

/** Returns true if any of the mutations was new here. */
const hasNew = (results: readonly MutationResult[]) =>
	results.some(({ status, duplicate }) => status === "applied" && !duplicate);
