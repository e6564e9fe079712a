import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Caller } from "../log/log.ts";
import {
	addBusiness,
	addMember,
	addMilk,
	expectInStep,
	openTestShop,
	openTestTill,
	testEnv,
} from "../testing/shop.ts";
import { businessToday } from "./business.ts";
import { dashboardGet } from "./dashboard.ts";
import { queries } from "./index.ts";
import { defineQuery, type List, type Query } from "./query.ts";
import { asked, fill } from "./testing/everything.ts";

/** A word in the other shop's data, which no member of this shop may read. */
const canary = "Kanari";

/** Accounts do not sync: a till knows only the names of members who signed in there, and answers null for others. */
const accountFields = new Set([
	...["cashier", "userName", "devicePrefix"],
	...["openedBy", "closedBy", "countedBy", "lookedBy"],
]);

/** Opens a shop, another one with the same ids, and a till that also sold, all in sync. */
async function openFilled() {
	const server = await openTestShop();
	await server.store.write(async (tx) => {
		await addBusiness(tx, "shop-2");
		await addMember(tx, "shop-1", "user-1", "OWNER");
		await addMember(tx, "shop-2", canary, "OWNER");
	});
	const { shop, caller } = server;
	const other: Caller = { ...caller, businessId: "shop-2", userId: canary };
	await fill(shop, other, canary);
	await fill(shop, caller, "Duka");
	const till = await openTestTill(server);
	await till.till.sync();
	await till.sell({ milk: 100 });
	await till.till.sync();
	await expectInStep(server, till);
	return { server, other, till };
}

const cases = queries.flatMap((query) =>
	(asked[query.name] ?? []).map((args) => ({ query, args })),
);
const name = ({ query, args }: (typeof cases)[number]) =>
	`${query.name} ${JSON.stringify(args)}`;

function withoutAccounts(answer: unknown): unknown {
	return JSON.parse(JSON.stringify(answer), (key, value) =>
		accountFields.has(key) ? null : value,
	);
}

const isList = (query: Query): query is List => "placeOf" in query;

describe("the list of queries", () => {
	test("each query has a unique name and arguments in this test", () => {
		const names = queries.map((query) => query.name);
		expect(names.filter((one) => !/^[a-zA-Z]+\.[a-zA-Z]+$/.test(one))).toEqual(
			[],
		);
		expect(Object.keys(asked).sort()).toEqual(names.toSorted());
	});

	test("each query answers the same on the server and on a replica in step, by its schema, and without another shop's data", async () => {
		const { server, other, till } = await openFilled();
		const { shop, caller } = server;
		for (const one of cases) {
			const { query, args } = one;
			const answer = await shop.ask(caller, query, args);
			const text = JSON.stringify(answer);
			expect(text, name(one)).not.toContain(canary);
			expect(text, name(one)).not.toContain("shop-2");
			const there = till.till.ask(caller, query, args);
			if (query.onServer)
				await expect(there, name(one)).rejects.toMatchObject({
					code: "on_server",
				});
			else
				expect(withoutAccounts(await there), name(one)).toEqual(
					withoutAccounts(answer),
				);
			// Parsing drops fields that the schema does not name.
			const parsed = z.encode(query.answer, query.answer.parse(answer));
			expect(parsed, name(one)).toEqual(JSON.parse(text));
			await expect(
				shop.ask(caller, query, { ...args, further: 1 }),
				name(one),
			).rejects.toMatchObject({ code: "invalid_args" });
		}
		// The other shop's owner does read it, so there was something to hide.
		const theirs = await Promise.all(
			cases.map(({ query, args }) => shop.ask(other, query, args)),
		);
		expect(JSON.stringify(theirs)).toContain(`${canary} milk`);
	});

	test.each(queries.filter(isList).map((list) => [list.name, list] as const))(
		"%s lists each row once, page by page, from any cursor",
		async (name, list) => {
			const { server } = await openFilled();
			const { shop, caller } = server;
			for (const args of asked[name] ?? []) {
				const whole = await shop.ask(caller, list, { ...args, limit: 500 });
				expect(whole.next).toBeNull();
				const rows: unknown[] = [];
				let after: string | undefined;
				do {
					const page = await shop.ask(caller, list, {
						...args,
						after,
						limit: 1,
					});
					rows.push(...page.rows);
					after = page.next ?? undefined;
				} while (after !== undefined);
				expect(rows).toEqual(whole.rows);
				for (const after of ["", "x", "[]", "[1,2,3]", '[null,"a","b"]', "{}"])
					expect(
						await shop.ask(caller, list, { ...args, after, limit: 500 }),
					).toEqual(whole);
			}
		},
	);

	test("a list answers no more rows than the maximum page", async () => {
		const { shop, caller } = await openTestShop();
		for (const list of queries.filter(isList))
			for (const limit of [0, 501, 1.5])
				await expect(
					shop.ask(caller, list, { ...asked[list.name]?.[0], limit }),
				).rejects.toMatchObject({ code: "invalid_args", field: "limit" });
	});

	test("a query for a missing record fails with not_found", async () => {
		const { server, till } = await openFilled();
		const records = queries.filter(({ name }) => name.endsWith(".get"));
		for (const query of records.filter(({ args }) => "id" in shapeOf(args)))
			for (const { ask } of query.onServer
				? [server.shop]
				: [server.shop, till.till])
				for (const id of ["none", "x".repeat(1_000), ""])
					await expect(
						ask(server.caller, query, { id }),
						query.name,
					).rejects.toMatchObject({
						code: "not_found",
						message: expect.stringMatching(/^[A-Z][a-z ]+ not found$/),
					});
	});
});

const shapeOf = (args: z.ZodType) => (args as z.ZodObject).shape;

describe("a query", () => {
	test("a query is refused to a role that may not ask", async () => {
		const { shop, caller } = await openTestShop();
		const secret = defineQuery({
			name: "shop.secret",
			summary: "A secret",
			args: z.strictObject({}),
			answer: z.literal("secret"),
			roles: ["OWNER"],
			run: async () => "secret" as const,
		});
		expect(await shop.ask(caller, secret, {})).toBe("secret");
		await expect(
			shop.ask({ ...caller, role: "CASHIER" }, secret, {}),
		).rejects.toMatchObject({ code: "forbidden" });
	});

	test("a till's answer to a query includes its pending mutations", async () => {
		const { server, till } = await openFilled();
		till.line.online = false;
		const id = await till.sell({ bread: 1 });
		const sold = queries.find(({ name }) => name === "sale.get") as Query;
		expect(await till.till.ask(till.caller, sold, { id })).toMatchObject({
			id,
			total: 100,
		});
		await expect(
			server.shop.ask(server.caller, sold, { id }),
		).rejects.toMatchObject({ code: "not_found" });
	});

	test.each([
		["behind", -3],
		["ahead", 3],
	])(
		"a query on a till whose clock is days %s uses the server's clock",
		async (_, days) => {
			const server = await openTestShop();
			await addMilk(server);
			const env = testEnv();
			env.pass(days * 24 * 3_600_000);
			const till = await openTestTill(server, { env });
			await till.till.sync();
			const { ask } = till.till;
			const today = await server.shop.ask(server.caller, businessToday, {});
			expect(await ask(till.caller, businessToday, {})).toEqual(today);

			await till.sell({ milk: 2 });
			const { day, today: sold } = await ask(till.caller, dashboardGet, {});
			expect({ day, sold }).toMatchObject({ ...today, sold: { revenue: 200 } });
			await till.till.sync();
			expect(await ask(till.caller, dashboardGet, {})).toEqual(
				await server.shop.ask(server.caller, dashboardGet, {}),
			);
			expect(await till.rows("SELECT window_day FROM tallies")).toEqual([
				{ window_day: today.day },
			]);
		},
	);
});
