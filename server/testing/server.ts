import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Role } from "../../sync/entities/entity.ts";
import { productCreate } from "../../sync/entities/product.ts";
import type { Caller } from "../../sync/shop.ts";
import { copyDatabase } from "../../sync/store/copy.ts";
import type { DbRow, Value } from "../../sync/store/store.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { makeTestFile, urlOfFile } from "../../sync/testing/store.ts";
import { type StoreKind, storeKind } from "../../sync/testing/store-kind.ts";
import type { Passwords } from "../accounts/passwords.ts";
import { type Identity, openTokens } from "../accounts/tokens.ts";
import { createUser } from "../accounts/users.ts";
import { allRoutes } from "../app.ts";
import { aiAccess } from "../gateway/access.ts";
import type { Method, Routes } from "../http/operation.ts";
import { failuresOf } from "../openapi/document.ts";
import { databaseFile } from "../operations/database.ts";
import { openLogger } from "../operations/logger.ts";
import { readSettings } from "../settings.ts";
import {
	type RunningServer,
	type ServerLimits,
	serverLimits,
	startServer,
} from "../start.ts";
import { testPasswords } from "./passwords.ts";

export const authSecret = "a secret of a test, long enough to be one";

/** The password of test users; its hash at bcrypt's lowest cost compares in a millisecond. */
export const cheapPassword = "correct horse";
export const cheapHash =
	"$2b$04$DPYw8vM/SnG.SSkJQouFQuMZN/VVs4XNFARGrE/i6KYnryDBAY/OK";

export interface TestUser {
	id: string;
	businessId: string;
	caller: Caller;
	/** The value of the header `Authorization`. */
	bearer: string;
	/** The value of the header `Cookie`. */
	cookie: string;
}

export interface Answer {
	status: number;
	headers: Headers;
	text: string;
	body: unknown;
}

export interface Ask {
	as?: TestUser | undefined;
	headers?: Record<string, string>;
	/** Sent as JSON, unless it is a text or bytes. */
	body?: unknown;
}

/** Settings for a database file, for tests where PostgreSQL behaves differently. */
export const inFile = { DATABASE_URL: "" };

export type TestServer = Awaited<ReturnType<typeof openTestServer>>;

/**
 * Opens a server on a free port, with real HTTP and a fresh database.
 *
 * @param passwords at bcrypt's lowest cost, unless a test measures the real cost
 */
export async function openTestServer(
	env: NodeJS.ProcessEnv = {},
	limits: Partial<ServerLimits> = {},
	passwords: Passwords = testPasswords,
) {
	const dataDir = env.DATA_DIR ?? join(testDir(), "data");
	const settings = readSettings({
		PORT: "0",
		DATA_DIR: dataDir,
		...(env.DATABASE_URL === undefined ? await testDatabase(dataDir) : {}),
		AUTH_SECRET: authSecret,
		ADMIN_EMAILS: "root@example.com",
		LOG_LEVEL: "silent",
		...env,
	});
	const file = databaseFile(settings);
	if (settings.databaseUrl === undefined && !existsSync(file)) {
		mkdirSync(dataDir, { recursive: true });
		await makeTestFile(file);
	}
	const lines: string[] = [];
	const log = openLogger("trace", { write: (line) => lines.push(line) });
	const server = await startServer(
		settings,
		log,
		undefined,
		{ ...serverLimits, ...limits },
		passwords,
	);
	let isOpen = true;
	const close = async () => {
		if (isOpen) await server.close();
		isOpen = false;
	};
	onTestFinished(close);
	const { store } = server.shop;

	async function ask(
		method: string,
		path: string,
		{ as, headers = {}, body }: Ask = {},
	): Promise<Answer> {
		const raw =
			body === undefined ||
			typeof body === "string" ||
			body instanceof Uint8Array
				? body
				: JSON.stringify(body);
		const response = await fetch(new URL(path, server.url), {
			method,
			redirect: "manual",
			headers: {
				...(as ? { authorization: as.bearer } : {}),
				...(raw === undefined ? {} : { "content-type": "application/json" }),
				...headers,
			},
			body: raw as string | Uint8Array<ArrayBuffer>,
		});
		assertDescribed(server, method, path, response.status);
		const text = await response.text();
		const isJson = response.headers.get("content-type")?.includes("json");
		return {
			status: response.status,
			headers: response.headers,
			text,
			body: isJson && text !== "" ? JSON.parse(text) : undefined,
		};
	}

	return {
		...server,
		settings,
		/** The whole log so far. */
		logged: () => lines.join(""),
		close,
		ask,
		rows: (sql: string, ...params: Value[]): Promise<DbRow[]> =>
			store.read((tx) => tx.all(sql, ...params)),
		/** Turns AI on, which is off for all businesses but the first. */
		allowAi: ({ businessId }: Pick<TestUser, "businessId">) =>
			store.write((tx) => aiAccess(tx).change(businessId, { isAllowed: true })),
		/** Adds a user with a business, who can sign in, without the cost of bcrypt. */
		addUser: (name: string, into?: { businessId: string; role: Role }) =>
			addUser(server, name, into),
	};
}

/** All operations that a shop's server mounts. */
export function routesOf(shop: RunningServer["shop"]): Routes {
	const queue = { serve() {} };
	return allRoutes({ shop, sync: shop, queue, dataDir: "" } as never);
}

/** Computed once, since it is the same for every server. */
let described: { method: string; path: RegExp; statuses: Set<number> }[] = [];

/** @throws if an operation answers with a status missing from its description */
function assertDescribed(
	{ shop }: RunningServer,
	method: string,
	path: string,
	status: number,
): void {
	if (described.length === 0) described = describedAnswers(shop);
	const { pathname } = new URL(path, "http://localhost");
	const asked = method === "HEAD" ? "GET" : method;
	const known = described.find(
		(answers) => answers.method === asked && answers.path.test(pathname),
	);
	// A method that the path doesn't have is not an operation.
	if (known && status !== 500 && status !== 405 && !known.statuses.has(status))
		throw new Error(
			`${method} ${path} answered ${status}, which its description does not name`,
		);
}

function describedAnswers(shop: RunningServer["shop"]): typeof described {
	return Object.entries(routesOf(shop)).flatMap(([path, operations]) =>
		Object.entries(operations).map(([method, operation]) => ({
			method,
			path: patternOf(path),
			statuses: new Set([
				...Object.keys(operation.answers).map(Number),
				...failuresOf(path, method as Method, operation),
			]),
		})),
	);
}

function patternOf(path: string): RegExp {
	const pattern = path
		.replaceAll(".", "\\.")
		.replace(/:\w+/g, "[^/]+")
		.replace(/\*\w+/g, ".+");
	return new RegExp(`^${pattern}/?$`, "i");
}

/** Settings for a server's database; `TEST_STORE=postgres` runs all tests on PostgreSQL. */
export async function testDatabase(
	dataDir: string,
	kind: StoreKind = storeKind,
): Promise<{ DATABASE_URL?: string }> {
	if (kind === "sqlite") return {};
	return { DATABASE_URL: await urlOfFile(databaseFile({ dataDir })) };
}

async function addUser(
	{ shop }: RunningServer,
	name: string,
	into?: { businessId: string; role: Role },
): Promise<TestUser> {
	const email = `${name.toLowerCase()}@example.com`;
	const { id, businessId } = await createUser(
		shop.store,
		shop.env,
		{ email, name, passwordHash: cheapHash },
		into ?? {
			business: {
				name: `${name}'s shop`,
				currency: "KES",
				timeZone: "Africa/Nairobi",
			},
		},
	);
	// Tests also sell yesterday and last year.
	if (!into)
		await shop.store.write((tx) =>
			tx.run(
				"UPDATE businesses SET created_at = '2020-01-01T00:00:00.000Z' WHERE business_id = ?",
				businessId,
			),
		);
	const identity: Identity = { id, email, name, role: "user", businessId };
	return {
		id,
		businessId,
		caller: {
			businessId,
			userId: id,
			role: into?.role ?? "OWNER",
			deviceId: null,
		},
		...(await credentialsOf(identity)),
	};
}

export async function credentialsOf(
	user: Identity,
	tokenVersion = 0,
): Promise<{ bearer: string; cookie: string }> {
	const tokens = await openTokens(new TextEncoder().encode(authSecret));
	const authenticated = { user, tokenVersion };
	return {
		bearer: `Bearer ${await tokens.sign(authenticated, "bearer")}`,
		cookie: `session=${await tokens.sign(authenticated, "session")}`,
	};
}

/** Opens Asha's shop, which sells milk, and Baraka's, whose canary Asha must never see or change. */
export async function twoShops(env: NodeJS.ProcessEnv = {}) {
	const canCopy = storeKind === "sqlite" && Object.keys(env).length === 0;
	if (canCopy && madeShops) {
		const dataDir = join(testDir(), "data");
		mkdirSync(dataDir);
		writeFileSync(databaseFile({ dataDir }), madeShops.file);
		const server = await openTestServer({ DATA_DIR: dataDir });
		return { server, asha: madeShops.asha, baraka: madeShops.baraka };
	}
	const made = await makeTwoShops(env);
	if (canCopy) {
		const copy = join(testDir(), "copy.db");
		await copyDatabase(databaseFile(made.server.settings), copy);
		const { asha, baraka } = made;
		madeShops = { asha, baraka, file: readFileSync(copy) };
	}
	return made;
}

/** The two shops in a database file, which takes as long to make as many a test to run. */
let madeShops: { asha: TestUser; baraka: TestUser; file: Buffer } | undefined;

async function makeTwoShops(env: NodeJS.ProcessEnv) {
	const server = await openTestServer(env);
	const asha = await server.addUser("Asha");
	const baraka = await server.addUser("Baraka");
	await server.shop.mutate(asha.caller, productCreate, {
		id: "milk",
		name: "Milk",
		sku: "111",
		buyingPrice: 40,
		sellingPrice: 50,
		quantity: 10,
	});
	await server.shop.mutate(baraka.caller, productCreate, {
		id: "canary",
		name: "Canary",
		buyingPrice: 1,
		sellingPrice: 2,
		quantity: 7,
	});
	return { server, asha, baraka };
}

/** One row of an API test table. */
export interface Scenario {
	what: string;
	method: string;
	path: string;
	body?: unknown;
	headers?: Record<string, string>;
	as?: "asha" | "baraka" | "nobody";
	status: number;
	/** Matched against a part of the answer. */
	answer?: unknown;
	/** The whole expected answer. */
	exactly?: unknown;
	/** Texts that the answer must not contain, besides the other shop's canary and secrets. */
	never?: string[];
}

/** Runs one scenario on a fresh pair of shops, and checks that the other shop was neither seen nor changed. */
export async function expectScenario(scenario: Scenario): Promise<void> {
	const { server, asha, baraka } = await twoShops();
	const who = { asha, baraka, nobody: undefined }[scenario.as ?? "asha"];
	const other = who === baraka ? asha : baraka;
	const before = await server.shop.digest(other.caller);
	const answer = await server.ask(scenario.method, scenario.path, {
		as: who,
		body: scenario.body,
		headers: scenario.headers ?? {},
	});
	expect({ status: answer.status, body: answer.body }).toMatchObject({
		status: scenario.status,
		...(scenario.answer === undefined ? {} : { body: scenario.answer }),
	});
	if (scenario.exactly !== undefined)
		expect(answer.body).toEqual(scenario.exactly);
	if (answer.status >= 400) {
		expect(Object.keys(answer.body as object)).toEqual(["error"]);
		expect(answer.text).not.toContain("node_modules");
	}
	const canaries =
		who === baraka ? ["Milk", asha.businessId] : ["Canary", baraka.businessId];
	for (const secret of [...canaries, "passwordHash", ...(scenario.never ?? [])])
		expect(answer.text).not.toContain(secret);
	expect(await server.shop.digest(other.caller)).toEqual(before);
}
