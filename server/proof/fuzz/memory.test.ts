import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished } from "vitest";
import { countOf, oneIn } from "../../../sync/testing/lane.ts";
import { exampleMessages, testDir } from "../../../sync/testing/shop.ts";
import { requests } from "../../testing/operations.ts";
import { authSecret, credentialsOf, routesOf } from "../../testing/server.ts";
import { openClient, requestsTo, type Sent } from "./requests.ts";
import type { Memory } from "./testing/process.ts";

const test = oneIn(6);
const rounds = countOf("MEMORY_ROUNDS");
const inputsEach = 5;
/** Rounds that fill the caches: statements, descriptions, compiled code. */
const warmUpRounds = 2;
const heapMaxGrowth = 6_000_000;
/** Measured in the second half, since in the first the allocator keeps some 100 MB of large bodies. */
const rssMaxGrowth = 80_000_000;

/** Account operations run only if they hash no password, which takes a quarter of a second. */
const isCostly = (name: string) =>
	/^POST \/(login|api\/(setup|auth|members))|^PATCH \/api\/members/.test(name);

async function openProcess() {
	const child = fork(join(import.meta.dirname, "testing/process.ts"), {
		execArgv: ["--expose-gc"],
		env: {
			PATH: process.env.PATH,
			PORT: "0",
			DATA_DIR: join(testDir(), "data"),
			AUTH_SECRET: authSecret,
			LOG_LEVEL: "silent",
		},
	});
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	const [{ url }] = (await once(child, "message")) as [{ url: string }];
	return {
		url,
		async measure(): Promise<Memory> {
			child.send("measure");
			const [memory] = (await once(child, "message")) as [Memory];
			return memory;
		},
	};
}

/** Creates a shop over HTTP, with records that requests can name. */
async function register(url: string) {
	const account = { name: "Asha", email: "asha@example.com" };
	const post = async (path: string, body: object, headers = {}) => {
		const response = await fetch(new URL(path, url), {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
		});
		return response.json() as Promise<Record<string, string>>;
	};
	const made = await post("/api/auth/register", {
		...account,
		password: "correct horse",
	});
	const { id = "", businessId = "" } = made;
	const credentials = await credentialsOf({
		...account,
		id,
		businessId,
		role: "user",
	});
	const mutations = exampleMessages().filter(({ name }) =>
		name.endsWith(".create"),
	);
	await post("/api/sync", { mutations }, { authorization: credentials.bearer });
	return credentials;
}

test(`a server's memory doesn't grow through ${rounds} rounds of requests to every operation`, async () => {
	const { url, measure } = await openProcess();
	const { bearer, cookie } = await register(url);
	const client = openClient(url);
	onTestFinished(client.close);
	const operations = Object.entries(routesOf({ env: {} } as never)).flatMap(
		([path, byMethod]) =>
			Object.entries(byMethod).flatMap(([method, operation]) => {
				const name = `${method} ${path}`;
				if (isCostly(name)) return [];
				const { body } = requests("none")[name] ?? {};
				const isBySession = /Session$/.test(operation.access);
				return {
					inputs: requestsTo(method, path, operation, body),
					credentials: (isBySession
						? { cookie }
						: { authorization: bearer }) as Record<string, string>,
				};
			}),
	);
	let asked = 0;
	const round = async (seed: number) => {
		for (const { inputs, credentials } of operations)
			for (const sent of fc.sample(inputs, {
				numRuns: inputsEach,
				seed,
			}) as Sent[]) {
				const isIn = sent.who === "owner" || sent.who === "cashier";
				const { status } = await client.send(sent, isIn ? credentials : {});
				expect(status).toBeLessThan(500);
				asked += 1;
			}
	};
	for (let i = 0; i < warmUpRounds; i += 1) await round(i);
	const before = await measure();
	let halfway = before;
	for (let i = 0; i < rounds; i += 1) {
		await round(warmUpRounds + i);
		if (i + 1 === rounds / 2) halfway = await measure();
	}
	const after = await measure();
	const told = `${JSON.stringify({ before, halfway, after })} after ${asked} requests`;
	expect(after.heap - before.heap, told).toBeLessThan(heapMaxGrowth);
	expect(after.rss - halfway.rss, told).toBeLessThan(rssMaxGrowth);
}, 3_600_000);
