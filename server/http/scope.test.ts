import { expect, test } from "vitest";
import {
	everythingOf,
	fill,
	idsByResource,
	mountedOperations,
	requests,
} from "../testing/operations.ts";
import { openTestServer } from "../testing/server.ts";

test("no operation shows, counts or changes another business's records with the same ids", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const baraka = await server.addUser("Baraka");
	const table = requests(baraka.businessId);
	// A new operation needs an entry here.
	expect(Object.keys(table).sort()).toEqual(mountedOperations(server).sort());

	await fill(server, baraka, "CANARY");
	for (const filled of [false, true]) {
		// Requests the other shop's records first from an empty shop, then from one with the same ids.
		if (filled) await fill(server, asha, "own");
		const before = await everythingOf(server, baraka);
		for (const [operation, { path, body, as }] of Object.entries(table)) {
			const [method = "", route = ""] = operation.split(" ");
			const id = idsByResource[route.split("/")[2] ?? ""] ?? "none";
			const answer = await server.ask(
				method,
				path ?? route.replace(":id", id),
				{
					body,
					...(as === "session"
						? { headers: { cookie: asha.cookie } }
						: { as: asha }),
				},
			);
			expect(`${operation}: ${answer.text}`).not.toContain("CANARY");
			expect(`${operation}: ${answer.text}`).not.toContain(baraka.businessId);
			expect(`${operation}: ${answer.text}`).not.toContain(baraka.id);
			expect(`${operation}: ${answer.status}`).not.toMatch(/: 5\d\d$/);
			// An owner names a tax class, and has made one by now. A day belongs to every shop.
			const isOwn = ["/api/taxes/:id", "/api/shift-days/:id"].includes(route);
			if (!filled && route.endsWith(":id") && method !== "DELETE" && !isOwn)
				expect(`${operation}: ${answer.status}`).toMatch(/: 40[34]$/);
		}
		const sales = await server.ask("GET", "/api/sales", { as: asha });
		expect(sales.body).toMatchObject({ total: filled ? 4 : 1 });
		expect(await everythingOf(server, baraka)).toEqual(before);
	}
});
