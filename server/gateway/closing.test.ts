import { expect, test, vi } from "vitest";
import { systemEnv } from "../../sync/protocol/ids.ts";
import { apiKeys } from "../accounts/api-keys.ts";
import { openLogger } from "../operations/logger.ts";
import { type Access, accountsOf, aiAccess } from "./access.ts";
import { chatBody } from "./chat.ts";
import { GatewayError } from "./errors.ts";
import { openGateway } from "./gateway.ts";
import { asks, named, open } from "./testing/spending.ts";

/** Opens the gateway alone, since a server waits ten seconds for answers before closing it. */
async function openAlone() {
	const opened = await open();
	const { server, asha } = opened;
	const { store } = server.shop;
	const lines: string[] = [];
	const gateway = openGateway({
		store,
		env: systemEnv,
		dataDir: server.settings.dataDir,
		settings: server.settings.gateway,
		log: openLogger("warn", { write: (line) => lines.push(line) }),
	});
	const { key, id } = await opened.addKey({ monthlyBudget: 1 });
	const { key: unlimited } = await opened.addKey();
	const paying = await store.read((tx) => apiKeys(tx).find(key));
	const free = await store.read((tx) => apiKeys(tx).find(unlimited));
	const access = await store.read((tx) => aiAccess(tx).find(asha.businessId));
	return {
		...opened,
		lines,
		gateway,
		paid: id,
		/** @param isPaid charges the key's budget */
		call: async (body: object, isPaid: boolean) => {
			const key = (isPaid ? paying : free) ?? null;
			const payer = {
				...{ businessId: asha.businessId, userId: null, role: null, key },
				access: access as Access,
			};
			const accounts = await store.read((tx) => accountsOf(tx, payer));
			return gateway.complete({
				request: chatBody.parse({ ...named, ...body }),
				payer: { ...payer, accounts },
				signal: new AbortController().signal,
			});
		},
	};
}

test("closing the gateway aborts and records the running calls, and settles their reservations", async () => {
	const opened = await openAlone();
	const { gateway, call, server, fakes, lines, paid } = opened;
	fakes.openai?.act({ isSilent: true });
	const ended = Promise.allSettled([
		call({ seed: 1 }, true),
		call({ seed: 2, stream: true }, true),
		call({ seed: 3 }, false),
	]);
	await expect.poll(() => asks(opened)).toBe(3);
	fakes.openai?.act({ betweenMs: 20 });
	const { parts: readings } = await call({ seed: 4, stream: true }, true);
	const stream = readings();
	await stream.next();

	await gateway.close();
	expect(await server.rows("SELECT status FROM ai_calls")).toEqual(
		Array(4).fill({ status: "cancelled" }),
	);
	const [month] = await server.rows(
		"SELECT spent, reserved FROM ai_months WHERE account = ?",
		paid,
	);
	expect(month?.reserved).toBe(0);
	expect(month?.spent).toBeGreaterThan(2 * 41_000_000);
	expect((await ended).map(({ status }) => status)).toEqual(
		Array(3).fill("rejected"),
	);
	await expect
		.poll(() => fakes.openai?.received.every((it) => it.isAborted))
		.toBe(true);
	await expect(call({ seed: 5 }, true)).rejects.toBeInstanceOf(GatewayError);
	expect(lines).toEqual([]);
});

test("a stream that is not being read is recorded at the end too, and its reader doesn't take the end for the answer's", async () => {
	const opened = await openAlone();
	const { gateway, call, server, fakes, lines, paid } = opened;
	fakes.openai?.act({ betweenMs: 20 }, { betweenMs: 20 });
	await call({ seed: 1, stream: true }, true);
	const { parts } = await call({ seed: 2, stream: true }, true);
	const slow = parts();
	await slow.next();

	await gateway.close();
	await expect(slow.next()).rejects.toThrow("Nobody waits");
	expect(await server.rows("SELECT status FROM ai_calls")).toEqual(
		Array(2).fill({ status: "cancelled" }),
	);
	expect(
		await server.rows("SELECT reserved FROM ai_months WHERE account = ?", paid),
	).toEqual([{ reserved: 0 }]);
	await expect
		.poll(() => fakes.openai?.received.every((it) => it.isAborted))
		.toBe(true);
	expect(lines).toEqual([]);
});

test("connections cut off by a closing server are not logged as errors", async () => {
	const gateway = await open();
	const { server, asha, fakes } = gateway;
	const logged = server.logged().length;
	fakes.openai?.act({ isSilent: true });
	const ended = Promise.allSettled(
		[false, true].map((stream) =>
			server.ask("POST", "/v1/chat/completions", {
				as: asha,
				body: { ...named, stream },
			}),
		),
	);
	await expect.poll(() => asks(gateway)).toBe(2);
	// Shortens the server's ten seconds.
	const wait = globalThis.setTimeout;
	const spy = vi
		.spyOn(globalThis, "setTimeout")
		.mockImplementation(((then: () => void, ms: number) =>
			wait(then, ms === 10_000 ? 100 : ms)) as typeof setTimeout);
	await server.close();
	spy.mockRestore();
	expect((await ended).map(({ status }) => status)).toEqual(
		Array(2).fill("rejected"),
	);
	expect(server.logged().slice(logged)).not.toContain('"level":50');
});
