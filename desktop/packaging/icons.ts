import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const svg = readFileSync(join(import.meta.dirname, "../ui/public/icon.svg"));
const outDir = join(import.meta.dirname, "icons");
/** What macOS calls its sizes. */
const icnsTypes = { ic07: 128, ic08: 256, ic09: 512, ic10: 1024 };
const icoSizes = [16, 32, 48, 64, 128, 256];

/** Makes the icons of the three systems from the web app's. */
async function makeIcons(): Promise<void> {
	const browser = await chromium.launch({
		executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
		args: ["--no-sandbox"],
	});
	const page = await browser.newPage();
	async function png(size: number): Promise<Buffer> {
		await page.setViewportSize({ width: size, height: size });
		await page.setContent(
			`<body style="margin:0"><img width="${size}" height="${size}" src="data:image/svg+xml;base64,${svg.toString("base64")}">`,
		);
		return page.screenshot({ omitBackground: true });
	}
	writeFileSync(join(outDir, "icon.png"), await png(512));
	writeFileSync(
		join(outDir, "icon.ico"),
		toIco(await inTurn(icoSizes, async (size) => [size, await png(size)])),
	);
	writeFileSync(
		join(outDir, "icon.icns"),
		toIcns(
			await inTurn(Object.entries(icnsTypes), async ([type, size]) => [
				type,
				await png(size),
			]),
		),
	);
	await browser.close();
}

async function inTurn<T, R>(
	all: T[],
	make: (one: T) => Promise<R>,
): Promise<R[]> {
	const made: R[] = [];
	for (const one of all) made.push(await make(one));
	return made;
}

/** Windows: a directory of pictures, and the pictures. */
function toIco(pictures: [number, Buffer][]): Buffer {
	const head = Buffer.alloc(6 + 16 * pictures.length);
	head.writeUInt16LE(1, 2);
	head.writeUInt16LE(pictures.length, 4);
	let offset = head.length;
	for (const [i, [size, { length }]] of pictures.entries()) {
		const at = 6 + 16 * i;
		// A byte has no 256: 0 stands for it.
		head.writeUInt8(size % 256, at);
		head.writeUInt8(size % 256, at + 1);
		head.writeUInt16LE(1, at + 4);
		head.writeUInt16LE(32, at + 6);
		head.writeUInt32LE(length, at + 8);
		head.writeUInt32LE(offset, at + 12);
		offset += length;
	}
	return Buffer.concat([head, ...pictures.map(([, png]) => png)]);
}

/** macOS: each picture after its name and length. */
function toIcns(pictures: [string, Buffer][]): Buffer {
	const chunks = pictures.map(([type, png]) => chunk(type, png));
	return chunk("icns", Buffer.concat(chunks));
}

function chunk(type: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.write(type, "latin1");
	head.writeUInt32BE(content.length + 8, 4);
	return Buffer.concat([head, content]);
}

await makeIcons();
