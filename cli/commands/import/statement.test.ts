import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { twoShops } from "../../../server/testing/server.ts";
import { testDir } from "../../../sync/testing/shop.ts";
import { runCommand } from "../../testing/command.ts";

test("import statement records payments once, and export statement says what became of them", async () => {
	const { server, asha } = await twoShops();
	const file = join(testDir(), "statement.csv");
	const run = (...args: string[]) =>
		runCommand([...args, "--business", asha.businessId], {
			DATA_DIR: server.settings.dataDir,
		});
	writeFileSync(
		file,
		`Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,Balance
UI31A2B3C4,2026-09-03 10:15:00,From 0712345678 - JANE,Completed,"1,234.00",,
UI31A2B3C4,2026-09-03 10:15:00,Pay merchant Charge,Completed,,-13.75,
UI31A2B3C5,soon,From 0712345678 - JANE,Completed,20.00,,
`,
	);
	const read = {
		...{ payments: 1, amount: 1_234, passedOver: 1 },
		refused: [
			{
				line: 4,
				code: "no_time",
				text: expect.stringMatching(/^UI31A2B3C5, /),
			},
		],
	};
	const dry = await run("import", "statement", file, "--dry-run", "--json");
	expect(dry).toMatchObject({
		...{
			status: 1,
			err: expect.stringMatching(/^line 4: no_time \(UI31A2B3C5/),
		},
	});
	expect(JSON.parse(dry.out)).toEqual({ ...read, dryRun: true });
	expect(await server.rows("SELECT 1 FROM statement_lines")).toEqual([]);
	for (let time = 0; time < 2; time += 1)
		expect(await run("import", "statement", file)).toMatchObject({
			status: 1,
			out: "Imported payments: 1, together 1234; passed over 1, refused 1\n",
		});
	// More days than one answer has.
	const days = ["--from", "2026-01-01", "--to", "2026-12-31"];
	const { out } = await run("export", "statement", ...days);
	expect(parse(out, { columns: true, bom: true })).toEqual([
		{
			...{ state: "unclaimed", code: "UI31A2B3C4" },
			...{ localTime: "2026-09-03 10:15", received: "1234", claimed: "" },
			...{ payer: "From 0712***678 - JANE", receipts: "", suggestions: "" },
		},
	]);

	writeFileSync(file, "%PDF-1.7");
	expect(await run("import", "statement", file)).toMatchObject({
		...{ status: 1, err: expect.stringContaining("This PDF can't be read") },
	});
});
