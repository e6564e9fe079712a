import { ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { productUpdate } from "../../sync/entities/product.ts";
import { headEvent } from "../../sync/protocol/protocol.ts";
import { openShop } from "../../sync/shop.ts";
import { openDatabase } from "../operations/database.ts";
import {
	inFile,
	type TestServer,
	type TestUser,
	twoShops,
} from "../testing/server.ts";

const path = "/api/sync";
const rename = (name: string) => ({ id: "milk", set: { name } });

/** Yields the cursors of a stream. */
async function listen(server: TestServer, { bearer }: TestUser) {
	const ending = new AbortController();
	const headers = { authorization: bearer, accept: "text/event-stream" };
	const response = await fetch(new URL(path, server.url), {
		headers,
		signal: ending.signal,
	});
	const heard: string[] = [];
	const beats: string[] = [];
	let ended = false;
	const reading = (async () => {
		let text = "";
		for await (const chunk of response.body ?? []) {
			text += Buffer.from(chunk).toString();
			const events = text.split("\n\n");
			text = events.pop() ?? "";
			for (const event of events) {
				const data = /^event: head\ndata: (.+)$/.exec(event)?.[1];
				if (data !== undefined)
					heard.push(headEvent.parse(JSON.parse(data)).cursor);
				else beats.push(event);
			}
		}
	})().catch(() => undefined);
	void reading.then(() => {
		ended = true;
	});
	const end = () => ending.abort();
	onTestFinished(end);
	return { response, heard, beats, end, isEnded: () => ended };
}

describe("the stream of heads", () => {
	test("the stream sends the head at once and at each move, only for the caller's business [HEAD-1]", async () => {
		const { server, asha, baraka } = await twoShops();
		const { response, heard } = await listen(server, asha);
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		await expect.poll(() => heard.length).toBe(1);
		await server.ask("POST", "/api/categories", {
			as: baraka,
			body: { name: "Theirs" },
		});
		await server.shop.mutate(asha.caller, productUpdate, rename("Maziwa"));
		await expect.poll(() => heard.length).toBe(2);
		const { body } = await server.ask("GET", `${path}?cursor=${heard[0]}`, {
			as: asha,
		});
		expect(body).toMatchObject({ cursor: heard[1], changes: [{ id: "milk" }] });
	});

	test("the stream ends when the server closes", async () => {
		const { server, asha } = await twoShops();
		const { heard, isEnded } = await listen(server, asha);
		await expect.poll(() => heard.length).toBe(1);
		await server.close();
		await expect.poll(isEnded).toBe(true);
	});

	test("the stream requires credentials", async () => {
		const { server, asha } = await twoShops();
		const headers = { accept: "text/event-stream" };
		const head = await server.ask("HEAD", path, { as: asha, headers });
		expect(head.status).toBe(200);
		expect(await server.ask("GET", path, { headers })).toMatchObject({
			status: 401,
		});
	});

	test("a client that leaves while its access is checked leaves no listener behind", async () => {
		const { server, asha } = await twoShops();
		let listeners = 0;
		const { onHead } = server.shop;
		const listening = vi
			.spyOn(server.shop, "onHead")
			.mockImplementation((businessId, listener) => {
				listeners += 1;
				const forget = onHead(businessId, listener);
				return () => {
					listeners -= 1;
					forget();
				};
			});
		onTestFinished(() => listening.mockRestore());
		const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
		const { store } = server.shop;
		const read = store.read.bind(store);
		const left = Promise.withResolvers<void>();
		const reading = vi.spyOn(store, "read").mockImplementation(async (fn) => {
			const found = await read(fn);
			socket.destroy();
			await left.promise;
			return found;
		});
		onTestFinished(() => reading.mockRestore());
		socket.write(
			`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${asha.bearer}\r\nAccept: text/event-stream\r\n\r\n`,
		);
		await expect.poll(() => reading.mock.calls.length).toBeGreaterThan(0);
		// Until the server has noticed, too.
		await sleep(100);
		reading.mockRestore();
		left.resolve();
		// A later stream is opened and ended after the first would have been.
		const { heard, end } = await listen(server, asha);
		await expect.poll(() => heard.length).toBe(1);
		end();
		await expect.poll(() => listeners).toBe(0);
	});

	test("nothing is written to a stream that has ended", async () => {
		const late: unknown[] = [];
		const { write } = ServerResponse.prototype;
		const spy = vi
			.spyOn(ServerResponse.prototype, "write")
			.mockImplementation(function (this: ServerResponse, chunk: unknown) {
				if (!this.writableEnded) return write.call(this, chunk, "utf8");
				late.push(chunk);
				return false;
			});
		onTestFinished(() => spy.mockRestore());
		const { server, asha } = await twoShops();
		const { heard, isEnded } = await listen(server, asha);
		await expect.poll(() => heard.length).toBe(1);
		// The stream is notified and reads the head; the server closes before the read returns.
		let closed: Promise<void> | undefined;
		const { head } = server.shop;
		const looking = vi
			.spyOn(server.shop, "head")
			.mockImplementation(async (businessId) => {
				const found = await head(businessId);
				closed = server.close();
				return found;
			});
		onTestFinished(() => looking.mockRestore());
		await server.shop.mutate(asha.caller, productUpdate, rename("Maziwa"));
		await expect.poll(() => closed !== undefined).toBe(true);
		await closed;
		await expect.poll(isEnded).toBe(true);
		expect(late).toEqual([]);
	});

	test("a stream whose client has stopped reading is closed, and no other [HEAD-3]", async () => {
		const { server, asha, baraka } = await twoShops();
		const reads = { asha: 0, baraka: 0 };
		// A long cursor, so that hundreds of events rather than hundreds of thousands fill the socket's buffers.
		const spy = vi
			.spyOn(server.shop, "head")
			.mockImplementation(async (businessId) => {
				const who = businessId === asha.businessId ? "asha" : "baraka";
				reads[who] += 1;
				return `${reads[who]}${"x".repeat(50_000)}`;
			});
		onTestFinished(() => spy.mockRestore());
		const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
		onTestFinished(() => {
			socket.destroy();
		});
		socket.pause();
		socket.write(
			`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${asha.bearer}\r\nAccept: text/event-stream\r\n\r\n`,
		);
		const { heard } = await listen(server, baraka);
		await expect.poll(() => [reads.asha, heard.length]).toEqual([1, 1]);
		let moves = 0;
		for (; moves < 400 && reads.asha === 1 + moves; moves += 1) {
			await server.shop.mutate(asha.caller, productUpdate, rename(`${moves}`));
			await server.shop.mutate(baraka.caller, productUpdate, {
				id: "canary",
				set: { name: `${moves}` },
			});
			// Moves closer together may be sent as one event.
			await expect.poll(() => heard.length, { interval: 5 }).toBe(2 + moves);
		}
		expect(reads.asha).toBeLessThan(1 + moves);
	});
});

describe("the stream's heartbeat", () => {
	/** A stream whose heartbeat the test triggers. */
	async function listenByHand(env: NodeJS.ProcessEnv = {}) {
		vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
		onTestFinished(() => {
			vi.useRealTimers();
		});
		const { server, asha } = await twoShops(env);
		const stream = await listen(server, asha);
		await expect.poll(() => stream.heard.length).toBe(1);
		const beat = () => vi.advanceTimersByTime(15_000);
		return { server, asha, beat, ...stream };
	}

	test("a heartbeat is a comment, and sends a head that another process moved [HEAD-2]", async () => {
		// On PostgreSQL the other process would have notified this one.
		const { server, asha, beat, heard, beats } = await listenByHand(inFile);
		beat();
		await expect.poll(() => beats).toEqual([": still here"]);
		const other = await openDatabase(server.settings, { canMigrate: false });
		await openShop({ store: other }).mutate(
			asha.caller,
			productUpdate,
			rename("Maziwa"),
		);
		await other.close();
		expect(heard).toHaveLength(1);
		beat();
		await expect.poll(() => heard.length).toBe(2);
		expect(heard[1]).toBe(await server.shop.head(asha.businessId));
	});

	test.each([
		["the membership", "DELETE FROM memberships WHERE user_id = ?"],
		["the account", "UPDATE users SET disabled_at = '2026-01-01' WHERE id = ?"],
	])(
		"a heartbeat closes the stream without another event once %s has ended [HEAD-2]",
		async (_what, sql) => {
			const { server, asha, beat, heard, beats, isEnded } =
				await listenByHand();
			await server.shop.store.write((tx) => tx.run(sql, asha.id));
			beat();
			await expect.poll(isEnded).toBe(true);
			await server.shop.mutate(asha.caller, productUpdate, rename("Maziwa"));
			expect(heard).toHaveLength(1);
			expect(beats).toEqual([]);
		},
	);
});
