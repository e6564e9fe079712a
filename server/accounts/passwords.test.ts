import { Worker } from "node:worker_threads";
import bcrypt from "bcryptjs";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestServer } from "../testing/server.ts";
import { type Job, openPasswords } from "./passwords.ts";

function open() {
	// What a comparison costs is proven with the attacks on signing in.
	const passwords = openPasswords({ cost: 4 });
	onTestFinished(() => passwords.close());
	return passwords;
}

const broken = "not a hash, but as long as bcrypt's are".padEnd(60, "x");

test("an invalid stored hash doesn't stop others from signing in", async () => {
	const passwords = open();
	const hash = await passwords.hash("correct horse");
	const answers = await Promise.allSettled([
		passwords.matches("correct horse", broken),
		passwords.matches("correct horse", hash),
	]);
	expect(answers).toMatchObject([
		{ status: "rejected" },
		{ status: "fulfilled", value: true },
	]);
	expect(await passwords.matches("wrong horse", hash)).toBe(false);
});

test("a password thread that ended fails its jobs and is replaced", async () => {
	const passwords = open();
	const cut = passwords.hash("correct horse");
	await Promise.all([
		expect(cut).rejects.toThrow("The password thread has ended"),
		passwords.close(),
	]);
	const hash = await passwords.hash("correct horse");
	expect(await passwords.matches("correct horse", hash)).toBe(true);
});

test("jobs beyond the queue's limit are refused, and the queued ones are done", async () => {
	const passwords = open();
	const jobs = Array.from({ length: 65 }, () => passwords.matches("x", null));
	const last = jobs.pop();
	const waiting = Promise.allSettled(jobs);
	await expect(last).rejects.toMatchObject({ status: 503 });
	await passwords.close();
	expect(await waiting).toHaveLength(64);
});

test("sign-ins and new passwords take turns", async () => {
	const jobs: Job[] = [];
	const spy = vi
		.spyOn(Worker.prototype, "postMessage")
		.mockImplementation((job: Job) => {
			jobs.push(job);
		});
	onTestFinished(() => spy.mockRestore());
	const passwords = open();
	const hashes = Array.from({ length: 32 }, () => passwords.hash("new"));
	await expect(passwords.hash("new")).rejects.toMatchObject({ status: 503 });
	const compared = Array.from({ length: 64 }, () =>
		passwords.matches("correct horse", null),
	);
	const waiting = Promise.all([...hashes, ...compared]);
	for (let n = 0; n < 96; n += 1) {
		const [worker] = spy.mock.contexts as Worker[];
		worker?.emit("message", { id: jobs[n]?.id, result: "done" });
	}
	await waiting;
	const lanes = jobs.map(({ hash }) =>
		hash === undefined ? "new" : "sign-in",
	);
	expect(lanes.slice(0, 6)).toEqual([
		...["new", "sign-in", "new", "sign-in", "new", "sign-in"],
	]);
	expect(lanes.slice(64)).toEqual(new Array(32).fill("sign-in"));
});

test("passwords that bcrypt alone would confuse with another are rejected", async () => {
	const passwords = open();
	const hashOf = (password: string) => bcrypt.hashSync(password, 4);
	for (const [right, wrong] of [
		["correct horse", "correct horse\0correct horse"],
		["x".repeat(72), "x".repeat(73)],
		["", "\ud800"],
	] as const) {
		const hash = hashOf(right);
		expect(await passwords.matches(right, hash)).toBe(true);
		expect(await passwords.matches(wrong, hash)).toBe(false);
	}
	expect(await passwords.matches("", "none")).toBe(false);
});

test("a sign-in with an invalid stored hash reveals nothing of the hash", async () => {
	const server = await openTestServer();
	const { id } = await server.addUser("Asha");
	await server.shop.store.write((tx) =>
		tx.run("UPDATE users SET password_hash = ? WHERE id = ?", broken, id),
	);
	const body = { email: "asha@example.com", password: "correct horse" };
	const answer = await server.ask("POST", "/api/auth/mobile-login", { body });
	expect(answer).toMatchObject({
		status: 500,
		body: { error: "The stored password can't be compared" },
	});
});
