import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { type Answer, exchange } from "./exchange.ts";

async function open(handle: RequestListener) {
	const server = createServer(handle);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const agent = new Agent({ connections: 1 });
	onTestFinished(async () => {
		await agent.destroy();
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return (signal = new AbortController().signal) =>
		exchange(
			agent,
			{ origin: `http://127.0.0.1:${port}`, path: "/", method: "POST" },
			signal,
		);
}

async function readAll(answer: Answer): Promise<string> {
	let text = "";
	for (let part = await answer.read(); part; part = await answer.read())
		text += part.toString("latin1");
	return text;
}

test("a body arrives whole, and waits at the sender while nobody reads it", async () => {
	let sent = 0;
	const chunk = "0123456789".repeat(10_000);
	const ask = await open(async (_request, response) => {
		for (; sent < 400; sent += 1)
			if (!response.write(chunk)) await once(response, "drain");
		response.end("the end");
	});
	const answer = await ask();
	const hasPaused = async () => {
		const before = sent;
		await sleep(200);
		return sent === before;
	};
	// The buffers between them fill first.
	await expect.poll(hasPaused).toBe(true);
	expect(sent).toBeLessThan(200);
	const text = await readAll(answer);
	expect(text.length).toBe(400 * chunk.length + "the end".length);
	expect(text.endsWith("789the end")).toBe(true);
	// The connection is free for the next exchange.
	sent = 399;
	expect(await readAll(await ask())).toBe(`${chunk}the end`);
});

test("what arrived before a connection broke is read before its error", async () => {
	const ask = await open((_request, response) => {
		response.write("half an ans");
		setTimeout(() => response.destroy(), 50);
	});
	const answer = await ask();
	await sleep(150);
	expect(String(await answer.read())).toBe("half an ans");
	await expect(answer.read()).rejects.toThrow("other side closed");
});

test("an abort ends an exchange at any time, and leaves nothing to read", async () => {
	const ask = await open((_request, response) => void response.write("some"));
	const aborting = new AbortController();
	const answer = await ask(aborting.signal);
	await sleep(50);
	const reason = new Error("The client has gone");
	aborting.abort(reason);
	await expect(answer.read()).rejects.toBe(reason);

	// While a request waits for its connection.
	const holder = await ask();
	const second = new AbortController();
	const waiting = ask(second.signal);
	second.abort(reason);
	await expect(waiting).rejects.toBe(reason);
	holder.close();
	await expect(holder.read()).rejects.toThrow("not wanted");
	const third = await ask();
	expect(String(await third.read())).toBe("some");

	const silent = await open(() => {});
	const last = new AbortController();
	setTimeout(() => last.abort(reason), 50);
	await expect(silent(last.signal)).rejects.toBe(reason);
});

test("nothing is sent for a caller who left before", async () => {
	let asked = 0;
	const ask = await open((_request, response) => {
		asked += 1;
		response.end("some");
	});
	const reason = new Error("The client has gone");
	await expect(ask(AbortSignal.abort(reason))).rejects.toBe(reason);
	expect(await readAll(await ask())).toBe("some");
	expect(asked).toBe(1);
});
