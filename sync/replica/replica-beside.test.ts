import { expect, test } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { addTwin, rowsOfBusiness } from "../testing/rows.ts";
import { twoTills } from "../testing/shop.ts";

test("nothing that happens to a till changes another shop on the same machine", async () => {
	const { server, a } = await twoTills();
	const { till, line, caller } = a;
	await a.sell({ milk: 1 });
	await till.sync();
	await a.sell({ milk: 1 });
	const twin = await addTwin(a.store, "shop-1", "shop-2");
	const expectTwin = async () =>
		expect(await rowsOfBusiness(a.store, "shop-2")).toEqual(twin);
	const add = (id: string) =>
		till.mutate(caller, categoryCreate, { id, name: id });

	await a.sell({ bread: 1 });
	await expectTwin();

	// An answer with another prefix, from a server whose clock went on.
	const { push } = line;
	line.push = async (request) => {
		const answer = await push(request);
		server.env.pass(2_000);
		return answer;
	};
	await server.store.write((tx) => tx.run("UPDATE devices SET prefix = id"));
	server.env.pass(60_000);
	await till.sync();
	await expectTwin();

	line.unauthorized = true;
	await expect(till.sync()).rejects.toMatchObject({ code: "unauthorized" });
	await expectTwin();
	await till.resume();
	line.unauthorized = false;

	caller.role = "CASHIER";
	await till.mutateAll({ ...caller, role: "OWNER" }, [
		{ mutation: categoryCreate, args: { id: "c-1", name: "1" } },
		{ mutation: categoryCreate, args: { id: "c-2", name: "2" } },
	]);
	await till.sync();
	caller.role = "OWNER";
	const [first, second] = await till.rejected();
	await till.retry(first?.id as string);
	await till.discard(second?.id as string);
	await till.restore(second?.id as string);
	expect(await till.stateOf(second?.id as string)).toBe("rejected");
	await till.discard(second?.id as string);
	await till.sync();
	await expectTwin();

	// As if other copies of the till had got further since.
	await server.store.write((tx) =>
		tx.run("UPDATE devices SET last_number = 99"),
	);
	await add("c-3");
	await till.sync();
	await expectTwin();
	expect(await till.status()).toMatchObject({ pending: 0, rejected: 0 });
	const mine = await a.rows(
		"SELECT id FROM categories WHERE business_id = 'shop-1' ORDER BY id",
	);
	expect(mine.map(({ id }) => id)).toEqual(["c-1", "c-3"]);
});
