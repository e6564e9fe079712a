import PDFDocument from "pdfkit";

/** A cell's place, as wide as published samples have it; the text wraps in it. */
const places = [30, 85, 140, 290, 350, 410, 470] as const;
const names = [
	...["Receipt No.", "Completion Time", "Details", "Transaction Status"],
	...["Paid In", "Withdrawn", "Balance"],
];
const gap = 4;
const right = 530;
const rowsOnPage = 18;

/**
 * Writes a statement in PDF in the layout of published samples: a summary, then a table whose names and details wrap, with
 * amounts on the right.
 *
 * @param password encrypts it
 * @param pdfVersion the form of its encryption
 */
export function writeStatementPdf(
	rows: readonly (readonly string[])[],
	password?: string,
	pdfVersion: "1.4" | "1.7" | "1.7ext3" = "1.7ext3",
): Promise<Buffer> {
	const pdf = new PDFDocument({
		...{ size: "A4", margin: 20, pdfVersion },
		...(password && { userPassword: password }),
	});
	const chunks: Buffer[] = [];
	pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
	pdf.fontSize(7);
	const write = (cells: readonly string[], y: number) => {
		for (const [i, text] of cells.entries()) {
			const left = places[i] ?? 0;
			pdf.text(text, left, y, {
				width: (places[i + 1] ?? right) - left - gap,
				align: i > 3 ? "right" : "left",
			});
		}
	};
	pdf.text("M-PESA FULL STATEMENT", 30, 40);
	write(["TRANSACTION TYPE", "PAID IN", "PAID OUT"], 60);
	write(["Received", "1,254.00", "0.00"], 72);
	for (const [i, row] of rows.entries()) {
		const place = i % rowsOnPage;
		if (i > 0 && place === 0) pdf.addPage();
		if (place === 0) write(names, 110);
		write(row, 140 + place * 32);
		if (place === rowsOnPage - 1)
			pdf.text("Disclaimer: for your own use. Page 1 of 2", 30, 780);
	}
	pdf.end();
	return new Promise((resolve) => {
		pdf.on("end", () => resolve(Buffer.concat(chunks)));
	});
}
