import { expect, test } from "vitest";
import { demoOwner, demoProductCount } from "../../../sync/protocol/demo.ts";
import { systemEnv } from "../../../sync/protocol/ids.ts";
import { customerTotals } from "../../../sync/queries/customer.ts";
import { reportTax } from "../../../sync/queries/report-tax.ts";
import { statementTotals } from "../../../sync/queries/statement-match.ts";
import { supplierList } from "../../../sync/queries/supplier.ts";
import { settleTallies } from "../../../sync/queries/tallies.ts";
import { oneIn } from "../../../sync/testing/lane.ts";
import { openTestShop, testEnv } from "../../../sync/testing/shop.ts";
import { assertTalliesRight } from "../../../sync/testing/tallies.ts";
import { testPasswords } from "../../testing/passwords.ts";
import { openTestServer } from "../../testing/server.ts";
import { openDemo } from "./demo-account.ts";
import { makeDemoShop } from "./demo-shop.ts";

const owner = { ...demoOwner, passwordHash: "none" };

async function make() {
	const env = testEnv("2026-11-20T09:00:00.000Z");
	const server = await openTestShop({ env });
	const { businessId } = await makeDemoShop(server.store, env, owner);
	const [sums] = await server.rows(
		`SELECT count(*) AS sales, sum(total) AS total, min(created_at) AS first, max(created_at) AS last,
       sum(CASE WHEN payment_method = 'CASH' THEN 1 ELSE 0 END) AS cash,
       sum(CASE WHEN paid > total THEN 1 ELSE 0 END) AS with_change
     FROM sales WHERE business_id = ?`,
		businessId,
	);
	return { server, businessId, sums: sums as Record<string, number> };
}

oneIn(3)(
	"a demo shop has three months of plausible trade up to now",
	async () => {
		const { server, businessId, sums } = await make();
		const { store, rows, shop } = server;
		expect(sums.sales).toBeGreaterThan(90 * 30);
		expect(sums.sales).toBeLessThan(90 * 70);
		expect(String(sums.first)).toMatch(/^2026-08-2/);
		expect(String(sums.last)).toMatch(/^2026-11-20T0[5-8]/);
		expect((sums.cash as number) / (sums.sales as number)).toBeCloseTo(0.55, 1);
		expect(sums.with_change).toBeGreaterThan(500);
		expect(
			await rows(
				`SELECT name FROM products WHERE business_id = ? AND is_service = 0
       AND (quantity < 0 OR quantity <> (SELECT sum(delta) FROM stock_ledger WHERE stock_ledger.business_id = products.business_id AND product_id = products.id))`,
				businessId,
			),
		).toEqual([]);
		const [counts] = await rows(
			`SELECT (SELECT count(*) FROM refunds WHERE kind = 'refund') AS refunds, (SELECT count(*) FROM refunds WHERE kind = 'void') AS voids,
       (SELECT count(*) FROM products) AS products, (SELECT count(*) FROM product_codes) AS codes, (SELECT count(*) FROM product_packs) AS packs, (SELECT count(*) FROM line_units) AS packed,
       (SELECT count(*) FROM products WHERE business_id = ? AND quantity <= low_stock AND is_service = 0) AS low,
       (SELECT count(*) FROM mutations WHERE status <> 'applied') AS refused, (SELECT count(*) FROM categories) AS categories,
       (SELECT count(*) - count(DISTINCT receipt_number) FROM sales) AS doubled`,
			businessId,
		);
		expect(counts).toMatchObject({
			...{ refused: 0, doubled: 0, categories: 13 },
			...{ products: demoProductCount, codes: 1, packs: 2 },
		});
		expect(counts?.packed).toBeGreaterThan(10);
		expect(counts?.refunds).toBeGreaterThan(20);
		expect(counts?.voids).toBeGreaterThan(5);
		expect(counts?.low).toBeGreaterThan(2);
		const { owed, owing } = await shop.ask(
			{ businessId, role: "OWNER" },
			customerTotals,
			{},
		);
		expect(owing).toBeGreaterThan(2);
		expect(owed).toBeGreaterThan(500);
		const { rows: suppliers } = await shop.ask(
			{ businessId, role: "OWNER" },
			supplierList,
			{},
		);
		expect(suppliers.map(({ balance }) => balance > 100)).toEqual([
			true,
			false,
		]);
		const { rows: taxes } = await shop.ask(
			{ businessId, role: "OWNER" },
			reportTax,
			{ from: "2026-11-01", to: "2026-11-19" },
		);
		expect(taxes.map(({ taxClass, taxRate }) => [taxClass, taxRate])).toEqual([
			["A", 0],
			["B", 16],
		]);
		const today = "2026-11-20";
		const codes = await shop.ask(
			{ businessId, role: "OWNER" },
			statementTotals,
			{ from: "2026-08-21", to: today },
		);
		expect(codes.confirmed.count).toBeGreaterThan(500);
		for (const state of ["missing", "differs", "unclaimed"] as const) {
			expect([state, codes[state].count > 0]).toEqual([state, true]);
			expect([state, codes[state].count < 30]).toEqual([state, true]);
		}
		// Today's sales are in no statement yet.
		expect(codes.uncovered.count).toBeGreaterThan(0);
		await settleTallies(store, businessId, today);
		await assertTalliesRight(store, businessId, today);
	},
);

oneIn(6)(
	"a demo shop made at the same moment is the same",
	{
		// Each shop takes a thousand round trips to PostgreSQL.
		timeout: 300_000,
	},
	async () => {
		const [one, other] = [await make(), await make()];
		expect(one.sums).toEqual(other.sums);
	},
);

oneIn(3)(
	"a demo shop can be made only on an empty server, and signs its maker in",
	async () => {
		const server = await openTestServer();
		expect((await server.ask("GET", "/api/setup")).body).toEqual({
			isEmpty: true,
			needsCode: false,
		});
		const origin = { origin: "https://evil.example" };
		expect(
			await server.ask("POST", "/api/setup/demo", {
				headers: origin,
				body: {},
			}),
		).toMatchObject({ status: 403 });
		const made = await server.ask("POST", "/api/setup/demo", { body: {} });
		expect(made.status).toBe(201);
		const { password } = made.body as { password: string };
		const cookie = made.headers.get("set-cookie")?.split(";")[0] as string;
		expect(
			await server.ask("GET", "/api/session", { headers: { cookie } }),
		).toMatchObject({
			body: { role: "OWNER", user: { email: demoOwner.email } },
		});
		expect(
			await server.ask("POST", "/login", {
				body: { email: demoOwner.email, password },
			}),
		).toMatchObject({ status: 200 });
		for (const path of ["/api/setup/demo", "/api/setup"])
			expect(
				await server.ask("POST", path, {
					body: { name: "Two", email: "two@example.com", password: "12345678" },
				}),
			).toMatchObject({
				status: 409,
				body: { error: "This server already has a shop" },
			});
		expect((await server.ask("GET", "/api/setup")).body).toEqual({
			isEmpty: false,
			needsCode: false,
		});
	},
);

oneIn(3)(
	"a demo shop that is interrupted on an empty server leaves nothing, and can be made again",
	async () => {
		const server = await openTestServer();
		const { shop, settings } = server;
		const { adminEmails } = settings;
		let left = 3_000;
		const env = {
			...shop.env,
			randomBytes(count: number) {
				left -= 1;
				if (left === 0) throw new Error("The power is cut");
				return systemEnv.randomBytes(count);
			},
		};
		const make = () =>
			openDemo({
				shop: { ...shop, env },
				...{ adminEmails, passwords: testPasswords },
			});
		await expect(make()).rejects.toThrow("The power is cut");
		expect(await server.rows("SELECT 1 FROM users")).toEqual([]);
		expect(await server.rows("SELECT 1 FROM businesses")).toEqual([]);
		expect((await server.ask("GET", "/api/setup")).body).toMatchObject({
			isEmpty: true,
		});
		const made = await make();
		const [sold] = await server.rows("SELECT count(*) AS sales FROM sales");
		expect(sold?.sales).toBeGreaterThan(90 * 30);
		const { email } = made.user;
		const body = { email, password: made.password };
		expect(await server.ask("POST", "/login", { body })).toMatchObject({
			status: 200,
		});
	},
);

test("of two concurrent demo requests on an empty server, one succeeds", async () => {
	const server = await openTestServer();
	const answers = await Promise.all(
		["one", "two", "three"].map((name) =>
			server.ask("POST", "/api/setup", {
				body: { name, email: `${name}@example.com`, password: "12345678" },
			}),
		),
	);
	expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
	const [count] = await server.rows("SELECT count(*) AS users FROM users");
	expect(count).toEqual({ users: 1 });
});
