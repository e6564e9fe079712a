import { createHmac, type KeyObject, sign as signWith } from "node:crypto";
import { Worker } from "node:worker_threads";
import { onTestFinished, vi } from "vitest";
import { readTables } from "../../../../sync/store/tables.ts";
import { isSample, testSeed } from "../../../../sync/testing/lane.ts";
import type { Job } from "../../../accounts/passwords.ts";
import { createAdmin } from "../../../accounts/users.ts";
import type { Access, Method, Operation } from "../../../http/operation.ts";
import { idsByResource, requests } from "../../../testing/operations.ts";
import {
	type Answer,
	authSecret,
	credentialsOf,
	routesOf,
	type TestServer,
} from "../../../testing/server.ts";

/** `npm test` tries one in so many pairs of an attack and an operation. */
export const triedOneIn = isSample ? 12 : 1;
const { postMessage } = Worker.prototype;

/** Whether to try the ith attack on the jth operation. `npm test` tries other pairs for each commit. */
export function isTried(i: number, j: number): boolean {
	return (i + j + testSeed) % triedOneIn === 0;
}

/** A valid request to one mounted operation. */
export interface Target {
	/** Such as `GET /api/products`. */
	name: string;
	method: Method;
	path: string;
	access: Access;
	operation: Operation;
	body?: unknown;
}

/** Lists every mounted operation. */
export function targets({ shop }: TestServer): Target[] {
	const table = requests("none");
	const routes = routesOf(shop);
	return Object.entries(routes).flatMap(([route, operations]) =>
		Object.entries(operations).map(([method, operation]) => {
			const name = `${method} ${route}`;
			const { path, body } = table[name] ?? {};
			const id = idsByResource[route.split("/")[2] ?? ""] ?? "none";
			return {
				name,
				method: method as Method,
				path: path ?? route.replace(":id", id),
				access: operation.access,
				operation,
				body,
			};
		}),
	);
}

/** Reads a refusal's message, in the AI gateway's format or the API's. */
export function reasonOf({ body }: Answer): unknown {
	const { error } = (body ?? {}) as { error?: unknown };
	return typeof error === "object" && error !== null && "message" in error
		? error.message
		: error;
}

/** Returns the whole database as text. */
export async function dump({ rows }: TestServer): Promise<string> {
	const all = await Promise.all(
		readTables().map(async ({ name, key }) => [
			name,
			await rows(`SELECT * FROM ${name} ORDER BY ${key.join(", ")}`),
		]),
	);
	return JSON.stringify(all);
}

/** Adds an administrator whose email is in ADMIN_EMAILS. */
export async function addAdmin({ shop }: TestServer) {
	const root = { email: "root@example.com", name: "Root" };
	const { id } = await createAdmin(shop.store, shop.env, {
		...root,
		passwordHash: "none",
	});
	const user = { id, ...root, role: "admin" as const, businessId: null };
	return { id, ...(await credentialsOf(user)) };
}

const base64 = (value: object) =>
	Buffer.from(JSON.stringify(value)).toString("base64url");

/** Makes any token, also invalid ones that a library refuses to make. */
export function forge(
	claims: object,
	{
		header = {},
		key = authSecret,
		digest = "sha256",
	}: { header?: object; key?: string | KeyObject; digest?: string } = {},
): string {
	const text = `${base64({ alg: "HS256", ...header })}.${base64(claims)}`;
	const signature =
		typeof key === "string"
			? createHmac(digest, key).update(text).digest("base64url")
			: signWith(digest, Buffer.from(text), key).toString("base64url");
	return `${text}.${signature}`;
}

/**
 * Replaces bcrypt by instant hashing and comparing, and records the jobs. Other threads get their messages.
 *
 * @param right the only password that matches, for every hash
 */
export function compareQuickly(right: string, { isStuck = false } = {}): Job[] {
	const jobs: Job[] = [];
	const hashed = `$2b$12$${"x".repeat(53)}`;
	const spy = vi
		.spyOn(Worker.prototype, "postMessage")
		.mockImplementation(function (this: Worker, job: Job | "") {
			if (job === "") return postMessage.call(this, job);
			jobs.push(job);
			const result = job.hash === undefined ? hashed : job.password === right;
			if (!isStuck) this.emit("message", { id: job.id, result });
		});
	onTestFinished(() => spy.mockRestore());
	return jobs;
}
