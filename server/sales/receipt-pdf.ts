import type PDFDocument from "pdfkit";
import { toModules } from "../../sync/receipts/qr.ts";
import type {
	ItemBlock,
	ReceiptBlock,
	ReceiptDocument,
} from "../../sync/receipts/receipt-document.ts";
import type { Paper } from "../../sync/receipts/receipt-page.ts";
import { receiptWords } from "../../sync/receipts/words/index.ts";
import { toWinAnsi } from "./win-ansi.ts";

type Pdf = InstanceType<typeof PDFDocument>;

const pointsPerMm = 72 / 25.4;
/** The longest page of a PDF (ISO 32000-1, annex C). */
const longest = 14_400;
const regular = "Helvetica";
const bold = "Helvetica-Bold";
/** Of the font's size. */
const largeSize = 1.25;
const qrPoints = 26 * pointsPerMm;
const codePoints = 15 * pointsPerMm;
const logoPoints = 24 * pointsPerMm;

interface Layout {
	width: number;
	/** Undefined for a roll, whose page is as long as the receipt. */
	height?: number;
	margin: number;
	size: number;
}

const layouts: Record<Paper, Layout> = {
	58: { width: 58 * pointsPerMm, margin: 4 * pointsPerMm, size: 9 },
	80: { width: 80 * pointsPerMm, margin: 4 * pointsPerMm, size: 11 },
	A4: {
		width: 210 * pointsPerMm,
		height: 297 * pointsPerMm,
		margin: 20 * pointsPerMm,
		size: 11,
	},
};

/**
 * Renders a receipt as a PDF in the fonts that every reader has. They have the letters of English, Swahili, French and the
 * like; if a name needs others, a line at the end says that some can't be shown.
 */
export async function toPdf(
	{ blocks, language, title }: ReceiptDocument,
	paper: Paper,
): Promise<Buffer> {
	// Loaded when it is first needed, to keep the start of a till fast.
	const { default: PDFDocument } = await import("pdfkit");
	const layout = layouts[paper];
	const { width, margin } = layout;
	const open = (height: number) =>
		new PDFDocument({
			size: [width, height],
			margins: { top: margin, left: margin, right: margin, bottom: margin / 2 },
			info: { Title: title, Creator: "Counterfoil" },
			lang: language,
		});
	const draft = paint(open(layout.height ?? longest), blocks, layout);
	const shown: ReceiptBlock[] = draft.isWhole
		? blocks
		: [
				...blocks,
				{
					kind: "paragraph",
					text: receiptWords[language].lostLetters,
					align: "start",
				},
			];
	const strip = paint(open(longest), shown, layout);
	const pdf = open(
		layout.height ?? (strip.pages > 1 ? longest : strip.end + margin),
	);
	const whole = bytesOf(pdf);
	paint(pdf, shown, layout);
	pdf.end();
	return whole;
}

function bytesOf(pdf: Pdf): Promise<Buffer> {
	const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
	const chunks: Buffer[] = [];
	pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
	pdf.on("end", () => resolve(Buffer.concat(chunks)));
	pdf.on("error", reject);
	return promise;
}

interface Brush {
	pdf: Pdf;
	layout: Layout;
	/** The text in the fonts' letters. */
	show(text: string): string;
}

/** @returns where the last block ends, and whether each letter could be shown */
function paint(pdf: Pdf, blocks: ReceiptBlock[], layout: Layout) {
	let isWhole = true;
	let pages = 1;
	pdf.on("pageAdded", () => {
		pages += 1;
	});
	const show = (text: string) =>
		toWinAnsi(text, () => {
			isWhole = false;
		});
	for (const block of blocks) paintBlock(block, { pdf, layout, show });
	return { end: pdf.y, pages, isWhole };
}

function paintBlock(block: ReceiptBlock, brush: Brush): void {
	const { pdf, layout } = brush;
	pdf.font(regular).fontSize(layout.size);
	switch (block.kind) {
		case "logo":
			paintLogo(block.url, brush);
			break;
		case "title":
			pdf.font(bold).fontSize(layout.size * largeSize);
			paintText(block.text, "center", brush);
			break;
		case "paragraph":
			paintText(
				block.text,
				block.align === "center" ? "center" : "left",
				brush,
			);
			break;
		case "mark":
			pdf.font(bold);
			paintText(block.text, "center", brush);
			break;
		case "pair":
			paintRow([{ text: block.label }], block.value, brush);
			break;
		case "total":
			pdf.font(bold).fontSize(layout.size * largeSize);
			paintRow([{ text: block.label }], block.value, brush);
			break;
		case "item":
			paintItem(block, brush);
			break;
		case "rule":
			paintRule(brush);
			break;
		case "qr":
			paintLink(block.url, block.caption, brush);
			break;
		case "code":
			paintQr(block.text, codePoints, brush);
			break;
		case "tear":
			break;
	}
}

/** Begins a new page unless there is room for this height. */
function makeRoom(height: number, { pdf, layout }: Brush): void {
	const { page } = pdf;
	if (pdf.y + height > page.height - layout.margin && pdf.y > layout.margin)
		pdf.addPage();
	pdf.x = layout.margin;
}

function paintText(text: string, align: "center" | "left", brush: Brush): void {
	const { pdf, layout, show } = brush;
	const options = { width: layout.width - 2 * layout.margin, align };
	const shown = show(text);
	makeRoom(pdf.heightOfString(shown, options), brush);
	pdf.text(shown, options);
}

interface Part {
	text: string;
	isStruck?: boolean;
}

/** The least share of a line that a label keeps beside its value. */
const labelShare = 1 / 3;

/** Paints text at the left and a value at the right of its first line, or below it if the value is too long. */
function paintRow(parts: Part[], value: string, brush: Brush): void {
	const { pdf, layout, show } = brush;
	const right = show(value);
	const gap = layout.size;
	const inner = layout.width - 2 * layout.margin;
	const beside = inner - pdf.widthOfString(right) - gap;
	const isBelow = beside < inner * labelShare;
	const width = isBelow ? inner : beside;
	const below = isBelow ? pdf.heightOfString(right, { width }) : 0;
	const label = show(parts.map(({ text }) => text).join(""));
	makeRoom(pdf.heightOfString(label, { width }) + below, brush);
	const top = pdf.y;
	for (const [i, { text, isStruck = false }] of parts.entries()) {
		const continued = i < parts.length - 1;
		const options = { width, continued, strike: isStruck };
		pdf.text(show(text), options);
	}
	const bottom = pdf.y;
	pdf.text(right, layout.margin, isBelow ? bottom : top, {
		width: inner,
		align: "right",
		lineBreak: isBelow,
	});
	pdf.x = layout.margin;
	pdf.y = bottom + below;
}

function paintItem(
	{ name, each, amount, notes }: ItemBlock,
	brush: Brush,
): void {
	const parts: Part[] = [{ text: name }];
	if (each) {
		parts.push({ text: `  ${each.quantity} × ${each.pack}` });
		if (each.was)
			parts.push({ text: each.was.price, isStruck: true }, { text: " " });
		parts.push({ text: each.price });
	}
	paintRow(parts, amount, brush);
	for (const note of notes) paintText(`    ${note}`, "left", brush);
}

function paintRule(brush: Brush): void {
	const { pdf, layout } = brush;
	makeRoom(layout.size, brush);
	const y = pdf.y + layout.size / 2;
	pdf
		.moveTo(layout.margin, y)
		.lineTo(layout.width - layout.margin, y)
		.lineWidth(0.5)
		.dash(2, { space: 2 })
		.stroke()
		.undash();
	pdf.y += layout.size;
}

function paintLink(url: string, caption: string, brush: Brush): void {
	const { pdf, layout } = brush;
	makeRoom(qrPoints + layout.size * 2, brush);
	const left = (layout.width - qrPoints) / 2;
	pdf.link(left, pdf.y, qrPoints, qrPoints, url);
	paintQr(url, qrPoints, brush);
	paintText(caption, "center", brush);
}

function paintQr(content: string, points: number, brush: Brush): void {
	const { pdf, layout } = brush;
	makeRoom(points, brush);
	const modules = toModules(content);
	const side = points / modules.length;
	const left = (layout.width - points) / 2;
	const top = pdf.y;
	for (const [row, line] of modules.entries())
		for (const [column, isDark] of line.entries())
			if (isDark) pdf.rect(left + column * side, top + row * side, side, side);
	pdf.fill("#000");
	pdf.y = top + points;
}

/** Leaves out a picture that isn't a JPEG or PNG in the document itself. */
function paintLogo(url: string, brush: Brush): void {
	const [, base64] = /^data:image\/(?:png|jpeg);base64,(.+)$/.exec(url) ?? [];
	if (base64 === undefined) return;
	const { pdf, layout } = brush;
	makeRoom(logoPoints, brush);
	const left = layout.margin;
	const top = pdf.y;
	const fit: [number, number] = [layout.width - 2 * left, logoPoints];
	try {
		pdf.image(Buffer.from(base64, "base64"), left, top, {
			...{ fit, align: "center" },
		});
	} catch {
		// A file that only looks like a picture; the receipt matters more.
		return;
	}
	pdf.y = top + logoPoints + layout.size / 2;
}
