import {
	type HttpOptions,
	type HttpRequest,
	type HttpResponse,
	type HttpTransport,
	linesOf,
	openTransport,
} from "./transport.ts";

/** Opens a till's connection to its server in a browser, with the session's cookie if there is no token. */
export function fetchTransport(options: HttpOptions): HttpTransport {
	return openTransport(ask, options);
}

async function ask(
	url: URL,
	{ timeout, signal, ...options }: HttpRequest,
): Promise<HttpResponse> {
	const silence = new AbortController();
	let timer: ReturnType<typeof setTimeout>;
	const heard = () => {
		clearTimeout(timer);
		timer = setTimeout(
			() => silence.abort(new Error("The connection is silent")),
			timeout,
		);
	};
	const over = () => clearTimeout(timer);
	heard();
	try {
		const { status, headers, body } = await fetch(url, {
			...options,
			credentials: "same-origin",
			redirect: "manual",
			signal: AbortSignal.any([signal, silence.signal]),
		});
		heard();
		const pieces = () => piecesOf(body, heard, over);
		return {
			status,
			header: (name) => headers.get(name) ?? undefined,
			lines: () => linesOf(pieces()),
			async readBytes() {
				const all: Uint8Array<ArrayBuffer>[] = [];
				for await (const piece of pieces()) all.push(piece);
				return new Uint8Array(await new Blob(all).arrayBuffer());
			},
		};
	} catch (error) {
		over();
		throw error;
	}
}

async function* piecesOf(
	body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
	heard: () => void,
	over: () => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
	const reader = body?.getReader();
	try {
		for (;;) {
			const piece = await reader?.read();
			if (!piece || piece.done) return;
			heard();
			yield piece.value;
		}
	} finally {
		over();
	}
}
