import { ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { productUpdate } from "../../../sync/entities/product.ts";
import { oneIn } from "../../../sync/testing/lane.ts";
import {
	type TestServer,
	type TestUser,
	twoShops,
} from "../../testing/server.ts";

const readers = 190;
const stalled = 10;

/** Opens a head stream on a new connection, and reads it or not. */
function listen({ port }: TestServer, { bearer }: TestUser, isRead: boolean) {
	const socket = connect(port, "127.0.0.1");
	onTestFinished(() => {
		socket.destroy();
	});
	let text = "";
	let isClosed = false;
	socket.on("error", () => undefined);
	socket.on("close", () => {
		isClosed = true;
	});
	if (isRead)
		socket.on("data", (chunk) => {
			text += chunk;
		});
	else socket.pause();
	socket.write(
		`GET /api/sync HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${bearer}\r\nAccept: text/event-stream\r\n\r\n`,
	);
	const count = (what: string) => text.split(what).length - 1;
	return {
		heads: () => count("event: head"),
		beats: () => count(": still here"),
		isClosed: () => isClosed,
	};
}

oneIn(4)(
	"of 200 head streams, the ten that are never read cost little memory and are closed, and only those",
	async () => {
		const { server, asha, baraka } = await twoShops();
		// Longer than a real cursor, so that a few events fill the socket's buffer.
		const long = "x".repeat(50_000);
		let reads = 0;
		const { head } = server.shop;
		const heads = vi
			.spyOn(server.shop, "head")
			.mockImplementation(async (businessId) => {
				if (businessId !== asha.businessId) return head(businessId);
				reads += 1;
				return `${reads}${long}`;
			});
		onTestFinished(() => heads.mockRestore());
		let open = 0;
		const { onHead } = server.shop;
		const listeners = vi
			.spyOn(server.shop, "onHead")
			.mockImplementation((businessId, listener) => {
				const forget = onHead(businessId, listener);
				open += 1;
				let isOpen = true;
				return () => {
					if (isOpen) open -= 1;
					isOpen = false;
					forget();
				};
			});
		onTestFinished(() => listeners.mockRestore());
		let unread = 0;
		const { write } = ServerResponse.prototype;
		const writes = vi
			.spyOn(ServerResponse.prototype, "write")
			.mockImplementation(function (this: ServerResponse, chunk: unknown) {
				const isRoomLeft = write.call(this, chunk, "utf8");
				unread = Math.max(unread, this.writableLength);
				return isRoomLeft;
			});
		onTestFinished(() => writes.mockRestore());

		for (let i = 0; i < stalled; i += 1) listen(server, asha, false);
		const reading = Array.from({ length: readers }, () =>
			listen(server, baraka, true),
		);
		await expect.poll(() => open, { timeout: 30_000 }).toBe(readers + stalled);
		for (let i = 0; open > readers && i < 1_000; i += 1) {
			await server.shop.mutate(asha.caller, productUpdate, {
				id: "milk",
				set: { name: `${i}` },
			});
			// Closer moves of the head would share one event.
			await sleep(20);
		}
		await expect.poll(() => open, { timeout: 30_000 }).toBe(readers);
		expect(unread).toBeLessThan(1_000_000);
		await server.shop.mutate(baraka.caller, productUpdate, {
			id: "canary",
			set: { name: "Heard" },
		});
		const heard = () => reading.filter((it) => it.heads() === 2).length;
		await expect.poll(heard, { timeout: 30_000 }).toBe(readers);
		expect(reading.some((it) => it.isClosed())).toBe(false);
	},
);

test("a stream ends with the token that opened it [AUTH-2]", async () => {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
	onTestFinished(() => {
		vi.useRealTimers();
	});
	const { server, asha } = await twoShops();
	const { heads, beats, isClosed } = listen(server, asha, true);
	await expect.poll(heads).toBe(1);
	const pass = async (days: number) => {
		vi.setSystemTime(Date.now() + days * 24 * 60 * 60 * 1_000);
		await server.shop.mutate(asha.caller, productUpdate, {
			id: "milk",
			set: { name: `${days}` },
		});
		vi.advanceTimersByTime(15_000);
	};
	await pass(29);
	await expect.poll(beats).toBe(1);
	expect(isClosed()).toBe(false);
	await pass(2);
	await expect.poll(isClosed).toBe(true);
	expect(beats()).toBe(1);
});
