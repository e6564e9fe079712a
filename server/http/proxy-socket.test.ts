import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { testDir } from "../../sync/testing/shop.ts";
import { SettingsError } from "../environment.ts";
import { serverLimits } from "../start.ts";
import { openTestServer } from "../testing/server.ts";
import { type Listener, listen } from "./listener.ts";
import { openProxySocket } from "./proxy-socket.ts";

/** Opens a server that answers each request after some turns of the event loop. */
async function openListener(socketPath: string): Promise<Listener> {
	const place = { host: "127.0.0.1", port: 0, socketPath };
	const listener = await listen(place, serverLimits);
	await listener.serve((_request, response) => {
		setTimeout(() => response.end("sold"), 200);
	});
	return listener;
}

/** Sends a request on a new connection, without waiting until it is accepted. */
function send(socketPath: string): Promise<string> {
	const connection = connect(socketPath);
	connection.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
	return text(connection);
}

test("a stopping server answers every request that a proxy sent before its socket was gone", async () => {
	const socketPath = join(testDir(), "http.sock");
	const listener = await openListener(socketPath);
	const early = send(socketPath);
	await sleep(50);
	const late = Array.from({ length: 50 }, () => send(socketPath));
	const closing = listener.close();
	expect(existsSync(socketPath)).toBe(false);
	for (const answer of await Promise.all([early, ...late]))
		expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n.*sold/s);
	await closing;
});

test("a server replaces the socket of one that was killed, and nothing else", async () => {
	const path = join(testDir(), "http.sock");
	const http = createServer();
	const first = await openProxySocket(path, http);
	const used = openProxySocket(path, http);
	await expect(used).rejects.toThrow(/^SOCKET: .*EADDRINUSE/);
	await first.leave();
	const killed = `require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;
	spawnSync(process.execPath, ["-e", killed, path]);
	expect(existsSync(path)).toBe(true);
	const again = await openProxySocket(path, http);
	// The proxy is another user, and systemd's UMask is 0077.
	expect(statSync(path).mode & 0o666).toBe(0o666);
	await (await again.leave()).ended;
	const file = join(testDir(), "shop.db");
	writeFileSync(file, "a shop");
	await expect(openProxySocket(file, http)).rejects.toThrow(SettingsError);
	expect(existsSync(file)).toBe(true);
});

test("what a proxy says at the socket is believed, as at the port", async () => {
	const socketPath = join(testDir(), "http.sock");
	await openTestServer({ SOCKET: socketPath });
	const headers = { host: "shop.example", "x-forwarded-proto": "https" };
	const question = request({ socketPath, path: "/healthz", headers }).end();
	const [answer] = await once(question, "response");
	expect(answer.statusCode).toBe(200);
	expect(answer.headers).toHaveProperty("strict-transport-security");
	answer.resume();
});
