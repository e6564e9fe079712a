import type { RequestListener } from "node:http";

const retryAfterSeconds = 1;

/** Answers while the server opens its database, which takes minutes if it has to be upgraded. */
export const answerStarting: RequestListener = (request, response) => {
	const isHealth = request.url === "/healthz";
	const body = JSON.stringify(
		isHealth ? { ok: true } : { error: "The server is starting" },
	);
	if (!isHealth) response.setHeader("retry-after", retryAfterSeconds);
	response.writeHead(isHealth ? 200 : 503, {
		"content-type": "application/json; charset=utf-8",
		"cache-control": "no-store",
		"x-content-type-options": "nosniff",
		// The next request may be the whole server's.
		connection: "close",
	});
	response.end(body);
};
