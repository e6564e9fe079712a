import { expect, test } from "vitest";
import type { Context } from "./entity.ts";
import { dateFact } from "./fact-date.ts";

const at = "2026-11-20T09:00:00.000Z";
const server = { now: at, isCorrected: false };

/** A context without the business's row. */
const blind = {
	at,
	get: () => Promise.reject(new Error("The shop was read")),
} as Partial<Context>;

test("a server dates a sale without a read if the till's day is the UTC day", async () => {
	const context = { ...blind, server } as Context;
	expect(await dateFact(context, "2026-11-20")).toEqual({
		at,
		day: "2026-11-20",
		isCorrected: false,
	});
	await expect(dateFact(context, "2026-11-21")).rejects.toThrow("read");
});

test("a till keeps any given day without a read", async () => {
	expect(await dateFact(blind as Context, "2020-01-01")).toEqual({
		at,
		day: "2020-01-01",
		isCorrected: false,
	});
});
