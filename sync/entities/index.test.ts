import { describe, expect, test } from "vitest";
import { expectInStep, openTestShop, openTestTill } from "../testing/shop.ts";
import { mutations } from "./index.ts";

const examples = mutations.flatMap((mutation) =>
	mutation.examples.map((args) => ({ mutation, args })),
);

describe("mutations", () => {
	test("each mutation has a unique name of a noun and a verb", () => {
		const names = mutations.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		for (const name of names) expect(name).toMatch(/^[a-z]+\.[a-z]+$/);
	});

	test("each mutation applies its examples after those of the mutations before it", async () => {
		const server = await openTestShop();
		const till = await openTestTill(server);
		await till.till.sync();
		for (const { mutation, args } of examples) {
			const before = await till.till.digest();
			await till.till.mutate(till.caller, mutation, args);
			// No example makes the items that the inbox's examples name.
			if (mutation.name.startsWith("inbox.")) continue;
			expect(await till.till.digest(), mutation.name).not.toBe(before);
		}
		await till.till.sync();
		expect(await till.till.status()).toMatchObject({ pending: 0, rejected: 0 });
		await expectInStep(server, till);
		// The only one that is bad news.
		expect(await server.rows("SELECT cause FROM inbox_items")).toEqual([
			{ cause: "pin_locked" },
		]);
	});

	test("each mutation describes its examples in one line, each differently", () => {
		const sentences = examples.map(({ mutation, args }) =>
			mutation.sentence(args),
		);
		expect(new Set(sentences).size).toBe(sentences.length);
		for (const [i, sentence] of sentences.entries()) {
			expect(sentence).toMatch(/^[A-Z][^\n]*[^.\s]$/);
			expect(sentence).not.toMatch(/undefined|null|\[object/);
			expect(sentence).not.toContain(examples[i]?.mutation.name);
		}
	});
});
