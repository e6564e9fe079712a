import type * as z from "zod";
import { utf8Length } from "#platform";
import {
	argsVersionOf,
	firstArgsVersion,
	newestArgsVersion,
} from "../entities/args-version.ts";
import type { Device, Mutation } from "../entities/entity.ts";
import { mutationsByName } from "../entities/index.ts";
import { assertMayBring } from "../entities/permission.ts";
import { saleCreate } from "../entities/sale.ts";
import { openAuthors } from "../log/authors.ts";
import { countOfReceipt, formatReceipt } from "../log/devices.ts";
import type { Caller } from "../log/log.ts";
import { makeProof, type ProofKey } from "../log/proof.ts";
import { idOfNew } from "../log/recorded.ts";
import { toIso } from "../protocol/clock.ts";
import {
	deferringCodes,
	isStorageError,
	ShopError,
} from "../protocol/errors.ts";
import { type Env, newId } from "../protocol/ids.ts";
import { canonicalJson } from "../protocol/json.ts";
import {
	type MutationMessage,
	type MutationResult,
	toRefusal,
} from "../protocol/protocol.ts";
import { openContext } from "../rows/context.ts";
import type { MadeMutation, MutateOptions } from "../shop.ts";
import type { Connection } from "../store/store.ts";
import * as outbox from "./outbox.ts";
import { apply, type RowKey } from "./rebase.ts";

const argsBytesMax = 1_000_000;

/** The state of a till that making a mutation depends on. */
interface TillState {
	deviceId: string;
	prefix: string;
	clockOffsetMs: number;
	/** The key of the member whose session syncs this till, if the till has it. */
	proofKey: ProofKey | undefined;
	/** NULL until the replica has once pulled the whole shop. */
	lastSyncAt: string | null;
}

/** A till's own mutations: applied on top of the server's rows and appended to the outbox, in one transaction. */
export interface TillLog {
	/** @throws ShopError why it was refused */
	make<Args extends z.ZodType>(
		caller: Caller,
		mutation: Mutation<Args>,
		args: z.input<Args>,
		making?: Omit<MutateOptions, "alongside">,
	): Promise<MadeMutation<Args>>;
	/**
	 * Takes over a mutation that this device made earlier under its own id. It is done once, however often it is offered,
	 * at its own time. One that fails here is left to the server if the shop has been pulled. Otherwise the records that
	 * it needs may be missing, so it is refused in the result without a trace; so is one that the member may not bring.
	 */
	take(caller: Caller, message: MutationMessage): Promise<MutationResult>;
	/**
	 * Offers a rejected mutation again, as a new one with the same content.
	 *
	 * @throws ShopError `not_found`
	 */
	retry(mutationId: string): Promise<void>;
}

/** @param touched receives each row that was written */
export function openTillLog(
	tx: Connection,
	env: Env,
	businessId: string,
	{ deviceId, prefix, clockOffsetMs, proofKey, lastSyncAt }: TillState,
	touched: RowKey[],
): TillLog {
	const device: Device = {
		drawerId: deviceId,
		async nextReceiptNumber() {
			const row = await tx.get(
				"UPDATE replica SET last_receipt = last_receipt + 1 WHERE business_id = ? RETURNING last_receipt",
				businessId,
			);
			return formatReceipt(prefix, Number(row?.last_receipt));
		},
	};

	async function doHere(
		caller: Caller,
		made: outbox.LocalMutation,
		{
			asksApproval,
			...options
		}: outbox.AppendOptions & { asksApproval?: boolean | undefined } = {},
	): Promise<void> {
		if (utf8Length(made.args) > argsBytesMax)
			throw new ShopError(
				"too_large",
				"The mutation has more than 1,000,000 bytes",
			);
		const carrierId = caller.userId === made.userId ? null : caller.userId;
		await apply(tx, businessId, made, { touched, carrierId, asksApproval });
		await append(caller, made, options);
	}

	async function append(
		caller: Caller,
		made: outbox.LocalMutation,
		options?: outbox.AppendOptions,
	): Promise<void> {
		const isOwn =
			caller.userId === made.userId && caller.userId === proofKey?.userId;
		const proof = isOwn ? makeProof(proofKey, made) : undefined;
		await outbox.append(tx, businessId, made, proof, options);
	}

	/** Continues this till's receipt numbers after those that it printed earlier. */
	async function countReceipt({ name, args }: outbox.LocalMutation) {
		if (name !== saleCreate.name) return;
		const { receiptNumber } = JSON.parse(args);
		const count = countOfReceipt(prefix, receiptNumber);
		await tx.run(
			"UPDATE replica SET last_receipt = ? WHERE business_id = ? AND last_receipt < ?",
			count,
			businessId,
			count,
		);
	}

	async function outcomeOf(
		{ id, name }: MutationMessage,
		args: string,
	): Promise<MutationResult | undefined> {
		const row = await tx.get(
			"SELECT name, args FROM mutations WHERE business_id = ? AND id = ?",
			businessId,
			id,
		);
		if (!row) return undefined;
		if (row.name !== name || row.args !== args) {
			const error = new ShopError("id_reused", "Another mutation has this id");
			return { id, status: "rejected", error: toRefusal(error) };
		}
		return { id, status: "applied", duplicate: true };
	}

	return {
		async make(caller, mutation, args, { id: given, by, asksApproval } = {}) {
			const id = given ?? (await idOfNew(tx, env, businessId, mutation, args));
			const at = toIso(env.now() + clockOffsetMs);
			const userId = by ?? caller.userId;
			const context = openContext(tx, {
				businessId,
				mutationId: id,
				at,
				userId,
				deviceId,
			});
			const prepared = mutation.prepare
				? await mutation.prepare(context, args, device)
				: args;
			const made = {
				id,
				name: mutation.name,
				args: canonicalJson(prepared),
				argsVersion: argsVersionOf(mutation, prepared),
				at,
				userId,
				deviceId,
			};
			await doHere(caller, made, { asksApproval });
			return { id, at, args: prepared };
		},

		async retry(mutationId) {
			const now = env.now();
			const refused = await outbox.discard(tx, businessId, mutationId, now);
			const made = { ...refused, id: newId(env), deviceId };
			// Only its author may sign a new proof.
			const isAuthor = proofKey?.userId === made.userId;
			const proof = isAuthor ? makeProof(proofKey, made) : undefined;
			await tx.savepoint(() => apply(tx, businessId, made, { touched }));
			await outbox.append(tx, businessId, made, proof, { isNew: false });
		},

		async take(caller, message) {
			const { id, name, argsVersion = firstArgsVersion } = message;
			try {
				const args = canonicalJson(message.args);
				const known = await outcomeOf(message, args);
				if (known) return known;
				const mutation = mutationsByName.get(name);
				if (!mutation || argsVersion > newestArgsVersion(mutation))
					throw new ShopError("unknown_mutation", name);
				const author = await openAuthors(tx, caller)(message.by);
				const { at } = message;
				// A browser knows few members, so the server judges who made it.
				const userId = message.by ?? author.userId;
				const made = { id, name, args, argsVersion, at, userId, deviceId };
				try {
					await assertMayBring(mutation, author, caller.role);
					await tx.savepoint(() => doHere(caller, made, { isNew: false }));
				} catch (error) {
					if (!isFinal(error) || lastSyncAt === null) throw error;
					await append(caller, made, { isNew: false });
				}
				await countReceipt(made);
				return { id, status: "applied" };
			} catch (error) {
				if (isStorageError(error) || !(error instanceof ShopError)) throw error;
				const status = isFinal(error) ? "rejected" : "deferred";
				return { id, status, error: toRefusal(error) };
			}
		},
	};
}

/** Returns true for a refusal that neither a newer program nor another member can lift. */
const isFinal = (error: unknown): boolean =>
	!isStorageError(error) &&
	error instanceof ShopError &&
	!deferringCodes.has(error.code);
