import { expect, test } from "vitest";
import { named, open } from "./testing/spending.ts";

/** Enough for one call of `named`, which may cost 0.0412125 USD, and for no other after it. */
const enoughForOne = 0.04125;
/** What it does cost: 11 tokens at 2.5 and 7 at 10 USD a million. */
const cost = 0.0000975;

async function openTwo() {
	const gateway = await open();
	const { server, asha } = gateway;
	const mumbi = await server.addUser("Mumbi", {
		businessId: asha.businessId,
		role: "MANAGER",
	});
	return {
		...gateway,
		mumbi,
		limit: (id: string, body: object) =>
			server.ask("PATCH", `/api/ai/limits/${id}`, { as: asha, body }),
		call: (as = mumbi, body: object = {}) =>
			server.ask("POST", "/v1/chat/completions", {
				as,
				body: { ...named, ...body },
			}),
		get: async (path: string) =>
			(await server.ask("GET", path, { as: asha })).body,
	};
}

test("a member has limits besides the app's, which name him when they refuse a call", async () => {
	const { asha, mumbi, limit, call, get } = await openTwo();
	// Each request counts for twenty seconds.
	const few = { monthlyBudget: enoughForOne, requestsPerMinute: 3 };
	expect(await limit(mumbi.id, few)).toMatchObject({
		status: 200,
		body: { id: mumbi.id, ...few },
	});
	expect((await call()).status).toBe(200);
	expect(await call(mumbi, { seed: 1 })).toMatchObject({
		status: 429,
		body: {
			error: {
				code: "budget_exceeded",
				message: expect.stringContaining("A member of this business has"),
			},
		},
	});
	expect((await call(asha, { seed: 1 })).status).toBe(200);
	expect(await get("/api/ai/limits")).toMatchObject({
		spent: 2 * cost,
		members: [
			{ name: "Asha", role: "OWNER", monthlyBudget: null, spent: cost },
			{
				name: "Mumbi",
				role: "MANAGER",
				monthlyBudget: enoughForOne,
				spent: cost,
			},
		],
	});

	// His rate takes the place of the one that is every member's.
	await limit(mumbi.id, { monthlyBudget: null, requestsPerMinute: 1 });
	expect((await call(mumbi, { seed: 2 })).headers.get("retry-after")).not.toBe(
		null,
	);
	await limit(mumbi.id, { requestsPerMinute: null });
	expect((await call(mumbi, { seed: 3 })).status).toBe(200);
});

test("a key's limits can be changed while it is used, and nobody else's can", async () => {
	const { addKey, ask, limit, server } = await openTwo();
	const { id, bearer } = await addKey({ monthlyBudget: 1 });
	const status = async (seed: number) =>
		(await ask({ seed }, { authorization: bearer })).status;
	expect(await status(1)).toBe(200);
	await limit(id, { monthlyBudget: enoughForOne });
	expect(await status(2)).toBe(429);
	await limit(id, { monthlyBudget: null });
	expect(await status(3)).toBe(200);
	const baraka = await server.addUser("Baraka");
	for (const other of [baraka.id, "app", "business", "none"])
		expect((await limit(other, { monthlyBudget: 9 })).status).toBe(404);
});

test("the owner sees each call with who made it, its route, tokens, cost and time, page by page, and never what was asked", async () => {
	const gateway = await openTwo();
	const { server, asha, mumbi, addKey, ask, call, get, fakes } = gateway;
	const { id, bearer } = await addKey();
	await ask({}, { authorization: bearer });
	await call(mumbi, { seed: 1 });
	fakes.openai?.act({ status: 400, body: "You asked: Habari?" });
	await call(asha, { seed: 2 });
	await server.shop.store.write((tx) =>
		tx.run(
			`INSERT INTO ai_calls (business_id, id, user_id, day, at, asked_model, route, cache, status, attempts, prompt_tokens,
         cached_tokens, completion_tokens, cost, duration_ms)
       SELECT business_id, 'ffff', user_id, day, at, '', '', 'off', 'running', 0, 0, 0, 0, 5, 0 FROM ai_calls LIMIT 1`,
		),
	);
	type Page = { calls: Record<string, unknown>[]; next: string | null };
	const page = async (query: string) =>
		(await get(`/api/usage/calls?${query}`)) as Page;
	const first = await page("limit=2");
	expect(first.calls).toMatchObject([
		{ name: "Asha", userId: asha.id, keyId: null, status: "failed", cost: 0 },
		{ name: "Mumbi", userId: mumbi.id, status: "ok", cost },
	]);
	const second = await page(`limit=2&before=${first.next}`);
	expect(second).toEqual({
		calls: [
			{
				...{ id: expect.any(String), at: expect.any(String), name: "Till" },
				...{ keyId: id, userId: null, status: "ok", cache: "off", cost },
				...{ askedModel: "gpt-4o", model: "openai/gpt-4o", route: "named" },
				...{ promptTokens: 11, cachedTokens: 0, completionTokens: 7 },
				...{ attempts: 1, firstTokenMs: expect.any(Number) },
				durationMs: expect.any(Number),
			},
		],
		next: null,
	});
	expect((await page(`by=${id}`)).calls).toHaveLength(1);
	expect((await page(`by=${mumbi.id}`)).calls).toHaveLength(1);
	expect((await page("to=2020-01-01")).calls).toEqual([]);
	// PostgreSQL compares no text that it can't store.
	for (const query of ["by=%00", "before=%00"])
		expect(await get(`/api/usage/calls?${query}`)).toHaveProperty("error");
	expect(JSON.stringify([first, second])).not.toContain("Habari");
	expect(await get("/api/usage")).toMatchObject({
		totals: { calls: 3 },
		members: [
			{ name: "Mumbi", calls: 1, cost },
			{ name: "Asha", calls: 1, failed: 1 },
		],
	});
});
