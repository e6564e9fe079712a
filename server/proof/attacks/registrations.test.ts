import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { oneIn } from "../../../sync/testing/lane.ts";
import { openOwnAttempts } from "../../accounts/attempts.ts";
import { openRegistrationLimit } from "../../accounts/registration-limit.ts";
import { HttpError } from "../../http/http-error.ts";
import { stopClocks } from "../../testing/clocks.ts";
import { openTestServer, type TestServer } from "../../testing/server.ts";
import { compareQuickly } from "./testing/attacks.ts";

const account = {
	name: "Njeri",
	email: "njeri@example.com",
	password: "correct horse",
};
const tooMany = { error: "Too many new accounts, try again later" };

function register(server: TestServer, i: number, address: string) {
	return server.ask("POST", "/api/auth/register", {
		body: { ...account, email: `flood${i}@example.com` },
		headers: { "x-forwarded-for": address },
	});
}

test("an address may create fifty accounts in a quarter of an hour, without blocking other addresses", async () => {
	const server = await openTestServer();
	const jobs = compareQuickly(account.password);
	stopClocks();
	const statuses: number[] = [];
	for (let i = 0; i < 55; i += 1)
		// The client's claimed address comes before the one that the proxy adds.
		statuses.push(
			(await register(server, i, `10.0.0.${i}, 203.0.113.9`)).status,
		);
	expect(statuses.filter((status) => status === 201)).toHaveLength(50);
	expect(statuses.slice(50)).toEqual(new Array(5).fill(429));
	expect(jobs).toHaveLength(50);
	const refused = await register(server, 99, "203.0.113.9");
	expect([refused.status, refused.body]).toEqual([429, tooMany]);
	const seconds = Number(refused.headers.get("retry-after"));
	expect(seconds).toBeGreaterThan(0);
	expect(seconds).toBeLessThanOrEqual(18);
	expect((await register(server, 99, "203.0.113.10")).status).toBe(201);
	// Invalid input gets its own error and doesn't count.
	const invalid = await server.ask("POST", "/api/auth/register", {
		body: { ...account, email: "none" },
		headers: { "x-forwarded-for": "203.0.113.9" },
	});
	expect(invalid.status).toBe(400);
	const signedIn = await server.ask("POST", "/login", {
		body: { ...account, email: "flood1@example.com" },
		headers: { "x-forwarded-for": "203.0.113.9" },
	});
	expect(signedIn.status).toBe(200);
});

test("members that an owner adds count like registrations", async () => {
	const server = await openTestServer();
	compareQuickly(account.password);
	stopClocks();
	const asha = await server.addUser("Asha");
	const add = (i: number) =>
		server.ask("POST", "/api/members", {
			as: asha,
			body: { ...account, email: `member${i}@example.com`, role: "CASHIER" },
		});
	for (let i = 0; i < 50; i += 1) expect((await add(i)).status).toBe(201);
	const refused = await add(50);
	expect([refused.status, refused.body]).toEqual([429, tooMany]);
});

test("an IPv6 /64 counts as one address, and a /48 as four", async () => {
	let now = 0;
	const registrations = openRegistrationLimit(openOwnAttempts(() => now));
	const from = async (address: string, times: number) => {
		let made = 0;
		for (let i = 0; i < times; i += 1)
			try {
				await registrations.count(address.replace("N", i.toString(16)));
				made += 1;
			} catch (error) {
				expect(error).toBeInstanceOf(HttpError);
			}
		return made;
	};
	expect(await from("2001:db8:1:1::N", 60)).toBe(50);
	expect(await from("2001:db8:1:1:N:2:3:4", 60)).toBe(0);
	expect(await from("2001:db8:1:2::1", 60)).toBe(50);
	// Each request comes from a new network.
	expect(await from("2001:db8:1:aN::1", 300)).toBe(100);
	expect(await from("2001:db8:1::1", 1)).toBe(0);
	expect(await from("2001:db8:2::1", 60)).toBe(50);
	expect(await from("198.51.100.N", 10)).toBe(10);
	expect(await from("::ffff:192.0.2.1", 60)).toBe(50);
	expect(await from("192.0.2.1", 1)).toBe(0);
	now += 15 * 60_000;
	expect(await from("192.0.2.1", 60)).toBe(50);
});

oneIn(3)(
	"registrations beyond the queue are refused, while sign-ins go on",
	async () => {
		const server = await openTestServer();
		await server.addUser("Asha");
		const jobs = compareQuickly(account.password, { isStuck: true });
		const piled = Array.from({ length: 70 }, (_, i) =>
			register(server, i, `203.0.113.${i}`),
		);
		const settled: Awaited<(typeof piled)[number]>[] = [];
		for (const one of piled) void one.then((answer) => settled.push(answer));
		await vi.waitFor(() => expect(settled).toHaveLength(38), {
			timeout: 30_000,
		});
		for (const { status, headers, body } of settled) {
			expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
			expect(body).toEqual({
				error: "Too many new passwords at once, try again soon",
			});
		}
		const body = { email: "asha@example.com", password: account.password };
		const signIns = Array.from({ length: 10 }, () =>
			server.ask("POST", "/login", { body }),
		);
		const all = Promise.all([...piled, ...signIns]);
		let isDone = false;
		void all.then(() => {
			isDone = true;
		});
		const [worker] = vi.mocked(Worker.prototype.postMessage).mock.contexts;
		for (let n = 0; !isDone; ) {
			const job = jobs[n];
			if (job) {
				const result = job.hash === undefined ? "hashed" : true;
				(worker as Worker).emit("message", { id: job.id, result });
				n += 1;
			}
			await new Promise((resolve) => setImmediate(resolve));
		}
		const statuses = (await all).map(({ status }) => status);
		expect(statuses.filter((status) => status === 201)).toHaveLength(32);
		expect(statuses.slice(70)).toEqual(new Array(10).fill(200));
	},
);
