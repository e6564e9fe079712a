import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { openLog } from "../server/log.ts";
import { readSettings } from "../server/settings.ts";
import { cheapPassword, openTestServer } from "../server/test-server.ts";
import { productCreate } from "../sync/entities/product.ts";
import { saleCreate } from "../sync/entities/sale.ts";
import { newId, systemEnv } from "../sync/ids.ts";
import { testDir } from "../sync/test-shop.ts";
import { secretHeader } from "./guard.ts";
import { openDesktopShop } from "./shop.ts";

export const secret = "the secret of one start of a window";
export const asha = {
	name: "Asha",
	email: "asha@example.com",
	password: cheapPassword,
};

// biome-ignore lint/suspicious/noExplicitAny: what is answered is what a test is about
function parse(text: string): any {
	return /^[{[]/.test(text) ? JSON.parse(text) : undefined;
}

/** A till as its window has it: requests with the secret and a session's cookie. */
export async function openTill(dataDir = join(testDir(), "till")) {
	const lines: string[] = [];
	const log = openLog("trace", { write: (line) => lines.push(line) });
	const settings = readSettings({ PORT: "0", DATA_DIR: dataDir });
	const till = await openDesktopShop({ settings, secret, log });
	let isOpen = true;
	const close = async () => {
		if (isOpen) await till.close();
		isOpen = false;
	};
	onTestFinished(close);
	let cookie = "";
	const deviceId = newId(systemEnv);
	let cursor = "";
	let receipts = 0;

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

	async function push(name: string, args: object) {
		const message = {
			id: newId(systemEnv),
			name,
			args,
			at: new Date().toISOString(),
		};
		const answer = await ask("POST", "/api/sync", {
			mutations: [message],
			deviceId,
			cursor,
		});
		expect(answer.body.results).toMatchObject([{ status: "applied" }]);
		cursor = answer.body.cursor;
		return answer.body;
	}

	return {
		url: till.url,
		dataDir,
		log: () => lines.join(""),
		close,
		ask,
		push,
		state: async () => (await ask("GET", "/api/till")).body,
		signIn: ({ email, password } = asha) =>
			ask("POST", "/login", { email, password }),
		async sell(quantity = 1) {
			const id = newId(systemEnv);
			receipts += 1;
			await push(saleCreate.name, {
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
				receiptNumber: `X-${receipts}`,
			});
			return id;
		},
	};
}
export type Till = Awaited<ReturnType<typeof openTill>>;

/** A shop's server that can be away and come back where it was. */
export async function openServer() {
	const dataDir = join(testDir(), "server");
	let server = await openTestServer({ DATA_DIR: dataDir });
	const { port, url } = server;
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
			server = await openTestServer({ DATA_DIR: dataDir, PORT: String(port) });
		},
		sales: async () =>
			(await server.rows("SELECT id FROM sales ORDER BY id")).map(
				({ id }) => id,
			),
		digest: async () => (await server.shop.digest(caller)).digest,
	};
}

export async function joinTill(server: { url: string }, till: Till) {
	const { status } = await till.ask("POST", "/api/till/join", {
		server: server.url,
		...asha,
	});
	expect(status).toBe(202);
	await settled(till);
	expect((await till.signIn()).status).toBe(200);
}

/** Until it has joined and has nothing more to send. */
export async function settled(till: Till) {
	await vi.waitFor(
		async () =>
			expect(await till.state()).toMatchObject({ mode: "joined", pending: 0 }),
		{ timeout: 20_000, interval: 100 },
	);
}

export async function expectInStep(
	server: Awaited<ReturnType<typeof openServer>>,
	till: Till,
) {
	await vi.waitFor(
		async () => {
			const { body } = await till.ask("GET", "/api/sync?digest=1");
			expect(body.digest).toBe(await server.digest());
		},
		{ timeout: 20_000, interval: 100 },
	);
}
