const patienceMs = 30_000;

interface Reply {
	status: number;
	headers: Headers;
	/** The parsed body, or its text if it isn't JSON. */
	body: unknown;
}

/** Sends requests with one caller's credentials. */
export interface Client {
	email: string;
	password: string;
	ask(method: string, path: string, body?: unknown): Promise<Reply>;
	/** Sends other headers than the caller's. */
	send(path: string, init: RequestInit): Promise<Reply>;
}

/** @param token undefined for nobody */
export function openClient(
	url: string,
	{ email = "", password = "" },
	token?: string,
): Client {
	async function send(path: string, init: RequestInit): Promise<Reply> {
		const response = await fetch(new URL(path, url), {
			redirect: "manual",
			signal: AbortSignal.timeout(patienceMs),
			...init,
		});
		const { status, headers } = response;
		const text = await response.text();
		return { status, headers, body: parse(text) };
	}

	return {
		email,
		password,
		send,
		ask: (method, path, body) =>
			send(path, {
				method,
				headers: {
					...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
					...(body === undefined ? {} : { "content-type": "application/json" }),
				},
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			}),
	};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
