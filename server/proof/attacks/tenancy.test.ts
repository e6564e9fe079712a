import { expect, test } from "vitest";
import { exampleMessages } from "../../../sync/testing/shop.ts";
import {
	everythingOf,
	fill,
	idsByResource,
	mountedOperations,
	requests,
} from "../../testing/operations.ts";
import { plainOperations } from "../../testing/plain-operations.ts";
import {
	type Answer,
	openTestServer,
	type TestUser,
} from "../../testing/server.ts";

/** Ids that a stranger guesses: the other shop's, and unused ones of the same length. */
const theirs = Object.fromEntries(
	[...Object.values(idsByResource), "refund"].map((id) => [id, id]),
);
const nobodys = (id: string) =>
	(/^[A-Z]+$/.test(id) ? "Z" : "z").repeat(id.length);

/** Each place in a request's body for a guessed id, including the business id. */
const guesses: Record<string, ((id: (of: string) => string) => object)[]> = {
	"POST /api/products": [
		(id) => ({ name: "Guess", categoryId: id("category") }),
		(id) => ({ name: "Guess", businessId: id("business") }),
	],
	"POST /api/categories": [
		(id) => ({ name: "Guess", businessId: id("business") }),
	],
	"POST /api/sales": [
		(id) => ({
			items: [
				{
					name: "Guess",
					quantity: 1,
					price: 1,
					cost: 1,
					productId: id("product"),
				},
			],
		}),
		(id) => ({
			items: [{ name: "Guess", quantity: 1, price: 1, cost: 1 }],
			customerId: id("customer"),
		}),
	],
	"POST /api/notifications": [
		(id) => ({
			type: "sales",
			title: "Guess",
			message: "Guess",
			businessId: id("business"),
			userId: id("user"),
		}),
	],
	"PATCH /api/notifications": [
		(id) => ({ ids: [id("notification")], businessId: id("business") }),
	],
	"POST /api/notifications/sync": [
		(id) => ({
			readIds: [id("notification")],
			deletedIds: [id("notification")],
			businessId: id("business"),
		}),
	],
	"POST /api/products/:id/codes": [
		(id) => ({ code: "Guess", productId: id("product") }),
	],
	"POST /api/products/:id/packs": [
		(id) => ({ name: "Guess", size: 2, productId: id("product") }),
	],
	"POST /api/shifts": [
		(id) => ({ openingFloat: 1, businessId: id("business") }),
	],
	"POST /api/counts": [(id) => ({ name: "Guess", businessId: id("business") })],
	"POST /api/cash-movements": [
		(id) => ({
			...{ amount: 1, category: "other", reason: "Guess" },
			...{ businessId: id("business"), shiftId: id("shift") },
		}),
	],
	"POST /api/drawer-openings": [
		(id) => ({ reason: "Guess", businessId: id("business") }),
	],
	"POST /api/reviews": [
		(id) => ({ rating: 1, text: "Guess", businessId: id("business") }),
	],
	"PATCH /api/ai/limits": [
		(id) => ({ monthlyBudget: 0, businessId: id("business") }),
	],
	"POST /api/keys": [(id) => ({ name: "Guess", businessId: id("business") })],
	"PATCH /api/business": [
		(id) => ({ id: id("business"), businessId: id("business") }),
	],
	...Object.fromEntries(
		plainOperations
			.filter(({ name }) => name.startsWith("POST "))
			.map(({ name, body }) => [
				name,
				[(id) => ({ ...body, businessId: id("business") })],
			]),
	),
	"POST /api/sync": exampleMessages().map((example) => (id) => ({
		cursor: "",
		mutations: [
			JSON.parse(JSON.stringify(example), (_, value: string) =>
				Object.hasOwn(theirs, value) ? id(value) : value,
			),
		],
	})),
};

/** An answer without the parts that differ between any two requests. */
function comparable(text: string, guessed: string[]): string {
	return guessed
		.reduce((rest, id) => rest.replaceAll(id, "ID"), text)
		.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
		.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "NOW")
		.replaceAll(/Asha|Chege|asha|chege/g, "NAME")
		.replaceAll(/cfk_[\w-]+/g, "KEY")
		.replaceAll(/nonce="[^"]+"/g, "NONCE")
		.replaceAll(/"hint":"[^"]*"/g, "HINT")
		.replaceAll(/\b[A-Z]+-\d{6}\b/g, "RECEIPT")
		.replaceAll(/UUID\.\d+(\.[\w-]+)?/g, "CURSOR")
		.replaceAll(/"version":\d+/g, "VERSION")
		.replaceAll(/_[^"]{0,9}"/g, '_"');
}

async function twoTenants() {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const chege = await server.addUser("Chege");
	const baraka = await server.addUser("Baraka");
	await fill(server, baraka, "CANARY");
	await server.allowAi(chege);
	return { server, asha, chege, baraka };
}

test("another business's id gets the same answer as an unused id, at every operation [BIZ-3] [INV-6]", async () => {
	const { server, asha, chege, baraka } = await twoTenants();
	const before = await everythingOf(server, baraka);
	const table = requests(baraka.businessId);
	expect(Object.keys(table).sort()).toEqual(mountedOperations(server).sort());
	const known: Record<string, string> = {
		...theirs,
		user: baraka.id,
		business: baraka.businessId,
	};
	let compared = 0;

	/** Sends the same request with Baraka's id and with an unused id. */
	async function compare(
		operation: string,
		ask: (id: (of: string) => string, as: TestUser) => Promise<Answer>,
	): Promise<void> {
		const real = await ask((of) => known[of] as string, asha);
		const random = await ask((of) => nobodys(known[of] as string), chege);
		const guessed = [
			...Object.values(known),
			...Object.values(known).map(nobodys),
		].sort((a, b) => b.length - a.length);
		expect(
			`${operation} ${real.status} ${comparable(real.text, guessed)}`,
		).toBe(`${operation} ${random.status} ${comparable(random.text, guessed)}`);
		for (const { text, status } of [real, random]) {
			expect(`${operation}: ${text}`).not.toContain("CANARY");
			expect(status).toBeLessThan(500);
		}
		compared += 1;
	}

	for (const operation of Object.keys(table)) {
		const [method = "", route = ""] = operation.split(" ");
		const send = (as: TestUser, path: string, body?: unknown) =>
			server.ask(method, path, {
				body,
				...(table[operation]?.as === "session"
					? { headers: { cookie: as.cookie } }
					: { as }),
			});
		const resource = route.split("/")[2] ?? "";
		const kind = idsByResource[resource];
		if (route.includes(":id") && kind !== undefined)
			await compare(operation, (id, as) =>
				send(as, route.replace(":id", id(kind)), table[operation]?.body),
			);
		for (const body of guesses[operation] ?? [])
			await compare(operation, (id, as) => send(as, route, body(id)));
		if (method === "GET")
			await compare(operation, (id, as) =>
				send(
					as,
					`${route.replace(/:id|\*id/, "none")}?businessId=${id("business")}&userId=${id("user")}&categoryId=${id("category")}&cursor=${id("sale")}`,
				),
			);
	}
	expect(compared).toBeGreaterThan(60);
	expect(await everythingOf(server, baraka)).toEqual(before);
	expect(server.logged()).not.toContain("CANARY");
	expect(server.logged()).not.toContain(baraka.businessId);
});

test("a member of two businesses sees each one's records there, and nothing of a third", async () => {
	const { server, baraka } = await twoTenants();
	const asha = await server.addUser("Two");
	const other = await server.addUser("Third");
	await fill(server, other, "THIRD");
	await server.shop.store.write((tx) =>
		tx.run(
			"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, 'CASHIER', '2099-01-01T00:00:00.000Z')",
			baraka.businessId,
			asha.id,
		),
	);
	const ask = (method: string, path: string, body?: unknown) =>
		server.ask(method, path, { as: asha, body });
	// A product of any of the caller's businesses, with the role there.
	expect(await ask("GET", "/api/products/product")).toMatchObject({
		status: 200,
		body: { name: "CANARY" },
	});
	expect(
		await ask("PATCH", "/api/products/product", { name: "Mine" }),
	).toMatchObject({ status: 403 });
	for (const path of ["/api/products", "/api/sales", "/api/sync"]) {
		const { status, text } = await ask("GET", path);
		expect([path, status]).toEqual([path, 200]);
		expect(text).not.toMatch(/CANARY|THIRD/);
	}
	const heard = await ask(
		"GET",
		`/api/notifications?businessId=${other.businessId}`,
	);
	expect(heard.text).not.toContain("THIRD");
});
