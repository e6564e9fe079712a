import { connect } from "node:net";
import { onTestFinished } from "vitest";

/** What came back over one connection. */
interface RawAnswer {
	/** Of the first answer; 0 where the connection was closed without one. */
	status: number;
	/** How many answers there were: one too many is a request that was smuggled in. */
	answers: number;
	text: string;
	/** Of the last answer, where it is JSON. */
	body: unknown;
}

/** Sends these very bytes, which no client would, and reads until the server closes the connection. */
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
		// A server that has heard enough resets the connection: what it said before counts.
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

/** A request of these lines, the only one of its connection. */
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
		// Not every answer is: what it is instead is in the text.
		return undefined;
	}
}
