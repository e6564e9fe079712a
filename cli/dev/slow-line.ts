import { type AddressInfo, connect, createServer } from "node:net";
import { Transform } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** A line to a server that counts what comes back, and may be slow. */
interface Line {
	url: string;
	/** Bytes that the server has sent over it. */
	bytes(): number;
	close(): Promise<void>;
}

/** @param bitsPerSecond of what the server sends; undefined for any speed */
export async function openSlowLine(
	server: string,
	bitsPerSecond?: number,
): Promise<Line> {
	const { hostname, port } = new URL(server);
	let bytes = 0;
	const closing = new AbortController();
	const { signal } = closing;
	const door = createServer((client) => {
		const there = connect(Number(port), hostname);
		const back = new Transform({
			async transform(chunk: Buffer, _, done) {
				bytes += chunk.length;
				const ms = bitsPerSecond
					? (chunk.length * 8_000) / bitsPerSecond
					: undefined;
				if (ms) await sleep(ms, undefined, { signal }).catch(() => {});
				done(null, chunk);
			},
		});
		client.pipe(there).pipe(back).pipe(client);
		const end = () => {
			client.destroy();
			there.destroy();
		};
		for (const socket of [client, there]) socket.on("error", end);
		// The server may hang up while its last answer is still on the line.
		client.on("close", end);
		signal.addEventListener("abort", end);
	});
	await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
	const { port: own } = door.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${own}`,
		bytes: () => bytes,
		async close() {
			closing.abort();
			await new Promise((resolve) => door.close(resolve));
		},
	};
}
