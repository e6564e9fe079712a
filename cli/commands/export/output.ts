import { fstatSync } from "node:fs";
import {
	lstat,
	open,
	readlink,
	realpath,
	rename,
	rm,
	stat,
} from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandError } from "../command-error.ts";

/** Only the owner may read an export, which can contain all of a shop. */
const fileMode = 0o600;

/**
 * Replaces a file atomically: writes and flushes a temporary file beside it, then renames it, so that readers see the old
 * content or all of the new. Symbolic links are followed; devices and pipes are written directly.
 *
 * @throws CommandError if the file can't be written or a signal stopped the command
 */
export async function writeAtomically(
	path: string,
	write: (file: NodeJS.WritableStream, signal: AbortSignal) => Promise<void>,
): Promise<void> {
	const stop = new AbortController();
	const onSignal = () => stop.abort();
	let unfinished: string | undefined;
	try {
		const place = await fileAt(path);
		unfinished = place && `${place}.part-${process.pid}`;
		// Of a killed program that had our process id, as in a container each one has.
		if (unfinished) await rm(unfinished, { force: true });
		// Opening a named pipe waits for its reader; until then Ctrl-C must still end the program.
		const file = unfinished
			? await open(unfinished, "wx", fileMode)
			: await open(path, "a");
		process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
		// Only a file can be flushed.
		await write(
			file.createWriteStream({ flush: unfinished !== undefined }),
			stop.signal,
		);
		stop.signal.throwIfAborted();
		if (unfinished && place) await rename(unfinished, place);
	} catch (error) {
		if (unfinished) await rm(unfinished, { force: true });
		if (stop.signal.aborted)
			throw new CommandError(`Stopped; ${path} was not written`);
		if (isSystemError(error))
			throw new CommandError(`Can't write ${path}: ${error.message}`);
		throw error;
	} finally {
		process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
	}
}

/** @returns the regular file that a path resolves to, existing or not; undefined for a device, a pipe or our standard output */
async function fileAt(path: string): Promise<string | undefined> {
	try {
		const found = await stat(path);
		const out = fstatSync(process.stdout.fd);
		const isOutput = found.dev === out.dev && found.ino === out.ino;
		return found.isFile() && !isOutput ? await realpath(path) : undefined;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
	}
	const link = await lstat(path).catch(() => undefined);
	return link?.isSymbolicLink()
		? resolve(dirname(path), await readlink(path))
		: path;
}

/** Writes to a file, or to standard output if `path` is undefined. A reader may close standard output early (`| head`). */
export async function writeOut(
	path: string | undefined,
	content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
	const source = Readable.from(content, { objectMode: false });
	if (path !== undefined) {
		await writeAtomically(path, (file, signal) =>
			pipeline(source, file, { signal }),
		);
		return;
	}
	try {
		await pipeline(source, process.stdout, { end: false });
		// Without backpressure there is no "drain" event; an empty write's callback fires once all before it are flushed.
		await new Promise((resolve) => process.stdout.write("", resolve));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
	}
}

/** Shows progress on standard error. @param isAlone whether nothing else is written to the terminal meanwhile */
export function openProgress(isAlone: boolean) {
	const isShown = process.stderr.isTTY === true && isAlone;
	let lastShown = 0;
	return {
		update(rows: number): void {
			const now = performance.now();
			if (!isShown || now - lastShown < 200) return;
			lastShown = now;
			process.stderr.write(`\r${rows} rows`);
		},
		end(remark: string): void {
			if (isShown) process.stderr.write(`\r\x1b[K${remark}\n`);
		},
	};
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
	return (
		error instanceof Error &&
		/^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? "")
	);
}
