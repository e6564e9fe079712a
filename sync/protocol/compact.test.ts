import { hash } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testSeed } from "../testing/lane.ts";
import { compactMax, fromCompact, toCompact } from "./compact.ts";

/** Version 7, with bits as random as those of real ones: gzip would shorten others. */
function uuid(n: number): string {
	const random = hash("sha256", `${n}`);
	return `01a216fe-${random.slice(0, 4)}-7${random.slice(4, 7)}-9${random.slice(7, 10)}-${random.slice(10, 22)}`;
}

const sale = {
	id: uuid(0),
	name: "sale.create",
	at: "2026-11-26T08:35:27.300Z",
	number: 4,
	by: uuid(1),
	args: {
		businessDay: "2026-11-26",
		id: uuid(0),
		items: [
			{
				...{ cost: 48.5, id: "1", name: "Crème “50 ml” 🧴", price: 63 },
				...{ productId: uuid(2), quantity: 1 },
			},
		],
		paymentMethod: "MPESA",
		receiptNumber: "BKMT-000001",
	},
};

const goods = ["Soda 500 ml", "Maize flour 2 kg", "Bread, white"];

/** The page that brings a sale to another till. */
const page = {
	changes: [
		{
			...{ entity: "sale", id: uuid(0), version: 5, deleted: false },
			row: {
				...{ id: uuid(0), total: 126, cost: 97, paid: 126 },
				...{ paymentMethod: "CASH", notes: null, businessId: uuid(3) },
				...{ receiptNumber: "BKMT-000001", businessDay: "2026-11-26" },
				...{ userId: uuid(1), deviceId: uuid(4) },
				createdAt: "2026-11-26T08:35:27.300Z",
				shiftId: uuid(5),
				items: goods.map((name, i) => ({
					...{ id: `${i + 1}`, saleId: uuid(0), name, quantity: i },
					...{ price: 63, cost: 48.5, productId: uuid(6 + i) },
					...{ taxClass: "A", taxRate: 16, tax: 8.69, unit: "l" },
				})),
				...{ profit: 29, change: 0 },
			},
		},
	],
	results: [],
	...{ cursor: `${uuid(9)}.5.O85I5FWcXm6X`, hasMore: false },
	...{ businessId: uuid(3), epoch: uuid(9) },
	...{ serverNow: "2026-11-26T08:35:27.353Z", backedUpTo: 0, feed: 2 },
	prefix: "BCDF",
};

function chunksOf(characters: string[], length: number): string[] {
	return characters.length > length
		? [
				characters.slice(0, length).join(""),
				...chunksOf(characters.slice(length), length),
			]
		: [characters.join("")];
}

const readAgain = (text: string) =>
	fromCompact(toCompact(text) ?? Uint8Array.of());

describe("the compact form", () => {
	test.each([
		["a push", { mutations: [sale], businessId: uuid(3), limit: 2_500 }],
		["a page", page],
	])("%s comes back character for character [COMPACT-1]", (_, message) => {
		const text = JSON.stringify(message);
		expect(readAgain(text)).toBe(text);
	});

	test.each([
		["", "nothing"],
		["{}", "an empty object"],
		[`["${uuid(1).toUpperCase()}","${uuid(1)}0"]`, "what is almost an id"],
		[
			'["2026-02-30","2026-13-01","0000-01-01","1969-12-31","9999-12-31"]',
			"days that are none, or too far away for its bits",
		],
		[
			'["1970-01-01","2149-06-06","2149-06-07","12026-11-260"]',
			"the first and the last day that fit, and one more",
		],
		[
			'["2026-11-26T24:00:00.000Z","2026-11-26T23:59:60.000Z","2026-11-26T08:35:27Z"]',
			"moments that are spelled otherwise",
		],
		[
			'["1970-01-01T00:00:00.000Z","9999-12-31T23:59:59.999Z"]',
			"the first and the last moment",
		],
		['"ÿ þ ý ü0 À \\u0000 \\n \u007f é ☕ 🛒 \\ud800"', "any characters"],
		[
			`[${Array.from({ length: 75 }, (_, i) => `"${uuid(i % 70)}"`)}]`,
			"more ids than it counts",
		],
	])("the text %s comes back: %s [COMPACT-1]", (text) => {
		expect(readAgain(text)).toBe(text);
	});

	test("any JSON comes back character for character [COMPACT-1]", () => {
		const part = fc.oneof(
			fc.uuid(),
			fc.constantFrom(uuid(0), uuid(1)),
			fc
				.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e14) })
				.map((date) => date.toISOString()),
			fc
				.date({ noInvalidDate: true, min: new Date(0), max: new Date(6e12) })
				.map((date) => date.toISOString().slice(0, 10)),
			fc.string({ unit: "binary" }),
			fc.constantFrom("sale.create", "MPESA", '","price":', "ÿ", "ü0"),
			fc.double({ noNaN: true }),
			fc.integer(),
		);
		// cspell:ignore letrec
		const { value } = fc.letrec((tie) => ({
			value: fc.oneof(
				part,
				fc.array(tie("value"), { maxLength: 4 }),
				fc.dictionary(
					fc.constantFrom("id", "items", "cost", "productId", "name", "by"),
					tie("value"),
				),
			),
		}));
		let read = 0;
		fc.assert(
			fc.property(value, (value) => {
				const text = JSON.stringify(value);
				const compact = toCompact(text);
				if (!compact) return;
				read += 1;
				expect(fromCompact(compact)).toBe(text);
			}),
			{ numRuns: 2_000, seed: testSeed },
		);
		expect(read).toBeGreaterThan(1_000);
	});

	test("a released form never changes [COMPACT-3]", () => {
		const text = JSON.stringify({ mutations: [sale], limit: 2_500 });
		const released =
			"Aohb+X+zraW/8hvONlSeAGiFv7NxOrKBRC381w1k8n/mn5wzrXAdcol5UUzAECSztupQVcR4zKtGMHEYLvGZVo+I81pOo68A5AKIW/tRzXjmiZeFu7gP1kXtTMDnUZAQhCEXrYbh8dR1iCw4phYzBDhv";
		expect(fromCompact(Buffer.from(released, "base64"))).toBe(text);
		expect(Buffer.from(toCompact(text) ?? []).toString("base64")).toBe(
			released,
		);
		const characters = Array.from({ length: 0x800 - 32 }, (_, i) =>
			String.fromCharCode(i + 32),
		);
		const hashes = [JSON.stringify(page), ...chunksOf(characters, 1_000)].map(
			(text) => hash("sha256", toCompact(text) ?? "").slice(0, 8),
		);
		expect(hashes).toEqual(["6fb724cf", "abae2fc8", "166d1188", "bb883e45"]);
	});

	test("a sale takes half of the bytes that gzip needs", () => {
		for (const message of [{ mutations: [sale] }, page]) {
			const text = JSON.stringify(message);
			const compact = toCompact(text)?.length;
			expect(compact).toBeLessThan(gzipSync(text).length * 0.5);
		}
	});

	test("a long text, or one with control characters, has no compact form", () => {
		const long = "x".repeat(compactMax);
		expect(toCompact(long)).toBeDefined();
		expect(toCompact(`${long}x`)).toBeUndefined();
		// In bytes, because a body is limited in bytes.
		expect(toCompact("é".repeat(compactMax / 2 + 1))).toBeUndefined();
		expect(toCompact("\n")).toBeUndefined();
	});

	test("bytes of no text are read to some text or fail, and soon", () => {
		const isText = fc.uint8Array({ maxLength: compactMax });
		fc.assert(
			fc.property(isText, (bytes) => {
				let text = "";
				try {
					text = fromCompact(bytes);
				} catch (error) {
					expect(error).toBeInstanceOf(TypeError);
				}
				expect(text.length).toBeLessThan(400_000);
			}),
			{ seed: testSeed },
		);
	});
});
