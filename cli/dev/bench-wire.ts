import { join } from "node:path";
import { productCreate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import type { ProofKey } from "../../sync/log/proof.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import { openReplica } from "../../sync/replica/replica.ts";
import { linesOf, openTransport } from "../../sync/replica/transport.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import type { Account } from "./account.ts";
import type { Figure } from "./bench-kept.ts";

/** Compressed bytes of a sale of three lines. */
const [pushedMax, liveMax] = [300, 250];
const goods = ["Soda 500 ml", "Maize flour 2 kg", "Bread, white"];

/**
 * Measures the bodies of a sale of three lines on its way, as they are sent: its push by one till, with the proof of its
 * maker, and the answer that brings it to another, which was in step.
 */
export async function wireFigures(
	server: Account & { url: string },
	dir: string,
): Promise<Figure[]> {
	const seller = await openTill(server, join(dir, "seller.db"));
	const other = await openTill(server, join(dir, "other.db"));
	const { caller } = seller;
	const ids = goods.map(() => newId(systemEnv));
	for (const [i, id] of ids.entries())
		await seller.till.mutate(caller, productCreate, {
			...{ id, name: goods[i] as string, quantity: 100 },
			...{ buyingPrice: 48.5, sellingPrice: 63 },
		});
	await seller.till.sync();
	await other.till.sync();
	await seller.till.mutate(caller, saleCreate, {
		id: newId(systemEnv),
		items: ids.map((productId, i) => ({
			...{ id: `${i + 1}`, name: goods[i] as string, productId },
			...{ quantity: i + 1, price: 63, cost: 48.5 },
		})),
		paymentMethod: "MPESA",
	});
	await seller.till.sync();
	await other.till.sync();
	const unit = "bytes" as const;
	const figures = [
		{
			what: "a pushed sale, as sent",
			value: seller.last.sent,
			...{ unit, limit: pushedMax },
		},
		{
			what: "a live sale to another till, as sent",
			value: other.last.got,
			...{ unit, limit: liveMax },
		},
	];
	await seller.store.close();
	await other.store.close();
	return figures;
}

async function openTill(
	{ url, token, id: userId, businessId }: Account & { url: string },
	file: string,
) {
	/** Bytes of the last request's body and of its answer's. */
	const last = { sent: 0, got: 0 };
	const transport = openTransport(
		async (address, { body, headers = {}, method = "GET", signal }) => {
			const answer = await fetch(address, {
				...{ method, headers, signal },
				...(body === undefined ? {} : { body }),
			});
			last.sent = body === undefined ? 0 : Buffer.byteLength(body);
			// Of the body as it is sent; `fetch` decompresses it.
			last.got = Number(answer.headers.get("content-length"));
			return {
				status: answer.status,
				header: (name) => answer.headers.get(name) ?? undefined,
				readBytes: async () => new Uint8Array(await answer.arrayBuffer()),
				lines: () => linesOf(answer.body as ReadableStream<Uint8Array>),
			};
		},
		{ baseUrl: url, businessId, token: () => token },
	);
	const store = await openSqlite(file);
	let key: ProofKey | undefined;
	const till = await openReplica({
		...{ store, businessId, transport, program: "1.0.0" },
		keyring: {
			read: () => key,
			isWanted: () => key === undefined,
			write(issued) {
				key = issued;
			},
		},
	});
	await till.sync();
	const caller = { businessId, userId, role: "OWNER", deviceId: null } as const;
	return { till, store, caller, last };
}
