import { expect, test } from "vitest";
import { twoShops } from "../testing/server.ts";

test("a session refuses a page that names another shop, and writes nothing", async () => {
	const { server, asha, baraka } = await twoShops();
	const before = await server.rows("SELECT * FROM categories");
	for (const [businessId, status] of [
		[baraka.businessId, 403],
		["gone", 403],
		[asha.businessId, 201],
	] as const) {
		const answer = await server.ask("POST", "/api/categories", {
			as: asha,
			headers: { "x-business-id": businessId },
			body: { name: "Dairy" },
		});
		expect(answer.status).toBe(status);
		if (status === 403)
			expect(answer.body).toEqual({ error: "wrong_business" });
	}
	const after = await server.rows("SELECT * FROM categories");
	expect(after).toHaveLength(before.length + 1);
});
