import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { oneIn } from "../../../sync/testing/lane.ts";
import { openOwnAttempts } from "../../accounts/attempts.ts";
import { type Job, openPasswords } from "../../accounts/passwords.ts";
import { openSignInLimit } from "../../accounts/sign-in-limit.ts";
import { HttpError } from "../../http/http-error.ts";
import { stopClocks } from "../../testing/clocks.ts";
import { openTestServer, type TestServer } from "../../testing/server.ts";
import { compareQuickly } from "./testing/attacks.ts";

const login = "/api/auth/mobile-login";
const account = {
	name: "Njeri",
	email: "njeri@example.com",
	password: "correct horse",
};
const wrong = { ...account, password: "wrong horse" };
const refused = { error: "Invalid email or password" };

function from(address: string) {
	return { headers: { "x-forwarded-for": address } };
}

const register = (server: TestServer) =>
	server.ask("POST", "/api/auth/register", { body: account });

test("a failed sign-in reveals nothing about the account, and always costs one comparison", async () => {
	const server = await openTestServer({}, {}, openPasswords());
	const jobs = compareQuickly(account.password);
	await register(server);
	const { id } = await server.addUser("Locked");
	await server.shop.store.write((tx) =>
		tx.run("UPDATE users SET password_hash = 'none' WHERE id = ?", id),
	);
	const asked: Record<string, object> = {
		password: wrong,
		account: { ...account, email: "nobody@example.com" },
		administrator: { ...account, email: "root@example.com" },
		"an account without a password": {
			...account,
			email: "locked@example.com",
		},
		"a password that is too long": { ...account, password: "x".repeat(73) },
		"a password that goes on after 72 bytes": {
			...account,
			password: account.password.padEnd(73),
		},
		"a password with NUL": {
			...account,
			password: `${account.password}\0${account.password}`,
		},
		"no text": { ...account, password: "\ud800" },
		"a list": { ...account, password: [account.password] },
		"a number": { ...account, password: 12345678 },
		"an object": { email: { $ne: "" }, password: { $ne: "" } },
		"nothing at all": {},
		"an email that is a query": { ...account, email: "' OR 1=1 --" },
	};
	for (const [what, body] of Object.entries(asked)) {
		jobs.length = 0;
		const answer = await server.ask("POST", login, { body });
		const { status, headers } = answer;
		expect({ what, status, body: answer.body }).toEqual({
			what,
			status: 401,
			body: refused,
		});
		expect(
			[...headers.keys()].filter((name) => /^x-rate|retry/.test(name)),
		).toEqual([]);
		expect({ what, jobs }).toEqual({
			what,
			jobs: [
				{
					id: expect.any(Number),
					password: expect.any(String),
					hash: expect.stringMatching(/^\$2b\$12\$.{53}$/),
				},
			],
		});
	}
});

oneIn(4)(
	"a comparison has the contract's cost, also for a missing account",
	async () => {
		const server = await openTestServer({}, {}, openPasswords());
		const jobs: Job[] = [];
		const post = Worker.prototype.postMessage;
		const spy = vi
			.spyOn(Worker.prototype, "postMessage")
			.mockImplementation(function (this: Worker, job: Job) {
				jobs.push(job);
				post.call(this, job);
			});
		onTestFinished(() => spy.mockRestore());
		// Keyboards may send composed or decomposed letters.
		const composed = { ...account, password: "caf\u00e9 au lait" };
		const decomposed = { ...account, password: "cafe\u0301 au lait" };
		await server.ask("POST", "/api/auth/register", { body: decomposed });
		for (const body of [composed, decomposed])
			expect((await server.ask("POST", login, { body })).status).toBe(200);
		const nobody = { ...account, email: "nobody@example.com" };
		expect((await server.ask("POST", login, { body: nobody })).status).toBe(
			401,
		);
		const [hashed, ...compared] = jobs;
		expect(hashed?.hash).toBeUndefined();
		expect(compared.map(({ hash }) => hash?.slice(0, 7))).toEqual([
			"$2b$12$",
			"$2b$12$",
			"$2b$12$",
		]);
	},
);

oneIn(3)(
	"an account takes twenty guesses from any number of addresses, and its owner can still sign in",
	async () => {
		const server = await openTestServer();
		const jobs = compareQuickly(account.password);
		await register(server);
		stopClocks();
		const enter = (body: object, address: string) =>
			server.ask("POST", login, { body, ...from(address) });
		expect((await enter(account, "198.51.100.1")).status).toBe(200);
		jobs.length = 0;
		// Concurrent guesses are counted before they are compared.
		const answers = await Promise.all(
			Array.from({ length: 200 }, (_, i) => enter(wrong, `203.0.113.${i}`)),
		);
		const statuses = answers.map(({ status }) => status).sort();
		expect(statuses).toEqual([...Array(20).fill(401), ...Array(180).fill(429)]);
		expect(jobs).toHaveLength(20);
		const put = await enter(account, "203.0.113.250");
		expect([put.status, put.body]).toEqual([
			429,
			{ error: "Too many failed sign-ins, try again later" },
		]);
		const seconds = Number(put.headers.get("retry-after"));
		expect(seconds).toBeGreaterThan(0);
		// One guess expires within a minute.
		expect(seconds).toBeLessThanOrEqual(60);
		// Also through the page's form, for any spelling of the email, and for a missing account.
		expect(
			(
				await server.ask("POST", "/login", {
					body: account,
					...from("192.0.2.1"),
				})
			).status,
		).toBe(429);
		const shouted = { ...account, email: " NJERI@Example.com " };
		expect((await enter(shouted, "192.0.2.1")).status).toBe(429);
		expect((await enter(account, "198.51.100.1")).status).toBe(200);
		const other = await server.ask("POST", "/api/auth/register", {
			body: { ...account, email: "asha@example.com" },
			...from("203.0.113.1"),
		});
		expect(other.status).toBe(201);
		const logged = server.logged();
		expect(logged).not.toContain(account.email);
	},
);

test("an address gets a hundred guesses at all accounts, without blocking other addresses", async () => {
	const server = await openTestServer();
	const jobs = compareQuickly(account.password);
	await register(server);
	jobs.length = 0;
	stopClocks();
	const enter = (body: object, headers: Record<string, string>) =>
		server.ask("POST", login, { body, headers });
	const statuses = [];
	for (let i = 0; i < 103; i += 1) {
		// The client's claimed address comes before the one that the proxy adds.
		const headers = { "x-forwarded-for": `10.0.0.${i}, 2001:db8::${i}` };
		const body = { ...wrong, email: `nobody${i}@example.com` };
		statuses.push((await enter(body, headers)).status);
	}
	expect(statuses.filter((status) => status === 401)).toHaveLength(100);
	expect(statuses.slice(100)).toEqual([429, 429, 429]);
	expect(jobs).toHaveLength(100);
	expect(
		(await enter(account, { "x-forwarded-for": "2001:db8::1" })).status,
	).toBe(429);
	for (const address of ["2001:db8:0:1::1", "192.0.2.7"])
		expect((await enter(account, { "x-forwarded-for": address })).status).toBe(
			200,
		);
});

oneIn(3)(
	"sign-ins beyond the queue are refused, while other requests go on",
	async () => {
		const server = await openTestServer();
		const asha = await server.addUser("Asha");
		const jobs = compareQuickly(account.password, { isStuck: true });
		const piled = Array.from({ length: 200 }, (_, i) =>
			server.ask("POST", login, {
				body: { ...wrong, email: `nobody${i}@example.com` },
				...from(`203.0.113.${i}`),
			}),
		);
		const settled: Awaited<(typeof piled)[number]>[] = [];
		for (const one of piled) void one.then((answer) => settled.push(answer));
		await vi.waitFor(() => expect(settled).toHaveLength(136), {
			timeout: 30_000,
		});
		expect(jobs).toHaveLength(1);
		for (const { status, headers, body } of settled) {
			expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
			expect(body).toEqual({
				error: "Too many sign-ins at once, try again soon",
			});
		}
		const sold = await server.ask("POST", "/api/sync", {
			as: asha,
			body: { mutations: [] },
		});
		expect(sold.status).toBe(200);
		const worker = vi.mocked(Worker.prototype.postMessage).mock.contexts[0];
		for (let n = 0; n < 64; n += 1)
			(worker as Worker).emit("message", { id: jobs[n]?.id, result: false });
		await Promise.all(piled);
		expect(jobs).toHaveLength(64);
		expect(settled.filter(({ status }) => status === 401)).toHaveLength(64);
	},
);

test("guesses expire one by one, and a right password doesn't count", async () => {
	let now = 0;
	const guesses = openSignInLimit(openOwnAttempts(() => now));
	const guess = (status = 401, address = "192.0.2.1", email = "a@b.co") =>
		guesses
			.attempt(email, address, async () => {
				if (status !== 200) throw new HttpError(status, "x");
			})
			.then(
				() => 200,
				(error) => error.status,
			);
	for (let i = 0; i < 50; i += 1) {
		expect(await guess(503)).toBe(503);
		expect(await guess(200)).toBe(200);
	}
	for (let i = 0; i < 20; i += 1) expect(await guess()).toBe(401);
	expect(await guess(200)).toBe(429);
	now += 44_000;
	expect(await guess(200)).toBe(429);
	now += 2_000;
	// The right password never counts as a guess.
	for (let i = 0; i < 3; i += 1) expect(await guess(200)).toBe(200);
	expect(await guess()).toBe(401);
	expect(await guess()).toBe(429);
	now += 15 * 60_000;
	for (let i = 0; i < 20; i += 1) expect(await guess()).toBe(401);
	expect(await guess()).toBe(429);
	// Both spellings of one address share a count.
	expect(await guess(200, "::ffff:192.0.2.1")).toBe(429);
});
