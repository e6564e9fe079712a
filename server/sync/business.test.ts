import { expect, test } from "vitest";
import { type TestServer, type TestUser, twoShops } from "../testing/server.ts";

const path = "/api/sync";
const at = "2026-11-20T08:00:00.000Z";
const category = (id: string) => ({
	id: `m-${id}`,
	name: "category.create",
	at,
	args: { id, name: id },
});

const eventStream = { accept: "text/event-stream" };

/** @returns the first event of a stream */
async function firstEvent(
	{ url }: TestServer,
	{ bearer }: TestUser,
	query: string,
): Promise<string> {
	const response = await fetch(new URL(`${path}?${query}`, url), {
		headers: { ...eventStream, authorization: bearer },
	});
	const reader = (response.body as ReadableStream<Uint8Array>).getReader();
	const { value } = await reader.read();
	await reader.cancel();
	return Buffer.from(value ?? []).toString();
}

async function addMember(
	server: TestServer,
	{ businessId }: TestUser,
	{ id }: TestUser,
): Promise<void> {
	await server.shop.store.write((tx) =>
		tx.run(
			"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, 'CASHIER', '2999-01-01')",
			businessId,
			id,
		),
	);
}

test("push, pull, digest and stream are refused for a business that the caller doesn't belong to [BIZ-1]", async () => {
	const { server, asha, baraka } = await twoShops();
	const log = await server.rows("SELECT * FROM mutations");
	for (const businessId of [baraka.businessId, "gone"]) {
		const query = `businessId=${businessId}`;
		const push = { mutations: [category("a")], deviceId: "till-1", businessId };
		for (const [method, target, options] of [
			["POST", path, { body: push }],
			["POST", path, { body: { ...push, mutations: [], cursor: "" } }],
			["GET", `${path}?${query}`, {}],
			["GET", `${path}?${query}&digest=1`, {}],
			["GET", `${path}?${query}&digest=blocks`, {}],
			["GET", `${path}?${query}&digest=rows&block=1`, {}],
			["GET", `${path}?${query}`, { headers: eventStream }],
		] as const) {
			const { status, body } = await server.ask(method, target, {
				as: asha,
				...options,
			});
			expect({ status, body }).toEqual({
				status: 403,
				body: { error: "wrong_business" },
			});
		}
	}
	expect(await server.rows("SELECT * FROM mutations")).toEqual(log);
	expect(await server.rows("SELECT * FROM devices")).toEqual([]);
});

test("a member of two businesses syncs with the named one, or else with the first [BIZ-1]", async () => {
	const { server, asha, baraka } = await twoShops();
	await addMember(server, baraka, asha);
	for (const [named, meant] of [
		[baraka.businessId, baraka.businessId],
		[asha.businessId, asha.businessId],
		[undefined, asha.businessId],
	]) {
		const query = named === undefined ? "" : `businessId=${named}`;
		const id = `m-${named}`;
		const pushed = await server.ask("POST", path, {
			as: asha,
			body: {
				mutations: [
					{
						...category("a"),
						id,
						name: "review.create",
						args: { id, rating: 5, text: "Nzuri" },
					},
				],
				businessId: named,
			},
		});
		expect(pushed.body).toMatchObject({
			businessId: meant,
			results: [{ id, status: "applied" }],
		});
		const pulled = await server.ask("GET", `${path}?${query}`, { as: asha });
		expect(pulled.body).toMatchObject({
			businessId: meant,
			changes: expect.arrayContaining([
				expect.objectContaining({ entity: "business", id: meant }),
			]),
		});
		const digest = await server.ask("GET", `${path}?digest=1&${query}`, {
			as: asha,
		});
		expect(digest.body).toMatchObject(
			await server.shop.digest({ ...asha.caller, businessId: meant as string }),
		);
		expect(digest.body).toMatchObject({ businessId: meant });
		const caller = { ...asha.caller, businessId: meant as string };
		const blocks = await server.ask("GET", `${path}?digest=blocks&${query}`, {
			as: asha,
		});
		expect(blocks.body).toEqual(await server.shop.blocks(caller));
		const rows = await server.ask(
			"GET",
			`${path}?digest=rows&block=1&${query}`,
			{ as: asha },
		);
		const { changes } = await server.shop.pull(caller, {});
		expect(rows.body).toMatchObject({ businessId: meant, changes });
		const cursor = await server.shop.head(meant as string);
		expect(await firstEvent(server, asha, query)).toBe(
			`event: head\ndata: ${JSON.stringify({ businessId: meant, cursor })}\n\n`,
		);
	}
	const made = await server.rows(
		"SELECT business_id, id FROM reviews ORDER BY id",
	);
	expect(made).toHaveLength(3);
	expect(made).toContainEqual({
		business_id: baraka.businessId,
		id: `m-${baraka.businessId}`,
	});
});
