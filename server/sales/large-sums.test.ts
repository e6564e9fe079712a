import { expect } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { openTestServer } from "../testing/server.ts";

const at = "2026-11-20T08:00:00.000Z";
/** The greatest value of a field. */
const most = 1_000_000_000;

async function openShop() {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	let last = 0;

	/** Pushes sales with extreme values, as after a typing error or by an attacker. */
	async function pushSales(count: number, line: object, lines = 1) {
		const mutations = Array.from({ length: count }, () => {
			last += 1;
			const items = Array.from({ length: lines }, (_, i) => ({
				...{ id: String(i), name: "Rice", quantity: 1, price: 0, cost: 0 },
				productId: "rice",
				...line,
			}));
			const args = { id: `s${last}`, items };
			return { id: `m${last}`, name: "sale.create", at, args };
		});
		return server.ask("POST", "/api/sync", { as: asha, body: { mutations } });
	}

	return { server, asha, pushSales };
}

const reports = ["/api/dashboard", "/api/sales?limit=1", "/api/sales-history"];

oneIn(3).each([
	["quantities of a thousand lines each", 12, { quantity: most }, 999],
	["totals", 1_000, { quantity: 9, price: most }, 1],
])(
	"reports answer even if the %s exceed the database's integers",
	async (_, count, line, lines) => {
		const { server, asha, pushSales } = await openShop();
		for (let i = 0; i < 2; i += 1)
			expect((await pushSales(count, line, lines)).status).toBe(200);
		for (const path of reports) {
			const answer = await server.ask("GET", path, { as: asha });
			expect(`${path} ${answer.status} ${answer.body && "read"}`).toBe(
				`${path} 200 read`,
			);
		}
		const { body } = await server.ask("GET", "/api/sales?limit=0", {
			as: asha,
		});
		expect(body).toMatchObject({ total: 2 * count });
	},
);

oneIn(3)(
	"a product whose earlier sales overflow its stock is refused, but the sales are accepted",
	async () => {
		const { server, asha, pushSales } = await openShop();
		await pushSales(12, { quantity: most }, 999);
		const args = { id: "rice", name: "Rice", buyingPrice: 1, sellingPrice: 2 };
		const pushed = await server.ask("POST", "/api/sync", {
			as: asha,
			body: { mutations: [{ id: "p", name: "product.create", at, args }] },
		});
		expect(pushed.body).toMatchObject({
			results: [{ status: "rejected", error: { code: "invalid_args" } }],
		});
		const { body } = await pushSales(1, {});
		expect(body).toMatchObject({ results: [{ status: "applied" }] });
	},
);
