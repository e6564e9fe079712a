import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectionLimits } from "../../http/connections.ts";
import { openTestServer } from "../../testing/server.ts";

const address = Object.values(networkInterfaces())
	.flat()
	.find((it) => it?.family === "IPv4" && !it.internal)?.address;

/** The real limits are minutes. */
const short = {
	connections: 20,
	headersMs: 400,
	requestMs: 800,
	checkMs: 50,
};

/** A connection that says this, and then a byte now and then. */
function drip(
	port: number,
	begin: string,
	byte?: string,
	localAddress?: string,
	host = "127.0.0.1",
) {
	const socket = connect({
		port,
		host,
		...(localAddress === undefined ? {} : { localAddress }),
	});
	let text = "";
	let isClosed = false;
	socket.on("data", (chunk) => {
		text += chunk;
	});
	// To be cut off is what is tested.
	socket.on("error", () => undefined);
	socket.on("close", () => {
		isClosed = true;
	});
	socket.write(begin);
	const timer = byte && setInterval(() => socket.write(byte), 100);
	onTestFinished(() => {
		clearInterval(timer);
		socket.destroy();
	});
	return { heard: () => text, isClosed: () => isClosed, socket };
}

const timedOut =
	/^HTTP\/1\.1 408 [\s\S]*\{"error":"The request took too long"\}$/;
const request =
	"POST /api/auth/mobile-login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n";

/** What is done, how it begins, and what comes again and again. */
const beginnings: [string, string, string?][] = [
	["says nothing", ""],
	["stops in the first line", "GET /heal"],
	["sends a header a byte at a time", "GET /healthz HTTP/1.1\r\nX: ", "a"],
	["sends header after header", "GET /healthz HTTP/1.1\r\n", "X: a\r\n"],
	["stops before the body", `${request}\r\n`],
	["sends a body a byte at a time", `${request}\r\n`, " "],
	[
		"sends a chunk a byte at a time",
		"POST /api/auth/mobile-login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
		"1\r\na\r\n",
	],
];

describe("who begins and never ends", () => {
	test("is cut off, wherever it stops", async () => {
		const server = await openTestServer({}, short);
		const slow = beginnings.map(([what, begin, byte]) => ({
			what,
			...drip(server.port, begin, byte),
		}));
		for (const { what, heard, isClosed } of slow) {
			await expect
				.poll(isClosed, { timeout: 30_000, message: what })
				.toBe(true);
			expect([what, heard()]).toEqual([what, expect.stringMatching(timedOut)]);
		}
		expect(await server.ask("GET", "/healthz")).toMatchObject({ status: 200 });
	});

	test("takes no more connections than there are, and gives them back", async () => {
		const patient = { ...short, headersMs: 60_000, requestMs: 60_000 };
		const server = await openTestServer({}, patient);
		const slow = Array.from({ length: 40 }, () =>
			drip(server.port, "GET /healthz HTTP/1.1\r\nX: ", "a"),
		);
		const open = () => slow.filter(({ isClosed }) => !isClosed());
		await expect.poll(() => open().length).toBe(20);
		// A newcomer takes the place of one that has asked for nothing yet.
		expect(await server.ask("GET", "/healthz")).toMatchObject({ status: 200 });
		await expect.poll(() => open().length).toBe(19);
	});

	test("keeps connections that have a request, and closes newcomers where all have one", async () => {
		const patient = { ...short, headersMs: 60_000, requestMs: 60_000 };
		const server = await openTestServer({}, patient);
		const begin = `${request}Expect: 100-continue\r\n\r\n`;
		const busy = Array.from({ length: 20 }, () =>
			drip(server.port, begin, " "),
		);
		for (const { heard } of busy)
			await expect.poll(heard).toContain("100 Continue");
		await expect(server.ask("GET", "/healthz")).rejects.toThrow();
		expect(busy.filter(({ isClosed }) => isClosed())).toEqual([]);
	});

	test("gives another address its place beside one that opens all it can", async () => {
		const patient = { ...short, headersMs: 60_000, requestMs: 60_000 };
		const server = await openTestServer({ HOST: "0.0.0.0" }, patient);
		const kept = drip(
			server.port,
			"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
			undefined,
			"127.0.0.2",
		);
		await expect.poll(kept.heard).toContain("200 OK");
		const slow = Array.from({ length: 60 }, () => drip(server.port, "GET /"));
		await expect
			.poll(() => slow.filter(({ isClosed }) => !isClosed()).length)
			.toBe(19);
		// Idle as it is, it has less than the flood.
		expect(kept.isClosed()).toBe(false);
	});

	test.skipIf(address === undefined)(
		"gives an address of the network its share, and a proxy on this machine all there are (skipped on a machine without a network)",
		async () => {
			const patient = { ...short, headersMs: 60_000, requestMs: 60_000 };
			const server = await openTestServer(
				{ HOST: "0.0.0.0" },
				{ ...patient, perAddress: 5 },
			);
			const open = (from: ReturnType<typeof drip>[]) =>
				from.filter(({ isClosed }) => !isClosed()).length;
			const stranger = Array.from({ length: 12 }, () =>
				drip(server.port, "GET /", undefined, undefined, address),
			);
			const proxy = Array.from({ length: 12 }, () =>
				drip(server.port, "GET /"),
			);
			await expect.poll(() => open(stranger)).toBe(5);
			expect(open(proxy)).toBe(12);
		},
	);
});

test("an honest till on a slow line has the time that it needs", async () => {
	const server = await openTestServer({}, { ...short, requestMs: 60_000 });
	const body = '{"email":"a@example.com","password":"wrong"}';
	const head = `POST /api/auth/mobile-login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
	const { heard, isClosed, socket } = drip(server.port, head);
	await sendSlowly(socket, body);
	await expect.poll(isClosed, { timeout: 30_000 }).toBe(true);
	expect(heard()).toMatch(/^HTTP\/1\.1 401 /);
	// Five megabytes are the largest batch of a till.
	expect(connectionLimits.requestMs).toBeGreaterThanOrEqual(300_000);
	expect(connectionLimits.headersMs).toBeLessThan(60_000);
});

async function sendSlowly(socket: Socket, text: string): Promise<void> {
	for (const letter of text) {
		socket.write(letter);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
