import { existsSync, readFileSync } from "node:fs";
import type { Logger } from "pino";
import type * as z from "zod";
import { replaceFile } from "../../server/operations/atomic-file.ts";

/** A small thing that the shell remembers. */
export interface SavedValue<T> {
	/** @returns undefined where nothing was kept, or nothing that can be read */
	read(): T | undefined;
	write(value: T): void;
	/** The same for what nobody asked to keep: a full disk is nobody's affair but the log's. */
	remember(value: T): void;
}

/** The file is as it was or as it is to be, whenever the power goes. */
export function writeSavedValue(file: string, value: unknown): void {
	replaceFile(file, JSON.stringify(value, null, "\t"));
}

/** Keeps a value in a file that only this user can read. */
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
				// What is kept here can be chosen again; the shop's own data is elsewhere.
				log.warn({ err }, "A file of the shell's can't be read");
				return undefined;
			}
		},
		remember(value) {
			try {
				write(value);
			} catch (err) {
				log.warn({ err }, "The shell can't keep a file");
			}
		},
	};
}
