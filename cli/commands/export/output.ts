import { once } from "node:events";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandError } from "../error.ts";

/** What is written to it is private: it may hold all of a shop. */
const fileMode = 0o600;

/**
 * Writes a file beside its place, and puts it there when it is whole and on the disk: what stood there before stays
 * until then, and nobody meets a half.
 *
 * @throws CommandError where it can't be written, or the person stopped it
 */
export async function writeWhole(
	path: string,
	write: (file: NodeJS.WritableStream, signal: AbortSignal) => Promise<void>,
): Promise<void> {
	const unfinished = `${path}.part-${process.pid}`;
	const stop = new AbortController();
	const onSignal = () => stop.abort();
	process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
	try {
		const file = await open(unfinished, "wx", fileMode);
		await write(file.createWriteStream({ flush: true }), stop.signal);
		stop.signal.throwIfAborted();
		await rename(unfinished, path);
	} catch (error) {
		await rm(unfinished, { force: true });
		if (stop.signal.aborted)
			throw new CommandError(`Stopped: ${path} was not written`);
		if (isOfFile(error))
			throw new CommandError(`${path} can't be written: ${error.message}`);
		throw error;
	} finally {
		process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
	}
}

/** Writes to a file, or where none is named to standard output, whose reader may leave when it has seen enough. */
export async function writeOut(
	path: string | undefined,
	content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
	const source = Readable.from(content, { objectMode: false });
	if (path !== undefined) {
		await writeWhole(path, (file, signal) =>
			pipeline(source, file, { signal }),
		);
		return;
	}
	try {
		await pipeline(source, process.stdout, { end: false });
		if (process.stdout.writableLength > 0) await once(process.stdout, "drain");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
	}
}

/** Tells how far it has come, to a person who sees nothing else of it. */
export function openProgress(isAlone: boolean) {
	const isShown = process.stderr.isTTY === true && isAlone;
	let told = 0;
	return {
		tell(rows: number): void {
			const now = performance.now();
			if (!isShown || now - told < 200) return;
			told = now;
			process.stderr.write(`\r${rows} rows`);
		},
		end(remark: string): void {
			if (isShown) process.stderr.write(`\r\x1b[K${remark}\n`);
		},
	};
}

function isOfFile(error: unknown): error is NodeJS.ErrnoException {
	return (
		error instanceof Error &&
		/^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? "")
	);
}
