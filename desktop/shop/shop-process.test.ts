import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { ownPort } from "../../sync/testing/own-port.ts";
import { testDir } from "../../sync/testing/shop.ts";

async function takePort() {
	const port = await ownPort();
	const server = createServer().listen(port, "127.0.0.1");
	await once(server, "listening");
	return { port, free: () => new Promise((resolve) => server.close(resolve)) };
}

/** @returns the address of a shop that was given a port */
async function startAt(port: number): Promise<number> {
	const child = fork(join(import.meta.dirname, "shop-process.ts"), {
		env: { ...process.env, DATA_DIR: testDir(), LOG_LEVEL: "silent" },
		execArgv: [],
	});
	const ended = once(child, "exit");
	onTestFinished(async () => {
		if (child.connected) child.send({ kind: "stop" });
		await ended;
	});
	child.send({ kind: "start", secret: "s".repeat(43), port });
	const [report] = await once(child, "message");
	expect(report).toMatchObject({ kind: "started" });
	return Number(new URL(report.url).port);
}

oneIn(3)(
	"a shop process keeps its port, and takes another if the port is in use",
	async () => {
		const { port, free } = await takePort();
		expect(await startAt(port)).not.toBe(port);
		await free();
		expect(await startAt(port)).toBe(port);
	},
);
