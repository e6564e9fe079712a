import { expect, test } from "vitest";
import type { Context } from "./entity.ts";
import { dateFact } from "./fact-date.ts";

const at = "2026-11-20T09:00:00.000Z";
const server = { now: at, isCorrected: false };

/** A mutation's context that can't look up its shop. */
const blind = {
	at,
	get: () => Promise.reject(new Error("The shop was read")),
} as Partial<Context>;

test("where the day that a till names is that of UTC, a server reads nothing", async () => {
	const context = { ...blind, server } as Context;
	expect(await dateFact(context, "2026-11-20")).toEqual({
		at,
		day: "2026-11-20",
		isCorrected: false,
	});
	await expect(dateFact(context, "2026-11-21")).rejects.toThrow("read");
});

test("a till takes the day that was named, whatever it is, and reads nothing", async () => {
	expect(await dateFact(blind as Context, "2020-01-01")).toEqual({
		at,
		day: "2020-01-01",
		isCorrected: false,
	});
});
