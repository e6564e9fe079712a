import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { entities } from "../../sync/entities/index.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica } from "../../sync/replica/replica.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { fill } from "../testing/operations.ts";
import { openTestServer } from "../testing/server.ts";

async function open() {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const baraka = await server.addUser("Baraka");
	await fill(server, asha, "mine");
	await fill(server, baraka, "CANARY");
	return { server, asha, baraka };
}

test("a till joins over HTTP by a snapshot, and ends with the server's digest [JOIN-3] [JOIN-4] [INV-3]", async () => {
	const { server, asha } = await open();
	const { businessId } = asha;
	const store = await openSqlite(join(testDir(), "till.db"));
	onTestFinished(() => store.close());
	const transport = httpTransport({
		...{
			baseUrl: server.url,
			businessId,
			token: () => asha.bearer.slice("Bearer ".length),
		},
	});
	const till = await openReplica({ store, businessId, transport });
	await till.sync({ leavesHistory: true });
	const sold = () =>
		store.read((tx) => tx.all("SELECT id FROM sales WHERE version > 0"));
	expect(await sold()).toEqual([]);
	expect(await till.status()).toMatchObject({ hasHistory: false });
	await till.bringHistory();
	expect(await sold()).not.toEqual([]);
	expect(await till.digest()).toBe((await transport.digest()).digest);
});

test("snapshots and older facts are a member's of the business alone: another's id is refused, and another's cursor opens nothing [BIZ-1] [BIZ-3] [INV-6]", async () => {
	const { server, asha, baraka } = await open();
	const ask = (path: string, as = asha) => server.ask("GET", path, { as });
	const own = await ask("/api/sync/snapshot");
	expect(own.body).toMatchObject({ businessId: asha.businessId, part: 0 });
	expect(own.text).not.toContain("CANARY");
	const { cursor } = (await ask("/api/sync/snapshot", baraka)).body as {
		cursor: string;
	};
	for (const path of ["snapshot", "older-facts"])
		expect(
			await ask(`/api/sync/${path}?businessId=${baraka.businessId}&upTo=9`),
		).toMatchObject({ status: 403, body: { error: "wrong_business" } });
	const facts = await ask(`/api/sync/older-facts?cursor=${cursor}&upTo=3`);
	expect(facts.body).toMatchObject({ changes: [], reset: true });
	const part = await ask(`/api/sync/snapshot?cursor=${cursor}&part=0`);
	expect(part.body).toMatchObject({ businessId: asha.businessId });
	expect(part.text).not.toContain("CANARY");
	const { status } = await server.ask("GET", "/api/sync/snapshot");
	expect(status).toBe(401);
});

test("a till's window is opened over HTTP, and the server answers what needs earlier sales [WINDOW-1] [WINDOW-5]", async () => {
	const { server, asha } = await open();
	const transport = httpTransport({
		...{ baseUrl: server.url, businessId: asha.businessId },
		token: () => asha.bearer.slice("Bearer ".length),
	});
	const { cursor } = await transport.digest();
	const since = "2000-01-01";
	const opened = await transport.olderSales?.({ cursor, since });
	expect(opened).toMatchObject({ changes: [], window: 0 });
	const head = Number(cursor.split(".")[1]);
	const sales = (await transport.olderFacts?.(cursor, head, 0))?.changes ?? [];
	const { id: saleId = "" } =
		sales.find(({ entity }) => entity === "sale") ?? {};
	const one = await transport.olderSales?.({ cursor, saleId });
	expect(one?.changes[0]).toMatchObject({ entity: "sale", id: saleId });
	expect(await transport.digest(256)).toMatchObject({ cursor, window: 256 });

	const asked = { from: since, to: "2100-01-01" };
	const answer = await transport.answer?.("sale.totals", asked);
	expect(answer).toMatchObject({ salesCount: expect.any(Number) });
	await expect(
		transport.answer?.("receipt.get", { id: "none" }),
	).rejects.toMatchObject({ code: "not_found" });
	const ask = (query: string) =>
		server.ask("GET", `/api/sync/answer?${query}`, { as: asha });
	for (const query of ["query=product.get", "query=x", "query=sale.get&args=x"])
		expect((await ask(query)).status).toBe(400);
	const other = asha.businessId === "x" ? "y" : "x";
	expect((await ask(`businessId=${other}&query=sale.count`)).status).toBe(403);
});

test("a snapshot names no member's password, session or key [INV-6]", async () => {
	const { server, asha } = await open();
	const { text, body } = await server.ask("GET", "/api/sync/snapshot", {
		as: asha,
	});
	const { changes } = body as { changes: { entity: string }[] };
	const sent = [...new Set(changes.map(({ entity }) => entity))];
	expect(sent).toEqual(expect.arrayContaining(["business", "product"]));
	expect(entities.map(({ name }) => name)).toEqual(
		expect.arrayContaining(sent),
	);
	const secrets = await server.rows(
		"SELECT password_hash AS secret FROM users UNION ALL SELECT key_hash FROM api_keys",
	);
	expect(secrets.length).toBeGreaterThan(2);
	for (const { secret } of secrets) expect(text).not.toContain(secret);
});
