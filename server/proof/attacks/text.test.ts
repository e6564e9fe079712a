import { expect, test } from "vitest";
import { fill } from "../../testing/operations.ts";
import { openTestServer } from "../../testing/server.ts";
import { isTried, triedOneIn } from "./testing/attacks.ts";
import { allTargets, sendField, type Target } from "./testing/fields.ts";

/** Hostile texts; all but the long one fit the shortest field. */
const texts: [string, string][] = [
	["SQL", `'; DROP TABLE sales;--" OR 1=1 %_!\\`],
	["ten thousand letters", "a".repeat(10_000)],
	["a NUL", "a\u0000b"],
	["half a letter", "a\ud800"],
	["letters of all kinds", "\u202eمرحبا e\u0301\u0301\u0301 👩‍👧 \u200b\ufdfa"],
	["a formula and a page", "=1+1<img src=x onerror=alert(1)>"],
	["a header and a line of a log", 'a\r\nSet-Cookie: a=1\r\n{"level":60}'],
	["what every object has", "__proto__"],
];

/** Fields whose text is stored for people to read. */
const words =
	/^(name|sku|code|notes?|reason|text|title|message|receiptHeader|receiptFooter|receiptLogoUrl|paymentMethod|imageUrl|thumbnailUrl|categoryId|productId)$/;
/** Matches the other shop's texts and database errors. */
const leaks = /CANARY|SQLITE|syntax error|no such (table|column)|near "/;
/** Matches what differs in each answer: a page's style nonce, and the moment of a statement. */
const moving = /nonce="[^"]+"|"asOf":"[^"]+"/g;
/** Account operations, which have their own tests. */
const accounts = /^\/(login|logout|api\/(auth|setup|members))/;

/** Collects every value under a key, at any depth. */
function valuesOf(body: unknown, key: string): unknown[] {
	if (typeof body !== "object" || body === null) return [];
	return Object.entries(body).flatMap(([name, value]) => [
		...(name === key ? [value] : []),
		...valuesOf(value, key),
	]);
}

function targetsOf(all: Target[]): [Target, string[]][] {
	return all
		.filter(({ path }) => !accounts.test(path))
		.flatMap((target) => {
			const paths = target.fields
				.filter(({ type }) => type.length === 0 || type.includes("string"))
				.map(({ path }) => path.join("."));
			return [...new Set(paths)].map((path): [Target, string[]] => [
				target,
				path.split("."),
			]);
		});
}

test("every text sent to any operation is stored verbatim or refused, and never runs as SQL", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const baraka = await server.addUser("Baraka");
	await fill(server, asha, "own");
	await fill(server, baraka, "CANARY");
	const before = await server.shop.blocks(baraka.caller);
	const fields = targetsOf(allTargets(server));
	expect(fields.length).toBeGreaterThan(40);
	let kept = 0;
	let refused = 0;
	for (const [j, [target, field]] of fields.entries()) {
		const isGateway = target.path.startsWith("/v1/");
		// The gateway stores no texts, so two samples are enough.
		const tried = isGateway ? texts.slice(2, 4) : texts;
		for (const [what, text] of tried.filter((_, i) => isTried(i, j))) {
			const row = `${target.operation} ${field.join(".")}: ${what}`;
			const answer = await sendField(
				server,
				asha,
				target,
				field,
				JSON.stringify(text),
			);
			// Without a provider, the gateway says so.
			const isFine =
				[200, 201, 400, 404, 409].includes(answer.status) ||
				// The caller may not name another business.
				(field.at(-1) === "businessId" && answer.status === 403) ||
				(isGateway && answer.status === 503);
			expect([row, answer.status, isFine]).toEqual([row, answer.status, true]);
			expect(`${row}: ${answer.text}`).not.toMatch(leaks);
			expect(answer.headers.get("set-cookie")).toBeNull();
			if (answer.status >= 400) {
				refused += 1;
				continue;
			}
			const key = field.at(-1) as string;
			// An invalid product id counts as an unknown product.
			if (key === "productId") continue;
			const shown = words.test(key) ? valuesOf(answer.body, key) : [];
			if (shown.length === 0) continue;
			kept += 1;
			expect([row, shown]).toEqual([row, expect.arrayContaining([text])]);
		}
	}
	// Guards against a run that tries nothing.
	expect(kept * triedOneIn).toBeGreaterThan(80);
	expect(refused * triedOneIn).toBeGreaterThan(60);
	expect(await server.shop.blocks(baraka.caller)).toEqual(before);
	expect(server.logged()).not.toMatch(/"level":[56]0/);
	for (const line of server.logged().trim().split("\n").filter(Boolean))
		expect(() => JSON.parse(line)).not.toThrow();
});

/** Hostile replacements for a query parameter, name and value. */
const hostile = (name: string): string[] => [
	`${name}=1&${name}=2`,
	`${name}[]=1`,
	`${name}=${encodeURIComponent("' OR ''='")}`,
	`${name}=${encodeURIComponent("1; DROP TABLE sales;--")}`,
	`${name}=%25`,
	`${name}=%00`,
	`${name}=%F0%9F%98`,
	`${name}=${encodeURIComponent("\ufdfa".repeat(500))}`,
	`${name}=-1`,
	`${name}=1e999`,
	`${name}=9007199254740993`,
	`${name}=9999-12-31`,
	`${name}=+275760-09-13T00:00:00.001Z`,
];

test("every query parameter is read literally, and unknown parameters are ignored", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const baraka = await server.addUser("Baraka");
	await fill(server, asha, "own");
	await fill(server, baraka, "CANARY");
	const targets = allTargets(server).filter(
		({ method, path }) => method === "GET" && !accounts.test(path),
	);
	let asked = 0;
	for (const [j, target] of targets.entries()) {
		const { path, query, asSession, operation } = target;
		const ask = (parameters: string) =>
			server.ask("GET", `${path}${parameters}`, {
				...(asSession ? { headers: { cookie: asha.cookie } } : { as: asha }),
			});
		const tried = query.flatMap(hostile).filter((_, i) => isTried(i, j));
		for (const parameters of tried) {
			const answer = await ask(`?${parameters}`);
			const row = `${operation} ${parameters.slice(0, 80)}`;
			expect([row, answer.status]).toEqual([
				row,
				expect.toBeOneOf([200, 400, 403, 404]),
			]);
			expect(`${row}: ${answer.text}`).not.toMatch(leaks);
			asked += 1;
		}
		// Their answers contain the current time, or the disk's free space.
		if (/^\/api\/(sync|dashboard$|sessions$|server$)/.test(path)) continue;
		const plain = await ask("");
		const odd = await ask(
			"?sort=password_hash&order=1;DROP&dir=desc--&fields=*&where=1&__proto__[limit]=1&constructor=1&businessId=x",
		);
		const inWords = ({ status, text }: typeof plain) =>
			`${operation} ${status} ${text.replace(moving, "")}`;
		expect(inWords(odd)).toBe(inWords(plain));
	}
	expect(asked * triedOneIn).toBeGreaterThan(250);
	expect(server.logged()).not.toMatch(/"level":[56]0/);
});

test("a search for pattern or SQL characters finds only texts that contain them", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	await fill(server, asha, "own");
	const counts = async (search: string) => {
		const query = `?search=${encodeURIComponent(search)}`;
		const products = await server.ask("GET", `/api/products${query}`, {
			as: asha,
		});
		const sales = await server.ask("GET", `/api/sales-history${query}`, {
			as: asha,
		});
		return [
			(products.body as unknown[]).length,
			(sales.body as { sales: unknown[] }).sales.length,
		];
	};
	expect(await counts("ow")).toEqual([1, 2]);
	for (const search of ["%", "_", "o_n", "o%", "!", "!%", "' OR ''='", "\\"])
		expect([search, await counts(search)]).toEqual([search, [0, 0]]);
	const name = "100%_!\\ 'own'";
	await server.ask("POST", "/api/products", { as: asha, body: { name } });
	await server.ask("POST", "/api/sales", {
		as: asha,
		body: { items: [{ name, quantity: 1, price: 1, cost: 1 }] },
	});
	for (const search of ["%", "_", "!", "\\", "%_!\\ 'OWN'"])
		expect([search, await counts(search)]).toEqual([search, [1, 1]]);
});
