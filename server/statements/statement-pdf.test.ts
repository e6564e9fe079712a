import { randomBytes } from "node:crypto";
import { constants, deflateRawSync } from "node:zlib";
import PDFDocument from "pdfkit";
import { describe, expect, test } from "vitest";
import { readStatement } from "../../sync/statements/read-statement.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { dump } from "../proof/attacks/testing/attacks.ts";
import { twoShops } from "../testing/server.ts";
import { readStatementPdf } from "./statement-pdf.ts";
import { writeStatementPdf } from "./testing/statement-pdf.ts";

const row = (n: number, paidIn = "1,234.00") => [
	...[`UKK1A2B3${String(n).padStart(2, "0")}`, "2026-11-20 10:15:00"],
	"Pay Bill from 0712345678 - JANE WANJIRU Acc. 12 with a remark that wraps",
	...["Completed", paidIn, "", "5,500.00"],
];
const charge = [
	...["UKK1A2B300", "2026-11-20 10:15:00", "Pay Bill Charge", "Completed"],
	...["", "-13.75", "5,486.25"],
];

describe("a statement in PDF", () => {
	test("its table is read over pages and wrapped lines as the CSV would be", async () => {
		const rows = [row(0), charge];
		for (let n = 1; n < 40; n += 1) rows.push(row(n, `${n}.50`));
		const csv = await readStatementPdf(await writeStatementPdf(rows));
		const read = readStatement(csv, "Africa/Nairobi");
		expect(read).toMatchObject({ passedOver: 1, refused: [] });
		expect(read?.payments).toHaveLength(40);
		expect(read?.payments[0]).toEqual({
			...{ code: "UKK1A2B300", paidAt: "2026-11-20T07:15:00.000Z" },
			amount: 1_234,
			payer:
				"Pay Bill from 0712***678 - JANE WANJIRU Acc. 12 with a remark that wraps",
		});
		expect(read?.payments.map(({ amount }) => amount).slice(1)).toEqual(
			Array.from({ length: 39 }, (_, i) => i + 1.5),
		);
	});

	test("its password opens it by REST, and stays in no log and no row", async () => {
		const { server, asha } = await twoShops();
		const password = "swordfish 50%";
		const file = await writeStatementPdf([row(0)], password);
		const send = (path: string, given?: string) =>
			fetch(`${server.url}${path}`, {
				method: "POST",
				headers: {
					...{ cookie: asha.cookie, "content-type": "application/pdf" },
					...(given && { "x-file-password": encodeURIComponent(given) }),
				},
				body: new Uint8Array(file),
			});
		for (const wrong of [undefined, "1234"]) {
			const refused = await send("/api/statements/pdf", wrong);
			expect(refused.status).toBe(400);
			expect(refused.headers.get("x-error-code")).toBe("file_password");
		}
		const opened = await send("/api/statements/pdf", password);
		expect(await opened.json()).toMatchObject({
			csv: expect.stringContaining("UKK1A2B300,2026-11-20 10:15:00,"),
		});
		const imported = await send("/api/imports/statement", password);
		expect(await imported.json()).toMatchObject({ payments: 1, amount: 1_234 });
		expect(
			await server.rows("SELECT code, payer FROM statement_lines"),
		).toMatchObject([{ code: "UKK1A2B300" }]);
		expect(await dump(server)).not.toContain("swordfish");
	});

	oneIn(4)(
		"a password with letters beyond ASCII opens it in each form of encryption, however it is typed",
		async () => {
			for (const version of ["1.4", "1.7", "1.7ext3"] as const) {
				const file = await writeStatementPdf([row(0)], "Zürich", version);
				for (const typed of ["Zürich", "Zürich".normalize("NFD")])
					expect(await readStatementPdf(file, typed)).toContain("UKK1A2B300");
				await expect(readStatementPdf(file, "Zurich")).rejects.toMatchObject({
					code: "file_password",
				});
			}
			const polish = await writeStatementPdf([row(0)], "Łódź €");
			expect(await readStatementPdf(polish, "Łódź €")).toContain("UKK1A2B300");
		},
	);

	oneIn(3)(
		"a PDF without the table, with too many pages, or of noise is refused with what to do",
		async () => {
			const other = await writeStatementPdf([]);
			await expect(readStatementPdf(other)).rejects.toThrow("has no table");
			const long = new PDFDocument();
			const chunks: Buffer[] = [];
			long.on("data", (chunk: Buffer) => chunks.push(chunk));
			for (let page = 0; page < 500; page += 1) long.addPage();
			long.end();
			await new Promise((resolve) => long.on("end", resolve));
			await expect(readStatementPdf(Buffer.concat(chunks))).rejects.toThrow(
				"more than 500 pages",
			);
			for (const bytes of [
				Buffer.from("%PDF-1.7 …"),
				Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(100_000)]),
				other.subarray(0, other.length / 2),
			])
				await expect(readStatementPdf(bytes)).rejects.toMatchObject({
					code: "pdf_unreadable",
				});
		},
	);

	oneIn(3)(
		"a PDF that unpacks to gigabytes is given up before it has them",
		async () => {
			// A megabyte of spaces in a few bytes, two thousand times.
			const megabyte = deflateRawSync(Buffer.alloc(1_000_000, " "), {
				finishFlush: constants.Z_FULL_FLUSH,
			});
			const packed = [
				Buffer.from([0x78, 0x9c]),
				...Array.from({ length: 2_000 }, () => megabyte),
			];
			const length = Buffer.concat(packed).length;
			const file = Buffer.concat([
				Buffer.from(
					`%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Count 1/Kids[3 0 R]>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<<>>/Contents 4 0 R>> endobj
4 0 obj <</Filter/FlateDecode/Length ${length}>> stream
`,
				),
				...packed,
				Buffer.from("\nendstream endobj\ntrailer <</Root 1 0 R>>\n"),
			]);
			const before = process.memoryUsage.rss();
			await expect(readStatementPdf(file)).rejects.toThrow("or memory");
			expect(process.memoryUsage.rss() - before).toBeLessThan(1_500_000_000);
		},
		30_000,
	);
});
