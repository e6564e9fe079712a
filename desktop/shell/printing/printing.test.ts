import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { testDir } from "../../../sync/testing/shop.ts";
import { testReceipt } from "../testing/receipt.ts";
import { printer } from "./printer.ts";
import { sendRaw } from "./raw.ts";
import { openReceiptPrinting } from "./receipts.ts";

const esc = 0x1b;

/** A network receipt printer: accepts bytes and, like most, answers nothing. */
async function openPrinter() {
	const jobs: Buffer[] = [];
	const server = createServer((socket) => {
		const parts: Buffer[] = [];
		socket.on("data", (part) => parts.push(part));
		socket.on("end", () => jobs.push(Buffer.concat(parts)));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const chosen = {
		kind: "network",
		host: "127.0.0.1",
		port,
		width: 58,
	} as const;
	return { jobs, chosen, server };
}

const never = async () => {
	throw new Error("This printer is not the system's");
};

test("a network printer prints a receipt, cuts it and opens the drawer, in that order", async () => {
	const { jobs, chosen } = await openPrinter();
	const printing = openReceiptPrinting({
		readPrinter: () => chosen,
		printBySystem: never,
	});
	await Promise.all([printing.print(testReceipt), printing.openDrawer()]);
	await expect.poll(() => jobs.length).toBe(2);
	const [paper, drawer] = jobs as [Buffer, Buffer];
	// ESC @ initializes, GS V cuts, ESC p opens the drawer.
	expect([...paper.subarray(0, 2)]).toEqual([esc, 0x40]);
	expect(paper.includes(Buffer.from([0x1d, 0x56]))).toBe(true);
	const text = paper.toString("latin1");
	for (const line of [
		"Duka la Njeri",
		"Receipt A-1",
		"2 x 65",
		"TOTAL KES",
		"Asante",
	])
		expect(text).toContain(line);
	expect(paper.includes(Buffer.from([esc, 0x70]))).toBe(false);
	expect(drawer.includes(Buffer.from([esc, 0x70]))).toBe(true);
	// In one of the printer's code pages, not as two bytes of UTF-8.
	expect(paper.includes(Buffer.from("é"))).toBe(false);
	expect(text).toMatch(/Caf[^?] au lait/s);
});

test("labels print on the receipt printer, or as ZPL on a label printer, and a name can't send commands", async () => {
	const { jobs, chosen } = await openPrinter();
	const printing = openReceiptPrinting({
		readPrinter: () => chosen,
		printBySystem: never,
	});
	const label = { price: "KES\u00a065", unitPrice: "KES 130 / l", copies: 2 };
	const labels = [
		{ ...label, name: "Milk ^XA\u001bp", code: "6001087340014" },
		{ ...label, name: "Crate", code: "CRATE-7", copies: 1, unitPrice: null },
	];
	await printing.printLabels(labels, { kind: "receipt" });
	await expect.poll(() => jobs.length).toBe(1);
	const paper = jobs[0] as Buffer;
	expect(paper.toString("latin1").match(/KES 65/g)).toHaveLength(3);
	// GS k prints a barcode.
	expect(paper.includes(Buffer.from([0x1d, 0x6b]))).toBe(true);
	expect(paper.includes(Buffer.from([esc, 0x70]))).toBe(false);

	const { host, port } = chosen;
	const to = {
		...({ kind: "zpl", host, port } as const),
		width: 50,
		height: 30,
	};
	await printing.printLabels(labels, to);
	await expect.poll(() => jobs.length).toBe(2);
	const zpl = jobs[1]?.toString() ?? "";
	expect(zpl.match(/\^XA/g)).toHaveLength(2);
	for (const part of [
		"^PW400",
		"^LL240",
		"^FDMilk _5EXAp^FS",
		"65^FS",
		"KES 130 / l^FS",
		"^BEN,",
		"^FD600108734001^FS",
		"^PQ2",
		"^BCN,",
		"CRATE-7^FS",
	])
		expect(zpl).toContain(part);
});

test("a name on a receipt can't send commands to the printer", async () => {
	const { jobs, chosen } = await openPrinter();
	const printing = openReceiptPrinting({
		readPrinter: () => chosen,
		printBySystem: never,
	});
	const [line] = testReceipt.lines;
	const name = "Milk\u001bp\u0000";
	await printing.print({
		...testReceipt,
		lines: [{ ...(line as NonNullable<typeof line>), name }],
	});
	await expect.poll(() => jobs.length).toBe(1);
	expect(jobs[0]?.includes(Buffer.from([esc, 0x70]))).toBe(false);
});

test("a name that was typed in parts or with pictures prints in whole letters and keeps its line", async () => {
	const { jobs, chosen } = await openPrinter();
	const printing = openReceiptPrinting({
		readPrinter: () => chosen,
		printBySystem: never,
	});
	const [line] = testReceipt.lines;
	const names = ["Caf\u00e9 au lait", "Cafe\u0301 au lait"];
	for (const name of [...names, "Tea \ud83e\uded6"])
		await printing.print({
			...testReceipt,
			lines: [
				{
					...(line as NonNullable<typeof line>),
					...{ name, quantity: 1, price: 1, total: 1, listPrice: undefined },
				},
			],
		});
	await printing.printLabels(
		names.map((name) => ({
			...{ name, price: "KES 65", unitPrice: null, code: null, copies: 1 },
		})),
		{ kind: "receipt" },
	);
	await expect.poll(() => jobs.length).toBe(4);
	const [whole, parts, pictured, labels] = jobs.map((job) =>
		job.toString("latin1"),
	);
	expect(parts).toBe(whole);
	expect(pictured).toMatch(/Tea \? {26}1[^\d]/);
	expect(labels?.match(/Caf.*/g)?.[1]).toBe(labels?.match(/Caf.*/g)?.[0]);
});

test("a printer prints the logo above the shop's name, and a receipt whose logo can't be read without it", async () => {
	const { jobs, chosen } = await openPrinter();
	const logoUrl = "data:image/png;base64,AAAA";
	const business = { ...testReceipt.business, logoUrl };
	const black = { width: 16, height: 8, data: new Uint8Array(16 * 8 * 4) };
	// Opaque.
	for (let i = 3; i < black.data.length; i += 4) black.data[i] = 255;
	for (const picture of [black, undefined]) {
		const printing = openReceiptPrinting({
			readPrinter: () => chosen,
			printBySystem: never,
			readPicture: (url) => (url === logoUrl ? picture : undefined),
		});
		await printing.print({ ...testReceipt, business });
	}
	await expect.poll(() => jobs.length).toBe(2);
	const [paper, without] = jobs as [Buffer, Buffer];
	// ESC * prints a column of dots: three bytes of eight rows each would be black, here one.
	const dots = Buffer.from([esc, 0x2a]);
	expect(paper.indexOf(dots)).toBeGreaterThan(0);
	expect(paper.indexOf(dots)).toBeLessThan(paper.indexOf("Duka la Njeri"));
	expect(without.includes(dots)).toBe(false);
	expect(without.includes("Duka la Njeri")).toBe(true);
});

test("an error names the printer that doesn't answer, and the next receipt prints", async () => {
	const { jobs, chosen } = await openPrinter();
	let port = 1;
	const printing = openReceiptPrinting({
		readPrinter: () => ({ ...chosen, port }),
		printBySystem: never,
	});
	await expect(printing.print(testReceipt)).rejects.toThrow(
		"The printer at 127.0.0.1 can't be reached",
	);
	port = chosen.port;
	await printing.print(testReceipt);
	await expect.poll(() => jobs.length).toBe(1);
});

test("printing gives up on a printer that accepts nothing", async () => {
	const server = createServer((socket) => socket.pause());
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const much = new Uint8Array(64_000_000);
	await expect(
		sendRaw({ kind: "network", host: "127.0.0.1", port, width: 80 }, much, 200),
	).rejects.toThrow("does not answer");
});

test("many labels print, however long their printer takes over all of them", async () => {
	const bytes = new Uint8Array(24_000_000).fill(65);
	let taken = 0;
	const server = createServer((socket) =>
		socket.on("data", ({ length }) => {
			taken += length;
			socket.pause();
			setTimeout(() => socket.resume(), 4);
		}),
	);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const address = { host: "127.0.0.1", port, width: 80 } as const;
	const began = performance.now();
	await sendRaw({ kind: "network", ...address }, bytes, 1_000);
	expect(performance.now() - began).toBeGreaterThan(1_000);
	await expect.poll(() => taken).toBe(bytes.length);
});

test.skipIf(process.platform === "win32")(
	"a device that takes labels one after the other gets all of them",
	async () => {
		const path = join(mkdtempSync(join(testDir(), "dev-")), "lp0");
		execFileSync("mkfifo", [path]);
		const bytes = new Uint8Array(600_000).fill(65);
		const began = performance.now();
		const sending = sendRaw({ kind: "device", path, width: 80 }, bytes, 500);
		const printer = await open(path, "r");
		onTestFinished(() => printer.close());
		const page = new Uint8Array(65_536);
		let taken = 0;
		while (taken < bytes.length) {
			await sleep(80);
			taken += (await printer.read(page)).bytesRead;
		}
		await sending;
		expect(performance.now() - began).toBeGreaterThan(500);
	},
);

test("printing writes to an existing device, and never creates a file", async () => {
	const path = join(mkdtempSync(join(testDir(), "dev-")), "lp0");
	const device = { kind: "device", path, width: 80 } as const;
	await expect(sendRaw(device, Buffer.from("x"))).rejects.toThrow(
		"There is no printer at",
	);
	expect(() => readFileSync(path)).toThrow();
});

test.each([
	[{ kind: "device", path: "/dev/usb/lp0", width: 80 }, true],
	[{ kind: "device", path: "COM3", width: 58 }, true],
	[{ kind: "device", path: "\\\\.\\COM12", width: 58 }, true],
	[{ kind: "device", path: "/dev/sda", width: 80 }, false],
	[{ kind: "device", path: "/dev/usb/lp0/../../sda", width: 80 }, false],
	[{ kind: "network", host: "printer.local", port: 9100, width: 80 }, true],
	[{ kind: "network", host: "a b", port: 9100, width: 80 }, false],
	[{ kind: "network", host: "10.0.0.9", port: 0, width: 80 }, false],
	[{ kind: "system", name: "TM-T20", width: 72 }, false],
])("%j is a valid printer: %s", (given, isPrinter) => {
	expect(printer.safeParse(given).success).toBe(isPrinter);
});
