import { existsSync, readFileSync } from "node:fs";
import type { Logger } from "pino";
import type * as z from "zod";
import { replaceFile } from "../../server/operations/atomic-file.ts";

/** A small value that the shell saves. */
export interface SavedValue<T> {
	/** @returns undefined if nothing was saved, or it can't be read */
	read(): T | undefined;
	write(value: T): void;
	/** Saves a value that no one asked to save: a full disk is only logged. */
	remember(value: T): void;
}

/** Saves atomically: after a power cut the file has its old or its new content. */
export function writeSavedValue(file: string, value: unknown): void {
	replaceFile(file, JSON.stringify(value, null, "\t"));
}

/** Saves a value in a file that only this user can read. */
export function openSavedValue<T>(
	file: string,
	schema: z.ZodType<T>,
	log: Logger,
): SavedValue<T> {
	const write = (value: T) => writeSavedValue(file, value);

	return {
		write,
		read() {
			if (!existsSync(file)) return undefined;
			try {
				return schema.parse(JSON.parse(readFileSync(file, "utf8")));
			} catch (err) {
				// These values can be chosen again; the shop's data is elsewhere.
				log.warn({ err }, "Can't read a saved file");
				return undefined;
			}
		},
		remember(value) {
			try {
				write(value);
			} catch (err) {
				log.warn({ err }, "Can't save a file");
			}
		},
	};
}
