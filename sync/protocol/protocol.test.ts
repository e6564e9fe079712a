import { expect, test } from "vitest";
import * as z from "zod";
import {
	assertSameBusiness,
	batchMax,
	bodyMaxBytes,
	change,
	digestResponse,
	formatCursor,
	headEvent,
	mutationMessage,
	mutationResult,
	pageDefault,
	pageMax,
	parseCursor,
	pullResponse,
	pushResponse,
	refusal,
	toRefusal,
} from "./protocol.ts";

const proof = "abcDEF012-_x";

test.each([
	{ epoch: "e-1", version: 0, proof: "" },
	{ epoch: "e-1", version: 999_999_999_999_999, proof: "" },
	{ epoch: "x".repeat(64), version: 7, proof },
	{ epoch: "e-1", version: 7, proof: `${proof}.123456789012345` },
])("a formatted cursor parses to itself: %j [CUR-1]", (cursor) => {
	expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
});

test.each([
	"",
	"e-1",
	"e-1.",
	".7",
	"e-1.-7",
	"e-1.7.5",
	"e-1.1e3",
	"e-1.1000000000000000",
	`${"x".repeat(65)}.7`,
	`e-1.7.${proof}x`,
	`e-1.7.${proof.slice(1)}`,
	`e-1.7.${proof}.`,
	`e-1.7.${proof}.x`,
	`e-1.7.${proof}.1234567890123456`,
	` e-1.7\n`,
])("%j is not parsed as a cursor [CUR-1]", (value) => {
	expect(parseCursor(value)).toBeUndefined();
});

test("a batch and a page may be as large as released programs expect [PUSH-2] [FEED-5]", () => {
	expect({ batchMax, bodyMaxBytes, pageDefault, pageMax }).toEqual({
		batchMax: 1_000,
		bodyMaxBytes: 5_000_000,
		pageDefault: 500,
		pageMax: 20_000,
	});
});

test("a mutation's numbers start at 1, and its proof has a maximum length", () => {
	const message = {
		id: "m",
		name: "sale.create",
		args: {},
		at: "2026-11-20T09:00:00.000Z",
	};
	const isRead = (more: object) =>
		mutationMessage.safeParse({ ...message, ...more }).success;
	expect(isRead({})).toBe(true);
	for (const field of ["number", "argsVersion"]) {
		expect(isRead({ [field]: 1 })).toBe(true);
		for (const wrong of [0, -1, 1.5, "1", null])
			expect(isRead({ [field]: wrong })).toBe(false);
	}
	expect(isRead({ proof: "x".repeat(128) })).toBe(true);
	expect(isRead({ proof: "x".repeat(129) })).toBe(false);
	expect(isRead({ by: "" })).toBe(false);
});

const error = { code: "not_found", message: "Gone", field: "id" };
const result = { id: "m", status: "rejected", version: 3, duplicate: true };
const row = { entity: "product", id: "milk", version: 3, deleted: true };
const ofShop = { businessId: "shop-1", epoch: "e", cursor: "e.3" };
const envelope = { serverNow: "2026-11-20T09:00:00.000Z", backedUpTo: 2 };
const page = { changes: [{ ...row, row: null }], hasMore: true, reset: true };

test.each<[string, z.ZodObject, object, optional: string[]]>([
	["a refusal", refusal, error, ["field"]],
	[
		"a result",
		mutationResult,
		{ ...result, error },
		["version", "duplicate", "error"],
	],
	["a change", change, { ...row, row: null }, []],
	[
		"a pull's answer",
		pullResponse,
		{ ...ofShop, ...envelope, ...page },
		["reset"],
	],
	[
		"a push's answer",
		pushResponse,
		{
			...{ ...ofShop, ...envelope, ...page, results: [result] },
			...{ prefix: "A", lastNumber: 1, forked: true },
			proofKey: { userId: "user-1", key: "key" },
		},
		[
			...["changes", "cursor", "hasMore", "reset"],
			...["prefix", "lastNumber", "forked", "proofKey"],
		],
	],
	["a digest", digestResponse, { ...ofShop, digest: "00", stock: "00" }, []],
	["a head", headEvent, { businessId: "shop-1", cursor: "e.3" }, []],
])(
	"%s is refused if a field is missing or malformed",
	(_, schema, whole, optional) => {
		expect(schema.parse(whole)).toEqual(whole);
		const isRead = (field: string, value: unknown) =>
			schema.safeParse({ ...whole, [field]: value }).success;
		// The id is echoed, so it may be anything.
		const fields = Object.keys(whole).filter(
			(field) => !(schema === mutationResult && field === "id"),
		);
		for (const field of fields) {
			expect([field, isRead(field, undefined)]).toEqual([
				field,
				optional.includes(field),
			]);
			expect([field, isRead(field, Symbol())]).toEqual([field, false]);
		}
	},
);

test("a change's row is an object or null, as its JSON schema says", () => {
	const document = z.toJSONSchema(change, { unrepresentable: "any" });
	expect(document.properties?.row).toEqual({
		type: ["object", "null"],
	});
});

test.each(["applied", "rejected", "deferred"])(
	"a result may be %s",
	(status) => {
		expect(mutationResult.parse({ id: "m", status }).status).toBe(status);
	},
);

test("a refusal carries its code, message and field, and nothing else", () => {
	const error = { code: "not_found", message: "Gone" } as const;
	expect(toRefusal(error)).toStrictEqual(error);
	expect(toRefusal({ ...error, field: undefined })).toStrictEqual(error);
	expect(toRefusal({ ...error, field: "id" })).toStrictEqual({
		...error,
		field: "id",
	});
});

test("a message for another business is refused, and a message that names none is accepted [BIZ-2]", () => {
	assertSameBusiness("a", "a");
	assertSameBusiness("a", undefined);
	expect(() => assertSameBusiness("a", "b")).toThrow("wrong_business");
});
