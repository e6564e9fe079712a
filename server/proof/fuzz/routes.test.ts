import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import {
	countOf,
	isProof,
	sampled,
	testSeed,
} from "../../../sync/testing/lane.ts";
import { storeKind } from "../../../sync/testing/store-kind.ts";
import type { Method, Operation } from "../../http/operation.ts";
import { databaseFile } from "../../operations/database.ts";
import { requests } from "../../testing/operations.ts";
import {
	authSecret,
	openTestServer,
	routesOf,
	type TestServer,
} from "../../testing/server.ts";
import {
	type Answered,
	openClient,
	requestsTo,
	type Sent,
} from "./requests.ts";
import { canary, openSubjects } from "./subjects.ts";

/** The number of inputs for each operation. */
const runs = countOf("FUZZ_RUNS");
/** Operations whose answers may need a password hash, a quarter of a second. */
const hashing =
	/^(POST \/login|POST \/api\/setup|POST \/api\/auth\/.*|POST \/api\/members|PATCH \/api\/members\/:id)$/;
const runsOfHashing = Math.ceil(runs / 10);

const oneError = z.strictObject({ error: z.string().min(1) });
const gatewayError = z.strictObject({
	error: z.strictObject({
		message: z.string().min(1),
		type: z.string(),
		param: z.string().nullable(),
		code: z.string().nullable(),
	}),
});

/** Of the gateway's door for Anthropic's clients. */
const messagesError = z.strictObject({
	type: z.literal("error"),
	error: z.strictObject({ type: z.string(), message: z.string().min(1) }),
	request_id: z.string(),
});

/** Checks an answer to any request. */
function expectAnswer(
	{ path }: Sent,
	{ answers, access }: Operation,
	answer: Answered,
	secrets: string[],
): void {
	const { status, type, text } = answer;
	expect(status, text).toBeLessThan(500);
	expect(status).toBeGreaterThanOrEqual(200);
	for (const secret of secrets) expect(text).not.toContain(secret);
	// Administrators read the reviews of all shops.
	if (access !== "adminSession") expect(text).not.toContain(canary);
	const own = answers[status];
	if (status < 400) expect(own, `${status} is not described`).toBeDefined();
	if (own === undefined) {
		expect(type).toBe("application/json");
		const shape = path.startsWith("/v1/messages")
			? messagesError
			: path.startsWith("/v1/")
				? gatewayError
				: oneError;
		expect(shape.safeParse(JSON.parse(text)).error).toBeUndefined();
	} else if (type === "application/json") {
		const shape = own instanceof z.ZodType ? own : own[type];
		expect(shape?.safeParse(JSON.parse(text)).error).toBeUndefined();
	}
}

/** @returns a number that changes with each commit of any other connection */
function watchCommits(server: TestServer): () => number {
	const watcher = new Database(databaseFile(server.settings), {
		readonly: true,
	});
	onTestFinished(() => {
		watcher.close();
	});
	return () => watcher.pragma("data_version", { simple: true }) as number;
}

async function withFuzz(server: TestServer) {
	const client = openClient(server.url);
	onTestFinished(client.close);
	// PostgreSQL also counts transactions that rolled back.
	const commits = storeKind === "postgres" ? () => 0 : watchCommits(server);
	const secrets = [
		authSecret,
		server.settings.dataDir,
		"node_modules",
		"SQLITE_",
	];

	let asked = 0;

	/** Has the server write what earlier calls of the gateway left to be written in batches: reading the budgets does. */
	async function settle(authorization: string): Promise<void> {
		const budgets = {
			method: "GET",
			path: "/api/ai/limits",
			headers: {},
			body: undefined,
		} as const;
		const { status } = await client.send(budgets, { authorization });
		expect(status).toBe(200);
	}

	/** Sends an operation many inputs; both shops must keep working. */
	return async (method: Method, path: string, operation: Operation) => {
		let subjects = await openSubjects(server);
		asked += 1;
		const name = `${method} ${path}`;
		const statuses = new Map<number, number>();
		const ask = async (sent: Sent) => {
			await settle(subjects.owner.bearer);
			const before = commits();
			const credentials = subjects.credentials(sent.who, operation.access);
			const answer = await client.send(sent, credentials);
			statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
			expectAnswer(sent, operation, answer, secrets);
			// A look for a session stores the uses of all sessions, its own too.
			const isNoting = path.startsWith("/api/sessions");
			if (answer.status >= 400 && !isNoting)
				expect(commits(), "committed").toBe(before);
			// Accounts and roles have changed.
			else if (path.startsWith("/api/members"))
				subjects = await openSubjects(server);
			// A refused caller can't have changed anything.
			if (answer.status === 401) return;
			const next = await client.send(
				{
					method: "GET",
					path: "/api/products/product",
					headers: {},
					body: undefined,
				},
				{ authorization: subjects.owner.bearer },
			);
			expect(next.status, `the next call, after ${answer.status}`).toBe(200);
		};
		const before = await server.shop.blocks(subjects.other.caller);
		const others = subjects.other.caller;
		await fc.assert(
			fc.asyncProperty(
				requestsTo(method, path, operation, requests("none")[name]?.body),
				ask,
			),
			{
				numRuns: hashing.test(name) ? runsOfHashing : runs,
				seed: testSeed + asked,
			},
		);
		expect(await server.shop.blocks(others)).toEqual(before);
		return statuses;
	};
}

const oneRoute = process.env.FUZZ_ROUTE;

test(`no operation crashes on ${runs} inputs, or shows or changes another shop's data (seed ${testSeed})`, async () => {
	// A session's use is noted each minute, whatever is asked then.
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	onTestFinished(() => {
		vi.useRealTimers();
	});
	const server = await openTestServer();
	const routes = routesOf(server.shop);
	const names = Object.entries(routes).flatMap(([path, operations]) =>
		Object.keys(operations).map((method) => `${method} ${path}`),
	);
	const drawn = new Set(sampled(names, 2));
	const fuzz = await withFuzz(server);
	const failures: string[] = [];
	for (const [path, operations] of Object.entries(routes))
		for (const [method, operation] of Object.entries(operations)) {
			const name = `${method} ${path}`;
			if (oneRoute ? name !== oneRoute : !drawn.has(name)) continue;
			try {
				const statuses = await fuzz(method as Method, path, operation);
				if (isProof) console.log(name, JSON.stringify([...statuses].sort()));
			} catch (error) {
				const { message, cause } = error as Error;
				failures.push(`${name}: ${message}\n${(cause as Error)?.message}`);
			}
		}
	expect(failures).toEqual([]);
	expect(server.logged()).not.toContain('"level":50');
}, 3_600_000);
