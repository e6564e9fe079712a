import { expect, test } from "vitest";
import { paymentCodeUsed } from "../queries/payment.ts";
import {
	expectInStep,
	openTestShop,
	openTestTill,
	type TestShop,
} from "../testing/shop.ts";
import { statementImport, statementLinesMax } from "./statement.ts";

const line = (code: string, more: object = {}) => ({
	...{ code, amount: 50, paidAt: "2026-09-11T07:15:00.000Z", ...more },
});
const statement = (...lines: ReturnType<typeof line>[]) => ({
	...{ method: "MPESA", lines },
});
const linesOf = ({ rows }: Pick<TestShop, "rows">) =>
	rows("SELECT id, amount, payer, paid_at FROM statement_lines ORDER BY id");

test("a line of a statement is recorded once, as it was first imported", async () => {
	const server = await openTestShop();
	const { shop, caller } = server;
	const first = line("UIBJN5YMQC", { payer: "0790***511" });
	await shop.mutate(caller, statementImport, statement(first, first));
	// A message tells the same payment by the minute, and with another name.
	const again = { amount: 51, paidAt: "2026-09-11T07:15:30.000Z" };
	await shop.mutate(
		caller,
		statementImport,
		statement(line("UIBJN5YMQC", again), line("UIB9B1U5VV")),
	);
	expect(await linesOf(server)).toEqual([
		{
			...{ id: "MPESA:UIB9B1U5VV", amount: 50_000_000, payer: null },
			paid_at: "2026-09-11T07:15:00.000Z",
		},
		{
			...{ id: "MPESA:UIBJN5YMQC", amount: 50_000_000, payer: "0790***511" },
			paid_at: "2026-09-11T07:15:00.000Z",
		},
	]);
});

test("a code is asked with what a statement says it brought", async () => {
	const { shop, caller } = await openTestShop();
	await shop.mutate(caller, statementImport, {
		...statement(line("UIBJN5YMQC", { amount: 50.5 })),
	});
	const ask = (code: string) => shop.ask(caller, paymentCodeUsed, { code });
	expect(await ask("UIBJN5YMQC")).toEqual({ isUsed: false, received: 50.5 });
	expect(await ask("UIB9B1U5VV")).toEqual({ isUsed: false, received: null });
});

test("two tills that import the same statement without a network agree", async () => {
	const server = await openTestShop();
	const tills = [await openTestTill(server), await openTestTill(server)];
	for (const [i, { till, caller }] of tills.entries()) {
		await till.sync();
		await till.mutate(
			caller,
			statementImport,
			statement(
				line("UIBJN5YMQC", { payer: String(i) }),
				line(`UIB9B1U5V${i}`),
			),
		);
	}
	for (const { till } of [...tills, ...tills]) await till.sync();
	for (const till of tills) await expectInStep(server, till);
	expect((await linesOf(server)).map(({ id, payer }) => [id, payer])).toEqual([
		["MPESA:UIB9B1U5V0", null],
		["MPESA:UIB9B1U5V1", null],
		["MPESA:UIBJN5YMQC", "0"],
	]);
});

test("a statement has 1 to 1,000 lines, each with a code, an amount and a time", () => {
	const isValid = (...lines: object[]) =>
		statementImport.args.safeParse({ method: "MPESA", lines }).success;
	const many = Array.from({ length: statementLinesMax }, () => line("UIB1"));
	expect(isValid(...many)).toBe(true);
	expect(isValid(...many, line("UIB1"))).toBe(false);
	expect(isValid()).toBe(false);
	for (const wrong of [
		...[{ code: "uib1" }, { code: "" }, { amount: 0 }, { amount: -1 }],
		...[{ paidAt: "2026-09-11" }, { payer: "x".repeat(201) }],
	])
		expect([wrong, isValid(line("UIB1", wrong))]).toEqual([wrong, false]);
});
