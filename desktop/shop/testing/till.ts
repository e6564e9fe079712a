import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openLogger } from "../../../server/operations/logger.ts";
import { readSettings } from "../../../server/settings.ts";
import { testPasswords } from "../../../server/testing/passwords.ts";
import {
	cheapPassword,
	openTestServer,
} from "../../../server/testing/server.ts";
import { productCreate } from "../../../sync/entities/product.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { readDigest } from "../../../sync/feed/feed.ts";
import { newId, systemEnv } from "../../../sync/protocol/ids.ts";
import { openTillApi, resultOf } from "../../../sync/protocol/till-api.ts";
import { linesOf } from "../../../sync/replica/transport.ts";
import { lookInto } from "../../../sync/store/sqlite.ts";
import { ownPort } from "../../../sync/testing/own-port.ts";
import { testDir } from "../../../sync/testing/shop.ts";
import { openDesktopShop } from "../desktop-shop.ts";
import { secretHeader } from "../guard.ts";

export const secret = "the secret of one start of a window";
export const asha = {
	name: "Asha",
	email: "asha@example.com",
	password: cheapPassword,
};

// biome-ignore lint/suspicious/noExplicitAny: each test checks the answer
function parse(text: string): any {
	return /^[{[]/.test(text) ? JSON.parse(text) : undefined;
}

/** A till as its window uses it: requests with the secret and a session cookie. */
export async function openTill(dataDir = join(testDir(), "till")) {
	const lines: string[] = [];
	const log = openLogger("trace", { write: (line) => lines.push(line) });
	const settings = readSettings({ PORT: "0", DATA_DIR: dataDir });
	const till = await openDesktopShop({
		settings,
		secret,
		log,
		passwords: testPasswords,
	});
	let isOpen = true;
	const close = async () => {
		if (isOpen) await till.close();
		isOpen = false;
	};
	onTestFinished(close);
	let cookie = "";

	async function ask(method: string, path: string, body?: unknown) {
		const response = await fetch(till.url + path, {
			method,
			redirect: "manual",
			headers: {
				[secretHeader]: secret,
				cookie,
				...(body === undefined ? {} : { "content-type": "application/json" }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const set = response.headers.get("set-cookie");
		if (set) cookie = set.split(";")[0] ?? "";
		const text = await response.text();
		return {
			status: response.status,
			text,
			body: parse(text),
		};
	}

	const calls = openTillApi(async (call) => {
		const { status, body } = await ask("POST", "/api/till/calls", call);
		expect({ status, body }).toMatchObject({ status: 200 });
		return resultOf(body);
	});
	const make = (name: string, args: object) =>
		calls.mutate({ id: newId(systemEnv), name, args });

	return {
		url: till.url,
		dataDir,
		log: () => lines.join(""),
		backups: () => till.backups,
		close,
		ask,
		calls,
		make,
		/** The change events from now on. */
		async listen() {
			const response = await fetch(`${till.url}/api/till/changes`, {
				headers: { [secretHeader]: secret, cookie },
			});
			const lines = linesOf(
				response.body as unknown as AsyncIterable<Uint8Array>,
			);
			onTestFinished(async () => {
				await response.body?.cancel().catch(() => {});
			});
			return {
				async next(): Promise<unknown> {
					for (;;) {
						const { value, done } = await lines.next();
						if (done) return undefined;
						if (value.startsWith("data: ")) return JSON.parse(value.slice(6));
					}
				},
			};
		},
		state: async () => (await ask("GET", "/api/till")).body,
		signIn: ({ email, password } = asha) =>
			ask("POST", "/login", { email, password }),
		async sell(quantity = 1) {
			const id = newId(systemEnv);
			await make(saleCreate.name, {
				id,
				items: [
					{
						id: "1",
						name: "Milk",
						quantity,
						price: 65,
						cost: 58,
						productId: "milk",
					},
				],
			});
			return id;
		},
	};
}
type Till = Awaited<ReturnType<typeof openTill>>;

/** A shop's server that can be stopped and restarted at the same address. */
export async function openServer() {
	const own = {
		DATA_DIR: join(testDir(), "server"),
		PORT: String(await ownPort()),
	};
	let server = await openTestServer(own);
	const { url } = server;
	const { caller } = await server.addUser("Asha");
	await server.shop.mutate(caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 58,
		sellingPrice: 65,
		quantity: 100,
	});
	return {
		url,
		caller,
		now: () => server,
		stop: () => server.close(),
		async start() {
			server = await openTestServer(own);
		},
		sales: async () =>
			(await server.rows("SELECT id FROM sales ORDER BY id")).map(
				({ id }) => id,
			),
		digest: () =>
			server.shop.store.read((tx) => readDigest(tx, caller.businessId)),
	};
}

export async function joinTill(server: { url: string }, till: Till) {
	const { status } = await till.ask("POST", "/api/till/join", {
		server: server.url,
		...asha,
	});
	expect(status).toBe(202);
	await joined(till);
	expect((await till.signIn()).status).toBe(200);
}

/** Waits until it is a till of its server. */
export async function joined(till: Till) {
	await expect.poll(() => till.state()).toMatchObject({ mode: "joined" });
}

/** Waits until it has nothing left to send. */
export async function settled(till: Till) {
	await expect.poll(() => till.calls.standing()).toMatchObject({ pending: 0 });
}

export async function expectInStep(
	server: Awaited<ReturnType<typeof openServer>>,
	till: Till,
) {
	const { businessId } = server.caller;
	const isInStep = async () =>
		(await digestOf(till.dataDir, businessId)) === (await server.digest());
	await expect.poll(isInStep).toBe(true);
}

/** Reads a till's database file, for data that it doesn't serve. */
export async function digestOf(dataDir: string, businessId: string) {
	return lookInto(join(dataDir, "counterfoil.db"), (tx) =>
		readDigest(tx, businessId),
	);
}
