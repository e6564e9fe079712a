import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { productCreate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica, type Replica } from "../../sync/replica/replica.ts";
import type { Transport } from "../../sync/replica/transport.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { type Account, openAccount } from "./account.ts";
import { products } from "./bench-sales.ts";
import { type Client, runContender } from "./contender.ts";

/** Counterfoil's server, with tills that each have a database on disk. */

const accountFile = "account.json";

await runContender({
	async serve() {
		throw new Error("The server is a separate program");
	},

	async preparePush({ url, notesDir }, sales) {
		const account = await openAccount(url, "Bench");
		await writeFile(join(notesDir, accountFile), JSON.stringify(account));
		const { till, onAnswer } = await openTill({ url, notesDir }, account);
		const caller = {
			businessId: account.businessId,
			userId: account.id,
			role: "OWNER",
			deviceId: null,
		} as const;
		await till.mutateAll(
			caller,
			Array.from({ length: products }, (_, i) => ({
				mutation: productCreate,
				args: {
					id: `p-${i}`,
					name: `Product ${i}`,
					buyingPrice: 40,
					sellingPrice: 49.5,
					quantity: 1_000_000,
				},
			})),
		);
		await till.sync();
		await till.mutateAll(
			caller,
			sales.map((args) => ({ mutation: saleCreate, args })),
		);
		return () =>
			new Promise((resolve, reject) => {
				let applied = 0;
				onAnswer((count) => {
					applied += count;
					if (applied >= sales.length) resolve();
				});
				// The sync continues with a pull of the applied rows, which the other peers don't do; don't count it.
				till.sync().catch(reject);
			});
	},

	async preparePull({ url, notesDir }) {
		const text = await readFile(join(notesDir, accountFile), "utf8");
		const { till, store } = await openTill({ url, notesDir }, JSON.parse(text));
		return {
			run: () => till.sync(),
			count: () =>
				store.read(async (tx) => {
					const row = await tx.get("SELECT count(*) AS count FROM sales");
					return Number(row?.count);
				}),
		};
	},
});

/** @param onAnswer called with the number of mutations that the server has just applied */
async function openTill(
	{ url, notesDir }: Client,
	{ businessId, token }: Account,
) {
	const store = await openSqlite(join(notesDir, `till-${process.pid}.db`));
	const http = httpTransport({ baseUrl: url, businessId, token: () => token });
	let listener = (_applied: number) => {};
	const transport: Transport = {
		...http,
		async push(request) {
			const answer = await http.push(request);
			const { results } = answer;
			listener(results.filter(({ status }) => status === "applied").length);
			return answer;
		},
	};
	const till: Replica = await openReplica({ store, businessId, transport });
	return {
		till,
		store,
		onAnswer(tell: (applied: number) => void) {
			listener = tell;
		},
	};
}
