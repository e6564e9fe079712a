import { once } from "node:events";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { saleCreate } from "../../sync/entities/sale.ts";
import type { ServerLimits } from "../start.ts";
import { openTestServer, type TestUser } from "../testing/server.ts";
import { openTestTill } from "../testing/tills.ts";

const path = "/api/sync";
const refusal = { status: 503, body: { error: "The server is busy" } };

function category(id: string, name = id) {
	const at = "2026-11-20T08:00:00.000Z";
	return { id: `m-${id}`, name: "category.create", at, args: { id, name } };
}

/** Opens a server with a disk as slow as a test wants. */
async function openBusyServer(limits: Partial<ServerLimits>) {
	const server = await openTestServer({}, limits);
	const asha = await server.addUser("Asha");
	const pushes = vi.spyOn(server.shop.compressed, "push");
	onTestFinished(() => pushes.mockRestore());
	let goOn = () => {};
	const push = (as: TestUser, id: string, name = id) =>
		server.ask("POST", path, { as, body: { mutations: [category(id, name)] } });
	return {
		...server,
		asha,
		push: (id: string, name?: string) => push(asha, id, name),
		/** Makes all writes wait; resolves once the writes of `ids` have started. */
		async fill(...ids: string[]) {
			const held = server.shop.store.write(
				() =>
					new Promise<void>((resolve) => {
						goOn = resolve;
					}),
			);
			const waiting = ids.map((id) => push(asha, id));
			await expect.poll(() => pushes.mock.calls.length).toBe(ids.length);
			return { waiting, held };
		},
		goOn: () => goOn(),
	};
}

describe("an overloaded server", () => {
	test("an overloaded server refuses new requests with 503 and Retry-After, and finishes accepted ones", async () => {
		const server = await openBusyServer({ requests: 2 });
		const { waiting, held } = await server.fill("a", "b");
		const refused = await server.push("c");
		expect(refused).toMatchObject(refusal);
		expect(refused.headers.get("retry-after")).toBe("1");
		const pull = await server.ask("GET", path, { as: server.asha });
		expect(pull).toMatchObject(refusal);
		server.goOn();
		await held;
		for (const { status } of await Promise.all(waiting))
			expect(status).toBe(200);
		expect((await server.push("c")).status).toBe(200);
		expect(await server.rows("SELECT id FROM categories ORDER BY id")).toEqual([
			{ id: "a" },
			{ id: "b" },
			{ id: "c" },
		]);
	});

	test("an overloaded server answers health checks and logs the overload once", async () => {
		const server = await openBusyServer({ requests: 1 });
		const { waiting, held } = await server.fill("a");
		for (let i = 0; i < 5; i += 1) await server.push("b");
		const health = await server.ask("GET", "/healthz");
		expect([health.status, health.body]).toEqual([200, { ok: true }]);
		expect(server.logged().split("Overloaded")).toHaveLength(2);
		expect(server.logged()).not.toContain("The server is busy");
		server.goOn();
		await held;
		await Promise.all(waiting);
	});

	test("the bodies in progress have a limit on their total size", async () => {
		const server = await openBusyServer({ bodyBytes: 200 });
		const { waiting, held } = await server.fill("a", "b");
		expect(await server.push("c")).toMatchObject(refusal);
		server.goOn();
		await held;
		for (const { status } of await Promise.all(waiting))
			expect(status).toBe(200);
		// A single body may exceed the total, since it has its own limit.
		expect((await server.push("d", "x".repeat(200))).status).toBe(200);
	});

	test("a body in gzip counts with its length without it [COMPACT-4]", async () => {
		const server = await openBusyServer({ bodyBytes: 2_000 });
		const { held } = await server.fill();
		const message = { mutations: [category("a")], pad: "x".repeat(3_000) };
		const waiting = server.ask("POST", path, {
			as: server.asha,
			headers: { "content-encoding": "gzip" },
			body: gzipSync(JSON.stringify(message)),
		});
		const { calls } = vi.mocked(server.shop.compressed.push).mock;
		await expect.poll(() => calls.length).toBe(1);
		expect(await server.push("b")).toMatchObject(refusal);
		server.goOn();
		await held;
		expect((await waiting).status).toBe(200);
	});

	test("files have their own limit, so an import doesn't block other requests", async () => {
		const server = await openBusyServer({ bodyBytes: 200, fileBytes: 200 });
		const csv = `name,sku\n${"Milk,1\n".repeat(50)}`;
		const upload = () =>
			server.ask("POST", "/api/imports/products?dryRun=0", {
				as: server.asha,
				headers: { "content-type": "text/csv" },
				body: Buffer.from(csv),
			});
		const { held } = await server.fill();
		const both = [upload(), upload()];
		expect((await Promise.race(both)).status).toBe(503);
		const pull = await server.ask("GET", path, { as: server.asha });
		expect(pull.status).toBe(200);
		server.goOn();
		await held;
		const statuses = (await Promise.all(both)).map(({ status }) => status);
		expect(statuses.toSorted()).toEqual([200, 503]);
	});

	test("imports that wait for their turn take no place of other requests, and have a limit of their number", async () => {
		const server = await openBusyServer({ requests: 2, fileBytes: 3_000_000 });
		const upload = () =>
			server.ask("POST", "/api/imports/products", {
				as: server.asha,
				headers: { "content-type": "text/csv" },
				body: Buffer.from("name,sku\nMilk,1\n"),
			});
		const { held } = await server.fill();
		const uploads = [upload(), upload(), upload(), upload()];
		expect((await Promise.race(uploads)).status).toBe(503);
		const pull = await server.ask("GET", path, { as: server.asha });
		expect(pull.status).toBe(200);
		server.goOn();
		await held;
		const statuses = (await Promise.all(uploads)).map(({ status }) => status);
		expect(statuses.toSorted()).toEqual([200, 200, 200, 503]);
	});

	test("readers that have stopped reading a long list don't count as load", async () => {
		const server = await openBusyServer({ requests: 2 });
		// More than the buffers of a connection hold.
		const notes = "x".repeat(2_000);
		const items = Array.from({ length: 1_000 }, (_, i) => ({
			...{ id: `${i}`, name: "Milk", quantity: 1, price: 1, cost: 1 },
		}));
		for (let i = 0; i < 10; i += 1)
			await server.shop.mutate(server.asha.caller, saleCreate, {
				...{ id: `s${i}`, items, notes },
			});
		const port = Number(new URL(server.url).port);
		for (let i = 0; i < 3; i += 1) {
			const socket = connect(port, "127.0.0.1");
			onTestFinished(() => {
				socket.destroy();
			});
			socket.write(
				`GET /api/sales-history.csv HTTP/1.1\r\nHost: x\r\nAuthorization: ${server.asha.bearer}\r\n\r\n`,
			);
			await once(socket, "readable");
		}
		await expect.poll(async () => (await server.push("c")).status).toBe(200);
	});

	test("slow senders and strangers don't count as load", async () => {
		const server = await openBusyServer({ requests: 2 });
		const port = Number(new URL(server.url).port);
		for (const authorization of ["", `Authorization: ${server.asha.bearer}`])
			for (let i = 0; i < 5; i += 1) {
				const socket = connect(port, "127.0.0.1");
				onTestFinished(() => {
					socket.destroy();
				});
				const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n`;
				socket.write(`${head}${authorization || "X: y"}\r\n\r\n{"mutations":[`);
			}
		// After a moment, slow senders give up their places.
		await expect
			.poll(async () => (await server.push("c")).status, { timeout: 10_000 })
			.toBe(200);
		for (let i = 0; i < 3; i += 1)
			expect((await server.push(`c${i}`)).status).toBe(200);
	});

	test("a till's push is accepted after an overload", async () => {
		const server = await openBusyServer({ requests: 1 });
		const { till } = await openTestTill(server.asha, server);
		const before = vi.mocked(server.shop.compressed.push).mock.calls.length;
		expect(before).toBe(1);
		vi.mocked(server.shop.compressed.push).mockClear();
		const { waiting, held } = await server.fill("a");
		await expect(till.sync()).rejects.toMatchObject({ code: "storage_busy" });
		server.goOn();
		await held;
		await Promise.all(waiting);
		await till.sync();
		const { digest } = await server.shop.digest(server.asha.caller);
		expect(await till.digest()).toBe(digest);
	});
});
