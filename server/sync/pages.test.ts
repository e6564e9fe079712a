import { get } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { twoShops } from "../testing/server.ts";

const path = "/api/sync";
const at = "2026-11-20T08:00:00.000Z";

interface Page {
	changes: unknown[];
	cursor: string;
	hasMore: boolean;
}

function category(id: string) {
	return { id: `m-${id}`, name: "category.create", at, args: { id, name: id } };
}

describe("a compressed page", () => {
	async function openLong() {
		const { server, asha } = await twoShops();
		const mutations = Array.from({ length: 600 }, (_, i) => ({
			...category(`c${i}`),
			args: { id: `c${i}`, name: `Sokoni “${i}” 🛒` },
		}));
		await server.ask("POST", path, { as: asha, body: { mutations } });
		const { cursor } = (
			await server.ask("GET", `${path}?limit=1`, { as: asha })
		).body as Page;
		const pull = (encoding: string, from: string) =>
			new Promise<{
				vary: string | undefined;
				coding: string | undefined;
				page: Page;
			}>((resolve, reject) => {
				const url = `${path}?cursor=${from}&limit=5000`;
				const headers = {
					authorization: asha.bearer,
					"accept-encoding": encoding,
				};
				get(new URL(url, server.url), { headers }, async (response) => {
					const bytes = Buffer.concat(await response.toArray());
					const { vary, "content-encoding": coding } = response.headers;
					const text = coding === "gzip" ? gunzipSync(bytes) : bytes;
					// serverNow differs between answers.
					const { serverNow: _, ...page } = JSON.parse(`${text}`);
					resolve({ vary: vary?.toLowerCase(), coding, page });
				}).on("error", reject);
			});
		return { server, asha, cursor, pull };
	}

	test.each([
		["many rows", 400, true],
		["some rows", 20, true],
		["one row", 1, false],
	])(
		"a page with %s reads the same with and without compression",
		async (_what, rows, isWorthIt) => {
			const { server, asha, pull } = await openLong();
			const cursor = await server.shop.head(asha.caller.businessId);
			await pull("identity", cursor);
			const mutations = Array.from({ length: rows }, (_, i) =>
				category(`e${i}`),
			);
			await server.ask("POST", path, { as: asha, body: { mutations } });
			const plain = await pull("identity", cursor);
			expect(plain.coding).toBeUndefined();
			expect(plain.page.changes).toHaveLength(rows);
			for (let i = 0; i < 3; i += 1) {
				const { vary, coding, page } = await pull("gzip", cursor);
				expect(vary).toContain("accept-encoding");
				expect(coding).toBe(isWorthIt ? "gzip" : undefined);
				expect(page).toEqual(plain.page);
			}
		},
	);

	test("a page is compressed once, and decompressed for clients without gzip", async () => {
		const { pull, cursor } = await openLong();
		const first = await pull("gzip", cursor);
		const second = await pull("gzip, deflate, br", cursor);
		const third = await pull("identity", cursor);
		expect([first, second, third].map(({ coding }) => coding)).toEqual([
			"gzip",
			"gzip",
			undefined,
		]);
		expect(first.page.changes.length).toBeGreaterThan(600);
		expect(second.page).toEqual(first.page);
		expect(third.page).toEqual(first.page);
	});

	test("a cached last page reports hasMore by the current head", async () => {
		const { server, asha, cursor } = await openLong();
		const pull = async () =>
			(
				await server.ask("GET", `${path}?cursor=${cursor}&limit=5000`, {
					as: asha,
				})
			).body as Page;
		const before = await pull();
		expect(before.hasMore).toBe(false);
		const mutations = Array.from({ length: 3_000 }, (_, i) =>
			category(`d${i}`),
		);
		for (let i = 0; i < mutations.length; i += 1_000)
			await server.ask("POST", path, {
				as: asha,
				body: { mutations: mutations.slice(i, i + 1_000) },
			});
		const seen = [];
		for (let page = await pull(); ; ) {
			seen.push(page.cursor);
			if (!page.hasMore) break;
			page = (
				await server.ask("GET", `${path}?cursor=${page.cursor}`, {
					as: asha,
				})
			).body as Page;
		}
		expect(seen.length).toBeGreaterThan(1);
		expect(seen.at(-1)).toBe(await server.shop.head(asha.caller.businessId));
	});
});
