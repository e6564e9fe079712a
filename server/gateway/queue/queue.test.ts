import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { asks, messages, named, open, said } from "../testing/spending.ts";
import type { QueuedRequest } from "./queued-request.ts";

const chat = "/v1/chat/completions";

/** Opens a gateway with a key, whose holder queues requests. */
async function openQueue(limits: object = {}) {
	const gateway = await open(["openai"], { GATEWAY_DELIVERY_LAN: "on" });
	const { server } = gateway;
	const key = await gateway.addKey(limits);
	const authorization = key.bearer;
	return {
		...gateway,
		key,
		/** @param where `on`, or an address */
		queue: (
			body: object = named,
			{ path = chat, where = "on", headers = {} } = {},
		) =>
			server.ask("POST", path, {
				headers: { authorization, "x-gateway-queue": where, ...headers },
				body,
			}),
		async poll(id: string, bearer = authorization) {
			const answer = await server.ask("GET", `/v1/queue/${id}`, {
				headers: { authorization: bearer },
			});
			return { ...answer, queued: answer.body as QueuedRequest };
		},
		async remove(id: string, bearer = authorization) {
			const { status } = await server.ask("DELETE", `/v1/queue/${id}`, {
				headers: { authorization: bearer },
			});
			return status;
		},
	};
}

type Opened = Awaited<ReturnType<typeof openQueue>>;

async function idOf(sent: ReturnType<Opened["queue"]>): Promise<string> {
	const { status, headers, body } = await sent;
	expect(status).toBe(202);
	const { id } = body as QueuedRequest;
	expect(headers.get("location")).toBe(`/v1/queue/${id}`);
	return id;
}

function poll<T extends keyof QueuedRequest>(
	{ poll }: Opened,
	id: string,
	state: Pick<QueuedRequest, T>,
): Promise<QueuedRequest> {
	return vi.waitFor(
		async () => {
			const { queued } = await poll(id);
			expect(queued).toMatchObject(state);
			return queued;
		},
		{ timeout: 20_000, interval: 10 },
	);
}

test("a queued request gets 202, and is polled by its key alone until it is answered in the form of its API", async () => {
	const opened = await openQueue();
	const { queue, remove, server, fakes } = opened;
	const { promise: until, resolve: answer } = Promise.withResolvers<void>();
	fakes.openai?.act({ until });
	const id = await idOf(queue());
	await poll(opened, id, { status: "running" });
	answer();
	const answered = await poll(opened, id, { status: "answered" });
	expect(answered).toMatchObject({
		path: chat,
		response: {
			status: 200,
			headers: { "x-gateway-model": "openai/gpt-4o" },
			body: {
				object: "chat.completion",
				choices: [{ message: { content: said } }],
			},
		},
		delivery: null,
	});
	expect(await server.rows("SELECT body FROM ai_queue")).toEqual([
		{ body: null },
	]);

	const body = { model: "gpt-4o", input: "Habari?" };
	const response = await idOf(queue(body, { path: "/v1/responses" }));
	const { response: given } = await poll(opened, response, {
		status: "answered",
	});
	expect(given?.body).toMatchObject({ object: "response" });
	const message = { model: "gpt-4o", max_tokens: 9, messages };
	const sent = await idOf(queue(message, { path: "/v1/messages" }));
	const third = await poll(opened, sent, { status: "answered" });
	expect(third.response?.body).toMatchObject({ type: "message" });

	const other = await opened.addKey();
	expect((await opened.poll(id, other.bearer)).status).toBe(404);
	expect(await remove(id, other.bearer)).toBe(404);
	expect(await remove("a%00b")).toBe(404);
	expect(await remove(id)).toBe(200);
	expect((await opened.poll(id)).status).toBe(404);
});

test("a request waits for a provider whose failure has letters that a database refuses", async () => {
	const opened = await openQueue();
	const body = { error: { message: "Too\0 busy" } };
	opened.fakes.openai?.act({ status: 503, body });
	const id = await idOf(opened.queue());
	const waits = { status: "waiting", waits_for: "provider" } as const;
	expect((await poll(opened, id, waits)).error).toBe("OpenAI: Too busy");
});

test("the queue refuses streams, addresses that nobody allowed, another request's key, and more than it holds", async () => {
	const { queue, server, fakes } = await openQueue();
	const codeOf = async (sent: ReturnType<typeof queue>) => {
		const { status, body } = await sent;
		const { error } = body as { error: { code: string; param: string } };
		return [status, error.code ?? error.param];
	};
	expect(await codeOf(queue({ ...named, stream: true }))).toEqual([
		400,
		"stream",
	]);
	for (const where of ["https://nobody.example/", "yes"])
		expect(await codeOf(queue(named, { where }))).toEqual([
			400,
			"address_not_allowed",
		]);
	expect(await codeOf(queue({ model: "gpt-4o" }))).toEqual([400, "messages"]);

	fakes.openai?.act({ isSilent: true });
	const headers = { "idempotency-key": "monday" };
	const first = await idOf(queue(named, { headers }));
	expect(await idOf(queue(named, { headers }))).toBe(first);
	expect(await codeOf(queue({ ...named, seed: 2 }, { headers }))).toEqual([
		409,
		"idempotency_key_reused",
	]);
	expect(await server.rows("SELECT id FROM ai_queue")).toHaveLength(1);

	await server.shop.store.write((tx) =>
		tx.run(
			`INSERT INTO ai_queue (business_id, id, account, path, request_hash, options, bytes, created_at, expires_at, tries)
       WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 999)
       SELECT business_id, 'more-' || CAST(n AS TEXT), account, path, '', '{}', 9, created_at, expires_at, 0
       FROM ai_queue CROSS JOIN more`,
		),
	);
	expect(await codeOf(queue())).toEqual([429, "queue_full"]);
	expect(await idOf(queue(named, { headers }))).toBe(first);
	await server.shop.store.write((tx) =>
		tx.run("UPDATE ai_queue SET account = 'other', bytes = 64000"),
	);
	expect(await codeOf(queue())).toEqual([429, "queue_full"]);
});

test("a request without a budget waits until the owner gives it one, and one that is deleted ends at once", async () => {
	const opened = await openQueue({ monthlyBudget: 0 });
	const { queue, server, asha, key, fakes, remove } = opened;
	const id = await idOf(queue());
	const waiting = await poll(opened, id, {
		status: "waiting",
		waits_for: "budget",
	});
	expect(waiting.error).toContain("budget of 0.000000 USD");
	expect(asks(opened)).toBe(0);
	fakes.openai?.act({ isSilent: true });
	const { status } = await server.ask("PATCH", `/api/ai/limits/${key.id}`, {
		as: asha,
		body: { monthlyBudget: 1 },
	});
	expect(status).toBe(200);
	await expect.poll(() => asks(opened)).toBe(1);
	expect(await remove(id)).toBe(200);
	await expect.poll(() => fakes.openai?.received[0]?.isAborted).toBe(true);

	// What the provider refuses is the answer, and so is a key that was revoked since.
	fakes.openai?.act({ status: 400, body: { error: { message: "No" } } });
	const refused = await poll(opened, await idOf(queue()), { status: "failed" });
	expect(refused.response).toMatchObject({
		status: 400,
		body: { error: { message: "OpenAI: No" } },
	});
});

async function openReceiver() {
	const received: { headers: IncomingMessage["headers"]; body: string }[] = [];
	const receiver = createServer(async (request, response) => {
		received.push({ headers: request.headers, body: await text(request) });
		response.end();
	});
	receiver.listen(0, "127.0.0.1");
	await once(receiver, "listening");
	onTestFinished(() => {
		receiver.close();
		receiver.closeAllConnections();
	});
	const { port } = receiver.address() as AddressInfo;
	return { received, url: `http://127.0.0.1:${port}/hooks` };
}

test("an answer is delivered to an address that the owner allowed, signed as Standard Webhooks says", async () => {
	const opened = await openQueue();
	const { queue, server, asha } = opened;
	const { received, url } = await openReceiver();
	const { body } = await server.ask("PATCH", "/api/ai/limits", {
		as: asha,
		body: { deliverTo: [url] },
	});
	const { deliverTo, deliverySecret: secret } = body as {
		deliverTo: string[];
		deliverySecret: string;
	};
	expect(deliverTo).toEqual([url]);
	const where = `${url}/7`;
	const id = await idOf(queue(named, { where }));
	const queued = await poll(opened, id, {
		delivery: { to: where, status: "delivered" },
	});
	expect(received).toHaveLength(1);
	const [{ headers, body: sent }] = received as [(typeof received)[0]];
	expect(JSON.parse(sent)).toEqual(queued);
	const at = headers["webhook-timestamp"];
	const key = Buffer.from(secret.replace("whsec_", ""), "base64");
	expect(headers).toMatchObject({
		"webhook-id": id,
		"webhook-signature": `v1,${createHmac("sha256", key)
			.update(`${id}.${at}.${sent}`)
			.digest("base64")}`,
	});

	const renewed = await server.ask("PATCH", "/api/ai/limits", {
		as: asha,
		body: { newDeliverySecret: true },
	});
	expect(renewed.body).toMatchObject({ deliverTo: [url] });
	expect(renewed.text).not.toContain(secret);
});

test("an owner can't have answers delivered into the server's network, nor over http", async () => {
	const { server, asha } = await open();
	for (const address of [
		...["http://erp.example/", "https://127.0.0.1/", "https://[fd00::1]/"],
		...["https://user@erp.example/", "ftp://erp.example/", "erp.example"],
	]) {
		const { status } = await server.ask("PATCH", "/api/ai/limits", {
			as: asha,
			body: { deliverTo: [address] },
		});
		expect([address, status]).toEqual([address, 400]);
	}
	const allowed = await server.ask("PATCH", "/api/ai/limits", {
		as: asha,
		body: { deliverTo: ["https://erp.example/hooks"] },
	});
	expect(allowed.status).toBe(200);
});
