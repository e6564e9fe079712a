import type { Env } from "../../../sync/protocol/ids.ts";
import type { Store } from "../../../sync/store/store.ts";
import { GatewayError } from "../errors.ts";
import type { Payer } from "../meter.ts";
import type { ResponseObject } from "./answer-writer.ts";
import { type SentItem, typeOf } from "./input-items.ts";
import { openKeptResponses, type Stored } from "./kept-responses.ts";

const bytesMax = 10_000_000;
const lifeMs = 86_400_000;

/**
 * Keeps responses for a day, at most 10 MB for each business, since clients refer to them instead of repeating them: in
 * memory, and in the database too where the owner wants that. Only the key or member that asked for a response finds it.
 */
export function openItemStore(
	database: Store,
	env: Env,
	onFault: (error: unknown) => void,
) {
	const byBusiness = new Map<string, Map<string, Stored>>();
	const kept = openKeptResponses(database, env, bytesMax);

	function storedBy({ businessId }: Payer): Map<string, Stored> {
		const stored = byBusiness.get(businessId) ?? new Map<string, Stored>();
		byBusiness.set(businessId, stored);
		for (const [id, { expiresAt }] of stored)
			if (expiresAt > env.now()) break;
			else stored.delete(id);
		return stored;
	}

	/** Reads what another process has kept, such as the one before this. */
	async function recall(payer: Payer): Promise<void> {
		if (!payer.access.keepsResponses) return;
		const found = await kept.find(payer.businessId);
		const stored = storedBy(payer);
		const before = [...stored];
		stored.clear();
		for (const [id, one] of found) stored.set(id, one);
		for (const [id, one] of before) stored.set(id, one);
	}

	async function find(payer: Payer, id: string): Promise<Stored | undefined> {
		if (!storedBy(payer).has(id)) await recall(payer);
		const found = storedBy(payer).get(id);
		return found?.payer === nameOf(payer) ? found : undefined;
	}

	function itemsOf(payer: Payer): Map<string, SentItem> {
		const name = nameOf(payer);
		const own = [...storedBy(payer).values()].filter((it) => it.payer === name);
		return new Map(
			own
				.flatMap(({ input, response }) => [
					...input,
					...response.output.map((item): SentItem => ({ ...item })),
				])
				.flatMap((item) => (item.id ? [[item.id, item] as const] : [])),
		);
	}

	/** The stored items, among which are those that are referred to. */
	async function itemsFor(
		payer: Payer,
		references: readonly SentItem[],
	): Promise<Map<string, SentItem>> {
		if (references.length === 0) return new Map();
		const items = itemsOf(payer);
		if (references.every(({ id }) => items.has(id ?? ""))) return items;
		await recall(payer);
		return itemsOf(payer);
	}

	return {
		/** @throws GatewayError 404 */
		async get(payer: Payer, id: string): Promise<ResponseObject> {
			const found = await find(payer, id);
			if (!found) throw notFound(`Response with id '${id}' not found.`);
			return found.response;
		},

		/** @throws GatewayError 404 */
		async remove(payer: Payer, id: string): Promise<void> {
			await this.get(payer, id);
			await kept.remove(payer.businessId, id);
			// Last, since another request may just have read it from the database.
			storedBy(payer).delete(id);
		},

		keeps(input: readonly SentItem[]): boolean {
			return JSON.stringify(input).length < bytesMax / 2;
		},

		add(
			payer: Payer,
			response: ResponseObject,
			input: readonly SentItem[],
			previous: string | undefined,
		): void {
			const stored = storedBy(payer);
			const added: Stored = {
				response,
				input,
				previous,
				payer: nameOf(payer),
				bytes: JSON.stringify([input, response]).length,
				expiresAt: env.now() + lifeMs,
			};
			stored.set(response.id, added);
			if (payer.access.keepsResponses)
				kept.add(payer.businessId, response.id, added).catch(onFault);
			let bytes = 0;
			for (const one of stored.values()) bytes += one.bytes;
			for (const [id, one] of stored) {
				if (bytes <= bytesMax) break;
				bytes -= one.bytes;
				stored.delete(id);
			}
		},

		/**
		 * Puts the earlier items of a conversation in front of the new ones, and stored items in place of references.
		 *
		 * @throws GatewayError if something isn't stored any more
		 */
		async resolve(
			payer: Payer,
			input: readonly SentItem[],
			previous: string | undefined,
		): Promise<SentItem[]> {
			const before: SentItem[] = [];
			for (let id = previous; id !== undefined; ) {
				const found = await find(payer, id);
				if (!found)
					throw new GatewayError(
						400,
						`Previous response with id '${id}' not found.`,
						{
							param: "previous_response_id",
							code: "previous_response_not_found",
						},
					);
				before.unshift(
					...found.input,
					...found.response.output.map((item): SentItem => ({ ...item })),
				);
				id = found.previous;
			}
			const isReference = (item: SentItem) => typeOf(item) === "item_reference";
			const known = await itemsFor(payer, input.filter(isReference));
			const own = input.flatMap((item) => {
				if (!isReference(item)) return [item];
				const found = known.get(item.id ?? "");
				if (found) return [found];
				// A lost thought costs little; a lost answer changes the conversation.
				if (item.id?.startsWith("rs_")) return [];
				throw notFound(
					`Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false, or after a day. Try again with \`store\` set to true, or remove this item from your input.`,
				);
			});
			return [...before, ...own];
		},
	};
}

function nameOf({ key, userId }: Payer): string {
	return key ? `key ${key.id}` : `member ${userId}`;
}

function notFound(message: string): GatewayError {
	return new GatewayError(404, message, { code: "not_found" });
}
