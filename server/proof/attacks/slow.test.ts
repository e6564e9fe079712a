import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { oneIn } from "../../../sync/testing/lane.ts";
import { connectionLimits } from "../../http/connections.ts";
import {
	openTestServer,
	routesOf,
	type TestUser,
} from "../../testing/server.ts";

const address = Object.values(networkInterfaces())
	.flat()
	.find((it) => it?.family === "IPv4" && !it.internal)?.address;

/** Short limits, since the real ones are minutes. */
const short = {
	connections: 20,
	headersMs: 400,
	requestMs: 800,
	checkMs: 50,
};

/** Opens a connection that sends a beginning and then a byte now and then. */
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
	// Being cut off is expected.
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

/** Slow requests: a description, the beginning, and the text to repeat. */
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

describe("a client that never finishes its request", () => {
	test("a request that never ends is cut off, wherever it stops", async () => {
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

	test("unfinished requests hold at most the allowed connections, and free them", async () => {
		const patient = { ...short, headersMs: 60_000, requestMs: 60_000 };
		const server = await openTestServer({}, patient);
		const slow = Array.from({ length: 40 }, () =>
			drip(server.port, "GET /healthz HTTP/1.1\r\nX: ", "a"),
		);
		const open = () => slow.filter(({ isClosed }) => !isClosed());
		await expect.poll(() => open().length).toBe(20);
		// A new connection replaces one without a request.
		expect(await server.ask("GET", "/healthz")).toMatchObject({ status: 200 });
		await expect.poll(() => open().length).toBe(19);
	});

	test("busy connections stay open, and new ones are closed when all are busy", async () => {
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

	test("an address that opens many connections doesn't displace another address", async () => {
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
		// The idle connection's address has fewer than the flood's.
		expect(kept.isClosed()).toBe(false);
	});

	test.skipIf(address === undefined)(
		"an address has its share of connections, and a local proxy may use all (skipped on a machine without a network)",
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

test("an operation that anybody may call takes a short body only, since strangers may send many and end none", async () => {
	const server = await openTestServer();
	// Else a demo shop would be made.
	await server.addUser("Asha");
	const open = Object.entries(routesOf(server.shop)).flatMap(
		([path, operations]) =>
			Object.entries(operations)
				.filter(([, { access, body }]) => access === "anyone" && body)
				.map(([method]) => ({ method, path })),
	);
	expect(open).toContainEqual({ method: "POST", path: "/login" });
	for (const { method, path } of open)
		for (const [spaces, isTaken] of [
			[19_998, true],
			[19_999, false],
		] as const) {
			const body = `{${" ".repeat(spaces)}}`;
			const { status } = await server.ask(method, path, { body });
			expect([path, spaces, status !== 413]).toEqual([path, spaces, isTaken]);
		}
});

// What is refused is answered once its sender has had ten seconds to end it.
oneIn(3)(
	"bodies that their sender never ends make room for another's, wherever they are sent",
	() =>
		Promise.all(
			["/api/sync", "/api/imports/products", "/v1/chat/completions"].map(
				async (path) => {
					const server = await openTestServer(
						{},
						{ headersMs: 60_000, requestMs: 60_000, arrivingBytes: 1_000_000 },
					);
					const asha = await server.addUser("Asha");
					const baraka = await server.addUser("Baraka");
					await server.allowAi(asha);
					await server.allowAi(baraka);
					const begin = async (as: TestUser, length: number, bytes: number) => {
						const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${as.bearer}\r\nContent-Length: ${length}\r\n\r\n`;
						const body = drip(server.port, head + " ".repeat(bytes));
						await expect.poll(() => body.socket.writableLength).toBe(0);
						return body;
					};
					const honest = await begin(baraka, 300_000, 100_000);
					const endless = await Promise.all(
						Array.from({ length: 8 }, () => begin(asha, 900_000, 200_000)),
					);
					const isRefused = ({ heard }: { heard(): string }) =>
						/^HTTP\/1\.1 503 [\s\S]*The server is busy/.test(heard());
					// Four have room beside the other shop's.
					await expect.poll(() => endless.filter(isRefused).length).toBe(4);
					honest.socket.write(" ".repeat(200_000));
					await expect.poll(honest.heard).toMatch(/^HTTP\/1\.1 4/);
				},
			),
		),
);

test("a till on a slow connection has enough time for its largest batch", async () => {
	const server = await openTestServer({}, { ...short, requestMs: 60_000 });
	const body = '{"email":"a@example.com","password":"wrong"}';
	const head = `POST /api/auth/mobile-login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
	const { heard, isClosed, socket } = drip(server.port, head);
	await sendSlowly(socket, body);
	await expect.poll(isClosed, { timeout: 30_000 }).toBe(true);
	expect(heard()).toMatch(/^HTTP\/1\.1 401 /);
	// A till's largest batch has 5 MB.
	expect(connectionLimits.requestMs).toBeGreaterThanOrEqual(300_000);
	expect(connectionLimits.headersMs).toBeLessThan(60_000);
});

async function sendSlowly(socket: Socket, text: string): Promise<void> {
	for (const letter of text) {
		socket.write(letter);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}
