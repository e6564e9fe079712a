import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { openTestServer } from "../../../testing/server.ts";

export const key = "sk-canary-0123456789abcdef0123456789";

/** Opens a local HTTP server that counts its visits. */
export async function openPeer(
	answer: (response: ServerResponse) => void = (response) =>
		void response.end(),
) {
	const visits: { path: string; headers: Record<string, unknown> }[] = [];
	let open = 0;
	const server = createServer((request, response) => {
		visits.push({ path: request.url ?? "", headers: request.headers });
		open += 1;
		response.on("close", () => {
			open -= 1;
		});
		request.resume();
		answer(response);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, visits, open: () => open };
}

/** Opens a server whose only provider answers with any bytes that a test chooses. */
export async function openBehind(answer: (response: ServerResponse) => void) {
	const provider = await openPeer(answer);
	const server = await openTestServer({
		OPENAI_BASE_URL: `${provider.url}/v1`,
		OPENAI_API_KEY: key,
		OLLAMA_BASE_URL: "http://127.0.0.1:9",
		GATEWAY_FIRST_TOKEN_MS: "20000",
		GATEWAY_IDLE_MS: "500",
		GATEWAY_ANSWER_MS: "20000",
	});
	const asha = await server.addUser("Asha");
	return {
		server,
		asha,
		provider,
		ask: (stream: boolean) =>
			server.ask("POST", "/v1/chat/completions", {
				as: asha,
				body: {
					model: "gpt-4o",
					stream,
					messages: [{ role: "user", content: "Habari?" }],
				},
			}),
		/** Reads the recorded calls. */
		async booked() {
			await server.ask("GET", "/api/usage", { as: asha });
			return server.rows("SELECT status, cost FROM ai_calls");
		},
	};
}
