import { describe, expect } from "vitest";
import { writeStatementPdf } from "../../../server/statements/testing/statement-pdf.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

const now = new Date();
/** As a statement in Nairobi writes it. */
const local = new Date(now.getTime() + 3 * 3_600_000).toISOString();
const [year, month, day] = local.slice(0, 10).split("-");
const time = local.slice(11, 16);

const messages = `UKK1A2B3C4 Confirmed. You have received Ksh65.00 from JANE 0712345678 on ${day}/${month}/${year} at ${time}. New M-PESA balance is Ksh500.00.
UKK1A2B3C6 Confirmed. Ksh20.00 sent to JOHN on ${day}/${month}/${year} at ${time}.`;
const file = `Organization:,Duka la Njeri
Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,Balance
UKK1A2B3C4,${local.slice(0, 10)} ${time}:30,From 0712***678 - JANE,Completed,65.00,,500.00
UKK1A2B3C4,${local.slice(0, 10)} ${time}:30,Pay merchant Charge,Completed,,-0.50,499.50
UKK1A2B3C9,${local.slice(0, 10)} ${time}:45,From 0722***222 - ALI,Completed,"1,065.00",,1564.50
`;

describe("statements, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"messages pasted without a network, and a file, show which payments arrived",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill();
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(server.url);
			const button = (name: string | RegExp) =>
				page.getByRole("button", { name });
			for (const code of ["UKK1A2B3C4", "UKK1A2B3C5"]) {
				await button(/^Milk/).click();
				await page.keyboard.press("F8");
				await page.getByRole("radio", { name: "M-PESA" }).click();
				await page.getByLabel("M-PESA code").fill(code);
				await page.keyboard.press("Enter");
				await button("Sell anyway").click();
				await page.getByText("On the server").waitFor();
				await button("Next sale").click();
			}
			await page.getByRole("link", { name: "Sales" }).click();
			await page.getByRole("link", { name: "M-PESA" }).click();
			await page.getByRole("radio", { name: "Not checked yet 2" }).waitFor();

			await context.setOffline(true);
			await button("Import").click();
			await page.getByLabel("Messages").fill("Hello");
			await page.getByText("neither a statement in CSV").waitFor();
			await page.getByLabel("Messages").fill(messages);
			await page.getByText("1 payment received, KES 65").waitFor();
			await page.getByText("1 other line skipped").waitFor();
			await page
				.getByRole("dialog")
				.getByRole("button", { name: "Import" })
				.click();
			await page.getByRole("radio", { name: "Confirmed 1" }).click();
			const list = page.getByRole("list").last();
			await list.getByText("UKK1A2B3C4").waitFor();
			expect(await list.textContent()).toMatch(
				/JANE 0712\*\*\*678 · .*-000001/,
			);
			await context.setOffline(false);

			await button("Import").click();
			await page.locator("input[type=file]").setInputFiles({
				...{ name: "statement.csv", mimeType: "text/csv" },
				buffer: Buffer.from(file),
			});
			await page.getByText("2 payments received, KES 1,130").waitFor();
			await page.locator("input[type=file]").setInputFiles({
				...{ name: "statement.pdf", mimeType: "application/pdf" },
				buffer: await writeStatementPdf(
					file
						.replace('"1,065.00"', "1065.00")
						.split("\n")
						.slice(2, -1)
						.map((line) => line.split(",")),
					"123456",
				),
			});
			const password = page.getByLabel("Password of the PDF");
			await password.fill("654321");
			await password.press("Enter");
			await page.getByText("This password doesn't open the file").waitFor();
			await password.fill("123456");
			await password.press("Enter");
			await page.getByText("2 payments received, KES 1,130").waitFor();
			await page
				.getByRole("dialog")
				.getByRole("button", { name: "Import" })
				.click();
			await page.getByRole("radio", { name: "No sale 1" }).click();
			await list.getByText("UKK1A2B3C9").waitFor();
			await page.getByRole("radio", { name: "Confirmed 1" }).waitFor();
			await expect
				.poll(() =>
					server.now().rows("SELECT id FROM statement_lines ORDER BY id"),
				)
				.toEqual([{ id: "MPESA:UKK1A2B3C4" }, { id: "MPESA:UKK1A2B3C9" }]);

			await page.getByRole("link", { name: "Till" }).click();
			await button(/^Milk/).click();
			await page.keyboard.press("F8");
			await page.getByRole("radio", { name: "M-PESA" }).click();
			await page.getByLabel("M-PESA code").fill("UKK1A2B3C9");
			await page.keyboard.press("Enter");
			await page.getByText("UKK1A2B3C9 brought KES 1,065").waitFor();
			expect(problems).toEqual([]);
		},
	);
});
