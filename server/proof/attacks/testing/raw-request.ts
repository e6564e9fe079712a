import { connect } from "node:net";
import { onTestFinished } from "vitest";

/** The answers received over one connection. */
interface RawAnswer {
	/** The first answer's status; 0 if the connection closed without one. */
	status: number;
	/** The number of answers; one too many means a smuggled request. */
	answers: number;
	text: string;
	/** The last answer's body, if it is JSON. */
	body: unknown;
}

/** Sends raw bytes and reads until the server closes the connection. */
export async function sendRaw(
	{ port }: { port: number },
	...pieces: (string | Uint8Array)[]
): Promise<RawAnswer> {
	const socket = connect(port, "127.0.0.1");
	onTestFinished(() => {
		socket.destroy();
	});
	const chunks: Buffer[] = [];
	socket.on("data", (chunk) => chunks.push(chunk));
	const closed = new Promise<void>((resolve) => {
		// The server may reset the connection after its answer.
		socket.on("error", () => undefined);
		socket.on("close", () => resolve());
	});
	for (const piece of pieces)
		socket.write(typeof piece === "string" ? Buffer.from(piece) : piece);
	await closed;
	const text = Buffer.concat(chunks).toString();
	return {
		status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0),
		answers: text.match(/^HTTP\/1\.1 \d+/gm)?.length ?? 0,
		text,
		body: toJson(text.split("\r\n\r\n").at(-1) ?? ""),
	};
}

/** Builds a request from these lines, with `Connection: close`. */
export function rawRequest(
	line: string,
	headers: Record<string, string> = {},
	body = "",
): string {
	const all = Object.entries({ Host: "shop", Connection: "close", ...headers });
	return [
		`${line} HTTP/1.1`,
		...all.map(([name, value]) => `${name}: ${value}`),
		"",
		body,
	].join("\r\n");
}

function toJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Not every answer is JSON; the text still has it.
		return undefined;
	}
}
