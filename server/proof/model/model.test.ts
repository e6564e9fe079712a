import fc from "fast-check";
import { expect, test } from "vitest";
import { countOf, isProof, testSeed } from "../../../sync/testing/lane.ts";
import { createAdmin } from "../../accounts/users.ts";
import { mountedOperations } from "../../testing/operations.ts";
import {
	openTestServer,
	routesOf,
	type TestServer,
} from "../../testing/server.ts";
import { Call, type Kind } from "./call.ts";
import { catalogueKinds } from "./catalogue.ts";
import { notModelled } from "./not-modelled.ts";
import { notificationKinds } from "./notifications.ts";
import { ownerKinds } from "./owner.ts";
import { newPerson, peopleKinds } from "./people.ts";
import { reportKinds } from "./reports.ts";
import { saleKinds } from "./sales.ts";
import { stockKinds } from "./stock.ts";
import { tillKinds } from "./till.ts";
import { type Membership, newShop, type Role, type World } from "./world.ts";

/** The number of sequences, of 30 calls on average. */
const runs = countOf("MODEL_RUNS");
const calls = 30;

const kinds: Kind<unknown>[] = [
	...catalogueKinds,
	...saleKinds,
	...stockKinds,
	...reportKinds,
	...notificationKinds,
	...peopleKinds,
	...ownerKinds,
	...tillKinds,
];
/** Calls by both owners before each sequence, so that it finds records. */
const first = [
	"POST /api/categories",
	"POST /api/products",
	"POST /api/products",
	"POST /api/products",
	"POST /api/sales",
	"POST /api/sales",
	"POST /api/notifications",
];
/** Calls by both owners at the end, which read everything. */
const last = [
	"GET /api/products",
	"GET /api/inactive-products",
	"GET /api/categories",
	"GET /api/sales",
	"GET /api/inbox",
	"GET /api/dashboard",
	"GET /api/members",
	"GET /api/notifications",
	"GET /api/sync",
];
/** Picks a person of `openWorld`, mostly an owner; the last one is nobody. */
const whoAsks = (access: string) =>
	access === "adminSession"
		? fc.constantFrom(5, 5, 5, 5, 0, 6)
		: fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6);
/** Whether the caller uses a cookie or a token. */
const ways = fc.constantFrom(true, true, true, false);

let shops = 0;

/** Creates two businesses with people of every role, one person in both, and an administrator. */
async function openWorld(
	server: TestServer,
	admin: string,
	answers: World["answers"],
): Promise<World> {
	const identity = { id: admin, name: "Root", email: "root@example.com" };
	const root = await newPerson({ ...identity, businessId: null }, [], {
		isAdmin: true,
	});
	const stats = await server.ask("GET", "/api/admin/stats", {
		headers: { cookie: root.cookie },
	});
	const world: World = {
		shops: [],
		people: [],
		answers,
		before: stats.body as Record<string, number>,
	};
	shops += 1;
	const add = async (name: string, role: Role, at?: number) => {
		const shop = at === undefined ? undefined : world.shops[at];
		const user = await server.addUser(
			`${name}-${shops}`,
			shop && { businessId: shop.id, role },
		);
		const [row] = await server.rows(
			"SELECT memberships.created_at, businesses.name, businesses.created_at AS founded FROM memberships JOIN businesses USING (business_id) WHERE user_id = ?",
			user.id,
		);
		const own =
			shop ??
			newShop({
				id: user.businessId,
				name: row?.name as string,
				createdAt: row?.founded as string,
			});
		if (!shop) world.shops.push(own);
		const membership: Membership = {
			shop: own,
			role,
			createdAt: row?.created_at as string,
		};
		world.people.push(
			await newPerson(
				{
					id: user.id,
					name: `${name}-${shops}`,
					email: `${name}-${shops}@example.com`.toLowerCase(),
					businessId: own.id,
				},
				[membership],
			),
		);
	};
	await add("Asha", "OWNER");
	await add("Baraka", "OWNER");
	await add("Chege", "CASHIER", 0);
	await add("Dalila", "MANAGER", 0);
	await add("Esi", "CASHIER", 0);
	const [, baraka] = world.shops;
	const esi = world.people.at(-1);
	if (!baraka || !esi) throw new Error("Missing people");
	// Later than the first membership, which decides the first business.
	const createdAt = "2099-01-01T00:00:00.000Z";
	await server.shop.store.write((tx) =>
		tx.run(
			"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, 'MANAGER', ?)",
			...[baraka.id, esi.id, createdAt],
		),
	);
	esi.memberships.push({ shop: baraka, role: "MANAGER", createdAt });
	world.people.push(root);
	return world;
}

test(`the server answers as the contract says through ${runs} sequences of calls by many people (seed ${testSeed})`, async () => {
	const server = await openTestServer();
	const routes = routesOf(server.shop);
	const accessOf = ({ operation }: Kind<unknown>) => {
		const [method = "", path = ""] = operation.split(" ");
		const found = Object.entries(routes[path] ?? {}).find(
			([one]) => one === method,
		);
		if (!found) throw new Error(`No operation ${operation}`);
		return found[1].access;
	};
	const { id: admin } = await createAdmin(server.shop.store, server.shop.env, {
		email: "root@example.com",
		name: "Root",
		passwordHash: "none",
	});
	const answers = new Map<string, number>();
	const make = (kind: Kind<unknown>, who: number, seed: number) => {
		const [input] = fc.sample(kind.input, { numRuns: 1, seed });
		return new Call(kind, accessOf(kind), input, who, true);
	};
	const named = (operation: string) =>
		kinds.filter((kind) => kind.operation === operation);
	const openFilled = async (seed: number) => {
		const world = await openWorld(server, admin, answers);
		for (const [i, kind] of first.flatMap(named).entries())
			for (const who of [0, 1])
				await make(kind, who, seed + i).run(world, server);
		return world;
	};
	const commands = fc.oneof(
		...kinds.map((kind) => ({
			weight: Math.round(kind.weight * 20),
			arbitrary: fc
				.tuple(kind.input, whoAsks(accessOf(kind)), ways)
				.map(
					([input, who, byCookie]) =>
						new Call(kind, accessOf(kind), input, who, byCookie),
				),
		})),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.nat(1_000_000),
			fc.commands([commands], { maxCommands: 2 * calls, size: "max" }),
			async (stock, sequence) => {
				const world = await openFilled(stock);
				await fc.asyncModelRun(
					() => ({ model: world, real: server }),
					sequence,
				);
				for (const kind of last.flatMap(named))
					for (const who of [0, 1]) await make(kind, who, 1).run(world, server);
			},
		),
		{ numRuns: runs, seed: testSeed },
	);
	// Sequences of refusals prove nothing: an owner goes on with a call that was always refused until one is accepted.
	const isIdle = ({ operation, weight }: Kind<unknown>) =>
		weight >= 2 &&
		!answers.has(`${operation} 200`) &&
		!answers.has(`${operation} 201`);
	for (const kind of kinds.filter(isIdle))
		for (let more = 0; more < 20 && isIdle(kind); more += 1) {
			const world = await openFilled(testSeed + more);
			for (let i = 0; i < 10; i += 1)
				await make(kind, 0, testSeed + 10 * more + i).run(world, server);
		}
	expect(kinds.filter(isIdle).map(({ operation }) => operation)).toEqual([]);
	expect(server.logged()).not.toContain('"level":50');
	if (isProof)
		console.log(
			[...answers]
				.map(([told, times]) => `${told}: ${times}`)
				.sort()
				.join("\n"),
		);
}, 3_600_000);

test("every operation is in the model or has a reason to be left out", async () => {
	const server = await openTestServer();
	const modelled = kinds.map(({ operation }) => operation);
	const leftOut = Object.keys(notModelled);
	expect([...modelled, ...leftOut].toSorted()).toEqual(
		mountedOperations(server).toSorted(),
	);
	for (const reason of Object.values(notModelled)) expect(reason).not.toBe("");
});
