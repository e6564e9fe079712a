import { expect, test } from "vitest";
import { feedVersion } from "../protocol/protocol.ts";
import { addMilk, openTestShop, openTestTill } from "../testing/shop.ts";

test.each([feedVersion + 1, undefined])(
	"a till whose server's feed has another form (%s) sells and pushes on, stores none of its rows, and says so [VER-6]",
	async (form) => {
		const server = await openTestShop();
		await addMilk(server);
		const one = await openTestTill(server);
		const { till, line, rows, sell } = one;
		await till.sync();
		const { push, pull } = line;
		const inForm = <Answer extends object>(answer: Answer) => ({
			...answer,
			feed: form,
		});
		line.push = async (...request) => inForm(await push(...request));
		line.pull = async (...request) => inForm(await pull(...request));
		await sell({ milk: 1 });
		await expect(till.sync()).rejects.toMatchObject({ code: "outdated" });
		expect(await till.status()).toMatchObject({
			pending: 0,
			paused: "outdated",
		});
		expect(await server.rows("SELECT quantity FROM products")).toEqual(
			await rows("SELECT quantity FROM products"),
		);
		expect(await rows("SELECT version FROM sales")).toEqual([{ version: 0 }]);
		await sell({ milk: 1 });
		await expect(till.sync()).rejects.toMatchObject({ code: "outdated" });
		expect(await server.rows("SELECT id FROM sales")).toHaveLength(2);

		Object.assign(line, { push, pull });
		await till.sync();
		expect(await till.status()).toMatchObject({ pending: 0, paused: null });
		expect(await till.digest()).toBe(
			(await server.shop.digest(server.caller)).digest,
		);
	},
);
