import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { OpenApi } from "../../server/openapi/document.ts";
import { openAccount } from "./account.ts";
import type { Figure } from "./bench-kept.ts";
import { largestInput, type Shape } from "./largest-input.ts";
import { openSeed } from "./seed.ts";
import { startServerProcess } from "./server-process.ts";

const size = { sales: 60_000, products: 20_000 };
const atOnce = 6;
const delayMaxMs = 250;
/** Operations without a bounded answer time: event streams and model answers. */
const giveUpMs = 60_000;
const left = new Set(["postLogout", "postV1ChatCompletions"]);

interface Attack {
	name: string;
	method: string;
	path: string;
	headers: Record<string, string>;
	body?: string | Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Measures, for each operation of the OpenAPI document, the longest that one shop's sale waits while another shop's owner
 * sends the operation's largest valid input six times at once.
 */
export async function benchWorst(): Promise<Figure[]> {
	const results = join(import.meta.dirname, "../../bench-results");
	mkdirSync(results, { recursive: true });
	const seed = await openSeed(join(results, "shops"), size);
	const dataDir = mkdtempSync(join(results, "worst-"));
	cpSync(seed.dataDir, dataDir, { recursive: true });
	const server = await startServerProcess(dataDir);
	const other = await openAccount(server.url, "Other");
	const shop = new Worker(new URL("./other-shop.ts", import.meta.url), {
		workerData: { url: server.url, token: other.token },
	});
	try {
		const longestWait = async () => {
			shop.postMessage("");
			const [ms] = await once(shop, "message");
			return ms as number;
		};
		const attacks = await openAttacks(server.url, seed);
		await sleep(3_000);
		await longestWait();
		await sleep(5_000);
		const calm = await longestWait();
		const figures: Figure[] = [];
		for (const attack of attacks) {
			await sleep(200);
			await longestWait();
			const statuses = await Promise.all(
				Array.from({ length: atOnce }, () => send(server.url, attack)),
			);
			const value = await longestWait();
			const told = [...new Set(statuses)].join(" ");
			const bytes = attack.body?.length ?? 0;
			figures.push({
				what: `${attack.name}, ${bytes} bytes: ${told}`,
				value,
				unit: "ms",
				limit: delayMaxMs,
			});
		}
		return [
			{ what: "with no other client", value: calm, unit: "ms" },
			...figures.toSorted((a, b) => b.value - a.value),
		];
	} finally {
		await shop.terminate();
		await server.stop();
		rmSync(dataDir, { recursive: true, force: true });
	}
}

/** @returns the largest input of every operation, with the most destructive operations last */
async function openAttacks(
	url: string,
	{ email, password }: { email: string; password: string },
): Promise<Attack[]> {
	const body = JSON.stringify({ email, password });
	const headers = { "content-type": "application/json" };
	const post = (path: string) =>
		fetch(new URL(path, url), { method: "POST", headers, body });
	const signedIn = await post("/api/auth/mobile-login");
	const { token, user } = (await signedIn.json()) as {
		token: string;
		user: { businessId: string };
	};
	const { businessId } = user;
	const cookie = (await post("/login")).headers
		.get("set-cookie")
		?.split(";")[0];
	const credentials = {
		bearer: { authorization: `Bearer ${token}` },
		session: { cookie: cookie ?? "" },
	};
	const document = (await (
		await fetch(new URL("/api/openapi.json", url))
	).json()) as OpenApi;
	const idOf = await openIds(url, credentials.bearer);
	const attacks = Object.entries(document.paths).flatMap(([path, byMethod]) =>
		Object.entries(byMethod).flatMap(([method, operation]) => {
			const { operationId, parameters, requestBody, security } = operation;
			if (left.has(operationId)) return [];
			const isBySession = security.every((scheme) => "session" in scheme);
			const query = new URLSearchParams();
			for (const { in: place, name, schema } of parameters) {
				const value = place === "query" ? largestQuery(name, schema) : "";
				if (value !== "") query.set(name, value);
			}
			const filled = path.replace(/\{\w+\}/g, idOf(path));
			const attack = {
				method: method.toUpperCase(),
				path: `${filled}?${query}`,
				headers: {
					accept: "application/json, */*;q=0.1",
					...(isBySession ? credentials.session : credentials.bearer),
				},
			};
			if (!requestBody) return [{ ...attack, name: operationId }];
			return Object.entries(requestBody.content).flatMap(([type, { schema }]) =>
				bodiesOf(
					type,
					schema,
					requestBody["x-max-bytes"],
					document,
					businessId,
				).map(([shape, body]) => ({
					...attack,
					name: `${operationId} (${shape})`,
					headers: { ...attack.headers, "content-type": type },
					body,
				})),
			);
		}),
	);
	return attacks.toSorted(
		(a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"),
	);
}

function bodiesOf(
	type: string,
	schema: Record<string, unknown>,
	bytesMax: number,
	{ components }: OpenApi,
	businessId: string,
): [string, string | Uint8Array<ArrayBuffer>][] {
	if (type === "text/csv")
		return [
			["lines", csvOf(bytesMax)],
			["quotes", '"'.repeat(bytesMax)],
			["commas", ",".repeat(bytesMax)],
		];
	if (type.startsWith("image/")) return [["file", imageOf(bytesMax)]];
	if (type !== "application/json") return [];
	return (["many", "long"] satisfies Shape[]).map((shape) => [
		shape,
		JSON.stringify(
			largestInput(schema, components.schemas, bytesMax, shape, {
				businessId,
			}),
		),
	]);
}

/** A CSV file with as many products as an import accepts. */
function csvOf(bytesMax: number): string {
	let text = "name,sku,sellingPrice,quantity\n";
	for (let i = 0; i < 50_000 && text.length < bytesMax - 100; i += 1)
		text += `Worst product ${i},worst-${i},12.50,3\n`;
	return text;
}

/** An upload that starts with a JPEG's signature. */
function imageOf(bytes: number): Uint8Array<ArrayBuffer> {
	const image = new Uint8Array(bytes).fill(1);
	image.set([0xff, 0xd8, 0xff, 0xe0]);
	return image;
}

function largestQuery(name: string, schema: Record<string, unknown>): string {
	if (schema.type === "integer") return name === "limit" ? "1000000" : "";
	if (name === "digest") return "blocks";
	return name === "search" ? "e" : "";
}

/** @returns a function that finds an id for a path */
async function openIds(url: string, headers: Record<string, string>) {
	const first = async (path: string) => {
		const response = await fetch(new URL(path, url), { headers });
		const answer = (await response.json()) as object;
		const [list = []] = Array.isArray(answer)
			? [answer]
			: Object.values(answer);
		return (list as { id: string }[])[0]?.id ?? "none";
	};
	const sale = await first("/api/sales?limit=1");
	const ids: Record<string, string> = {
		products: await first("/api/products"),
		categories: await first("/api/categories"),
		sales: sale,
		receipts: sale,
	};
	return (path: string) => ids[path.split("/")[2] ?? ""] ?? "none";
}

async function send(url: string, attack: Attack): Promise<number | string> {
	const { method, path, headers, body } = attack;
	try {
		const response = await fetch(new URL(path, url), {
			method,
			headers,
			redirect: "manual",
			signal: AbortSignal.timeout(giveUpMs),
			...(body === undefined ? {} : { body }),
		});
		for await (const _ of response.body ?? []);
		return response.status;
	} catch (error) {
		return (error as Error).name;
	}
}
