import { describe, expect, test } from "vitest";
import { saleCreate } from "../../sync/entities/sale.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import { stopClocks } from "../testing/clocks.ts";
import { expectScenario, type Scenario, twoShops } from "../testing/server.ts";

const path = "/api/imports/statement";
const scenarios: Scenario[] = [
	{
		what: "says that a file is no statement",
		...{ method: "POST", path, body: "name,sku\nTea,1\n", status: 400 },
		answer: { error: expect.stringContaining("neither an M-PESA statement") },
	},
	{
		what: "says that a PDF is broken",
		...{ method: "POST", path, body: "%PDF-1.7 …", status: 400 },
		answer: { error: "This PDF can't be read" },
	},
	{
		what: "imports nothing with a dryRun that is no number",
		...{ method: "POST", path: `${path}?dryRun=true`, body: "" },
		...{ status: 400, exactly: { error: "dryRun must be 0 or 1" } },
	},
	{
		what: "refuses a period of more than 92 days",
		...{ method: "GET", status: 400 },
		path: "/api/statements/match.csv?from=2026-01-01&to=2026-04-03",
		answer: { error: "to: the period must have at most 92 days" },
	},
];

describe("statements by REST", () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("a statement is read with dryRun, imported without, and matched with the sales", async () => {
		const { server, asha } = await twoShops();
		stopClocks();
		const at = toIso(Date.now());
		const [year, month, day] = at.slice(0, 10).split("-");
		const line = (code: string, amount: string) =>
			`${code},${day}/${month}/${year} ${at.slice(11, 19)},From 0790***511,Completed,"${amount}",,`;
		const csv = [
			"Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,Balance",
			...[line("UKK1A2B3C4", "1,050.50"), line("UKK1A2B3C5", "20.00")],
			...[line("UKK1A2B3C4", "0.00"), line("bad", "5.00")],
		].join("\n");
		const items = [{ name: "Rice", quantity: 1, price: 1_050.5, cost: 0 }];
		await server.shop.mutate(asha.caller, saleCreate, {
			items: items.map((item) => ({ ...item, id: "1" })),
			...{ id: "s", receiptNumber: "A-1", paymentMethod: "MPESA" },
			paymentCode: "UKK1A2B3C4",
		});
		const ask = async (query = "") =>
			(await server.ask("POST", path + query, { as: asha, body: csv })).body;
		const read = {
			...{ payments: 2, amount: 1_070.5, passedOver: 1 },
			refused: [
				{ line: 5, code: "no_code", text: expect.stringMatching(/^bad, /) },
			],
		};
		const before = await server.shop.digest(asha.caller);
		expect(await ask("?dryRun=1")).toEqual(read);
		expect(await server.shop.digest(asha.caller)).toEqual(before);
		expect(await ask()).toEqual(read);
		expect(await ask()).toEqual(read);
		const days = `from=${at.slice(0, 10)}&to=${at.slice(0, 10)}`;
		const get = (where: string) =>
			server.ask("GET", `/api/statements/${where}${days}`, { as: asha });
		expect((await get("totals?")).body).toMatchObject({
			confirmed: { count: 1, received: 1_050.5 },
			unclaimed: { count: 1, received: 20 },
		});
		expect((await get("match?state=confirmed&")).body).toMatchObject([
			{ code: "UKK1A2B3C4", claims: [{ receiptNumber: "A-1" }] },
		]);
		const { text } = await get("match.csv?");
		expect(text).toMatch(
			/^state,code,localTime,received,claimed,payer,receipts,suggestions\r\n/,
		);
		expect(text).toMatch(
			/\r\nconfirmed,UKK1A2B3C4,[^,]+,1050.5,1050.5,From 0790\*\*\*511,A-1,\r\n/,
		);
	});
});
