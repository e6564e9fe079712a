import { describe, expect, test } from "vitest";
import { expectInStep, openTestShop, openTestTill } from "../testing/shop.ts";
import { mutations } from "./index.ts";

const examples = mutations.flatMap((mutation) =>
	mutation.examples.map((args) => ({ mutation, args })),
);

describe("a mutation of the list", () => {
	test("has a name of its own, as of a noun and a verb", () => {
		const names = mutations.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		for (const name of names) expect(name).toMatch(/^[a-z]+\.[a-z]+$/);
	});

	test("takes its examples, and does what they say in a shop where those before were done", async () => {
		const server = await openTestShop();
		const till = await openTestTill(server);
		await till.till.sync();
		for (const { mutation, args } of examples) {
			const before = await till.till.digest();
			await till.till.mutate(till.caller, mutation, args);
			expect(await till.till.digest(), mutation.name).not.toBe(before);
		}
		await till.till.sync();
		expect(await till.till.status()).toMatchObject({ pending: 0, rejected: 0 });
		await expectInStep(server, till);
		expect(await server.rows("SELECT cause FROM inbox_items")).toEqual([]);
	});

	test("says in one line what it did, and not what another did", () => {
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
