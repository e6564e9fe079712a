import { expect, test } from "vitest";
import { exampleMessages } from "../../../sync/testing/shop.ts";
import { storeKind } from "../../../sync/testing/store-kind.ts";
import { fill } from "../../testing/operations.ts";
import { openTestServer, type TestServer } from "../../testing/server.ts";
import { isTried, triedOneIn } from "./testing/attacks.ts";
import { allTargets, sendField } from "./testing/fields.ts";

/** Numbers as JSON text, and whether any field may accept them. */
const numbers: [string, boolean][] = [
	["1e999", false],
	["9007199254740992", false],
	["-9007199254740993", false],
	["100000000000000000", false],
	["-0", true],
	["0.1", true],
	["0.0000001", true],
	["-1", true],
	["null", true],
	['"5"', false],
	["[]", false],
	["{}", false],
	["true", false],
];
/** The contract parses any value of these fields as a float. */
const parsed = /^(buyingPrice|sellingPrice)$/;
const accounts = /^\/(login|logout|api\/(auth|setup|members))/;

const isOnPostgres = storeKind === "postgres";
/** Selects the number columns. */
const columnsSql = isOnPostgres
	? `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = current_schema() AND data_type = 'bigint'`
	: `SELECT tables.name AS "table", columns.name AS "column" FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
     WHERE tables.type = 'table' AND columns.type IN ('INTEGER', 'INT', 'BIGINT', 'REAL')`;
/** Finds values of other types, which PostgreSQL's columns can't hold. */
const isOtherType = (column: string) =>
	isOnPostgres ? "false" : `typeof(${column}) NOT IN ('integer', 'null')`;

/** Checks that every number in every table is an integer small enough to be exact. */
async function expectExact({ rows }: TestServer): Promise<void> {
	const columns = await rows(columnsSql);
	expect(columns.length).toBeGreaterThan(50);
	for (const { table, column } of columns) {
		const odd = await rows(
			`SELECT "${column}" AS odd FROM "${table}" WHERE ${isOtherType(`"${column}"`)} OR abs("${column}") > 9007199254740991`,
		);
		expect([table, column, odd]).toEqual([table, column, []]);
	}
}

test("every number sent to any operation is stored exactly or refused", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	await fill(server, asha, "own");
	let taken = 0;
	let refused = 0;
	for (const [j, target] of allTargets(server).entries()) {
		if (accounts.test(target.path)) continue;
		// Only administrators may call these.
		if (target.path.startsWith("/api/admin/")) continue;
		const fields = target.fields.filter(({ type }) =>
			type.some((it) => it === "number" || it === "integer"),
		);
		for (const { path } of fields) {
			const key = path.at(-1) as string;
			const tried = numbers.filter((_, i) => isTried(i, j));
			for (const [number, isTaken] of tried) {
				const row = `${target.operation} ${path.join(".")} = ${number}`;
				const answer = await sendField(server, asha, target, path, number);
				const isGateway = target.path.startsWith("/v1/");
				expect([row, answer.status]).toEqual([
					row,
					expect.toBeOneOf(isGateway ? [400, 503] : [200, 201, 400, 404, 409]),
				]);
				if (answer.status >= 400) {
					refused += 1;
					continue;
				}
				taken += 1;
				const allowed = isTaken || parsed.test(key) || isFalsyPaid(key, number);
				expect([row, allowed]).toEqual([row, true]);
			}
			const nan = await sendField(server, asha, target, path, "NaN");
			expect(nan.status).toBe(400);
		}
	}
	expect(taken * triedOneIn).toBeGreaterThan(50);
	expect(refused * triedOneIn).toBeGreaterThan(100);
	await expectExact(server);
	expect(server.logged()).not.toMatch(/"level":[56]0/);
});

/** Whether the number is a falsy `paid`, which counts as the total. */
function isFalsyPaid(key: string, number: string): boolean {
	return key === "paid" && number === "null";
}

function* numbersIn(
	value: unknown,
	path: string[] = [],
): Generator<string[], void> {
	if (typeof value === "number") yield path;
	else if (typeof value === "object" && value !== null)
		for (const [key, inner] of Object.entries(value))
			yield* numbersIn(inner, [...path, key]);
}

function withMarker(args: object, path: string[], marker: string): object {
	const copy = structuredClone(args) as Record<string, unknown>;
	let at = copy;
	for (const key of path.slice(0, -1)) at = at[key] as typeof copy;
	at[path.at(-1) as string] = marker;
	return copy;
}

test("every number in a mutation is stored exactly or rejects that mutation alone", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	await fill(server, asha, "own");
	const rows: { text: string; number: string; isTaken: boolean }[] = [];
	for (const { name, args: example } of exampleMessages())
		for (const path of numbersIn(example))
			for (const [number, isTaken] of numbers) {
				const id = `m${rows.length}`;
				const args = withMarker(example, path, "MARKER");
				// Each mutation creates a new record or changes an existing one.
				const fresh = name.endsWith(".create") ? { ...args, id } : args;
				const text = JSON.stringify({
					id,
					name,
					at: "2026-11-20T08:00:00.000Z",
					args: fresh,
				}).replace('"MARKER"', number);
				rows.push({ text, number, isTaken });
			}
	expect(rows.length).toBeGreaterThan(150);
	const good = `{"id":"good","name":"category.create","at":"2026-11-20T08:00:00.000Z","args":{"id":"good","name":"Good"}}`;
	const { status, body } = await server.ask("POST", "/api/sync", {
		as: asha,
		body: `{"mutations":[${[...rows.map(({ text }) => text), good].join()}]}`,
	});
	expect(status).toBe(200);
	const { results } = body as { results: { id: string; status: string }[] };
	expect(results.at(-1)).toMatchObject({ id: "good", status: "applied" });
	for (const [i, { text, isTaken }] of rows.entries()) {
		// Deferring would make a till resend it for ever.
		expect([text, results[i]]).toMatchObject([
			text,
			{ status: expect.toBeOneOf(["applied", "rejected"]) },
		]);
		if (!isTaken)
			expect([text, results[i]]).toMatchObject([
				text,
				{ status: "rejected", error: { code: "invalid_args" } },
			]);
	}
	await expectExact(server);
	const sums = await server.rows(
		"SELECT total, cost, paid FROM sales WHERE total < 0 OR cost < 0 OR paid < 0",
	);
	expect(sums).toEqual([]);
	expect(server.logged()).not.toMatch(/"level":[56]0/);
});
