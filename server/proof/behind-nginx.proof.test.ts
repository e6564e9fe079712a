import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { saleCreate } from "../../sync/entities/sale.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica } from "../../sync/replica/replica.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { ownPort } from "../../sync/testing/own-port.ts";
import { hasPostgres, wherePostgres } from "../../sync/testing/postgres.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { openFakeProvider } from "../gateway/testing/providers.ts";
import { end, startProcess, whereabouts } from "../testing/process.ts";
import { type TestUser, testDatabase } from "../testing/server.ts";
import { openMilkShop } from "../testing/tills.ts";

const nginx = ["/usr/sbin/nginx", "/usr/local/sbin/nginx"].find(existsSync);
const recipe = readFileSync(
	join(import.meta.dirname, "../../docs/nginx.conf"),
	"utf8",
);
const opening = 1_000_000;
/** Four at tills, and two programs. */
const people = Array.from({ length: 6 }, (_, i) => `Person${i}`);
const kills = 6;
/** A client may hear of a server's end before this process does. */
const noticedMs = 1_000;
/** Longer than a server without a proxy waits for its last answers. */
const modelMs = 12_000;

/** A server process behind nginx. */
interface Place {
	start(): Promise<void>;
	kill(): Promise<void>;
	/** @returns its exit code */
	stop(): Promise<number | null>;
}

async function openPlace(env: NodeJS.ProcessEnv): Promise<Place> {
	let child: ChildProcess | undefined;
	onTestFinished(async () => {
		if (child) await end(child, "SIGKILL");
	});
	const place: Place = {
		async start() {
			child = startProcess(env);
			const url = await whereabouts(child);
			expect((await fetch(new URL("/readyz", url))).status).toBe(200);
		},
		kill: () => end(child as ChildProcess, "SIGKILL"),
		async stop() {
			await end(child as ChildProcess, "SIGTERM");
			return (child as ChildProcess).exitCode;
		},
	};
	await place.start();
	return place;
}

/** Starts nginx with the recipe, on a free port and without its certificate. @returns its URL and its access log */
async function openNginx(sockets: readonly string[]) {
	const dir = testDir();
	const port = await ownPort();
	const site = sockets
		.reduce(
			(text, path, i) =>
				text.replace(
					`unix:/run/counterfoil-${i + 1}/http.sock`,
					`unix:${path}`,
				),
			recipe,
		)
		.replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
		.replaceAll(/^ *ssl_.*$/gm, "");
	writeFileSync(join(dir, "site.conf"), site);
	const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
	writeFileSync(
		join(dir, "nginx.conf"),
		`${process.getuid?.() === 0 ? "user root;" : ""} daemon off; pid nginx.pid; worker_processes 2;
events {}
http {
  log_format upstream '$upstream_addr';
  access_log access.log upstream;
  ${folders.map((name) => `${name}_temp_path ${name};`).join(" ")}
  include site.conf;
}`,
	);
	const child = spawn(nginx as string, [
		...["-p", dir, "-c", "nginx.conf", "-e", "error.log"],
	]);
	onTestFinished(() => end(child, "SIGTERM"));
	await expect.poll(() => isOpen(port)).toBe(true);
	return {
		url: `http://127.0.0.1:${port}`,
		asked: () => readFileSync(join(dir, "access.log"), "utf8"),
	};
}

function isOpen(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, "127.0.0.1");
		socket.on("error", () => resolve(false));
		socket.on("connect", () => {
			socket.destroy();
			resolve(true);
		});
	});
}

/** Opens a shop that sells milk, two servers of it, and the recipe's nginx. */
async function openFleet() {
	const database = await testDatabase(testDir(), "postgres");
	const { server, asha } = await openMilkShop(database, opening);
	const provider = await openFakeProvider("chat", { path: "/v1" });
	provider.act({ delayMs: modelMs });
	const dataDir = testDir();
	const sockets = [1, 2].map(() => join(testDir(), "http.sock"));
	const places = await Promise.all(
		sockets.map((SOCKET) =>
			openPlace({
				...database,
				DATA_DIR: dataDir,
				SOCKET,
				OPENAI_BASE_URL: provider.url,
				OPENAI_API_KEY: "sk-test",
				OLLAMA_BASE_URL: "http://127.0.0.1:9",
			}),
		),
	);
	const front = await openNginx(sockets);
	return { server, asha, places, provider, sockets, ...front };
}

type Fleet = Awaited<ReturnType<typeof openFleet>>;

/** A request that failed. */
interface Failure {
	what: "push" | "stream" | "call" | "till";
	began: number;
	ended: number;
	error: unknown;
}

/** What people and programs do at the shop's address until it ends. */
interface Traffic {
	failures: Failure[];
	/** Sales that somebody was shown as done. */
	sales: Set<string>;
	/** The cursor that each till has heard of last. */
	heads: string[];
	/** Waits until each push and call that is running now has ended. */
	settle(): Promise<void>;
	end(): Promise<void>;
}

async function openTraffic({ url, server, asha }: Fleet): Promise<Traffic> {
	const { businessId } = asha;
	const ending = new AbortController();
	const { signal } = ending;
	const running = new Set<Promise<void>>();
	const traffic: Omit<Traffic, "end"> = {
		failures: [],
		sales: new Set(),
		heads: [],
		settle: async () => void (await Promise.all(running)),
	};
	const attempt = async (what: Failure["what"], act: () => Promise<void>) => {
		const began = performance.now();
		const trying = act().catch((error) => {
			const ended = performance.now();
			if (!signal.aborted) traffic.failures.push({ what, began, ended, error });
		});
		if (what === "push" || what === "call") running.add(trying);
		await trying;
		running.delete(trying);
	};
	const line = { id: "1", name: "Milk", price: 100, cost: 60 };
	const milk = { ...line, productId: "milk", quantity: 1 };

	async function runTill(user: TestUser, i: number): Promise<void> {
		const transport = httpTransport({
			...{ baseUrl: url, businessId },
			token: () => user.bearer.replace("Bearer ", ""),
		});
		const store = await openSqlite(join(testDir(), "till.db"));
		onTestFinished(() => store.close());
		const till = await openReplica({ store, businessId, transport });
		await till.sync();
		const listening = (async () => {
			while (!signal.aborted)
				await attempt("stream", () =>
					transport.watch((cursor) => {
						traffic.heads[i] = cursor;
					}, signal),
				);
		})();
		while (!signal.aborted) {
			const id = newId(systemEnv);
			await till.mutate(user.caller, saleCreate, { id, items: [milk] });
			traffic.sales.add(id);
			await attempt("push", () => till.sync().then(() => {}));
			await sleep(5);
		}
		await till.sync();
		await listening;
	}

	async function runProgram(user: TestUser): Promise<void> {
		const ask = async (path: string, body?: object) => {
			const answer = await fetch(new URL(path, url), {
				method: body ? "POST" : "GET",
				headers: {
					"content-type": "application/json",
					authorization: user.bearer,
				},
				body: body ? JSON.stringify(body) : null,
			});
			if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
			return (await answer.json()) as { id: string };
		};
		while (!signal.aborted) {
			await attempt("call", async () => {
				traffic.sales.add((await ask("/api/sales", { items: [milk] })).id);
			});
			await attempt("call", async () => void (await ask("/api/products")));
		}
	}

	const users = [];
	for (const name of people)
		users.push(await server.addUser(name, { businessId, role: "CASHIER" }));
	const all = users.map((user, i) =>
		attempt("till", () => (i < 4 ? runTill(user, i) : runProgram(user))),
	);
	await sleep(500);
	return {
		...traffic,
		async end() {
			ending.abort();
			await Promise.all(all);
		},
	};
}

/** Asks a model for an answer that takes its time. @returns the status of the answer */
async function askModel({ url, asha, provider }: Fleet): Promise<{
	answered: Promise<number>;
}> {
	const before = provider.received.length;
	const answered = fetch(new URL("/v1/chat/completions", url), {
		method: "POST",
		headers: { "content-type": "application/json", authorization: asha.bearer },
		body: JSON.stringify({
			model: "gpt-4o",
			messages: [{ role: "user", content: `Habari? ${before}` }],
		}),
	}).then(async (answer) => {
		await answer.text();
		return answer.status;
	});
	await expect.poll(() => provider.received.length).toBe(before + 1);
	return { answered };
}

/** Checks that each sale that was shown as done is there once, and that the stock agrees. @returns sales of unanswered calls */
async function expectWhole({ server }: Fleet, { sales }: Traffic) {
	const ids = (await server.rows("SELECT id FROM sales")).map(({ id }) => id);
	const known = new Set(ids);
	expect(known.size).toBe(ids.length);
	expect([...sales].filter((id) => !known.has(id))).toEqual([]);
	const [milk] = await server.rows(
		"SELECT quantity, (SELECT sum(delta) FROM stock_ledger WHERE product_id = 'milk') AS moved FROM products",
	);
	expect(milk).toEqual({
		quantity: (opening - ids.length) * 1e6,
		moved: (opening - ids.length) * 1e6,
	});
	return ids.length - sales.size;
}

/** Checks that both servers answered, and that a sale reaches every till's stream. */
async function expectAlive(
	{ asked, sockets }: Fleet,
	{ heads }: Traffic,
): Promise<void> {
	for (const path of sockets) expect(asked()).toContain(`unix:${path}\n`);
	const before = [...heads];
	await expect
		.poll(() => heads.every((head, i) => head !== before[i]))
		.toBe(true);
}

describe.skipIf(!hasPostgres || !nginx)(
	`the recipe for several servers ${wherePostgres.replace("PostgreSQL", "nginx or PostgreSQL")}`,
	() => {
		test("no request fails while the servers behind nginx are restarted one after another", async () => {
			const fleet = await openFleet();
			const traffic = await openTraffic(fleet);
			const model = await askModel(fleet);
			for (const place of [...fleet.places, ...fleet.places]) {
				expect(await place.stop()).toBe(0);
				await sleep(300);
				await place.start();
				await sleep(300);
			}
			expect(await model.answered).toBe(200);
			await expectAlive(fleet, traffic);
			await traffic.end();
			expect(traffic.failures).toEqual([]);
			expect(await expectWhole(fleet, traffic)).toBe(0);
			expect(fleet.provider.received).toHaveLength(1);
			console.log(`${traffic.sales.size} sales during four restarts`);
		}, 300_000);

		test("a killed server behind nginx fails only what it was doing, and no till's push", async () => {
			const fleet = await openFleet();
			const traffic = await openTraffic(fleet);
			const killedAt: number[] = [];
			const model = await askModel(fleet);
			for (let round = 0; round < kills; round += 1) {
				const place = fleet.places[round % 2] as Place;
				await place.kill();
				killedAt.push(performance.now());
				await sleep(300);
				await place.start();
				// What has met two dead servers in a row has nowhere to go.
				await traffic.settle();
			}
			expect(await model.answered).toBe(502);
			// The money of an answer is spent once.
			expect(fleet.provider.received).toHaveLength(1);
			await expectAlive(fleet, traffic);
			await traffic.end();
			const { failures } = traffic;
			expect(failures.map(({ what }) => what)).not.toContain("push");
			const others = failures.filter(
				({ began, ended }) =>
					!killedAt.some((at) => began < at && at < ended + noticedMs),
			);
			expect(others).toEqual([]);
			const extra = await expectWhole(fleet, traffic);
			const calls = failures.filter(({ what }) => what === "call").length;
			expect(extra).toBeLessThanOrEqual(calls);
			console.log(
				`${traffic.sales.size} sales during ${killedAt.length} kills; ${calls} calls and ${failures.length - calls} streams were cut`,
			);
		}, 300_000);
	},
);
