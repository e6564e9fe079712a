import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { lockHead } from "../../sync/log/log.ts";
import type { Connection } from "../../sync/store/store.ts";
import { hasPostgres, wherePostgres } from "../../sync/testing/postgres.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { accounts } from "../accounts/accounts.ts";
import { apiKeys } from "../accounts/api-keys.ts";
import { openSharedAttempts } from "../accounts/attempts.ts";
import { members } from "../accounts/members.ts";
import { openRegistrationLimit } from "../accounts/registration-limit.ts";
import { createUser } from "../accounts/users.ts";
import { type Access, accountsOf, aiAccess } from "../gateway/access.ts";
import { openMeter } from "../gateway/meter.ts";
import {
	markDeleted,
	markRead,
	notify,
} from "../notifications/notifications.ts";
import { stopClocks } from "../testing/clocks.ts";
import {
	type Answer,
	cheapPassword,
	openTestServer,
	type TestServer,
	testDatabase,
} from "../testing/server.ts";

/** Opens two HTTP servers over one database and one folder. */
async function openServers(): Promise<[TestServer, TestServer]> {
	const dir = testDir();
	const shared = { ...(await testDatabase(dir, "postgres")), DATA_DIR: dir };
	return [await openTestServer(shared), await openTestServer(shared)];
}

/** Makes a barrier that two transactions wait at. */
function meeting(): (me: number) => Promise<void> {
	const come = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	return async (me) => {
		come[me]?.resolve();
		await come[1 - me]?.promise;
	};
}

function outcomes(settled: PromiseSettledResult<unknown>[]): string[] {
	return settled
		.map((it) =>
			it.status === "fulfilled" ? "done" : (it.reason as Error).message,
		)
		.sort();
}

describe.skipIf(!hasPostgres)(
	`servers over one PostgreSQL ${wherePostgres}`,
	() => {
		test("two servers over one database give the same answers, pictures too, and know each other's accounts", async () => {
			const [here, there] = await openServers();
			const asha = await here.addUser("Asha");
			const made = await here.ask("POST", "/api/products", {
				as: asha,
				body: { name: "Milk", buyingPrice: 40, sellingPrice: 50, quantity: 3 },
			});
			expect(made.status).toBe(201);
			const listed = await there.ask("GET", "/api/products?search=mil", {
				as: asha,
			});
			expect(listed.body).toMatchObject([{ name: "Milk", quantity: 3 }]);
			const { id } = made.body as { id: string };
			const png = Buffer.from("89504e470d0a1a0a01020304", "hex");
			const pictured = await here.ask("POST", `/api/products/${id}/picture`, {
				as: asha,
				body: png,
			});
			const { imageUrl } = pictured.body as { imageUrl: string };
			expect((await there.ask("GET", imageUrl, { as: asha })).status).toBe(200);
			expect((await there.ask("GET", "/healthz")).body).toEqual({ ok: true });
		});

		test("removing both owners at once, one on each server, leaves one owner", async () => {
			const [here, there] = await openServers();
			const asha = await here.addUser("Asha");
			const { businessId } = asha;
			const baraka = await here.addUser("Baraka", {
				businessId,
				role: "OWNER",
			});
			const settled = await Promise.allSettled([
				here.shop.store.write((tx) =>
					members(tx).remove(businessId, asha.id, 0),
				),
				there.shop.store.write((tx) =>
					members(tx).remove(businessId, baraka.id, 0),
				),
			]);
			expect(outcomes(settled)).toEqual([
				"A business needs an owner who can sign in",
				"done",
			]);
		});

		test("disabling both owners at once, one on each server, leaves one able to sign in", async () => {
			const [here, there] = await openServers();
			const { businessId } = await here.addUser("Asha");
			await here.addUser("Baraka", { businessId, role: "OWNER" });
			const meet = meeting();
			const settled = await Promise.allSettled(
				[here, there].map(({ shop: { store, env } }, i) =>
					store.write(async (tx) => {
						const [first, second] = await accounts(tx).users();
						await meet(i);
						const user = i === 0 ? first : second;
						if (user) await accounts(tx).disable(user, env.now());
					}),
				),
			);
			expect(outcomes(settled)).toEqual([
				"A business needs an owner who can sign in",
				"done",
			]);
		});

		test("two servers create only one first shop, and one account for an email", async () => {
			const servers = await openServers();
			const business = { name: "Duka", currency: "KES", timeZone: "UTC" };
			const create = (email: string, isFirst: boolean) =>
				Promise.allSettled(
					servers.map(({ shop: { store, env } }, i) =>
						createUser(
							store,
							env,
							{
								email: isFirst ? `${i}${email}` : email,
								name: "A",
								passwordHash: "x",
							},
							{ business },
							{ isFirst },
						),
					),
				);
			expect(outcomes(await create("a@example.com", true))).toEqual([
				"This server already has a shop",
				"done",
			]);
			expect(outcomes(await create("b@example.com", false))).toEqual([
				"An account with that email already exists",
				"done",
			]);
		});

		test("guesses on either server count together, also those of a person whose address is known", async () => {
			const servers = await openServers();
			await servers[0].addUser("Asha");
			stopClocks();
			const enter = (i: number, password: string, address: string) =>
				servers[i % 2]?.ask("POST", "/api/auth/mobile-login", {
					headers: { "x-forwarded-for": address },
					body: { email: "asha@example.com", password },
				});
			const statusOf = async (...asked: Parameters<typeof enter>) =>
				(await enter(...asked))?.status;
			expect(await statusOf(0, cheapPassword, "192.0.2.1")).toBe(200);
			for (let i = 0; i < 20; i += 1)
				expect(await statusOf(i, "wrong horse", "192.0.2.2")).toBe(401);
			const refused = await enter(0, cheapPassword, "192.0.2.3");
			expect(refused?.status).toBe(429);
			expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(30);
			expect(await statusOf(1, cheapPassword, "192.0.2.3")).toBe(429);
			// The other server knows where she signed in before.
			expect(await statusOf(1, cheapPassword, "192.0.2.1")).toBe(200);
			const rows = await servers[0].rows("SELECT * FROM attempts");
			expect(JSON.stringify(rows)).not.toMatch(/@|192\.0/);
			// Guesses drain, and what has drained is forgotten.
			await servers[0].shop.store.write((tx) =>
				tx.run("UPDATE attempts SET at_ms = at_ms - 900000, until_ms = 0"),
			);
			expect(await statusOf(0, cheapPassword, "192.0.2.3")).toBe(200);
			const left = await servers[0].rows("SELECT * FROM attempts");
			expect(left.length).toBeLessThan(rows.length);
		});

		test("concurrent registrations on both servers count together", async () => {
			stopClocks();
			const secret = new Uint8Array(32);
			const limits = (await openServers()).map(({ shop }) =>
				openRegistrationLimit(
					openSharedAttempts(shop.store, secret, "register"),
				),
			);
			const settled = await Promise.allSettled(
				Array.from({ length: 60 }, (_, i) =>
					limits[i % 2]?.count("2001:db8::1"),
				),
			);
			expect(outcomes(settled).filter((it) => it === "done")).toHaveLength(50);
		});

		test("two servers can't spend a key's budget twice", async () => {
			const servers = await openServers();
			const [{ shop, addUser }] = servers;
			const { businessId } = await addUser("Asha");
			const limits = {
				businessId,
				userId: null,
				name: "Report",
				monthlyBudget: 100,
				requestsPerMinute: null,
			};
			const { key } = await shop.store.write((tx) =>
				apiKeys(tx).create(shop.env, limits),
			);
			const found = await shop.store.read((tx) => apiKeys(tx).find(key));
			const meters = servers.map(({ shop: { store, env } }) =>
				openMeter(store, env, (error) => {
					throw error;
				}),
			);
			const access = await shop.store.read((tx) =>
				aiAccess(tx).find(businessId),
			);
			const of = {
				...{ businessId, userId: null, role: null, key: found ?? null },
				access: access as Access,
			};
			const accounts = await shop.store.read((tx) => accountsOf(tx, of));
			const payer = { ...of, accounts };
			const settled = await Promise.allSettled(
				Array.from({ length: 8 }, (_, i) =>
					meters[i % 2]?.reserve(payer, () => [30]),
				),
			);
			expect(
				settled.filter(({ status }) => status === "fulfilled"),
			).toHaveLength(3);
			for (const meter of meters) await meter.close();
		});

		test("a notification still being written on one server is not skipped by a list on the other", async () => {
			const [here, there] = await openServers();
			const asha = await here.addUser("Asha");
			const reader = { businessId: asha.businessId, userId: asha.id };
			const hello = { type: "sales", title: "Hello", message: "World" };
			const { shop } = here;
			const made = Promise.withResolvers<void>();
			const asked = Promise.withResolvers<void>();
			const making = shop.store.write(async (tx) => {
				await lockHead(tx, asha.businessId);
				await notify(tx, shop.env, reader, { ...hello, data: null });
				made.resolve();
				await asked.promise;
			});
			const sync = async (since?: string) => {
				const { body } = await there.ask("POST", "/api/notifications/sync", {
					as: asha,
					body: { since },
				});
				return body as { notifications: object[]; serverNow: string };
			};
			await made.promise;
			await setTimeout(2);
			const first = sync();
			await Promise.race([first, setTimeout(200)]);
			asked.resolve();
			await making;
			const { notifications, serverNow } = await first;
			const { notifications: later } = await sync(serverNow);
			expect([...notifications, ...later]).toMatchObject([hello]);
		});

		test("a notification that two servers read or delete at once counts on one of them", async () => {
			const [here, there] = await openServers();
			const asha = await here.addUser("Asha");
			const reader = { businessId: asha.businessId, userId: asha.id };
			const path = "/api/notifications";
			const { body } = await here.ask("POST", path, {
				as: asha,
				body: { type: "sales", title: "Hello", message: "World" },
			});
			const { id } = (body as { notification: { id: string } }).notification;
			/** Marks it on one server, and asks the other before that is committed. */
			async function race(
				mark: (tx: Connection) => Promise<number>,
				ask: () => Promise<Answer>,
			) {
				const marked = Promise.withResolvers<void>();
				const asked = Promise.withResolvers<void>();
				const marking = here.shop.store.write(async (tx) => {
					await lockHead(tx, asha.businessId);
					const count = await mark(tx);
					marked.resolve();
					await asked.promise;
					return count;
				});
				await marked.promise;
				const asking = ask();
				await Promise.race([asking, setTimeout(200)]);
				asked.resolve();
				return [await marking, (await asking).body];
			}
			expect(
				await race(
					(tx) => markRead(tx, reader, [id]),
					() => there.ask("PATCH", path, { as: asha, body: { ids: [id] } }),
				),
			).toEqual([1, { updated: 0 }]);
			expect(
				await race(
					(tx) => markDeleted(tx, reader, [id], new Date().toISOString()),
					() => there.ask("DELETE", `${path}/${id}`, { as: asha }),
				),
			).toEqual([1, { deleted: 0 }]);
		});

		test("a notification is dated when it gets the lock, not before", async () => {
			const [here, there] = await openServers();
			const asha = await here.addUser("Asha");
			const locked = Promise.withResolvers<void>();
			const asked = Promise.withResolvers<void>();
			const holding = here.shop.store.write(async (tx) => {
				await lockHead(tx, asha.businessId);
				locked.resolve();
				await asked.promise;
			});
			await locked.promise;
			const making = there.ask("POST", "/api/notifications", {
				as: asha,
				body: { type: "sales", title: "Hello", message: "World" },
			});
			await Promise.race([making, setTimeout(200)]);
			const turn = new Date().toISOString();
			asked.resolve();
			await holding;
			const { body } = await making;
			const { notification } = body as { notification: { createdAt: string } };
			expect(notification.createdAt >= turn).toBe(true);
		});
	},
);
