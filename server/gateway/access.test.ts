import { expect, onTestFinished, test, vi } from "vitest";
import { addAdmin } from "../proof/attacks/testing/attacks.ts";
import { openTestServer, type TestUser } from "../testing/server.ts";
import { aiAccess } from "./access.ts";
import { asks, callAtOnce, named, open } from "./testing/spending.ts";

/** The most that one call of `named` may cost: 4,096 tokens of gpt-4o at 10 USD a million, and a little for the prompt. */
const bound = 0.0415;

type Opened = Awaited<ReturnType<typeof open>>;

const ask = ({ server }: Opened, as: TestUser, body: object = {}) =>
	server.ask("POST", "/v1/chat/completions", {
		as,
		body: { ...named, ...body },
	});

const setLimits = async ({ server, asha }: Opened, body: object, as = asha) =>
	server.ask("PATCH", "/api/ai/limits", { as, body });

const limitsOf = async ({ server, asha }: Opened, as = asha) =>
	(await server.ask("GET", "/api/ai/limits", { as })).body as Record<
		string,
		number
	>;

test("only a server's first business may use AI at first, so a stranger who registers can't spend the owner's credit", async () => {
	const gateway = await open();
	const { server, asha } = gateway;
	const registered = await server.ask("POST", "/api/auth/register", {
		body: {
			name: "Stranger",
			email: "stranger@example.com",
			password: "correct horse battery",
			businessName: "Duka",
			business: { name: "Duka", currency: "KES", timeZone: "Africa/Nairobi" },
		},
	});
	expect(registered.status).toBe(201);
	const { body } = await server.ask("POST", "/api/auth/mobile-login", {
		body: {
			email: "stranger@example.com",
			password: "correct horse battery",
		},
	});
	const { token } = body as { token: string };
	const headers = { authorization: `Bearer ${token}` };
	const call = (authorization = headers.authorization) =>
		server.ask("POST", "/v1/chat/completions", {
			headers: { authorization },
			body: { ...named, model: "gateway/auto" },
		});
	const refused = {
		status: 403,
		body: {
			error: {
				type: "permission_error",
				code: "ai_not_allowed",
				message: expect.stringMatching(
					/not use AI on this server yet: ask its operator to run "counterfoil ai allow \S+"$/,
				),
			},
		},
	};
	expect(await call()).toMatchObject(refused);
	// Nor with an API key that he creates.
	const made = await server.ask("POST", "/api/keys", {
		headers,
		body: { name: "Mine" },
	});
	const { key } = made.body as { key: string };
	expect(await call(`Bearer ${key}`)).toMatchObject(refused);
	expect(asks(gateway)).toBe(0);
	expect((await ask(gateway, asha)).status).toBe(200);
	expect((await server.ask("GET", "/v1/models", { headers })).status).toBe(200);
});

test("the administrator allows a business to use AI up to a limit for all its calls, and withdraws it", async () => {
	const gateway = await open();
	const { server } = gateway;
	const { cookie } = await addAdmin(server);
	const baraka = await server.addUser("Baraka");
	const change = (body: object, id = baraka.businessId) =>
		server.ask("PATCH", `/api/admin/ai/${id}`, { headers: { cookie }, body });
	const { key } = await gateway.addKey({}, baraka);
	const byKey = () =>
		gateway.ask({ seed: 1 }, { authorization: `Bearer ${key}` });

	expect((await change({ allowed: true, ceiling: 1.5 * bound })).body).toEqual({
		businessId: baraka.businessId,
		name: expect.any(String),
		allowed: true,
		ceiling: 1.5 * bound,
		requestsPerMinute: null,
	});
	// A key without a budget counts too.
	const both = await callAtOnce(
		gateway,
		() => [ask(gateway, baraka), byKey()],
		1,
	);
	expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
	expect(both.find(({ status }) => status === 429)?.text).toContain(
		"This business has",
	);
	expect(await limitsOf(gateway, baraka)).toMatchObject({
		businessSpent: expect.closeTo(0.0000975, 9),
		businessReserved: 0,
	});

	// The owner decides within that limit.
	expect(
		await setLimits(gateway, { monthlyBudget: 2 * bound }, baraka),
	).toMatchObject({
		status: 400,
		body: {
			error: expect.stringContaining("allows at most 0.06225 USD a month"),
		},
	});
	expect(
		(await setLimits(gateway, { monthlyBudget: bound }, baraka)).status,
	).toBe(200);

	expect((await change({ allowed: false })).body).toMatchObject({
		allowed: false,
		ceiling: 1.5 * bound,
	});
	expect((await ask(gateway, baraka)).status).toBe(403);
	expect((await byKey()).status).toBe(403);
	expect((await change({ allowed: true }, "nobody")).status).toBe(404);
	const { body } = await server.ask("GET", "/api/admin/ai", {
		headers: { cookie },
	});
	expect(body).toMatchObject({
		businesses: [
			{ businessId: gateway.asha.businessId, allowed: true, ceiling: null },
			{ businessId: baraka.businessId, allowed: false },
		],
	});
});

test("what this server changes counts for a key's next call, and what another process changes within a second", async () => {
	const gateway = await open();
	const { server, asha } = gateway;
	const { cookie } = await addAdmin(server);
	const { id, bearer } = await gateway.addKey();
	const call = async () =>
		(await gateway.ask({}, { authorization: bearer })).status;
	const change = async (path: string, body: object, as?: TestUser) => {
		const headers: Record<string, string> = as ? {} : { cookie };
		const { status } = await server.ask("PATCH", path, { as, headers, body });
		expect(status).toBe(200);
	};
	const ofKey = `/api/ai/limits/${id}`;
	const ofBusiness = `/api/admin/ai/${asha.businessId}`;
	expect(await call()).toBe(200);
	await change(ofKey, { monthlyBudget: 0 }, asha);
	expect(await call()).toBe(429);
	await change(ofKey, { monthlyBudget: null }, asha);
	expect(await call()).toBe(200);
	await change(ofBusiness, { ceiling: 0 });
	expect(await call()).toBe(429);
	await change(ofBusiness, { ceiling: null, allowed: false });
	expect(await call()).toBe(403);
	await change(ofBusiness, { allowed: true });
	expect(await call()).toBe(200);
	// As "counterfoil ai deny" does it.
	await server.shop.store.write((tx) =>
		aiAccess(tx).change(asha.businessId, { isAllowed: false }),
	);
	const now = performance.now.bind(performance);
	const later = vi
		.spyOn(performance, "now")
		.mockImplementation(() => now() + 1_000);
	onTestFinished(() => later.mockRestore());
	expect(await call()).toBe(403);
});

test("concurrent calls by several members can't exceed the budget of app tokens", async () => {
	const gateway = await open();
	const { server, asha } = gateway;
	const mumbi = await server.addUser("Mumbi", {
		businessId: asha.businessId,
		role: "MANAGER",
	});
	expect((await setLimits(gateway, { monthlyBudget: 3 * bound })).status).toBe(
		200,
	);
	const answers = await callAtOnce(
		gateway,
		() =>
			Array.from({ length: 10 }, (_, seed) =>
				ask(gateway, seed % 2 ? asha : mumbi, { seed }),
			),
		7,
	);
	expect(answers.map(({ status }) => status).sort()).toEqual([
		...Array(3).fill(200),
		...Array(7).fill(429),
	]);
	const refused = answers.find(({ status }) => status === 429);
	expect(refused?.headers.get("x-should-retry")).toBe("false");
	expect(refused?.body).toMatchObject({
		error: {
			type: "insufficient_quota",
			code: "budget_exceeded",
			message: expect.stringContaining("The app has"),
		},
	});
	expect(asks(gateway)).toBe(3);
	expect(await limitsOf(gateway)).toMatchObject({
		spent: expect.closeTo(3 * 0.0000975, 9),
		reserved: 0,
		businessSpent: expect.closeTo(3 * 0.0000975, 9),
	});
});

test("an aborted stream with an app token counts at the most that it can have cost", async () => {
	const gateway = await open();
	gateway.fakes.openai?.act({ stopAfter: 4 });
	const stream = await gateway.client.chat.completions.create({
		...named,
		stream: true,
	});
	for await (const _ of stream) break;
	stream.controller.abort();
	await vi.waitFor(async () => {
		const { spent, reserved } = await limitsOf(gateway);
		expect(reserved).toBe(0);
		expect(spent).toBeGreaterThan(0.0001);
		expect(spent).toBeLessThan(bound);
	}, 60_000);
});

test("the reservation of an app token's call counts as spent after the server dies", async () => {
	const gateway = await open();
	const { server, asha } = gateway;
	await setLimits(gateway, { monthlyBudget: 1.5 * bound });
	expect((await ask(gateway, asha)).status).toBe(200);
	await limitsOf(gateway);
	// Simulates a killed server.
	await server.shop.store.write(async (tx) => {
		await tx.run(
			"UPDATE ai_calls SET status = 'running', cost = 41500000, at = '2026-01-01T00:00:00.000Z'",
		);
		await tx.run("UPDATE ai_months SET reserved = 41500000, spent = 0");
	});
	expect((await ask(gateway, asha, { seed: 1 })).status).toBe(429);
	await server.close();
	const restarted = await openTestServer({
		DATA_DIR: server.settings.dataDir,
	});
	await expect
		.poll(() =>
			restarted.rows(
				"SELECT account, spent, reserved FROM ai_months ORDER BY account",
			),
		)
		.toEqual([
			{ account: asha.id, spent: 41_500_000, reserved: 0 },
			{ account: "app", spent: 41_500_000, reserved: 0 },
			{ account: "business", spent: 41_500_000, reserved: 0 },
		]);
});

test("app tokens have a default budget and a default rate limit", async () => {
	const gateway = await open();
	expect(await limitsOf(gateway)).toEqual({
		allowed: true,
		...{ deliverTo: [], deliverySecret: null, waiting: 0 },
		ceiling: null,
		monthlyBudget: 5,
		requestsPerMinute: 60,
		leastRole: "MANAGER",
		keepsResponses: false,
		spent: 0,
		reserved: 0,
		businessSpent: 0,
		businessReserved: 0,
		businessRequestsPerMinute: null,
		members: [
			{
				...{ id: gateway.asha.id, name: "Asha", role: "OWNER" },
				...{ monthlyBudget: null, requestsPerMinute: null },
				...{ spent: 0, reserved: 0 },
			},
		],
	});
	// 128,000 tokens at 50 USD a million exceed it.
	const dear = await ask(gateway, gateway.asha, {
		model: "gpt-6-astra",
		max_tokens: 128_000,
	});
	expect(dear).toMatchObject({
		status: 429,
		body: { error: { code: "budget_exceeded" } },
	});
	expect(asks(gateway)).toBe(0);
});

test("the rate limit of app tokens applies to each member", async () => {
	const gateway = await open();
	const { server, asha } = gateway;
	const mumbi = await server.addUser("Mumbi", {
		businessId: asha.businessId,
		role: "MANAGER",
	});
	await setLimits(gateway, { requestsPerMinute: 2 });
	const statuses = [];
	for (const as of [asha, asha, asha, mumbi])
		statuses.push((await ask(gateway, as)).status);
	expect(statuses).toEqual([200, 200, 429, 200]);
	const { key } = await gateway.addKey();
	expect(
		(await gateway.ask({}, { authorization: `Bearer ${key}` })).status,
	).toBe(200);
});

test("owners choose the roles that may call; by default, owners and managers", async () => {
	const gateway = await open();
	const { server, asha } = gateway;
	const { businessId } = asha;
	const members = [
		asha,
		await server.addUser("Mumbi", { businessId, role: "MANAGER" }),
		await server.addUser("Chege", { businessId, role: "CASHIER" }),
	];
	const statuses = () =>
		Promise.all(members.map(async (as) => (await ask(gateway, as)).status));
	expect(await statuses()).toEqual([200, 200, 403]);
	await setLimits(gateway, { leastRole: "CASHIER" });
	expect(await statuses()).toEqual([200, 200, 200]);
	await setLimits(gateway, { leastRole: "OWNER" });
	expect(await statuses()).toEqual([200, 403, 403]);
	expect(
		(await setLimits(gateway, { monthlyBudget: 9 }, members[1])).status,
	).toBe(403);
});
