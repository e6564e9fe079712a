import { expect, test } from "vitest";
import { twoShops } from "../testing/server.ts";

const path = "/api/notifications";
const hello = { type: "sales", title: "Hello", message: "World" };

test("only a business's members can list its notifications", async () => {
	const { server, asha, baraka } = await twoShops();
	await server.ask("POST", path, { as: asha, body: hello });
	const list = () =>
		server.ask("GET", `${path}?businessId=${baraka.businessId}`, { as: asha });
	expect((await list()).body).toMatchObject({ notifications: [hello] });
	await server.shop.store.write((tx) =>
		tx.run(
			"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, 'CASHIER', '2030-01-01T00:00:00.000Z')",
			baraka.businessId,
			asha.id,
		),
	);
	expect((await list()).body).toEqual({ notifications: [] });
	const { body } = await server.ask("POST", `${path}/sync`, {
		as: asha,
		body: { businessId: baraka.businessId },
	});
	expect(body).toMatchObject({ notifications: [] });
});

test("only a business's members can create, mark, delete and switch off its notifications", async () => {
	const { server, asha, baraka } = await twoShops();
	const { businessId } = baraka;
	const query = `?businessId=${businessId}`;
	const ask = (method: string, end: string, body?: object) =>
		server.ask(method, `${path}${end}`, { as: asha, body });
	const rows = () =>
		server.rows(
			"SELECT read, deleted_at IS NOT NULL AS deleted FROM notifications WHERE business_id = ?",
			businessId,
		);
	const own = { notification: { businessId: asha.businessId } };
	// A request that names another business falls back to the caller's own.
	expect((await ask("POST", query, hello)).body).toMatchObject(own);
	expect(await rows()).toEqual([]);
	await server.shop.store.write((tx) =>
		tx.run(
			"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, 'CASHIER', '2030-01-01T00:00:00.000Z')",
			businessId,
			asha.id,
		),
	);
	expect((await ask("POST", "", hello)).body).toMatchObject(own);
	const other = { notification: { businessId } };
	const made = await ask("POST", query, hello);
	expect(made.body).toMatchObject(other);
	const inBody = await ask("POST", "", { ...hello, businessId });
	expect(inBody.body).toMatchObject(other);
	const [a, b] = [made, inBody].map(
		({ body }) => (body as { notification: { id: string } }).notification.id,
	);
	expect((await ask("PATCH", "", { ids: [a, b] })).body).toEqual({
		updated: 0,
	});
	expect((await ask("PATCH", query, { ids: [a] })).body).toEqual({
		updated: 1,
	});
	expect((await ask("PATCH", "", { ids: [b], businessId })).body).toEqual({
		updated: 1,
	});
	expect((await ask("DELETE", `/${a}`)).body).toEqual({ deleted: 0 });
	expect((await ask("DELETE", `/${a}${query}`)).body).toEqual({ deleted: 1 });
	expect(
		(await rows()).map(({ read, deleted }) => [read, Boolean(deleted)]).sort(),
	).toEqual([
		[1, false],
		[1, true],
	]);
	const synced = await ask("POST", `/sync${query}`, {});
	expect(synced.body).toMatchObject({ notifications: [{ id: b }] });

	const off = { type: "sales", enabled: false };
	await ask("PATCH", `/preferences${query}`, off);
	expect((await ask("POST", query, hello)).body).toEqual({ skipped: true });
	expect((await ask("POST", "", hello)).body).toMatchObject(own);
	await ask("PATCH", "/preferences", { ...off, enabled: true, businessId });
	expect((await ask("POST", query, hello)).body).toMatchObject(other);
});
