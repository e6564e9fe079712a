import type * as z from "zod";
import { argsVersionOf } from "../entities/args-version.ts";
import type { Device, Mutation } from "../entities/entity.ts";
import { parseArgs } from "../entities/parse-args.ts";
import { assertAllowed } from "../entities/permission.ts";
import { toIso } from "../protocol/clock.ts";
import { derivedId, type Env, newId } from "../protocol/ids.ts";
import { toError } from "../protocol/till-api.ts";
import { openContext } from "../rows/context.ts";
import type {
	MadeMutation,
	MutateOptions,
	MutationInput,
	Shop,
} from "../shop.ts";
import type { Connection, Store } from "../store/store.ts";
import { serverDevice } from "./devices.ts";
import { readHistory } from "./history.ts";
import {
	type Caller,
	lockHead,
	PartialWriteError,
	progressEvery,
	type RecordOptions,
	recordMutations,
} from "./log.ts";
import { findRecorded, idOfNew } from "./recorded.ts";

interface ServerWritesOptions
	extends Pick<RecordOptions, "onNotice" | "onFault"> {
	store: Store;
	env: Env;
	/** Called after each commit with its head. */
	announce(businessId: string, head: number): void;
}

/** Opens the writes that a server makes itself, as opposed to those that tills push. */
export function openServerWrites({
	store,
	env,
	onNotice,
	onFault,
	announce,
}: ServerWritesOptions): Pick<Shop, "mutate" | "mutateAll"> {
	/**
	 * Together with the epoch it identifies the device of the server's own receipts. A restored database has forgotten
	 * its count, so each run of the program counts from 1 under its own prefix.
	 */
	const run = newId(env);

	/**
	 * Runs one transaction of the server's own mutations.
	 *
	 * @param make records them from the given head and returns the new head
	 */
	async function write<T>(
		caller: Caller,
		make: (
			tx: Connection,
			head: number,
			device: Device,
		) => Promise<{ head: number; result: T }>,
	): Promise<T> {
		const written = store.write(async (tx) => {
			const head = await lockHead(tx, caller.businessId);
			const { epoch } = await readHistory(tx, env.now());
			const deviceId = derivedId(epoch, run);
			const device = serverDevice(tx, caller.businessId, deviceId, env);
			return make(tx, head, device);
		});
		const { head, result } = await written.catch((error) => {
			throw error instanceof PartialWriteError ? error.cause : error;
		});
		announce(caller.businessId, head);
		return result;
	}

	/** @returns the head that it made */
	async function makeMutation(
		tx: Connection,
		before: number,
		caller: Caller,
		{ mutation, args }: MutationInput,
		device: Device,
		{ id: given, by, asksApproval }: Omit<MutateOptions, "alongside"> = {},
	): Promise<{ head: number; result: MadeMutation }> {
		assertAllowed(mutation, caller.role);
		parseArgs(mutation, args);
		const { businessId } = caller;
		const id = given ?? (await idOfNew(tx, env, businessId, mutation, args));
		const at = toIso(env.now());
		const context = openContext(tx, { ...caller, mutationId: id, at });
		const prepared = mutation.prepare
			? await mutation.prepare(context, args, device)
			: args;
		const argsVersion = argsVersionOf(mutation, prepared);
		const message = {
			id,
			name: mutation.name,
			args: prepared,
			argsVersion,
			at,
			...(by !== undefined && { by }),
		};
		const { results, head } = await recordMutations(tx, before, [message], {
			caller,
			now: env.now(),
			mayLack: false,
			isolate: false,
			asksApproval,
			onNotice,
			onFault,
		});
		const error = results[0]?.error;
		if (error) throw toError(error);
		return { head, result: { id, at, args: prepared } };
	}

	function mutate<Args extends z.ZodType>(
		caller: Caller,
		mutation: Mutation<Args>,
		args: z.input<Args>,
		{ alongside, ...options }: MutateOptions = {},
	): Promise<MadeMutation<Args>> {
		return write<MadeMutation<Args>>(caller, async (tx, head, device) => {
			const { businessId } = caller;
			const { id } = options;
			const known =
				id !== undefined &&
				(await findRecorded(tx, businessId, id, mutation.name));
			if (known) return { head, result: known as MadeMutation<Args> };
			await alongside?.(tx);
			const made = { mutation, args };
			return makeMutation(tx, head, caller, made, device, options);
		});
	}

	return {
		mutate,
		mutateAll: (caller, batch, onProgress = () => {}) =>
			write(caller, async (tx, before, device) => {
				let head = before;
				const all = typeof batch === "function" ? await batch(tx) : batch;
				for (const [i, one] of all.entries()) {
					({ head } = await makeMutation(tx, head, caller, one, device));
					if ((i + 1) % progressEvery === 0) onProgress(i + 1);
				}
				return { head, result: undefined };
			}),
	};
}
