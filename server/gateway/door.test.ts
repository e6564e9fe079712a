import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Request, Response } from "express";
import { expect, onTestFinished, test } from "vitest";
import { openDoor } from "./door.ts";
import type { Gateway } from "./gateway.ts";
import { noLimits } from "./limits.ts";
import type { Payer } from "./meter.ts";
import type { RequestQueue } from "./queue/queue.ts";

test("who leaves while their request is still being read is known to be gone", async () => {
	const door = openDoor({} as Gateway, {} as RequestQueue);
	const payer: Payer = {
		...{ businessId: "shop-1", userId: null, role: null, key: null },
		accounts: [],
		access: {
			...{ isAllowed: true, leastRole: "OWNER", keepsResponses: false },
			limits: noLimits,
		},
	};
	const { promise: wasGone, resolve } = Promise.withResolvers<boolean>();
	const server = createServer(async (request, response) => {
		await once(response, "close");
		await door.admit(
			{ payer, request: request as Request, response: response as Response },
			async ({ aborted }) => resolve(aborted),
		);
	}).listen(0, "127.0.0.1");
	onTestFinished(() => void server.close());
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const gone = new AbortController();
	const asked = fetch(`http://127.0.0.1:${port}`, { signal: gone.signal });
	await once(server, "request");
	gone.abort();
	await expect(asked).rejects.toThrow();
	expect(await wasGone).toBe(true);
});
